#include "CKernels.h"
#include "Helpers.h"

#include <string.h>

CLONES void ck_log_softmax_rows(float *x, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    float *row = x + r * columns;
    float largest = row_max(row, columns);
    float shift = largest + fast_log(row_exp_sum(row, largest, columns));
    for (size_t c = 0; c < columns; c++) row[c] -= shift;
  }
}

CLONES void ck_layer_norm(const float *restrict x, const float *restrict scale,
                          const float *restrict shift, float *restrict y, float *restrict mean,
                          float *restrict inverse, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    const float *row = x + r * columns;
    float m = row_sum(row, columns) / (float)columns;
    float variance = row_deviation(row, m, columns) / (float)columns;
    float i = 1.0f / sqrtf(variance + 1e-5f);
    for (size_t c = 0; c < columns; c++) y[r * columns + c] = (row[c] - m) * i * scale[c] + shift[c];
    mean[r] = m;
    inverse[r] = i;
  }
}

CLONES void ck_layer_norm_backward(const float *x, const float *dy, const float *scale,
                                   const float *mean, const float *inverse, float *dScale,
                                   float *dShift, float *dx, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; r++) {
    const float *row = x + r * columns, *g = dy + r * columns;
    float m = mean[r], i = inverse[r], sum = 0, product = 0;
    for (size_t c = 0; c < columns; c++) {
      float hat = (row[c] - m) * i;
      dScale[c] += g[c] * hat;
      dShift[c] += g[c];
      sum += g[c] * scale[c];
      product += g[c] * scale[c] * hat;
    }
    if (!dx) continue;
    sum /= (float)columns;
    product /= (float)columns;
    for (size_t c = 0; c < columns; c++) {
      float hat = (row[c] - m) * i;
      dx[r * columns + c] = i * (g[c] * scale[c] - sum - hat * product);
    }
  }
}

// One time step of one sequence. The compiler honours `restrict` on parameters only and needs it to
// vectorise these loops. The last parameters are constants at each call.
HELPER void lstm_row_forward(float *restrict gi, float *restrict gf, float *restrict gg,
                             float *restrict go, const float *restrict bias,
                             const float *restrict before,
                             float *restrict cell, float *restrict cellTanh,
                             float *restrict output, size_t hidden, int hasBefore) {
  for (size_t k = 0; k < hidden; k++) {
    float i = fast_sigmoid(gi[k] + bias[k]), f = fast_sigmoid(gf[k] + bias[hidden + k]),
          g = fast_tanh(gg[k] + bias[2 * hidden + k]),
          o = fast_sigmoid(go[k] + bias[3 * hidden + k]);
    float state = hasBefore ? i * g + f * before[k] : i * g;
    float t = fast_tanh(state);
    gi[k] = i;
    gf[k] = f;
    gg[k] = g;
    go[k] = o;
    cell[k] = state;
    cellTanh[k] = t;
    output[k] = o * t;
  }
}

CLONES void ck_lstm_forward(float *gates, size_t gateStride, const float *bias,
                            const float *previous, float *cell, float *cellTanh, float *output,
                            size_t stateStride, size_t rows, size_t continued, size_t hidden) {
  for (size_t r = 0; r < rows; r++) {
    float *gi = gates + r * gateStride, *gf = gi + hidden, *gg = gf + hidden, *go = gg + hidden;
    size_t state = r * stateStride;
    if (r < continued)
      lstm_row_forward(gi, gf, gg, go, bias, previous + state, cell + state, cellTanh + state,
                       output + state, hidden, 1);
    else
      lstm_row_forward(gi, gf, gg, go, bias, previous + state, cell + state, cellTanh + state,
                       output + state, hidden, 0);
  }
}

HELPER void lstm_row_backward(float *restrict gi, float *restrict gf, float *restrict gg,
                              float *restrict go, const float *restrict before,
                              const float *restrict cellTanh, const float *restrict dh,
                              float *restrict carry, size_t hidden, int hasBefore, int hasCarry) {
  for (size_t k = 0; k < hidden; k++) {
    float i = gi[k], f = gf[k], g = gg[k], o = go[k], t = cellTanh[k], d = dh[k];
    float dc = d * o * (1 - t * t);
    if (hasCarry) dc += carry[k];
    gi[k] = dc * g * i * (1 - i);
    gf[k] = hasBefore ? dc * before[k] * f * (1 - f) : 0;
    gg[k] = dc * i * (1 - g * g);
    go[k] = d * t * o * (1 - o);
    carry[k] = dc * f;
  }
}

CLONES void ck_lstm_backward(float *gates, size_t gateStride, const float *previous,
                             const float *cellTanh, const float *outputGradient,
                             size_t stateStride, float *carry, size_t rows, size_t continued,
                             size_t carried, size_t hidden) {
  for (size_t r = 0; r < rows; r++) {
    float *gi = gates + r * gateStride, *gf = gi + hidden, *gg = gf + hidden, *go = gg + hidden;
    const float *before = previous + r * stateStride, *tc = cellTanh + r * stateStride,
                *dh = outputGradient + r * stateStride;
    float *dcell = carry + r * hidden;
    if (r < continued && r < carried)
      lstm_row_backward(gi, gf, gg, go, before, tc, dh, dcell, hidden, 1, 1);
    else if (r < continued)
      lstm_row_backward(gi, gf, gg, go, before, tc, dh, dcell, hidden, 1, 0);
    else if (r < carried)
      lstm_row_backward(gi, gf, gg, go, before, tc, dh, dcell, hidden, 0, 1);
    else
      lstm_row_backward(gi, gf, gg, go, before, tc, dh, dcell, hidden, 0, 0);
  }
}

