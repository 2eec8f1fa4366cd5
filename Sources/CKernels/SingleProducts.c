// Products in single precision with a right factor that is packed once for many products, on any
// processor: vectors of 128 bits, which are those of SSE2 and NEON.
#include "CKernels.h"

#define LANES 4
#define TARGET
// ARM of 64 bits has 32 registers, x86-64 has 16.
#if defined(__aarch64__)
#define MOST 12
#else
#define MOST 4
#endif
#define UNIT ck_single_plain
#include "SingleLoops.h"

int ck_single_available(ck_single_unit unit) {
  switch (unit) {
    case CK_SINGLE_PLAIN: return 1;
#if defined(__x86_64__)
    case CK_SINGLE_AVX2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case CK_SINGLE_AVX512: return __builtin_cpu_supports("avx512f") != 0;
#endif
    default: return 0;
  }
}

size_t ck_single_factor(size_t inner, size_t columns) {
  return (columns + SINGLE_PANEL - 1) / SINGLE_PANEL * SINGLE_PANEL * inner;
}

void ck_single_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                    float *packed) {
  for (size_t column = 0; column < columns; column += SINGLE_PANEL) {
    size_t width = columns - column < SINGLE_PANEL ? columns - column : SINGLE_PANEL;
    for (size_t k = 0; k < inner; k++, packed += SINGLE_PANEL) {
      for (size_t c = 0; c < width; c++)
        packed[c] = transposed ? b[(column + c) * stride + k] : b[k * stride + column + c];
      for (size_t c = width; c < SINGLE_PANEL; c++) packed[c] = 0;
    }
  }
}

void ck_single_multiply(ck_single_unit unit, const float *a, size_t aStride, const float *packed,
                        float *c, size_t cStride, size_t rows, size_t columns, size_t inner,
                        int accumulate) {
  switch (unit) {
#if defined(__x86_64__)
    case CK_SINGLE_AVX2:
      ck_single_avx2(a, aStride, packed, c, cStride, rows, columns, inner, accumulate);
      break;
    case CK_SINGLE_AVX512:
      ck_single_avx512(a, aStride, packed, c, cStride, rows, columns, inner, accumulate);
      break;
#endif
    default: ck_single_plain(a, aStride, packed, c, cStride, rows, columns, inner, accumulate);
  }
}
