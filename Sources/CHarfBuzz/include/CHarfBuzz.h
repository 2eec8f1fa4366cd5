// The parts of HarfBuzz and Fontconfig that measure text, found while the program runs: neither is needed to
// build.
#ifndef CHARFBUZZ_H
#define CHARFBUZZ_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Both libraries.
typedef struct ductus_fonts ductus_fonts;
/// A font file that is open.
typedef struct ductus_font ductus_font;

/// A glyph of a text that was shaped, in shares of the size of the font; y grows upward.
typedef struct {
  /// The first byte in the text that the glyph belongs to.
  uint32_t cluster;
  /// 0 if the font lacks the character.
  uint32_t glyph;
  double advance;
  double left, bottom, right, top;
} ductus_glyph;

/// Opens the libraries; NULL if one is missing.
ductus_fonts *ductus_fonts_open(const char *harfbuzz, const char *fontconfig);

/// Finds the file of a font.
///
/// `character` is a character that the font must have, or 0. Returns 1, or 0 if there is none or the path is
/// longer than `capacity`.
int ductus_fonts_find(ductus_fonts *fonts, const char *family, int is_bold, int is_italic, uint32_t character,
                      char *path, size_t capacity, int *index);

/// Opens a font file; NULL if it is no font.
ductus_font *ductus_font_open(ductus_fonts *fonts, const char *path, int index);

/// Writes ascent, descent, line gap, and the heights of H and x, as shares of the size.
void ductus_font_heights(ductus_fonts *fonts, ductus_font *font, double heights[5]);

/// Shapes a text in UTF-8. Returns the number of glyphs, of which at most `capacity` are written.
size_t ductus_font_shape(ductus_fonts *fonts, ductus_font *font, const char *text, size_t length,
                         ductus_glyph *glyphs, size_t capacity);

/// Closes a font.
void ductus_font_close(ductus_fonts *fonts, ductus_font *font);

#if defined(__cplusplus)
}
#endif

#endif
