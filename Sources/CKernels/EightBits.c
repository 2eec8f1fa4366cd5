// Packing of factors in 8 bits, the plain version of the kernels, and the choice between units.
#include "EightBitLayout.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// The most rows: 2^31 / (255 * 127), the largest product of an unsigned and a signed byte.
size_t ck_eight_bit_longest(void) { return 65536; }

size_t ck_eight_bit_row(size_t inner) { return (inner + GROUP - 1) / GROUP * GROUP; }

size_t ck_eight_bit_columns(size_t columns, size_t hidden) {
  if (hidden == 0) return (columns + GROUP - 1) / GROUP * GROUP;
  return columns / hidden * ck_eight_bit_row(hidden);
}

size_t ck_eight_bit_factor(size_t inner, size_t packedColumns) {
  return packedColumns * (QUAD * eight_bit_quads(inner) + sizeof(float) + sizeof(int32_t));
}

// MARK: - Packing

// The column of the source for a packed column; `columns` for an added one.
static size_t source_column(size_t column, size_t columns, size_t hidden) {
  if (hidden == 0) return column < columns ? column : columns;
  size_t direction = column / (4 * ck_eight_bit_row(hidden));
  size_t rest = column % (4 * ck_eight_bit_row(hidden));
  size_t unit = rest / BLOCK * GROUP + rest % GROUP;
  return unit < hidden ? (direction * 4 + rest % BLOCK / GROUP) * hidden + unit : columns;
}

// sigmoid(x) = (1 + tanh(x / 2)) / 2: the arguments of sigmoids are halved.
static float gate_factor(size_t column, size_t hidden) {
  return hidden > 0 && column % BLOCK / GROUP != 2 ? 0.5f : 1.0f;
}

// The nearest integer of -127 ... 127. Any result may come of a NaN.
EIGHT_BIT_HELPER int32_t nearest(float x) {
  x = x > (float)LARGEST ? (float)LARGEST : x;
  x = x < -(float)LARGEST ? -(float)LARGEST : x;
  float sum = x + ROUNDER;
  int32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  return (int32_t)((uint32_t)bits - ROUNDER_BITS);
}

// The scales of `count` adjacent columns: the largest sum of the absolute values of two elements in
// rows 2k and 2k + 1.
static void largest_pairs(const float *b, size_t stride, size_t inner, size_t count,
                          float largest[GROUP]) {
  for (size_t lane = 0; lane < GROUP; lane++) largest[lane] = 0;
  for (size_t k = 0; k < inner; k += 2)
    for (size_t lane = 0; lane < count; lane++) {
      float sum = fabsf(b[k * stride + lane]);
      if (k + 1 < inner) sum += fabsf(b[(k + 1) * stride + lane]);
      largest[lane] = sum > largest[lane] ? sum : largest[lane];
    }
}

void ck_eight_bit_pack(const float *b, size_t stride, size_t inner, size_t columns, size_t hidden,
                       float unit, void *packed) {
  const size_t total = ck_eight_bit_columns(columns, hidden), quads = eight_bit_quads(inner);
  int8_t *weights = packed;
  float *scales = (float *)(weights + total * QUAD * quads);
  int32_t *offsets = (int32_t *)(scales + total);
  // The columns of a group are adjacent in the source, too; those at the end may be added ones.
  for (size_t column = 0; column < total; column += GROUP) {
    const size_t source = source_column(column, columns, hidden);
    size_t count = 0;
    while (count < GROUP && source_column(column + count, columns, hidden) < columns) count++;
    const size_t block = column / BLOCK * BLOCK;
    const size_t width = total - block < BLOCK ? total - block : BLOCK;
    int8_t *target = weights + block * QUAD * quads + (column - block) * QUAD;
    float largest[GROUP], inverse[GROUP];
    int32_t sums[GROUP] = {0};
    largest_pairs(b + source, stride, inner, count, largest);
    for (size_t lane = 0; lane < GROUP; lane++) {
      inverse[lane] = largest[lane] > 0 ? (float)PAIR / largest[lane] : 0;
      scales[column + lane] = largest[lane] / (float)PAIR * gate_factor(column, hidden) * unit;
    }
    for (size_t k = 0; k < QUAD * quads; k++) {
      float row[GROUP] = {0};
      if (k < inner) memcpy(row, b + k * stride + source, count * sizeof(float));
      for (size_t lane = 0; lane < GROUP; lane++) {
        const float value = row[lane] * inverse[lane];
        // No NaN, whose bits could exceed the limit of a pair.
        const int32_t weight = nearest(value == value ? value : 0);
        target[k / QUAD * width * QUAD + lane * QUAD + k % QUAD] = (int8_t)weight;
        sums[lane] += weight;
      }
    }
    for (size_t lane = 0; lane < GROUP; lane++) offsets[column + lane] = -128 * sums[lane];
  }
}

