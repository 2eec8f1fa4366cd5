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
 *   - Strings are UTF-8 that ends with a zero byte. A string that a function returns as
 *     `const char *` belongs to the handle that it was asked of, and lives as long as it.
 *   - A function with a parameter `error` stores a new error there where it fails, unless the
 *     parameter is NULL; free it with ductus_error_free. Where it succeeds, the parameter is left
 *     alone.
 *   - NULL is allowed for every handle: the function then fails, or answers 0 or NULL. Freeing NULL
 *     does nothing. An index out of range gives 0 or NULL.
 *   - Any handle but an ink may be used by several threads at once. An ink may be, too: its calls
 *     come one after another. Nobody may use a handle that is being freed.
 *   - The library has no state of its own, but the models that are open share their memory.
 */
#ifndef DUCTUS_H
#define DUCTUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The binary interface that this header describes. It changes when a function or a structure does
 * in a way that compiled programs notice; new functions do not change it. */
#define DUCTUS_ABI_VERSION 1

/* The binary interface of the library that is loaded. */
int32_t ductus_abi_version(void);
/* The version of the library, as "0.1.0"; never NULL. */
const char *ductus_version(void);

/* ---- Errors ---- */

typedef struct ductus_error ductus_error;

typedef enum ductus_code {
  DUCTUS_INVALID_ARGUMENT = 1, /* NULL where a value is needed, NaN, a negative count, not UTF-8 */
  DUCTUS_UNKNOWN_MODEL = 2,    /* no model goes with the name */
  DUCTUS_UNUSABLE_MODEL = 3,   /* the model is damaged, or cannot do what was asked */
  DUCTUS_TOO_LARGE = 4,        /* more points, strokes or words than are read */
  DUCTUS_UNREADABLE_FILE = 5,  /* a file is not there, or is no ink */
  DUCTUS_FAILED = 6            /* a defect of the library */
} ductus_code;

/* One of ductus_code; 0 for NULL. */
int32_t ductus_error_code(const ductus_error *error);
/* What was expected, what was found, what to do; "" for NULL. */
const char *ductus_error_message(const ductus_error *error);
void ductus_error_free(ductus_error *error);

/* ---- Ink ---- */

/* Strokes in the order written. */
typedef struct ductus_ink ductus_ink;

/* A point in any unit, y growing downward. */
typedef struct ductus_point {
  double x;
  double y;
  double t;     /* milliseconds since an origin that the ink shares, or NAN */
  double force; /* 1 is an average touch, or NAN */
} ductus_point;

/* An ink without strokes; never NULL. */
ductus_ink *ductus_ink_new(void);
/* Begins a stroke; ductus_ink_add_points adds to it. 0, or -1 with an error. */
int32_t ductus_ink_begin_stroke(ductus_ink *ink, ductus_error **error);
/* Adds points to the last stroke, which is begun where there is none: as they come from the pen.
 * 0, or -1 with an error, where no point is added. */
int32_t ductus_ink_add_points(
    ductus_ink *ink, const ductus_point *points, int64_t count, ductus_error **error);
/* Begins a stroke and adds its points. 0, or -1 with an error, where nothing is added. */
int32_t ductus_ink_add_stroke(
    ductus_ink *ink, const ductus_point *points, int64_t count, ductus_error **error);
/* Takes the last stroke away. 0, or -1 where there is none. */
int32_t ductus_ink_remove_last_stroke(ductus_ink *ink, ductus_error **error);
void ductus_ink_clear(ductus_ink *ink);
int64_t ductus_ink_stroke_count(const ductus_ink *ink);
int64_t ductus_ink_point_count(const ductus_ink *ink, int64_t stroke);
/* Copies points of a stroke, at most `capacity` of them.
 * Returns how many the stroke has, or -1 with an error. */
int64_t ductus_ink_points(
    const ductus_ink *ink, int64_t stroke, ductus_point *points, int64_t capacity,
    ductus_error **error);
void ductus_ink_free(ductus_ink *ink);

/* The inks of a file, with their labels. */
typedef struct ductus_inks ductus_inks;

/* Reads a file by the end of its name: .jsonl (labelled ink), .ndjson, .inkml, .jiix, .xml (gestures
 * of the $-family). Records that cannot be read are left out. NULL with an error where none can. */
ductus_inks *ductus_inks_read(const char *path, ductus_error **error);
int64_t ductus_inks_count(const ductus_inks *inks);
/* The label of an ink, "" where it has none. */
const char *ductus_inks_label(const ductus_inks *inks, int64_t index);
/* A copy of an ink, which the caller frees; NULL for an index out of range. */
ductus_ink *ductus_inks_ink(const ductus_inks *inks, int64_t index);
/* How many records could not be read. */
int64_t ductus_inks_rejected(const ductus_inks *inks);
void ductus_inks_free(ductus_inks *inks);

/* ---- Recognition ---- */

typedef struct ductus_recognizer ductus_recognizer;

/* Opens a model: a bundle by its path, an installed model or one that came with the library by its
 * name, or the model of a language ("en-US"). NULL with an error. */
