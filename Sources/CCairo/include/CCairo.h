// The functions of Cairo that draw pictures of pixels. The library is opened when it is first asked
// for, so neither the build nor a program that makes no such picture needs it.
#ifndef DUCTUS_CCAIRO_H
#define DUCTUS_CCAIRO_H

#include <stddef.h>

#include "CJPEG.h"

typedef struct ductus_cairo_surface ductus_cairo_surface;
typedef struct ductus_cairo ductus_cairo;
typedef struct ductus_cairo_pattern ductus_cairo_pattern;

// As in cairo_matrix_t.
typedef struct {
  double xx, yx, xy, yy, x0, y0;
} ductus_cairo_matrix;

// As in cairo_text_extents_t.
typedef struct {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
} ductus_cairo_text_extents;

// Takes bytes of a PNG; returns 0, or another number to stop.
typedef int (*ductus_cairo_write)(void *closure, const unsigned char *data, unsigned int length);

// Fills memory with the next bytes of a PNG; returns 0, or another number if there are too few.
typedef int (*ductus_cairo_read)(void *closure, unsigned char *data, unsigned int length);

// The functions have the meaning of those of Cairo whose names end as theirs.
typedef struct {
  ductus_cairo_surface *(*image_surface_create)(int format, int width, int height);
  int (*surface_status)(ductus_cairo_surface *surface);
  void (*surface_destroy)(ductus_cairo_surface *surface);
  int (*surface_write_to_png_stream)(ductus_cairo_surface *surface, ductus_cairo_write write,
                                     void *closure);
  ductus_cairo_surface *(*image_surface_create_from_png_stream)(ductus_cairo_read read,
                                                                void *closure);
  unsigned char *(*image_surface_get_data)(ductus_cairo_surface *surface);
  int (*image_surface_get_format)(ductus_cairo_surface *surface);
  int (*image_surface_get_width)(ductus_cairo_surface *surface);
  int (*image_surface_get_height)(ductus_cairo_surface *surface);
  int (*image_surface_get_stride)(ductus_cairo_surface *surface);
  void (*surface_flush)(ductus_cairo_surface *surface);
  void (*surface_mark_dirty)(ductus_cairo_surface *surface);
  ductus_cairo *(*create)(ductus_cairo_surface *surface);
  int (*status)(ductus_cairo *cairo);
  void (*destroy)(ductus_cairo *cairo);
  void (*save)(ductus_cairo *cairo);
  void (*restore)(ductus_cairo *cairo);
  void (*transform)(ductus_cairo *cairo, const ductus_cairo_matrix *matrix);
  void (*set_source_rgba)(ductus_cairo *cairo, double red, double green, double blue,
                          double alpha);
  void (*set_line_width)(ductus_cairo *cairo, double width);
  void (*set_line_cap)(ductus_cairo *cairo, int cap);
  void (*set_line_join)(ductus_cairo *cairo, int join);
  void (*set_dash)(ductus_cairo *cairo, const double *dashes, int count, double offset);
  void (*new_path)(ductus_cairo *cairo);
  void (*move_to)(ductus_cairo *cairo, double x, double y);
  void (*line_to)(ductus_cairo *cairo, double x, double y);
  void (*curve_to)(ductus_cairo *cairo, double x1, double y1, double x2, double y2, double x3,
                   double y3);
  void (*close_path)(ductus_cairo *cairo);
  void (*fill)(ductus_cairo *cairo);
  void (*stroke)(ductus_cairo *cairo);
  void (*clip)(ductus_cairo *cairo);
  void (*paint)(ductus_cairo *cairo);
  void (*paint_with_alpha)(ductus_cairo *cairo, double alpha);
  void (*push_group)(ductus_cairo *cairo);
  void (*pop_group_to_source)(ductus_cairo *cairo);
  void (*set_source_surface)(ductus_cairo *cairo, ductus_cairo_surface *surface, double x,
                             double y);
  ductus_cairo_pattern *(*get_source)(ductus_cairo *cairo);
  void (*pattern_set_extend)(ductus_cairo_pattern *pattern, int extend);
  void (*rectangle)(ductus_cairo *cairo, double x, double y, double width, double height);
  void (*select_font_face)(ductus_cairo *cairo, const char *family, int slant, int weight);
  void (*set_font_size)(ductus_cairo *cairo, double size);
  void (*text_extents)(ductus_cairo *cairo, const char *text, ductus_cairo_text_extents *extents);
  void (*show_text)(ductus_cairo *cairo, const char *text);
} ductus_cairo_functions;

// The functions of a library; NULL if it is not there or lacks one of them. They stay valid.
const ductus_cairo_functions *ductus_cairo_open(const char *name);

#endif
