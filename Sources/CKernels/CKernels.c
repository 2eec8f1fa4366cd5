#include "CKernels.h"
#include "Helpers.h"

#include <float.h>
#include <math.h>
#include <string.h>

CLONES void ck_add_bias(const float *x, const float *bias, float *y, size_t rows,
                        size_t columns) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) y[r * columns + c] = x[r * columns + c] + bias[c];
}

CLONES void ck_add_bias_relu(const float *x, const float *bias, float *y, size_t rows,
                             size_t columns) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      float value = x[r * columns + c] + bias[c];
      y[r * columns + c] = value > 0 ? value : 0;
    }
}

CLONES void ck_relu_backward(const float *restrict y, float *restrict g, size_t count) {
  for (size_t i = 0; i < count; i++) g[i] = y[i] > 0 ? g[i] : 0;
}

CLONES void ck_column_sums(const float *restrict x, float *restrict sum, size_t rows,
                           size_t columns) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) sum[c] += x[r * columns + c];
}

CLONES void ck_column_moments(const float *restrict x, float *restrict mean,
                              float *restrict variance, size_t rows, size_t columns) {
  float inverse = 1.0f / (float)rows;
  memset(mean, 0, columns * sizeof(float));
  memset(variance, 0, columns * sizeof(float));
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) mean[c] += x[r * columns + c];
  for (size_t c = 0; c < columns; c++) mean[c] *= inverse;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      float d = x[r * columns + c] - mean[c];
      variance[c] += d * d;
    }
  for (size_t c = 0; c < columns; c++) variance[c] *= inverse;
}

CLONES void ck_scale_shift_floor(const float *restrict x, const float *restrict scale,
                                 const float *restrict shift, float floor, float *restrict y,
                                 size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      float value = x[r * columns + c] * scale[c] + shift[c];
      y[r * columns + c] = value > floor ? value : floor;
    }
}

CLONES void ck_batch_norm_reduce(const float *restrict x, const float *restrict y, float floor,
                                 float *restrict g, const float *restrict mean,
                                 const float *restrict inverse, float *restrict sumG,
                                 float *restrict sumGX, size_t rows, size_t columns) {
  memset(sumG, 0, columns * sizeof(float));
  memset(sumGX, 0, columns * sizeof(float));
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      size_t i = r * columns + c;
      float value = y[i] > floor ? g[i] : 0;
      g[i] = value;
      sumG[c] += value;
      sumGX[c] += value * (x[i] - mean[c]);
    }
  for (size_t c = 0; c < columns; c++) sumGX[c] *= inverse[c];
}

CLONES void ck_batch_norm_input_gradient(const float *x, const float *g, const float *mean,
                                         const float *inverse, const float *gamma,
                                         const float *sumG, const float *sumGX, float *dx,
                                         size_t rows, size_t columns) {
  float share = 1.0f / (float)rows;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      size_t i = r * columns + c;
      float normalized = (x[i] - mean[c]) * inverse[c];
      dx[i] = gamma[c] * inverse[c] * (g[i] - share * (sumG[c] + normalized * sumGX[c]));
    }
}

CLONES void ck_max_pool_pairs(const float *restrict x, float *restrict y, size_t rows,
                              size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    const float *first = x + 2 * r * columns, *second = first + columns;
    for (size_t c = 0; c < columns; c++)
      y[r * columns + c] = second[c] > first[c] ? second[c] : first[c];
  }
}

CLONES void ck_max_pool_pairs_backward(const float *restrict x, const float *restrict g,
                                       float *restrict dx, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    const float *first = x + 2 * r * columns, *second = first + columns;
    float *dFirst = dx + 2 * r * columns, *dSecond = dFirst + columns;
    for (size_t c = 0; c < columns; c++) {
      float value = g[r * columns + c];
      int later = second[c] > first[c];
      dFirst[c] = later ? 0 : value;
      dSecond[c] = later ? value : 0;
    }
  }
}

