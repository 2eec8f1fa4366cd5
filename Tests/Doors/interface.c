/* Tests libductus from C: `interface MODE FILE.jsonl`, where MODE is
 *   calls    every function once, as valgrind watches it
 *   hostile  arguments that no program should give
 *   million  an ink of a million points
 *   threads  a recogniser that eight threads share
 *   speed    how long calls take; prints milliseconds for one ink
 */
#include <ductus.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

static const char *file;

static void refused(ductus_error **error, ductus_code code) {
  CHECK(*error != NULL);
  CHECK(ductus_error_code(*error) == (int32_t)code);
  CHECK(strlen(ductus_error_message(*error)) > 10);
  ductus_error_free(*error);
  *error = NULL;
}

static ductus_ink *first_ink(void) {
  ductus_error *error = NULL;
  ductus_inks *inks = ductus_inks_read(file, &error);
  if (inks == NULL) fprintf(stderr, "%s\n", ductus_error_message(error));
  CHECK(inks != NULL && ductus_inks_count(inks) > 0);
  CHECK(ductus_inks_label(inks, 0) != NULL && ductus_inks_rejected(inks) == 0);
  ductus_ink *ink = ductus_inks_ink(inks, 0);
  CHECK(ductus_inks_ink(inks, 1000000) == NULL);
  ductus_inks_free(inks);
  return ink;
}

static void look_at(const ductus_result *result, const ductus_ink *ink) {
  CHECK(ductus_result_count(result) > 0);
  for (int64_t index = 0; index < ductus_result_count(result); index++) {
    CHECK(strlen(ductus_result_text(result, index)) > 0);
    CHECK(ductus_result_score(result, index) <= 0);
    for (int64_t each = 0; each < ductus_result_character_count(result, index); each++) {
      int64_t count = ductus_result_character_spans(result, index, each, NULL, 0);
      ductus_span *spans = malloc((size_t)(count + 1) * sizeof *spans);
      CHECK(ductus_result_character_spans(result, index, each, spans, count) == count);
      for (int64_t span = 0; span < count; span++) {
        CHECK(spans[span].stroke >= 0 && spans[span].stroke < ductus_ink_stroke_count(ink));
        CHECK(spans[span].start <= spans[span].end);
        CHECK(spans[span].end <= ductus_ink_point_count(ink, spans[span].stroke));
      }
      free(spans);
    }
    for (int64_t each = 0; each < ductus_result_word_count(result, index); each++) {
      ductus_word word;
      CHECK(ductus_result_word(result, index, each, &word) == 0);
      CHECK(word.start < word.end && word.confidence >= 0 && word.confidence <= 1);
      CHECK(strlen(ductus_result_word_text(result, index, each)) > 0);
    }
  }
  CHECK(ductus_result_line_count(result) >= 1);
  int64_t strokes[64];
  CHECK(ductus_result_line_strokes(result, 0, strokes, 64) >= 1 && strokes[0] == 0);
  CHECK(strlen(ductus_result_line_text(result, 0)) > 0);
}

