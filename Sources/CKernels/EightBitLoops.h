// The kernels of one unit on vectors of LANES elements of 32 bits. The file that includes this one
// defines, before:
//
// LANES: 4, 8 or 16.
// TARGET: the attribute of the functions.
// UNIT: the name of the unit's table of functions.
// Left, left(int32_t): four elements of a row of activations, as `dot` needs them.
// dot(Integers sum, Left, const int8_t *weights): adds the products of four rows to LANES columns.
// ADDS_OFFSETS: 1 if `left` adds 128 to each element, so that sums begin with the offsets.
//
// Vectors are those of the compiler (Clang, "Vectors and Extended Vectors"), whose operators work
// on each element with the arithmetic of C; so the operations are those of the plain version.
#include "EightBitLayout.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define VECTOR_HELPER TARGET static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
// Vectors in a group of columns.
#define VECTORS (GROUP / LANES)

typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef int8_t Bytes __attribute__((vector_size(LANES)));

VECTOR_HELPER Floats load(const float *x) {
  Floats result;
  memcpy(&result, x, sizeof result);
  return result;
}

VECTOR_HELPER void store(float *x, Floats value) { memcpy(x, &value, sizeof value); }

VECTOR_HELPER Integers load_integers(const int32_t *x) {
  Integers result;
  memcpy(&result, x, sizeof result);
  return result;
}

VECTOR_HELPER Floats fill(float x) { return (Floats){0} + x; }

// Elements of a where the mask is set, and of b elsewhere.
VECTOR_HELPER Floats choose(Integers mask, Floats a, Floats b) {
  return (Floats)((mask & (Integers)a) | (~mask & (Integers)b));
}

VECTOR_HELPER Floats clamp(Floats x, float limit) {
  const Floats high = fill(limit), low = fill(-limit);
  x = choose(x > high, high, x);
  return choose(x < low, low, x);
}

// Rounds numbers of -127 ... 127 to integers.
VECTOR_HELPER Bytes nearest(Floats x) {
  Integers bits = (Integers)(x + fill(ROUNDER)) - ROUNDER_BITS;
  return __builtin_convertvector(bits, Bytes);
}

// MARK: - Rounding

TARGET static void round_rows(const float *x, size_t stride, int8_t *q, float *scales, size_t rows,
                              size_t columns) {
  const size_t bytes = ck_eight_bit_row(columns), whole = columns / LANES * LANES;
  for (size_t r = 0; r < rows; r++, x += stride, q += bytes) {
    // The columns after the last whole vector, and zeros.
    float rest[LANES] = {0};
    memcpy(rest, x + whole, (columns - whole) * sizeof(float));
    const Integers magnitude = (Integers){0} + 0x7fffffff;
    Floats largest = fill(0);
    for (size_t c = 0; c < whole; c += LANES) {
      Floats size = (Floats)((Integers)load(x + c) & magnitude);
      largest = choose(size > largest, size, largest);
    }
    Floats size = (Floats)((Integers)load(rest) & magnitude);
    largest = choose(size > largest, size, largest);
    float most = 0;
    for (int lane = 0; lane < LANES; lane++) most = largest[lane] > most ? largest[lane] : most;
    const float inverse = most > 0 ? (float)LARGEST / most : 0;
    for (size_t c = 0; c < whole; c += LANES) {
      Bytes rounded = nearest(clamp(load(x + c) * inverse, LARGEST));
      memcpy(q + c, &rounded, sizeof rounded);
    }
    if (columns > whole) {
      Bytes rounded = nearest(clamp(load(rest) * inverse, LARGEST));
      memcpy(q + whole, &rounded, columns - whole);
    }
    memset(q + columns, 0, bytes - columns);
    scales[r] = most / (float)LARGEST;
  }
}

// MARK: - Products

// The products of one row with `groups` groups of columns of a block.
VECTOR_HELPER void multiply_block(const int8_t *a, const int8_t *weights, const int32_t *offsets,
                                  size_t quads, const int groups, Integers sums[4][VECTORS]) {
  UNROLL
  for (int g = 0; g < groups; g++)
    UNROLL
    for (int v = 0; v < VECTORS; v++)
      sums[g][v] = ADDS_OFFSETS ? load_integers(offsets + g * GROUP + v * LANES) : (Integers){0};
  for (size_t quad = 0; quad < quads; quad++, weights += groups * GROUP * QUAD) {
    int32_t four;
    memcpy(&four, a + quad * QUAD, sizeof four);
    const Left row = left(four);
    UNROLL
    for (int g = 0; g < groups; g++)
      UNROLL
      for (int v = 0; v < VECTORS; v++)
        sums[g][v] = dot(sums[g][v], row, weights + (g * GROUP + v * LANES) * QUAD);
  }
}