// A 32-bit finaliser (murmur3): cheap, vectorises, good enough for a dropout mask.
HELPER uint32_t mix32(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

CLONES void ck_dropout(const float *x, float *y, size_t count, uint64_t seed, uint32_t threshold,
                       float scale) {
  uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
  for (size_t i = 0; i < count; i++) {
    uint32_t h = mix32(mix32((uint32_t)i ^ low) + high);
    y[i] = h >= threshold ? x[i] * scale : 0;
  }
}

CLONES void ck_softmax_rows(float *x, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    float *row = x + r * columns;
    float largest = row_max(row, columns), sum = 0;
    for (size_t c = 0; c < columns; c++) row[c] = fast_exp(row[c] - largest);
    for (size_t c = 0; c < columns; c++) sum += row[c];
    float inverse = 1.0f / sum;
    for (size_t c = 0; c < columns; c++) row[c] *= inverse;
  }
}

CLONES void ck_softmax_cross_entropy(float *logits, const int32_t *labels, size_t rows,
                                     size_t columns, float smoothing, float scale, double *loss,
                                     size_t *correct) {
  float uniform = smoothing / (float)columns;
  double total = 0;
  size_t hits = 0;
  for (size_t r = 0; r < rows; r++) {
    float *row = logits + r * columns;
    size_t label = (size_t)labels[r];
    float largest = row_max(row, columns), sum = 0, labelLogit = row[label], logitSum = 0;
    hits += labelLogit >= largest;
    for (size_t c = 0; c < columns; c++) logitSum += row[c] - largest;
    for (size_t c = 0; c < columns; c++) row[c] = fast_exp(row[c] - largest);
    for (size_t c = 0; c < columns; c++) sum += row[c];
    double logSum = log((double)sum);
    total += (1.0 - smoothing) * (logSum - (double)(labelLogit - largest)) +
             smoothing * (logSum - (double)logitSum / (double)columns);
    float inverse = 1.0f / sum;
    for (size_t c = 0; c < columns; c++) row[c] = (row[c] * inverse - uniform) * scale;
    row[label] -= (1.0f - smoothing) * scale;
  }
  *loss += total;
  *correct += hits;
}

CLONES double ck_sum_of_squares(const float *x, size_t count) {
  // Sixteen running sums in double: the order is fixed, and they are wide enough to vectorise.
  double lanes[16] = {0};
  size_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (size_t lane = 0; lane < 16; lane++)
      lanes[lane] += (double)x[i + lane] * (double)x[i + lane];
  double sum = 0;
  for (; i < count; i++) sum += (double)x[i] * (double)x[i];
  for (size_t lane = 0; lane < 16; lane++) sum += lanes[lane];
  return sum;
}

CLONES void ck_accumulate(const float *restrict x, float *restrict y, size_t count) {
  for (size_t i = 0; i < count; i++) y[i] += x[i];
}

CLONES void ck_transpose(const float *restrict x, float *restrict y, size_t rows, size_t columns) {
  // Blocks of 16 by 16 floats, one cache line wide: source and target stay in the first-level
  // cache.
  for (size_t r0 = 0; r0 < rows; r0 += 16)
    for (size_t c0 = 0; c0 < columns; c0 += 16) {
      size_t r1 = r0 + 16 < rows ? r0 + 16 : rows, c1 = c0 + 16 < columns ? c0 + 16 : columns;
      for (size_t c = c0; c < c1; c++)
        for (size_t r = r0; r < r1; r++) y[c * rows + r] = x[r * columns + c];
    }
}

CLONES void ck_adamw(float *restrict weights, const float *restrict gradients, float *restrict m,
                     float *restrict v, float *restrict average, size_t count,
                     float gradientScale, float beta1, float beta2, float stepSize,
                     float epsilon, float decay, float averageDecay) {
  for (size_t i = 0; i < count; i++) {
    float g = gradients[i] * gradientScale;
    float first = beta1 * m[i] + (1 - beta1) * g;
    float second = beta2 * v[i] + (1 - beta2) * g * g;
    m[i] = first;
    v[i] = second;
    float w = weights[i] * decay - stepSize * first / (sqrtf(second) + epsilon);
    weights[i] = w;
    average[i] = averageDecay * average[i] + (1 - averageDecay) * w;
  }
}