static void calls(void) {
  ductus_error *error = NULL;
  CHECK(ductus_abi_version() == DUCTUS_ABI_VERSION && strlen(ductus_version()) > 0);
  ductus_models *models = ductus_models_list(&error);
  CHECK(ductus_models_count(models) >= 4);
  for (int64_t index = 0; index < ductus_models_count(models); index++) {
    CHECK(strlen(ductus_models_identifier(models, index)) > 0);
    CHECK(strlen(ductus_models_name(models, index)) > 0);
    CHECK(strlen(ductus_models_kind(models, index)) > 0);
    CHECK(ductus_models_languages(models, index) != NULL);
  }
  ductus_models_free(models);
  char *signer = NULL;
  CHECK(ductus_model_verify("shapes", &signer, &error) == 0 && signer != NULL);
  ductus_string_free(signer);

  ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", &error);
  CHECK(recognizer != NULL && strcmp(ductus_recognizer_model(recognizer), "latin-lines") == 0);
  ductus_ink *ink = first_ink();
  ductus_result *result = ductus_recognize(recognizer, ink, NULL, &error);
  look_at(result, ink);

  ductus_export_options choices = ductus_export_options_default();
  choices.title = "Ink";
  const ductus_ink *pages[] = {ink, ink};
  ductus_file *pdf = ductus_export(recognizer, pages, 2, "pdf", &choices, &error);
  CHECK(ductus_file_size(pdf) > 500 && memcmp(ductus_file_bytes(pdf), "%PDF", 4) == 0);
  CHECK(ductus_file_write(pdf, "/nowhere/a.pdf", &error) == -1);
  refused(&error, DUCTUS_FAILED);
  ductus_file_free(pdf);
  CHECK(ductus_export(recognizer, pages, 2, "svg", NULL, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);

  /* The same ink, as it comes from the pen: the same text. */
  ductus_ink *streamed = ductus_ink_new();
  for (int64_t stroke = 0; stroke < ductus_ink_stroke_count(ink); stroke++) {
    int64_t count = ductus_ink_point_count(ink, stroke);
    ductus_point *points = malloc((size_t)count * sizeof *points);
    CHECK(ductus_ink_points(ink, stroke, points, count, &error) == count);
    CHECK(ductus_ink_begin_stroke(streamed, &error) == 0);
    for (int64_t point = 0; point < count; point++) {
      CHECK(ductus_ink_add_points(streamed, &points[point], 1, &error) == 0);
    }
    free(points);
  }
  ductus_result *again = ductus_recognize(recognizer, streamed, NULL, &error);
  CHECK(strcmp(ductus_result_text(again, 0), ductus_result_text(result, 0)) == 0);
  CHECK(ductus_ink_remove_last_stroke(streamed, &error) == 0);
  ductus_ink_clear(streamed);
  CHECK(ductus_ink_stroke_count(streamed) == 0);
  ductus_result_free(again);
  again = ductus_recognize(recognizer, streamed, NULL, &error);
  CHECK(again != NULL && ductus_result_count(again) == 0);
  ductus_result_free(again);
  ductus_ink_free(streamed);
  ductus_result_free(result);

  const char *words[] = {"paris", "london"};
  ductus_options options = ductus_options_default();
  options.pre_context = "In ";
  options.words = words;
  options.word_count = 2;
  options.candidates = 2;
  options.area[0] = options.area[1] = 0;
  options.area[2] = 600;
  options.area[3] = 400;
  result = ductus_recognize(recognizer, ink, &options, &error);
  CHECK(result != NULL && strcmp(ductus_result_text(result, 0), "paris") == 0);
  ductus_result_free(result);
  ductus_ink_free(ink);
  char *answer = ductus_recognize_json(recognizer, "{\"id\":7,\"strokes\":[]}");
  CHECK(strncmp(answer, "{\"id\":7,", 8) == 0);
  ductus_string_free(answer);
  ductus_recognizer_free(recognizer);
  CHECK(error == NULL);
}

static void hostile(void) {
  ductus_error *error = NULL;
  CHECK(ductus_recognizer_open("", &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_recognizer_open("\xFF\xFE", &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_recognizer_open("../../etc", &error) == NULL);
  refused(&error, DUCTUS_UNUSABLE_MODEL);
  CHECK(ductus_recognizer_open("no such model", NULL) == NULL);
  char *long_name = malloc(1000001);
  memset(long_name, 'a', 1000000);
  long_name[1000000] = 0;
  CHECK(ductus_recognizer_open(long_name, &error) == NULL);
  refused(&error, DUCTUS_UNKNOWN_MODEL);
  ductus_recognizer *recognizer = ductus_recognizer_open("latin-characters", NULL);
  ductus_ink *ink = ductus_ink_new();
  ductus_point bad[] = {{NAN, 0, 0, 0}, {0, INFINITY, 0, 0}, {1e300, 0, 0, 0}, {0, -1e10, 0, 0}};
  for (int index = 0; index < 4; index++) {
    CHECK(ductus_ink_add_points(ink, &bad[index], 1, &error) == -1);
    refused(&error, DUCTUS_INVALID_ARGUMENT);
  }
  CHECK(ductus_ink_add_stroke(ink, bad, -5, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_ink_add_stroke(ink, bad, INT64_MIN, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_ink_add_stroke(ink, bad, INT64_MAX, &error) == -1);
  refused(&error, DUCTUS_TOO_LARGE);
  CHECK(ductus_ink_add_stroke(ink, NULL, 3, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_ink_add_stroke(NULL, bad, 3, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_ink_stroke_count(ink) == 0);
  /* Times and forces that are no numbers are missing ones. */
  ductus_point odd = {1, 2, INFINITY, -INFINITY};
  CHECK(ductus_ink_add_stroke(ink, &odd, 1, &error) == 0);
  CHECK(ductus_ink_add_stroke(ink, NULL, 0, &error) == 0);
  CHECK(ductus_ink_points(ink, 5, NULL, 0, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_ink_points(ink, 0, NULL, 9, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  ductus_result *result = ductus_recognize(recognizer, ink, NULL, &error);
  CHECK(result != NULL);
  CHECK(ductus_result_text(result, -1) == NULL && ductus_result_text(result, INT64_MAX) == NULL);
  CHECK(ductus_result_character_spans(result, 0, INT64_MIN, NULL, -7) == -1);
  CHECK(ductus_result_word(result, 0, 0, NULL) == -1);
  CHECK(ductus_result_line_strokes(result, -1, NULL, 4) == -1);
  ductus_result_free(result);
  CHECK(ductus_recognize(NULL, ink, NULL, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_recognize(recognizer, NULL, NULL, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  ductus_options options;
  memset(&options, 0xA5, sizeof options);
  CHECK(ductus_recognize(recognizer, ink, &options, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  memset(&options, 0, sizeof options);
  CHECK(ductus_recognize(recognizer, ink, &options, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  options = ductus_options_default();
  options.alphabet = "abc"; /* It confines models of glyphs, too. */
  result = ductus_recognize(recognizer, ink, &options, &error);
  CHECK(result != NULL);
  for (int64_t index = 0; index < ductus_result_count(result); index++) {
    CHECK(strlen(ductus_result_text(result, index)) == 1);
    CHECK(strchr("abc", ductus_result_text(result, index)[0]) != NULL);
  }
  ductus_result_free(result);
  options = ductus_options_default();
  options.pre_context = "\xC3";
  CHECK(ductus_recognize(recognizer, ink, &options, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_recognize_json(NULL, "{}") == NULL);
  CHECK(ductus_recognize_json(recognizer, NULL) == NULL);
  char *answer = ductus_recognize_json(recognizer, long_name);
  CHECK(strstr(answer, "malformedJSON") != NULL);
  ductus_string_free(answer);
  free(long_name);
  CHECK(ductus_inks_read(NULL, &error) == NULL);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_inks_read("/dev/null", &error) == NULL);
  refused(&error, DUCTUS_UNREADABLE_FILE);
  CHECK(ductus_model_verify(NULL, NULL, &error) == -1);
  refused(&error, DUCTUS_INVALID_ARGUMENT);
  CHECK(ductus_inks_count(NULL) == 0 && ductus_models_count(NULL) == 0);
  CHECK(ductus_recognizer_model(NULL) == NULL && ductus_models_name(NULL, 0) == NULL);
  CHECK(ductus_error_code(NULL) == 0 && ductus_error_message(NULL)[0] == 0);
  ductus_ink_clear(NULL);
  ductus_ink_free(NULL);
  ductus_inks_free(NULL);
  ductus_models_free(NULL);
  ductus_result_free(NULL);
  ductus_recognizer_free(NULL);
  ductus_string_free(NULL);
  ductus_error_free(NULL);
  ductus_ink_free(ink);
  ductus_recognizer_free(recognizer);
}

static void million(void) {
  const int64_t count = 1000000;
  ductus_error *error = NULL;
  ductus_point *points = malloc((size_t)count * sizeof *points);
  for (int64_t index = 0; index < count; index++) {
    double angle = (double)index * 0.01;
    points[index] = (ductus_point){50 * sin(angle) + angle, 50 * cos(angle), (double)index, NAN};
  }
  ductus_ink *ink = ductus_ink_new();
  CHECK(ductus_ink_add_stroke(ink, points, count, &error) == 0);
  CHECK(ductus_ink_point_count(ink, 0) == count);
  ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", &error);
  ductus_result *result = ductus_recognize(recognizer, ink, NULL, &error);
  CHECK(result != NULL || error != NULL);
  ductus_error_free(error);
  error = NULL;
  ductus_result_free(result);
  for (int each = 0; each < 3; each++) {
    CHECK(ductus_ink_add_stroke(ink, points, count, &error) == 0);
  }
  CHECK(ductus_ink_add_stroke(ink, points, count, &error) == -1);
  refused(&error, DUCTUS_TOO_LARGE);
  ductus_recognizer_free(recognizer);
  ductus_ink_free(ink);
  free(points);
}

typedef struct shared {
  const ductus_recognizer *recognizer;
  const ductus_ink *ink;
  const char *text;
} shared;

static void *read_many(void *argument) {
  const shared *what = argument;
  for (int each = 0; each < 25; each++) {
    ductus_error *error = NULL;
    ductus_result *result = ductus_recognize(what->recognizer, what->ink, NULL, &error);
    CHECK(result != NULL && strcmp(ductus_result_text(result, 0), what->text) == 0);
    ductus_result_free(result);
    ductus_ink *own = ductus_ink_new();
    ductus_point point = {1, 2, 3, NAN};
    CHECK(ductus_ink_add_points(own, &point, 1, &error) == 0);
    ductus_ink_free(own);
    CHECK(ductus_recognizer_open("none", &error) == NULL);
    refused(&error, DUCTUS_UNKNOWN_MODEL);
  }
  return NULL;
}

static void threads(void) {
  ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", NULL);
  ductus_ink *ink = first_ink();
  ductus_result *result = ductus_recognize(recognizer, ink, NULL, NULL);
  shared what = {recognizer, ink, ductus_result_text(result, 0)};
  pthread_t all[8];
  for (int each = 0; each < 8; each++) {
    CHECK(pthread_create(&all[each], NULL, read_many, &what) == 0);
  }
  for (int each = 0; each < 8; each++) CHECK(pthread_join(all[each], NULL) == 0);
  ductus_result_free(result);
  ductus_ink_free(ink);
  ductus_recognizer_free(recognizer);
}

static void speed(void) {
  ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", NULL);
  ductus_ink *ink = first_ink();
  const int count = 300;
  struct timespec start, end;
  for (int each = -20; each < count; each++) {
    if (each == 0) clock_gettime(CLOCK_MONOTONIC, &start);
    ductus_result_free(ductus_recognize(recognizer, ink, NULL, NULL));
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds =
      (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  printf("%.4f\n", 1000 * seconds / count);
  ductus_ink_free(ink);
  ductus_recognizer_free(recognizer);
}

int main(int count, char **arguments) {
  CHECK(count == 3);
  file = arguments[2];
  const struct {
    const char *name;
    void (*run)(void);
  } modes[] = {{"calls", calls},     {"hostile", hostile}, {"million", million},
               {"threads", threads}, {"speed", speed}};
  for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
    if (strcmp(arguments[1], modes[index].name) == 0) {
      modes[index].run();
      return 0;
    }
  }
  return 2;
}