ductus_recognizer *ductus_recognizer_open(const char *model, ductus_error **error);
/* The identifier of the model, as "latin-lines". */
const char *ductus_recognizer_model(const ductus_recognizer *recognizer);
void ductus_recognizer_free(ductus_recognizer *recognizer);

typedef enum ductus_layout {
  DUCTUS_LAYOUT_AUTO = 0,
  DUCTUS_LAYOUT_PAGE = 1, /* several lines, in reading order */
  DUCTUS_LAYOUT_LINE = 2,
  DUCTUS_LAYOUT_GLYPH = 3
} ductus_layout;

/* What is known besides the ink. Begin with ductus_options_default(): members may be added at the
 * end. */
typedef struct ductus_options {
  uint64_t size;            /* sizeof(ductus_options) */
  const char *pre_context;  /* the text before the ink, or NULL */
  const char *alphabet;     /* the only characters that may be read, or NULL; \p{Nd} for all digits */
  const char *const *words; /* the only words that may be read, or NULL */
  int64_t word_count;
  double word_bonus;  /* not NAN: prefer the words by so much, do not confine to them */
  double area[4];     /* x, y, width, height of the line written on; width 0 for unknown */
  int32_t layout;     /* one of ductus_layout */
  int32_t candidates; /* the largest number of candidates; 0 for 5 */
} ductus_options;

/* Options that say nothing. */
ductus_options ductus_options_default(void);

/* The readings of an ink, best first. */
typedef struct ductus_result ductus_result;

/* Reads an ink. `options` may be NULL. NULL with an error; a result without candidates where there
 * is nothing to read. */
ductus_result *ductus_recognize(
    const ductus_recognizer *recognizer, const ductus_ink *ink, const ductus_options *options,
    ductus_error **error);
int64_t ductus_result_count(const ductus_result *result);
/* The text of a candidate. */
const char *ductus_result_text(const ductus_result *result, int64_t candidate);
/* The natural logarithm of the probability that it is right: at most 0. */
double ductus_result_score(const ductus_result *result, int64_t candidate);

/* A run of points of a stroke: start ..< end, all from 0. */
typedef struct ductus_span {
  int64_t stroke;
  int64_t start;
  int64_t end;
} ductus_span;

/* The characters of a candidate whose ink is known; 0 for glyphs, whose whole ink is the label. */
int64_t ductus_result_character_count(const ductus_result *result, int64_t candidate);
/* Copies the ink of a character, at most `capacity` spans of it. Returns how many it has: 0 for a
 * space, -1 for an index out of range. */
int64_t ductus_result_character_spans(
    const ductus_result *result, int64_t candidate, int64_t character, ductus_span *spans,
    int64_t capacity);

/* A word of a candidate: its characters start ..< end, counted as ductus_result_character_spans
 * does, where a letter with its accents is one. */
typedef struct ductus_word {
  int64_t start;
  int64_t end;
  double confidence; /* 0 ... 1 */
} ductus_word;

int64_t ductus_result_word_count(const ductus_result *result, int64_t candidate);
/* 0, or -1 for an index out of range. */
int32_t ductus_result_word(
    const ductus_result *result, int64_t candidate, int64_t word, ductus_word *target);

const char *ductus_result_word_text(const ductus_result *result, int64_t candidate, int64_t word);

/* The lines of the ink in reading order. */
int64_t ductus_result_line_count(const ductus_result *result);
/* The best reading of a line. */
const char *ductus_result_line_text(const ductus_result *result, int64_t line);
/* Copies the strokes of a line, at most `capacity` of them. Returns how many it has, or -1. */
int64_t ductus_result_line_strokes(
    const ductus_result *result, int64_t line, int64_t *strokes, int64_t capacity);
void ductus_result_free(ductus_result *result);

/* Answers a request of `ductus recognize -`, one JSON object, with one JSON object: errors are in
 * the answer. Models that the request names stay open as long as the recogniser. NULL for NULL
 * alone. Free it with ductus_string_free. */
char *ductus_recognize_json(const ductus_recognizer *recognizer, const char *request);
void ductus_string_free(char *string);

/* ---- Models ---- */

/* The models that can be opened by name: those that are installed, and those that came with the
 * library. */
typedef struct ductus_models ductus_models;

ductus_models *ductus_models_list(ductus_error **error);
int64_t ductus_models_count(const ductus_models *models);
const char *ductus_models_identifier(const ductus_models *models, int64_t index);
const char *ductus_models_name(const ductus_models *models, int64_t index);
/* "line" or "glyph". */
const char *ductus_models_kind(const ductus_models *models, int64_t index);
/* Language tags with spaces between them. */
const char *ductus_models_languages(const ductus_models *models, int64_t index);
void ductus_models_free(ductus_models *models);

/* Checks every byte of a model against its manifest. 0 where it is whole, else -1 with an error.
 * `signer`, unless NULL, gets the public key that signed it in Base64, or NULL where it is
 * unsigned; free it with ductus_string_free. Compare it with a key that you trust. */
int32_t ductus_model_verify(const char *model, char **signer, ductus_error **error);

#ifdef __cplusplus
}
#endif

#endif
