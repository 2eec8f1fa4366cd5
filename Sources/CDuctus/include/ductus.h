/* Ductus: handwriting recognition on this machine. The C interface of libductus.
 *
 * A complete program, which reads a stroke with the model for English:
 *
 *   #include <ductus.h>
 *   #include <math.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     if (ductus_abi_version() != DUCTUS_ABI_VERSION) return 1;
 *     ductus_error *error = NULL;
 *     ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", &error);
 *     if (recognizer == NULL) {
 *       fprintf(stderr, "%s\n", ductus_error_message(error));
 *       ductus_error_free(error);
 *       return 1;
 *     }
 *     ductus_ink *ink = ductus_ink_new();
 *     ductus_ink_begin_stroke(ink, &error);
 *     for (int step = 0; step <= 40; step++) {
 *       double angle = step * 6.283 / 40;
 *       ductus_point point = {50 + 30 * sin(angle), 50 - 30 * cos(angle), 10.0 * step, NAN};
 *       ductus_ink_add_points(ink, &point, 1, &error);
 *     }
 *     ductus_options options = ductus_options_default();
 *     options.pre_context = "Hell";
 *     options.candidates = 3;
 *     ductus_result *result = ductus_recognize(recognizer, ink, &options, &error);
 *     if (result == NULL) {
 *       fprintf(stderr, "%s\n", ductus_error_message(error));
 *       ductus_error_free(error);
 *     }
 *     for (int64_t index = 0; index < ductus_result_count(result); index++) {
 *       printf("%s %.3f\n", ductus_result_text(result, index), ductus_result_score(result, index));
 *     }
 *     int status = result == NULL;
 *     ductus_result_free(result);
 *     ductus_ink_free(ink);
 *     ductus_recognizer_free(recognizer);
 *     return status;
 *   }
 *
 *   cc example.c $(pkg-config --cflags --libs ductus) -lm
 *
 * Rules for all functions:
 *   - Strings are UTF-8 and end with a zero byte. A string that a function returns as
 *     `const char *` belongs to the handle that was passed to it, and lives as long as that handle.
 *   - If a function with a parameter `error` fails, it stores a new error there, unless the
 *     parameter is NULL; free the error with ductus_error_free. If it succeeds, the parameter is
 *     unchanged.
 *   - NULL is allowed for every handle: the function then fails, or returns 0 or NULL. Freeing NULL
 *     does nothing. An index out of range gives 0 or NULL.
 *   - Several threads may use any handle at once; calls on the same ink run one after another. A
 *     handle must not be in use while it is freed.
 *   - The library has no global state, except that open models share their memory.
 */
#ifndef DUCTUS_H
#define DUCTUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the binary interface that this header describes. It changes when a function or a
 * structure changes in a way that breaks compiled programs; new functions do not change it. */
#define DUCTUS_ABI_VERSION 1

/* The version of the binary interface of the loaded library. */
int32_t ductus_abi_version(void);
/* The version of the library, such as "0.1.0"; never NULL. */
const char *ductus_version(void);

/* ---- Errors ---- */

typedef struct ductus_error ductus_error;

typedef enum ductus_code {
  DUCTUS_INVALID_ARGUMENT = 1, /* a required value is NULL, NaN, a negative count, not UTF-8 */
  DUCTUS_UNKNOWN_MODEL = 2,    /* no model has this name */
  DUCTUS_UNUSABLE_MODEL = 3,   /* the model is damaged, or cannot do this */
  DUCTUS_TOO_LARGE = 4,        /* more points, strokes or words than allowed */
  DUCTUS_UNREADABLE_FILE = 5,  /* a file is missing, or has no ink */
  DUCTUS_FAILED = 6            /* an internal error of the library */
} ductus_code;

/* One of ductus_code; 0 for NULL. */
int32_t ductus_error_code(const ductus_error *error);
/* The message: what happened and what to do; "" for NULL. */
const char *ductus_error_message(const ductus_error *error);
void ductus_error_free(ductus_error *error);

/* ---- Ink ---- */

/* Strokes in the order they were written. */
typedef struct ductus_ink ductus_ink;

/* A point in any unit, y growing downward. */
typedef struct ductus_point {
  double x;
  double y;
  double t;     /* milliseconds since an origin that the ink shares, or NAN */
  double force; /* 1 is an average touch, or NAN */
} ductus_point;

/* Makes an ink without strokes; never NULL. */
ductus_ink *ductus_ink_new(void);
/* Begins a stroke, which ductus_ink_add_points continues. Returns 0, or -1 with an error. */
int32_t ductus_ink_begin_stroke(ductus_ink *ink, ductus_error **error);
/* Adds points to the last stroke, as they come from the pen; begins a stroke if there is none.
 * Returns 0, or -1 with an error if no point was added. */
