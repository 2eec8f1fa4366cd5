// The loops of products in single precision with a packed right factor, for one set of
// instructions. The file that includes this defines:
//   LANES    floats of a vector
//   TARGET   the attribute of functions that use the instructions
//   MOST     4, 6, 8 or 12: the most rows of a tile. A tile has two vectors of columns; its sums and
//            the two vectors of b stay in registers
//   UNIT     the name of the function that is defined
#include "SingleProducts.h"

#include <string.h>

typedef float Vector __attribute__((vector_size(4 * LANES)));
typedef float LooseVector __attribute__((vector_size(4 * LANES), aligned(4)));
enum { TILE = 2 * LANES };

// c [rows, TILE] = a b, or c += a b, for one tile. `b` has rows of SINGLE_PANEL floats. Each sum is in
// the order of the rows of b, so that a row of c does not depend on the number of rows.
#define TILE_OF(ROWS)                                                                            \
  TARGET static inline __attribute__((always_inline)) void tile##ROWS(                           \
      const float *a, size_t aStride, const float *b, float *c, size_t cStride, size_t inner,    \
      int accumulate) {                                                                          \
    Vector sums[ROWS][2];                                                                        \
    for (size_t r = 0; r < ROWS; r++)                                                            \
      for (size_t half = 0; half < 2; half++)                                                    \
        sums[r][half] = accumulate ? *(const LooseVector *)(c + r * cStride + half * LANES)      \
                                   : (Vector){0};                                                \
    for (size_t k = 0; k < inner; k++) {                                                         \
      Vector first = *(const Vector *)(b + k * SINGLE_PANEL);                                    \
      Vector second = *(const Vector *)(b + k * SINGLE_PANEL + LANES);                           \
      _Pragma("unroll") for (size_t r = 0; r < ROWS; r++) {                                      \
        float factor = a[r * aStride + k];                                                       \
        sums[r][0] += factor * first;                                                            \
        sums[r][1] += factor * second;                                                           \
      }                                                                                          \
    }                                                                                            \
    for (size_t r = 0; r < ROWS; r++)                                                            \
      for (size_t half = 0; half < 2; half++)                                                    \
        *(LooseVector *)(c + r * cStride + half * LANES) = sums[r][half];                        \
  }

TILE_OF(1)
TILE_OF(2)
TILE_OF(4)
#if MOST == 6
TILE_OF(6)
#endif
#if MOST >= 8
TILE_OF(8)
#endif
#if MOST >= 12
TILE_OF(12)
#endif

// All rows of one tile of columns.
TARGET static void column_of_tiles(const float *a, size_t aStride, const float *b, float *c,
                                   size_t cStride, size_t rows, size_t inner, int accumulate) {
#define STEP(ROWS)                                                   \
  tile##ROWS(a, aStride, b, c, cStride, inner, accumulate);          \
  a += ROWS * aStride, c += ROWS * cStride, rows -= ROWS
#if MOST >= 12
  // Sixteen rows are two tiles of eight, which are faster than twelve and four.
  while (rows >= 12 && rows != 16) { STEP(12); }
#endif
#if MOST >= 8
  while (rows >= 8) { STEP(8); }
#endif
#if MOST == 6
  while (rows >= 6 && rows != 8) { STEP(6); }
#endif
  while (rows >= 4) { STEP(4); }
  while (rows >= 2) { STEP(2); }
  while (rows > 0) { STEP(1); }
#undef STEP
}

TARGET void UNIT(const float *a, size_t aStride, const float *packed, float *c, size_t cStride,
                 size_t rows, size_t columns, size_t inner, int accumulate) {
  float part[SINGLE_ROWS * TILE];
  for (size_t column = 0; column < columns; column += TILE) {
    const float *b =
        packed + column / SINGLE_PANEL * SINGLE_PANEL * inner + column % SINGLE_PANEL;
    if (columns - column >= TILE) {
      column_of_tiles(a, aStride, b, c + column, cStride, rows, inner, accumulate);
      continue;
    }
    // The last columns go through a tile of their own.
    size_t width = (columns - column) * sizeof(float);
    for (size_t row = 0; row < rows; row += SINGLE_ROWS) {
      size_t height = rows - row < SINGLE_ROWS ? rows - row : SINGLE_ROWS;
      float *target = c + row * cStride + column;
      if (accumulate) memset(part, 0, sizeof(part));
      for (size_t r = 0; accumulate && r < height; r++)
        memcpy(part + r * TILE, target + r * cStride, width);
      column_of_tiles(a + row * aStride, aStride, b, part, TILE, height, inner, accumulate);
      for (size_t r = 0; r < height; r++) memcpy(target + r * cStride, part + r * TILE, width);
    }
  }
}
