/* Reads the inks of a file and prints the best text of each, with the strokes of its words:
 *
 *   cc recognize.c $(pkg-config --cflags --libs ductus) -o recognize
 *   ./recognize FILE.jsonl
 */
#include <ductus.h>
#include <math.h>
#include <stdio.h>

static int fail(ductus_error *error) {
  fprintf(stderr, "recognize: error: %s\n", ductus_error_message(error));
  ductus_error_free(error);
  return 1;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: recognize FILE.jsonl\n");
    return 2;
  }
  ductus_error *error = NULL;
  ductus_recognizer *recognizer = ductus_recognizer_open("latin-lines", &error);
  if (recognizer == NULL) return fail(error);
  ductus_inks *inks = ductus_inks_read(arguments[1], &error);
  if (inks == NULL) {
    ductus_recognizer_free(recognizer);
    return fail(error);
  }
  int status = 0;
  for (int64_t index = 0; index < ductus_inks_count(inks) && status == 0; index++) {
    ductus_ink *ink = ductus_inks_ink(inks, index);
    ductus_result *result = ductus_recognize(recognizer, ink, NULL, &error);
    if (result == NULL) {
      status = fail(error);
    } else if (ductus_result_count(result) > 0) {
      printf("%s %.3f\n", ductus_result_text(result, 0), exp(ductus_result_score(result, 0)));
    }
    ductus_result_free(result);
    ductus_ink_free(ink);
  }
  ductus_inks_free(inks);
  ductus_recognizer_free(recognizer);
  return status;
}