int32_t ductus_ink_add_points(
    ductus_ink *ink, const ductus_point *points, int64_t count, ductus_error **error);
/* Begins a stroke and adds its points. Returns 0, or -1 with an error if nothing was added. */
int32_t ductus_ink_add_stroke(
    ductus_ink *ink, const ductus_point *points, int64_t count, ductus_error **error);
/* Removes the last stroke. Returns 0, or -1 with an error if there is none. */
int32_t ductus_ink_remove_last_stroke(ductus_ink *ink, ductus_error **error);
void ductus_ink_clear(ductus_ink *ink);
int64_t ductus_ink_stroke_count(const ductus_ink *ink);
int64_t ductus_ink_point_count(const ductus_ink *ink, int64_t stroke);
/* Copies points of a stroke, at most `capacity` of them.
 * Returns the number of points of the stroke, or -1 with an error. */
int64_t ductus_ink_points(
    const ductus_ink *ink, int64_t stroke, ductus_point *points, int64_t capacity,
    ductus_error **error);
void ductus_ink_free(ductus_ink *ink);

/* The inks of a file, with their labels. */
typedef struct ductus_inks ductus_inks;

/* Reads a file of ink in any format that `ductus recognize` reads, which is found by its content.
 * Records that cannot be read are left out. Returns NULL with an error if none can be read. */
ductus_inks *ductus_inks_read(const char *path, ductus_error **error);
int64_t ductus_inks_count(const ductus_inks *inks);
/* The label of an ink; "" if it has none. */
const char *ductus_inks_label(const ductus_inks *inks, int64_t index);
/* Returns a copy of an ink, which the caller frees; NULL for an index out of range. */
ductus_ink *ductus_inks_ink(const ductus_inks *inks, int64_t index);
/* The number of records that could not be read. */
int64_t ductus_inks_rejected(const ductus_inks *inks);
void ductus_inks_free(ductus_inks *inks);

/* ---- Recognition ---- */

typedef struct ductus_recognizer ductus_recognizer;

/* Opens a model: a bundle by its path, an installed model or one that came with the library by its
 * name, the model of a language ("en-US"), or a model of words of two languages ("de,en"). NULL opens
 * the default model, which reads in the best of the languages whose packs are there. Returns NULL
 * with an error if it cannot be opened. */
ductus_recognizer *ductus_recognizer_open(const char *model, ductus_error **error);
/* The identifier of the model, such as "latin-lines". */
const char *ductus_recognizer_model(const ductus_recognizer *recognizer);
void ductus_recognizer_free(ductus_recognizer *recognizer);

typedef enum ductus_layout {
  DUCTUS_LAYOUT_AUTO = 0,
  DUCTUS_LAYOUT_PAGE = 1, /* several lines, in reading order */
  DUCTUS_LAYOUT_LINE = 2,
  DUCTUS_LAYOUT_GLYPH = 3,
  DUCTUS_LAYOUT_FORMULA = 4 /* one formula, read with the model formulas */
} ductus_layout;

/* The context of an ink. Start from ductus_options_default(): later versions may add members at the
 * end. */
typedef struct ductus_options {
  uint64_t size;            /* sizeof(ductus_options) */
  const char *pre_context;  /* the text before the ink, or NULL */
  const char *alphabet;     /* the only characters that may be read, or NULL; \p{Nd} for all digits */
  const char *const *words; /* the only words that may be read, or NULL */
  int64_t word_count;
  double word_bonus;  /* unless NAN: added to the score of each word; others are read, too */
  double area[4];     /* x, y, width, height of the line written on; width 0 for unknown */
  int32_t layout;     /* one of ductus_layout */
  int32_t candidates; /* the largest number of candidates; 0 for 5 */
} ductus_options;

/* Returns options without any context. */
ductus_options ductus_options_default(void);

/* The readings of an ink, best first. */
typedef struct ductus_result ductus_result;

/* Reads an ink. `options` may be NULL. Returns NULL with an error if it fails. The result has no
 * candidates if there is nothing to read. */
ductus_result *ductus_recognize(
    const ductus_recognizer *recognizer, const ductus_ink *ink, const ductus_options *options,
    ductus_error **error);
int64_t ductus_result_count(const ductus_result *result);
/* The text of a candidate. */
const char *ductus_result_text(const ductus_result *result, int64_t candidate);
/* The natural logarithm of the probability that the candidate is right; at most 0. */
double ductus_result_score(const ductus_result *result, int64_t candidate);

/* The points start ..< end of a stroke; all indices count from 0. */
typedef struct ductus_span {
  int64_t stroke;
  int64_t start;
  int64_t end;
} ductus_span;

/* The number of characters of a candidate whose ink is known. It is 0 for glyph models, where the
 * whole ink makes the label. */