// The values of `groups` groups of columns of a row, of which the last `columns` may exceed c.
VECTOR_HELPER void finish_block(const Integers sums[4][VECTORS], float aScale, const float *scales,
                                const float *bias, float *c, size_t columns, const int groups,
                                int relu) {
  UNROLL
  for (int g = 0; g < groups; g++)
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
      const size_t column = g * GROUP + v * LANES;
      Floats sum = __builtin_convertvector(sums[g][v], Floats);
      Floats value = sum * (load(scales + column) * aScale) + load(bias + column);
      if (relu) value = choose(value > fill(0), value, fill(0));
      if (column + LANES <= columns)
        store(c + column, value);
      else if (column < columns)
        memcpy(c + column, &value, (columns - column) * sizeof(float));
    }
}

VECTOR_HELPER void multiply_rows(const int8_t *a, const float *aScales, const int8_t *weights,
                                 const int32_t *offsets, const float *scales, const float *bias,
                                 float *c, size_t cStride, size_t rows, size_t columns,
                                 size_t inner, const int groups, int relu) {
  const size_t bytes = ck_eight_bit_row(inner), quads = eight_bit_quads(inner);
  for (size_t r = 0; r < rows; r++) {
    Integers sums[4][VECTORS];
    multiply_block(a + r * bytes, weights, offsets, quads, groups, sums);
    finish_block(sums, aScales[r], scales, bias, c + r * cStride, columns, groups, relu);
  }
}

TARGET static void multiply(const int8_t *a, const float *aScales, const void *packed,
                            size_t packedColumns, const float *bias, float *c, size_t cStride,
                            size_t rows, size_t columns, size_t inner, int relu) {
  const float *scales = eight_bit_scales(packed, inner, packedColumns);
  const int32_t *offsets = eight_bit_offsets(packed, inner, packedColumns);
  const int8_t *weights = packed;
  for (size_t block = 0; block < columns; block += BLOCK) {
    const size_t width = packedColumns - block;
    switch (width < BLOCK ? width / GROUP : 4) {
#define CASE(groups)                                                                          \
  case groups:                                                                                \
    multiply_rows(a, aScales, weights, offsets + block, scales + block, bias + block, c + block, \
                  cStride, rows, columns - block, inner, groups, relu);                       \
    break;
      CASE(1) CASE(2) CASE(3) CASE(4)
#undef CASE
    }
    weights += BLOCK * QUAD * eight_bit_quads(inner);
  }
}

// Columns of one row in single precision, `vectors` at a time.
VECTOR_HELPER void multiply_single_columns(const float *a, const float *b, const float *bias,
                                           float *c, size_t columns, size_t inner,
                                           const int vectors, int relu) {
  Floats sums[4];
  UNROLL
  for (int v = 0; v < vectors; v++) sums[v] = load(bias + v * LANES);
  for (size_t k = 0; k < inner; k++)
    UNROLL
    for (int v = 0; v < vectors; v++) sums[v] = sums[v] + a[k] * load(b + k * columns + v * LANES);
  UNROLL
  for (int v = 0; v < vectors; v++)
    store(c + v * LANES, relu ? choose(sums[v] > fill(0), sums[v], fill(0)) : sums[v]);
}

TARGET static void multiply_single(const float *a, size_t aStride, const float *b,
                                   const float *bias, float *c, size_t rows, size_t columns,
                                   size_t inner, int relu) {
  for (size_t r = 0; r < rows; r++, a += aStride, c += columns) {
    size_t column = 0;
    for (; column + 4 * LANES <= columns; column += 4 * LANES)
      multiply_single_columns(a, b + column, bias + column, c + column, columns, inner, 4, relu);
    for (; column + LANES <= columns; column += LANES)
      multiply_single_columns(a, b + column, bias + column, c + column, columns, inner, 1, relu);
    for (; column < columns; column++) {
      float sum = bias[column];
      for (size_t k = 0; k < inner; k++) sum += a[k] * b[k * columns + column];
      c[column] = relu && !(sum > 0) ? 0 : sum;
    }
  }
}

// MARK: - The recurrent step

// Numerator and denominator of tanh.
VECTOR_HELPER Floats tanh_parts(Floats x, Floats *denominator) {
  x = clamp(x, TANH_LIMIT);
  Floats s = x * x;
  *denominator = ((TANH_Q3 * s + TANH_Q2) * s + TANH_Q1) * s + 1.0f;
  return x * ((TANH_P2 * s + TANH_P1) * s + TANH_P0);
}

