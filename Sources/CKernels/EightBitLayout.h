// The layout of packed factors, and the arithmetic that all units share.
//
// A packed factor begins with its weights. Columns are in blocks of 64, and the last block may have
// 16, 32 or 48. A block holds its columns of four rows at a time; the four elements of a column are
// adjacent. After the weights: the scale of each column, then -128 times the sum of its weights.
#ifndef DUCTUS_CKERNELS_EIGHT_BITS_LAYOUT_H
#define DUCTUS_CKERNELS_EIGHT_BITS_LAYOUT_H

#include "CKernels.h"

enum {
  GROUP = 16,            // columns that are padded to
  BLOCK = 4 * GROUP,     // columns of a whole block
  QUAD = 4,              // rows whose elements are adjacent
  LARGEST = 127,         // the largest integer of an activation
  // The largest sum of the absolute values of two weights in rows 2k and 2k + 1 of a column before
  // rounding, and 1 more after it: AVX2 adds their products with unsigned bytes in 16 bits, and
  // 255 * 128 is below 2^15. On the weights of line models the scales are 1.2 to 1.4 times those
  // that a limit of 127 for each weight would give.
  PAIR = 127,
};

#define EIGHT_BIT_HELPER static inline __attribute__((always_inline))

EIGHT_BIT_HELPER size_t eight_bit_quads(size_t inner) { return (inner + QUAD - 1) / QUAD; }

EIGHT_BIT_HELPER const float *eight_bit_scales(const void *packed, size_t inner, size_t columns) {
  return (const float *)((const int8_t *)packed + columns * QUAD * eight_bit_quads(inner));
}

EIGHT_BIT_HELPER const int32_t *eight_bit_offsets(const void *packed, size_t inner,
                                                  size_t columns) {
  return (const int32_t *)(eight_bit_scales(packed, inner, columns) + columns);
}

// tanh(x) = x P(x^2) / Q(x^2) for |x| up to TANH_LIMIT, and the value there beyond: a minimax
// approximation; absolute error below 7e-6, and the result is below 1.
#define TANH_LIMIT 6.0f
#define TANH_P0 0.9999711513519287f
#define TANH_P1 0.114472895860672f
#define TANH_P2 0.0014955623773857951f
#define TANH_Q1 0.44771426916122437f
#define TANH_Q2 0.01748746447265148f
#define TANH_Q3 5.5186512327054515e-05f

// Adding it rounds a number of at most 2^22 to the nearest integer, ties to even; the integer is the
// difference of the bits.
#define ROUNDER 12582912.0f
#define ROUNDER_BITS 0x4b400000

// The functions of one unit.
typedef struct {
  void (*round)(const float *x, size_t stride, int8_t *q, float *scales, size_t rows,
                size_t columns);
  void (*multiply)(const int8_t *a, const float *aScales, const void *packed, size_t packedColumns,
                   const float *bias, float *c, size_t cStride, size_t rows, size_t columns,
                   size_t inner, int relu);
  void (*multiply_single)(const float *a, size_t aStride, const float *b, const float *bias, float *c,
                          size_t rows, size_t columns, size_t inner, int relu);
  void (*lstm)(const ck_eight_bit_layer *layer);
} eight_bit_functions;

extern const eight_bit_functions ck_eight_bit_avx2, ck_eight_bit_vnni, ck_eight_bit_neon,
    ck_eight_bit_neon_dot;

#endif