void ck_eight_bit_pack_bias(const float *bias, size_t columns, size_t hidden, float *packed) {
  const size_t total = ck_eight_bit_columns(columns, hidden);
  for (size_t column = 0; column < total; column++) {
    const size_t source = source_column(column, columns, hidden);
    packed[column] = source < columns ? bias[source] * gate_factor(column, hidden) : 0;
  }
}

// MARK: - The plain version

static void round_plain(const float *x, size_t stride, int8_t *q, float *scales, size_t rows,
                        size_t columns) {
  const size_t bytes = ck_eight_bit_row(columns);
  for (size_t r = 0; r < rows; r++, x += stride, q += bytes) {
    float largest = 0;
    for (size_t c = 0; c < columns; c++) {
      float size = fabsf(x[c]);
      largest = size > largest ? size : largest;
    }
    const float inverse = largest > 0 ? (float)LARGEST / largest : 0;
    for (size_t c = 0; c < columns; c++) q[c] = (int8_t)nearest(x[c] * inverse);
    memset(q + columns, 0, bytes - columns);
    scales[r] = largest / (float)LARGEST;
  }
}

// The product of a row with one column, whose elements begin at `weights`; `width` columns are in
// its block.
static int32_t dot_plain(const int8_t *a, const int8_t *weights, size_t width, size_t inner) {
  int32_t sum = 0;
  for (size_t k = 0; k < inner; k++)
    sum += a[k] * weights[k / QUAD * width * QUAD + k % QUAD];
  return sum;
}

static void multiply_plain(const int8_t *a, const float *aScales, const void *packed,
                           size_t packedColumns, const float *bias, float *c, size_t cStride,
                           size_t rows, size_t columns, size_t inner, int relu) {
  const float *scales = eight_bit_scales(packed, inner, packedColumns);
  const size_t quads = eight_bit_quads(inner), bytes = ck_eight_bit_row(inner);
  for (size_t column = 0; column < columns; column++) {
    const size_t block = column / BLOCK * BLOCK;
    const size_t width = packedColumns - block < BLOCK ? packedColumns - block : BLOCK;
    const int8_t *weights = (const int8_t *)packed + block * QUAD * quads + (column - block) * QUAD;
    for (size_t r = 0; r < rows; r++) {
      float sum = (float)dot_plain(a + r * bytes, weights, width, inner);
      float value = sum * (aScales[r] * scales[column]) + bias[column];
      c[r * cStride + column] = relu && !(value > 0) ? 0 : value;
    }
  }
}

static void multiply_single_plain(const float *a, size_t aStride, const float *b, const float *bias,
                                  float *c, size_t rows, size_t columns, size_t inner, int relu) {
  for (size_t r = 0; r < rows; r++)
    for (size_t column = 0; column < columns; column++) {
      float sum = bias[column];
      for (size_t k = 0; k < inner; k++) sum += a[r * aStride + k] * b[k * columns + column];
      c[r * columns + column] = relu && !(sum > 0) ? 0 : sum;
    }
}

// Numerator and denominator of tanh.
EIGHT_BIT_HELPER void tanh_parts(float x, float *numerator, float *denominator) {
  x = x > TANH_LIMIT ? TANH_LIMIT : x;
  x = x < -TANH_LIMIT ? -TANH_LIMIT : x;
  float s = x * x;
  *numerator = x * ((TANH_P2 * s + TANH_P1) * s + TANH_P0);
  *denominator = ((TANH_Q3 * s + TANH_Q2) * s + TANH_Q1) * s + 1.0f;
}

// The new cell state and the hidden state, with one division for each.
EIGHT_BIT_HELPER float advance_plain(const float pre[4], float *cell) {
  float ni, di, nf, df, ng, dg, no, dO, nt, dt;
  tanh_parts(pre[0], &ni, &di);
  tanh_parts(pre[1], &nf, &df);
  tanh_parts(pre[2], &ng, &dg);
  tanh_parts(pre[3], &no, &dO);
  // (di + ni) / 2 di is the input gate, (df + nf) / 2 df the forget gate, ng / dg the new value.
  float product = di * dg;
  float state = 0.5f * ((di + ni) * (ng * df) + (df + nf) * (*cell * product)) / (product * df);
  *cell = state;
  tanh_parts(state, &nt, &dt);
  return 0.5f * ((dO + no) * nt) / (dO * dt);
}

