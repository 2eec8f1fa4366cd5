#include "CCairo.h"

#include <dlfcn.h>
#include <stdlib.h>

const ductus_cairo_functions *ductus_cairo_open(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  ductus_cairo_functions *functions = calloc(1, sizeof *functions);
  int missing = functions == NULL;

// POSIX allows the conversion of a pointer from dlsym to one of a function through void **.
#define FIND(member)                                                      \
  if (!missing) {                                                         \
    *(void **)&functions->member = dlsym(library, "cairo_" #member);      \
    missing = functions->member == NULL;                                  \
  }
  FIND(image_surface_create)
  FIND(surface_status)
  FIND(surface_destroy)
  FIND(surface_write_to_png_stream)
  FIND(image_surface_create_from_png_stream)
  FIND(image_surface_get_data)
  FIND(image_surface_get_format)
  FIND(image_surface_get_width)
  FIND(image_surface_get_height)
  FIND(image_surface_get_stride)
  FIND(surface_flush)
  FIND(surface_mark_dirty)
  FIND(create)
  FIND(status)
  FIND(destroy)
  FIND(save)
  FIND(restore)
  FIND(transform)
  FIND(set_source_rgba)
  FIND(set_line_width)
  FIND(set_line_cap)
  FIND(set_line_join)
  FIND(set_dash)
  FIND(new_path)
  FIND(move_to)
  FIND(line_to)
  FIND(curve_to)
  FIND(close_path)
  FIND(fill)
  FIND(stroke)
  FIND(clip)
  FIND(paint)
  FIND(paint_with_alpha)
  FIND(push_group)
  FIND(pop_group_to_source)
  FIND(set_source_surface)
  FIND(get_source)
  FIND(pattern_set_extend)
  FIND(rectangle)
  FIND(select_font_face)
  FIND(set_font_size)
  FIND(text_extents)
  FIND(show_text)
#undef FIND

  if (missing) {
    free(functions);
    dlclose(library);
    return NULL;
  }
  return functions;
}