int64_t ductus_result_character_count(const ductus_result *result, int64_t candidate);
/* Copies the ink of a character, at most `capacity` spans. Returns the number of its spans: 0 for a
 * space, -1 for an index out of range. */
int64_t ductus_result_character_spans(
    const ductus_result *result, int64_t candidate, int64_t character, ductus_span *spans,
    int64_t capacity);

/* A word of a candidate: its characters start ..< end, counted as in ductus_result_character_spans.
 * A letter with its accents is one character. */
typedef struct ductus_word {
  int64_t start;
  int64_t end;
  double confidence; /* 0 ... 1 */
} ductus_word;

int64_t ductus_result_word_count(const ductus_result *result, int64_t candidate);
/* Returns 0, or -1 for an index out of range. */
int32_t ductus_result_word(
    const ductus_result *result, int64_t candidate, int64_t word, ductus_word *target);

const char *ductus_result_word_text(const ductus_result *result, int64_t candidate, int64_t word);

/* The number of lines of the ink, which are in reading order. */
int64_t ductus_result_line_count(const ductus_result *result);
/* The best reading of a line. */
const char *ductus_result_line_text(const ductus_result *result, int64_t line);
/* Copies the indices of a line's strokes, at most `capacity`. Returns their number, or -1. */
int64_t ductus_result_line_strokes(
    const ductus_result *result, int64_t line, int64_t *strokes, int64_t capacity);
void ductus_result_free(ductus_result *result);

/* Answers a request of `ductus recognize -`: one JSON object for another. Errors are in the answer.
 * Models that the request names stay open as long as the recogniser. Returns NULL only if an
 * argument is NULL. Free the answer with ductus_string_free. */
char *ductus_recognize_json(const ductus_recognizer *recognizer, const char *request);
void ductus_string_free(char *string);

/* ---- Files for other programs ---- */

/* The choices for an export. Start from ductus_export_options_default(): later versions may add
 * members at the end. */
typedef struct ductus_export_options {
  uint64_t size;     /* sizeof(ductus_export_options) */
  const char *title; /* the name of the document, or NULL */
  double scale;      /* millimetres of a unit of the ink, or NAN: writing of a usual height */
  double dpi;        /* the pixels of an inch of png and jpeg */
  int32_t draws_ink; /* not 0: html also draws the ink, markdown its figures */
  int32_t without_struck_words; /* not 0: words that are struck through are left out */
} ductus_export_options;

/* Returns options without choices, and 150 pixels of an inch. */
ductus_export_options ductus_export_options_default(void);

/* A file in memory. */
typedef struct ductus_file ductus_file;

/* Reads inks and writes them as a file, each ink as a page. `format` is pdf, png, jpeg, svg, text,
 * markdown, html, docx, odt, graphml, mermaid, latex, mathml, inkml, jiix, jsonl, unipen or xopp; png,
 * jpeg, svg and jiix hold one page. png needs the library Cairo, jpeg also TurboJPEG. `options` may be NULL. Returns
 * NULL with an error if it fails. */
ductus_file *ductus_export(
    const ductus_recognizer *recognizer, const ductus_ink *const *inks, int64_t count,
    const char *format, const ductus_export_options *options, ductus_error **error);
/* The bytes of a file. They belong to its handle, and no zero byte ends them. */
const uint8_t *ductus_file_bytes(const ductus_file *file);
int64_t ductus_file_size(const ductus_file *file);
/* Writes a file as a whole: an existing one is replaced, or unchanged after an error. Returns 0, or -1
 * with an error. */
int32_t ductus_file_write(const ductus_file *file, const char *path, ductus_error **error);
void ductus_file_free(ductus_file *file);

/* ---- Models ---- */

/* The models that can be opened by name: the installed ones, and those that came with the
 * library. */
typedef struct ductus_models ductus_models;

ductus_models *ductus_models_list(ductus_error **error);
int64_t ductus_models_count(const ductus_models *models);
const char *ductus_models_identifier(const ductus_models *models, int64_t index);
const char *ductus_models_name(const ductus_models *models, int64_t index);
/* "line", "glyph" or "formula". */
const char *ductus_models_kind(const ductus_models *models, int64_t index);
/* Language tags, separated by spaces. */
const char *ductus_models_languages(const ductus_models *models, int64_t index);
void ductus_models_free(ductus_models *models);

/* Checks every byte of a model against its manifest. Returns 0 if it is intact, else -1 with an
 * error. `signer`, unless NULL, is set to the public key that signed the model, in Base64, or to NULL
 * if it is unsigned. Free it with ductus_string_free, and compare it with a key that you trust. */
int32_t ductus_model_verify(const char *model, char **signer, ductus_error **error);

#ifdef __cplusplus
}
#endif

#endif
