#include "CHarfBuzz.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The layouts of HarfBuzz's structures, which its interface fixes.
typedef struct {
  uint32_t codepoint, mask, cluster, var1, var2;
} glyph_info;
typedef struct {
  int32_t x_advance, y_advance, x_offset, y_offset, var;
} glyph_position;
typedef struct {
  int32_t x_bearing, y_bearing, width, height;
} glyph_extents;
typedef struct {
  int32_t ascender, descender, line_gap, reserved[9];
} font_extents;

struct ductus_font {
  void *blob, *face, *font;
  double units;
};

struct ductus_fonts {
  void *(*hb_blob_create_from_file)(const char *);
  void (*hb_blob_destroy)(void *);
  void *(*hb_face_create)(void *, unsigned);
  void (*hb_face_destroy)(void *);
  unsigned (*hb_face_get_upem)(void *);
  unsigned (*hb_face_get_glyph_count)(void *);
  void *(*hb_font_create)(void *);
  void (*hb_font_destroy)(void *);
  int (*hb_font_get_nominal_glyph)(void *, uint32_t, uint32_t *);
  int (*hb_font_get_glyph_extents)(void *, uint32_t, glyph_extents *);
  void (*hb_font_get_extents_for_direction)(void *, int, font_extents *);
  void *(*hb_buffer_create)(void);
  void (*hb_buffer_destroy)(void *);
  void (*hb_buffer_add_utf8)(void *, const char *, int, unsigned, int);
  void (*hb_buffer_guess_segment_properties)(void *);
  glyph_info *(*hb_buffer_get_glyph_infos)(void *, unsigned *);
  glyph_position *(*hb_buffer_get_glyph_positions)(void *, unsigned *);
  void (*hb_shape)(void *, void *, const void *, unsigned);
  void *(*FcPatternCreate)(void);
  void (*FcPatternDestroy)(void *);
  int (*FcPatternAddString)(void *, const char *, const unsigned char *);
  int (*FcPatternAddInteger)(void *, const char *, int);
  int (*FcPatternAddBool)(void *, const char *, int);
  int (*FcPatternAddCharSet)(void *, const char *, const void *);
  void *(*FcCharSetCreate)(void);
  int (*FcCharSetAddChar)(void *, uint32_t);
  void (*FcCharSetDestroy)(void *);
  int (*FcConfigSubstitute)(void *, void *, int);
  void (*FcDefaultSubstitute)(void *);
  void *(*FcFontMatch)(void *, void *, int *);
  int (*FcPatternGetString)(const void *, const char *, int, unsigned char **);
  int (*FcPatternGetInteger)(const void *, const char *, int, int *);
};