// Adds the recurrent part to the gates of 16 units.
VECTOR_HELPER void add_recurrent(const int8_t *before, const int8_t *weights, const float *scales,
                                 const int32_t *offsets, float *gates, size_t quads) {
  Integers sums[4][VECTORS];
  multiply_block(before, weights, offsets, quads, 4, sums);
  UNROLL
  for (int g = 0; g < 4; g++)
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
      const size_t column = g * GROUP + v * LANES;
      store(gates + column, __builtin_convertvector(sums[g][v], Floats) * load(scales + column)
                                + load(gates + column));
    }
}

// Computes the new cell states of one row; the plain version explains the formula. The output gate,
// as a quotient, replaces the input and the forget gate.
VECTOR_HELPER void advance_cells(float *gates, float *cells, size_t hidden) {
  for (size_t unit = 0; unit < hidden; unit += LANES) {
    float *gate = gates + unit / GROUP * BLOCK + unit % GROUP;
    Floats di, df, dg, dO;
    Floats ni = tanh_parts(load(gate), &di), nf = tanh_parts(load(gate + GROUP), &df);
    Floats ng = tanh_parts(load(gate + 2 * GROUP), &dg);
    Floats no = tanh_parts(load(gate + 3 * GROUP), &dO);
    Floats product = di * dg, cell = load(cells + unit);
    store(cells + unit, 0.5f * ((di + ni) * (ng * df) + (df + nf) * (cell * product))
                            / (product * df));
    store(gate, dO + no);
    store(gate + GROUP, dO);
  }
}

// Computes the hidden states from the cell states.
VECTOR_HELPER void advance_states(const float *gates, const float *cells, int8_t *after,
                                  float *output, size_t hidden) {
  for (size_t unit = 0; unit < hidden; unit += LANES) {
    const float *gate = gates + unit / GROUP * BLOCK + unit % GROUP;
    Floats denominator;
    Floats numerator = tanh_parts(load(cells + unit), &denominator);
    Floats state = 0.5f * (load(gate) * numerator) / (load(gate + GROUP) * denominator);
    Bytes rounded = nearest(clamp(state * (float)LARGEST, LARGEST));
    memcpy(after + unit, &rounded, sizeof rounded);
    if (unit + LANES <= hidden)
      store(output + unit, state);
    else
      memcpy(output + unit, &state, (hidden - unit) * sizeof(float));
  }
}

// One step of one direction. Gates and states stay in the first-level cache. The weights of 16 units
// are read once for all rows. The passes over the gates have short chains of operations, so that the
// processor works on several vectors at once.
VECTOR_HELPER void advance_step(const ck_eight_bit_layer *layer, size_t s, size_t d) {
  const size_t padded = ck_eight_bit_row(layer->hidden), columns = 4 * padded;
  const size_t quads = eight_bit_quads(layer->hidden), width = layer->directions * columns;
  const size_t step = d == 0 ? s : layer->steps - 1 - s;
  const size_t first = (size_t)layer->starts[step];
  const size_t rows = (size_t)layer->starts[step + 1] - first;
  const int8_t *weights = layer->recurrent[d];
  const float *scales = eight_bit_scales(weights, layer->hidden, columns);
  const int32_t *offsets = eight_bit_offsets(weights, layer->hidden, columns);
  const int8_t *before = layer->states + (2 * d + s % 2) * layer->batch * padded;
  int8_t *after = layer->states + (2 * d + 1 - s % 2) * layer->batch * padded;
  float *cells = layer->cells + d * layer->batch * padded;
  float *gates = layer->gates + first * width + d * columns;
  for (size_t column = 0; column < columns; column += BLOCK)
    for (size_t r = 0; r < rows; r++)
      add_recurrent(before + r * padded, weights + column * QUAD * quads, scales + column,
                    offsets + column, gates + r * width + column, quads);
  for (size_t r = 0; r < rows; r++) {
    advance_cells(gates + r * width, cells + r * padded, layer->hidden);
    advance_states(gates + r * width, cells + r * padded, after + r * padded,
                   layer->output + ((first + r) * layer->directions + d) * layer->hidden,
                   layer->hidden);
  }
}

TARGET static void advance_layer(const ck_eight_bit_layer *layer) {
  for (size_t s = 0; s < layer->steps; s++)
    for (size_t d = 0; d < layer->directions; d++) advance_step(layer, s, d);
}

const eight_bit_functions UNIT = {round_rows, multiply, multiply_single, advance_layer};