static void lstm_plain(const ck_eight_bit_layer *layer) {
  const size_t padded = ck_eight_bit_row(layer->hidden), columns = 4 * padded;
  const size_t quads = eight_bit_quads(layer->hidden);
  for (size_t s = 0; s < layer->steps; s++)
    for (size_t d = 0; d < layer->directions; d++) {
      const size_t step = d == 0 ? s : layer->steps - 1 - s;
      const size_t first = (size_t)layer->starts[step];
      const size_t rows = (size_t)layer->starts[step + 1] - first;
      const int8_t *weights = layer->recurrent[d];
      const float *scales = eight_bit_scales(weights, layer->hidden, columns);
      const int8_t *before = layer->states + (2 * d + s % 2) * layer->batch * padded;
      int8_t *after = layer->states + (2 * d + 1 - s % 2) * layer->batch * padded;
      float *cells = layer->cells + d * layer->batch * padded;
      for (size_t r = 0; r < rows; r++)
        for (size_t unit = 0; unit < layer->hidden; unit++) {
          const size_t column = unit / GROUP * BLOCK + unit % GROUP;
          const float *gates = layer->gates + (first + r) * layer->directions * columns
                               + d * columns + column;
          float pre[4];
          for (size_t g = 0; g < 4; g++) {
            const int8_t *part = weights + unit / GROUP * BLOCK * QUAD * quads
                                 + (g * GROUP + unit % GROUP) * QUAD;
            float sum = (float)dot_plain(before + r * padded, part, BLOCK, layer->hidden);
            pre[g] = sum * scales[column + g * GROUP] + gates[g * GROUP];
          }
          float hidden = advance_plain(pre, cells + r * padded + unit);
          layer->output[((first + r) * layer->directions + d) * layer->hidden + unit] = hidden;
          after[r * padded + unit] = (int8_t)nearest(hidden * (float)LARGEST);
        }
    }
}

// MARK: - The choice

static const eight_bit_functions plain = {round_plain, multiply_plain, multiply_single_plain,
                                          lstm_plain};

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
// Bit 20 of the hardware capabilities: SDOT and UDOT (Linux, Documentation/arch/arm64/elf_hwcaps).
static int has_dot(void) { return (getauxval(AT_HWCAP) >> 20 & 1) != 0; }
#elif defined(__aarch64__) && defined(__APPLE__)
#include <sys/sysctl.h>
static int has_dot(void) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname("hw.optional.arm.FEAT_DotProd", &value, &size, NULL, 0) == 0 && value == 1;
}
#elif defined(__aarch64__)
static int has_dot(void) { return 0; }
#endif

int ck_eight_bit_available(ck_eight_bit_unit unit) {
  switch (unit) {
    case CK_PLAIN: return 1;
#if defined(__x86_64__)
    case CK_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case CK_VNNI:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
             && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
             && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
    case CK_NEON: return 1;
    case CK_NEON_DOT: return has_dot();
#endif
    default: return 0;
  }
}

static const eight_bit_functions *functions(ck_eight_bit_unit unit) {
  switch (unit) {
#if defined(__x86_64__)
    case CK_AVX2: return &ck_eight_bit_avx2;
    case CK_VNNI: return &ck_eight_bit_vnni;
#elif defined(__aarch64__)
    case CK_NEON: return &ck_eight_bit_neon;
    case CK_NEON_DOT: return &ck_eight_bit_neon_dot;
#endif
    default: return &plain;
  }
}

void ck_eight_bit_round(ck_eight_bit_unit unit, const float *x, size_t stride, int8_t *q,
                        float *scales, size_t rows, size_t columns) {
  functions(unit)->round(x, stride, q, scales, rows, columns);
}

void ck_eight_bit_multiply(ck_eight_bit_unit unit, const int8_t *a, const float *aScales,
                           const void *packed, size_t packedColumns, const float *bias, float *c,
                           size_t cStride, size_t rows, size_t columns, size_t inner, int relu) {
  functions(unit)->multiply(a, aScales, packed, packedColumns, bias, c, cStride, rows, columns,
                            inner, relu);
}

void ck_eight_bit_multiply_single(ck_eight_bit_unit unit, const float *a, size_t aStride,
                                  const float *b, const float *bias, float *c, size_t rows,
                                  size_t columns, size_t inner, int relu) {
  functions(unit)->multiply_single(a, aStride, b, bias, c, rows, columns, inner, relu);
}

void ck_eight_bit_lstm(ck_eight_bit_unit unit, const ck_eight_bit_layer *layer) {
  const size_t padded = ck_eight_bit_row(layer->hidden) * layer->directions * layer->batch;
  memset(layer->states, 0, 2 * padded);
  memset(layer->cells, 0, padded * sizeof(float));
  functions(unit)->lstm(layer);
}