// The logarithm of 0 in finite arithmetic: far below any path, far from overflow.
#define LOG_ZERO -1e30f

HELPER float log_sum3(float a, float b, float c) {
  float m = a > b ? a : b;
  m = m > c ? m : c;
  return m + fast_log(fast_exp(a - m) + fast_exp(b - m) + fast_exp(c - m));
}

// Subtracts the largest value and returns it. Values in long sequences then stay near 0, where
// single precision is dense.
HELPER float recentre(float *x, size_t count) {
  float m = row_max(x, count);
  if (m <= 0.5f * LOG_ZERO) return m;
  for (size_t s = 0; s < count; s++) x[s] = x[s] - m < LOG_ZERO ? LOG_ZERO : x[s] - m;
  return m;
}

// The states s = 0 ... 2 * count are the labels with blanks between them: state 2 k + 1 is label k.
// Each row has two more states of probability 0, because the recursion reads past the end.
CLONES double ck_ctc(float *logProbabilities, size_t columns, const int32_t *rows, size_t offset,
                     size_t steps, const int32_t *labels, size_t count, float *scratch,
                     float scale) {
  size_t states = 2 * count + 1, width = states + 2;
  float *alpha = scratch, *beta = alpha + steps * width, *emission = beta + width,
        *skip = emission + width, *next = skip + width;
  double logZ = 0;

  // skip[s] is 0 if s may be entered from s - 2: its label differs from the previous label.
  for (size_t s = 0; s < width; s++) skip[s] = LOG_ZERO;
  for (size_t k = 1; k < count; k++)
    if (labels[k] != labels[k - 1]) skip[2 * k + 1] = 0;

  for (size_t t = 0; t < steps; t++) {
    const float *row = logProbabilities + ((size_t)rows[t] + offset) * columns;
    for (size_t s = 0; s < states; s += 2) emission[s] = row[0];
    for (size_t k = 0; k < count; k++) emission[2 * k + 1] = row[labels[k]];
    float *now = alpha + t * width + 2;
    now[-2] = now[-1] = LOG_ZERO;
    if (t == 0) {
      for (size_t s = 0; s < states; s++) now[s] = s < 2 ? emission[s] : LOG_ZERO;
    } else {
      const float *before = now - width;
      for (size_t s = 0; s < states; s++)
        now[s] = log_sum3(before[s], before[s - 1], before[s - 2] + skip[s]) + emission[s];
    }
    float m = recentre(now, states);
    if (m <= 0.5f * LOG_ZERO) break;
    logZ += (double)m;
  }
  const float *last = alpha + (steps - 1) * width + 2;
  float final = steps == 0 ? LOG_ZERO
                           : log_sum3(last[states - 1], count > 0 ? last[states - 2] : LOG_ZERO,
                                      LOG_ZERO);
  // A path needs one step for each label and one for each blank between equal ones.
  size_t needed = count;
  for (size_t k = 1; k < count; k++) needed += labels[k] == labels[k - 1];
  if (steps == 0 || steps < needed || final <= 0.5f * LOG_ZERO) {
    for (size_t t = 0; t < steps; t++)
      memset(logProbabilities + ((size_t)rows[t] + offset) * columns, 0, columns * sizeof(float));
    return -INFINITY;
  }
  logZ += (double)final;

  for (size_t s = 0; s < width; s++) beta[s] = LOG_ZERO;
  beta[states - 1] = 0;
  if (count > 0) beta[states - 2] = 0;
  for (size_t t = steps; t-- > 0;) {
    float *row = logProbabilities + ((size_t)rows[t] + offset) * columns;
    const float *now = alpha + t * width + 2;
    for (size_t s = 0; s < states; s += 2) emission[s] = row[0];
    for (size_t k = 0; k < count; k++) emission[2 * k + 1] = row[labels[k]];
    // Posterior of each state: alpha * beta, normalised over the states of this step.
    for (size_t s = 0; s < states; s++) next[s] = now[s] + beta[s];
    float m = row_max(next, states), sum = 0;
    for (size_t s = 0; s < states; s++) next[s] = fast_exp(next[s] - m);
    for (size_t s = 0; s < states; s++) sum += next[s];
    float share = scale / sum;
    for (size_t c = 0; c < columns; c++) row[c] = fast_exp(row[c]) * scale;
    float blank = 0;
    for (size_t s = 0; s < states; s += 2) blank += next[s];
    row[0] -= blank * share;
    for (size_t k = 0; k < count; k++) row[labels[k]] -= next[2 * k + 1] * share;
    if (t == 0) break;
    // beta at t - 1 from beta and the emissions at t.
    for (size_t s = 0; s < states; s++) emission[s] += beta[s];
    emission[states] = emission[states + 1] = LOG_ZERO;
    for (size_t s = 0; s < states; s++)
      beta[s] = log_sum3(emission[s], emission[s + 1], emission[s + 2] + skip[s + 2]);
    recentre(beta, states);
  }
  return logZ;
}

float ck_softplus(float x) { return fast_log(1.0f + fast_exp(x)); }
