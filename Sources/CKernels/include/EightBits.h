// Products of factors in 8 bits with exact sums in 32 bits, and recurrent layers on them.
//
// A weight is an integer of -127 ... 127 times the scale of its column; an activation is such an
// integer times the scale of its row. Every unit gives the same bits as CK_PLAIN: sums of integers
// are exact in any order, and operations in single precision are the same ones, in the same order,
// without fused multiply-adds.
#ifndef DUCTUS_CKERNELS_EIGHT_BITS_H
#define DUCTUS_CKERNELS_EIGHT_BITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The instructions that compute products, on each architecture the slower first.
typedef enum {
  CK_PLAIN,    // C for any processor
  CK_AVX2,     // x86-64: 256 bits
  CK_VNNI,     // x86-64: AVX-512 with its products of bytes
  CK_NEON,     // ARM of 64 bits
  CK_NEON_DOT  // the same, with its products of bytes
} ck_eight_bit_unit;

// True if the processor has the instructions and the system saves their registers. Call the
// functions below only with such a unit.
int ck_eight_bit_available(ck_eight_bit_unit unit);

// The most rows of a right factor: sums of more could exceed 32 bits.
size_t ck_eight_bit_longest(void);
// Columns of a product with packed factors: `columns` rounded up to a multiple of 16. For the gates
// of LSTM layers of `hidden` units: 4 * hidden for each direction, with `hidden` rounded up so.
size_t ck_eight_bit_columns(size_t columns, size_t hidden);
// Bytes of one row of activations: `inner` rounded up to a multiple of 16.
size_t ck_eight_bit_row(size_t inner);
// Bytes of a packed right factor, aligned to 64. `packedColumns`: from ck_eight_bit_columns.
size_t ck_eight_bit_factor(size_t inner, size_t packedColumns);

// Rounds and packs b [inner, columns]; each column has its own scale. The format is the same for all
// units. If `hidden` is not 0, columns are gates of LSTM layers, 4 * hidden for each direction in
// the order input, forget, cell, output; they are reordered for ck_eight_bit_lstm, and those of
// sigmoids are halved, which ck_eight_bit_lstm expects. The scales are multiplied by `unit`.
void ck_eight_bit_pack(const float *b, size_t stride, size_t inner, size_t columns, size_t hidden,
                       float unit, void *packed);
// Reorders a bias in the same way; the added columns are 0.
void ck_eight_bit_pack_bias(const float *bias, size_t columns, size_t hidden, float *packed);

// Rounds each row of x to 8 bits with its own scale, the largest absolute value / 127. Rows of q have
// ck_eight_bit_row(columns) bytes; those after the last column are 0.
void ck_eight_bit_round(ck_eight_bit_unit unit, const float *x, size_t stride, int8_t *q,
                        float *scales, size_t rows, size_t columns);
// c [rows, columns] = a b + bias; `columns` is at most that of the packed factor, and `bias` has as
// many elements as the packed factor has columns. With `relu`, negative results become 0.
void ck_eight_bit_multiply(ck_eight_bit_unit unit, const int8_t *a, const float *aScales,
                           const void *packed, size_t packedColumns, const float *bias, float *c,
                           size_t cStride, size_t rows, size_t columns, size_t inner, int relu);

// c [rows, columns] = a b + bias in single precision, for layers that keep it; each sum is in the
// order of the rows of b and begins with the bias, so that it does not depend on the other rows of a.
void ck_eight_bit_multiply_single(ck_eight_bit_unit unit, const float *a, size_t aStride,
                                  const float *b, const float *bias, float *c, size_t rows,
                                  size_t columns, size_t inner, int relu);

// An LSTM layer (Hochreiter and Schmidhuber 1997) over packed sequences in one or two directions.
typedef struct {
  size_t hidden, directions, batch, steps;
  // The first row of each time step, and a last entry with the number of rows. The rows of a step
  // are the sequences longer than it, the longest first.
  const int32_t *starts;
  // [rows, packed columns]: pre-activations with bias, but without the recurrent part. Overwritten.
  float *gates;
  // The packed recurrent weights [hidden, 4 * hidden] of each direction; their `unit` is 1 / 127.
  const void *recurrent[2];
  // 2 * directions * batch rows of ck_eight_bit_row(hidden) bytes.
  int8_t *states;
  // directions * batch rows of as many floats.
  float *cells;
  // [rows, directions * hidden]: the hidden states.
  float *output;
} ck_eight_bit_layer;

void ck_eight_bit_lstm(ck_eight_bit_unit unit, const ck_eight_bit_layer *layer);

#ifdef __cplusplus
}
#endif
#endif