ductus_fonts *ductus_fonts_open(const char *harfbuzz, const char *fontconfig) {
  void *shaping = dlopen(harfbuzz, RTLD_NOW | RTLD_LOCAL);
  void *finding = dlopen(fontconfig, RTLD_NOW | RTLD_LOCAL);
  ductus_fonts *fonts = calloc(1, sizeof *fonts);
  int missing = shaping == NULL || finding == NULL || fonts == NULL;

// POSIX allows the conversion of a pointer from dlsym to one of a function through void **.
#define FIND(library, member)                             \
  if (!missing) {                                         \
    *(void **)&fonts->member = dlsym(library, #member);   \
    missing = fonts->member == NULL;                      \
  }
  FIND(shaping, hb_blob_create_from_file)
  FIND(shaping, hb_blob_destroy)
  FIND(shaping, hb_face_create)
  FIND(shaping, hb_face_destroy)
  FIND(shaping, hb_face_get_upem)
  FIND(shaping, hb_face_get_glyph_count)
  FIND(shaping, hb_font_create)
  FIND(shaping, hb_font_destroy)
  FIND(shaping, hb_font_get_nominal_glyph)
  FIND(shaping, hb_font_get_glyph_extents)
  FIND(shaping, hb_font_get_extents_for_direction)
  FIND(shaping, hb_buffer_create)
  FIND(shaping, hb_buffer_destroy)
  FIND(shaping, hb_buffer_add_utf8)
  FIND(shaping, hb_buffer_guess_segment_properties)
  FIND(shaping, hb_buffer_get_glyph_infos)
  FIND(shaping, hb_buffer_get_glyph_positions)
  FIND(shaping, hb_shape)
  FIND(finding, FcPatternCreate)
  FIND(finding, FcPatternDestroy)
  FIND(finding, FcPatternAddString)
  FIND(finding, FcPatternAddInteger)
  FIND(finding, FcPatternAddBool)
  FIND(finding, FcPatternAddCharSet)
  FIND(finding, FcCharSetCreate)
  FIND(finding, FcCharSetAddChar)
  FIND(finding, FcCharSetDestroy)
  FIND(finding, FcConfigSubstitute)
  FIND(finding, FcDefaultSubstitute)
  FIND(finding, FcFontMatch)
  FIND(finding, FcPatternGetString)
  FIND(finding, FcPatternGetInteger)
#undef FIND

  if (missing) {
    free(fonts);
    if (shaping != NULL) dlclose(shaping);
    if (finding != NULL) dlclose(finding);
    return NULL;
  }
  return fonts;
}

int ductus_fonts_find(ductus_fonts *fonts, const char *family, int is_bold, int is_italic, uint32_t character,
                      char *path, size_t capacity, int *index) {
  void *pattern = fonts->FcPatternCreate();
  if (pattern == NULL) return 0;
  fonts->FcPatternAddString(pattern, "family", (const unsigned char *)family);
  fonts->FcPatternAddInteger(pattern, "weight", is_bold ? 200 : 80);
  fonts->FcPatternAddInteger(pattern, "slant", is_italic ? 100 : 0);
  fonts->FcPatternAddBool(pattern, "scalable", 1);
  if (character != 0) {
    void *set = fonts->FcCharSetCreate();
    if (set != NULL) {
      fonts->FcCharSetAddChar(set, character);
      fonts->FcPatternAddCharSet(pattern, "charset", set);
      fonts->FcCharSetDestroy(set);
    }
  }
  fonts->FcConfigSubstitute(NULL, pattern, 0);
  fonts->FcDefaultSubstitute(pattern);
  int result = 0, found = 0;
  void *match = fonts->FcFontMatch(NULL, pattern, &result);
  fonts->FcPatternDestroy(pattern);
  if (match == NULL) return 0;
  unsigned char *file = NULL;
  if (fonts->FcPatternGetString(match, "file", 0, &file) == 0 && strlen((char *)file) < capacity) {
    strcpy(path, (char *)file);
    *index = 0;
    fonts->FcPatternGetInteger(match, "index", 0, index);
    found = 1;
  }
  fonts->FcPatternDestroy(match);
  return found;
}

ductus_font *ductus_font_open(ductus_fonts *fonts, const char *path, int index) {
  ductus_font *font = calloc(1, sizeof *font);
  if (font == NULL) return NULL;
  font->blob = fonts->hb_blob_create_from_file(path);
  font->face = fonts->hb_face_create(font->blob, (unsigned)index & 0xFFFF);
  if (fonts->hb_face_get_glyph_count(font->face) == 0) {
    fonts->hb_face_destroy(font->face);
    fonts->hb_blob_destroy(font->blob);
    free(font);
    return NULL;
  }
  font->font = fonts->hb_font_create(font->face);
  font->units = fonts->hb_face_get_upem(font->face);
  return font;
}

static double height_of(ductus_fonts *fonts, ductus_font *font, uint32_t character) {
  uint32_t glyph = 0;
  glyph_extents extents = {0};
  if (!fonts->hb_font_get_nominal_glyph(font->font, character, &glyph)) return 0;
  if (!fonts->hb_font_get_glyph_extents(font->font, glyph, &extents)) return 0;
  return extents.y_bearing / font->units;
}

void ductus_font_heights(ductus_fonts *fonts, ductus_font *font, double heights[5]) {
  font_extents extents = {0};
  // 4 is the direction from left to right.
  fonts->hb_font_get_extents_for_direction(font->font, 4, &extents);
  heights[0] = extents.ascender / font->units;
  heights[1] = -extents.descender / font->units;
  heights[2] = extents.line_gap / font->units;
  heights[3] = height_of(fonts, font, 'H');
  heights[4] = height_of(fonts, font, 'x');
}

size_t ductus_font_shape(ductus_fonts *fonts, ductus_font *font, const char *text, size_t length,
                         ductus_glyph *glyphs, size_t capacity) {
  void *buffer = fonts->hb_buffer_create();
  fonts->hb_buffer_add_utf8(buffer, text, (int)length, 0, (int)length);
  fonts->hb_buffer_guess_segment_properties(buffer);
  fonts->hb_shape(font->font, buffer, NULL, 0);
  unsigned count = 0;
  glyph_info *infos = fonts->hb_buffer_get_glyph_infos(buffer, &count);
  glyph_position *positions = fonts->hb_buffer_get_glyph_positions(buffer, &count);
  for (unsigned i = 0; i < count && i < capacity; i++) {
    glyph_extents extents = {0};
    fonts->hb_font_get_glyph_extents(font->font, infos[i].codepoint, &extents);
    double x = positions[i].x_offset + extents.x_bearing, y = positions[i].y_offset + extents.y_bearing;
    glyphs[i].cluster = infos[i].cluster;
    glyphs[i].glyph = infos[i].codepoint;
    glyphs[i].advance = positions[i].x_advance / font->units;
    glyphs[i].left = x / font->units;
    glyphs[i].right = (x + extents.width) / font->units;
    glyphs[i].top = y / font->units;
    glyphs[i].bottom = (y + extents.height) / font->units;
  }
  fonts->hb_buffer_destroy(buffer);
  return count;
}

void ductus_font_close(ductus_fonts *fonts, ductus_font *font) {
  fonts->hb_font_destroy(font->font);
  fonts->hb_face_destroy(font->face);
  fonts->hb_blob_destroy(font->blob);
  free(font);
}
