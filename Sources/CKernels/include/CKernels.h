// Vector kernels that BLAS lacks. Every matrix is row-major and dense: `rows` by `columns` floats.
// No kernel allocates memory or keeps state. Buffers do not overlap unless a comment says so. On
// x86-64 Linux each kernel is compiled for the baseline, AVX2 and AVX-512; the loader chooses one.
// Sums may therefore differ in the last bits between processors, but not between two runs on one.
#ifndef DUCTUS_CKERNELS_H
#define DUCTUS_CKERNELS_H

#include "EightBits.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// y = x + bias, row by row; in place if y == x.
void ck_add_bias(const float *x, const float *bias, float *y, size_t rows, size_t columns);
// y = max(0, x + bias), row by row; in place if y == x.
void ck_add_bias_relu(const float *x, const float *bias, float *y, size_t rows, size_t columns);
// g = y > 0 ? g : 0, in place.
void ck_relu_backward(const float *y, float *g, size_t count);
// sum[c] += the sum of column c.
void ck_column_sums(const float *x, float *sum, size_t rows, size_t columns);

// Mean and biased variance of each column, in two passes.
void ck_column_moments(const float *x, float *mean, float *variance, size_t rows,
                       size_t columns);
// y = max(floor, x * scale[c] + shift[c]); floor is 0 for ReLU and -FLT_MAX for none.
void ck_scale_shift_floor(const float *x, const float *scale, const float *shift, float floor,
                          float *y, size_t rows, size_t columns);
// The two reductions of batch normalisation's backward pass, with g masked by y > floor:
// sumG[c] = sum g, sumGX[c] = sum g * (x - mean[c]) * inverse[c]. g is masked in place.
void ck_batch_norm_reduce(const float *x, const float *y, float floor, float *g,
                          const float *mean, const float *inverse, float *sumG, float *sumGX,
                          size_t rows, size_t columns);
// dx = gamma * inverse * (g - sumG / rows - xhat * sumGX / rows); dx may be g.
void ck_batch_norm_input_gradient(const float *x, const float *g, const float *mean,
                                  const float *inverse, const float *gamma, const float *sumG,
                                  const float *sumGX, float *dx, size_t rows, size_t columns);

// Max over pairs of rows: x is [2 * rows, columns], y is [rows, columns].
void ck_max_pool_pairs(const float *x, float *y, size_t rows, size_t columns);
// Sends each gradient to the larger element of its pair, or to the first if both are equal.
void ck_max_pool_pairs_backward(const float *x, const float *g, float *dx, size_t rows,
                                size_t columns);

// Dropout with an addressed mask: element i is kept when hash(seed, i) >= threshold of 2^32, and
// then multiplied by `scale`. The same call with the gradient is the backward pass.
void ck_dropout(const float *x, float *y, size_t count, uint64_t seed, uint32_t threshold,
                float scale);

// Softmax of each row, in place.
void ck_softmax_rows(float *x, size_t rows, size_t columns);
// Cross-entropy with label smoothing s over K columns: the target is (1 - s) one-hot + s / K.
// Writes (softmax - target) * scale over the logits, adds the rows' losses to *loss (in double)
// and counts the rows whose largest logit is the label into *correct.
void ck_softmax_cross_entropy(float *logits, const int32_t *labels, size_t rows, size_t columns,
                              float smoothing, float scale, double *loss, size_t *correct);

// Layer normalisation (Ba et al. 2016) of each row: y = scale * (x - mean) * inverse + shift; mean
// and inverse, 1 / sqrt(variance + 1e-5), are written for each row.
void ck_layer_norm(const float *x, const float *scale, const float *shift, float *y, float *mean,
                   float *inverse, size_t rows, size_t columns);
// Its gradient: dScale and dShift are added to; dx may be NULL, and may be dy.
void ck_layer_norm_backward(const float *x, const float *dy, const float *scale, const float *mean,
                            const float *inverse, float *dScale, float *dShift, float *dx,
                            size_t rows, size_t columns);

// log softmax of each row, in place.
void ck_log_softmax_rows(float *x, size_t rows, size_t columns);

// log(1 + exp(x)) for x at most 0; absolute error below 2e-6.
float ck_softplus(float x);

// One time step of an LSTM (Hochreiter and Schmidhuber 1997) for `rows` sequences.
// gates: rows of 4 * hidden pre-activations without bias, in the order input, forget, cell, output;
// replaced by the activations. bias: 4 * hidden. previous: the previous cell state of the first
// `continued` rows; the other rows start from 0. cell and cellTanh: the new cell state and its
// tanh. output: the hidden state.
void ck_lstm_forward(float *gates, size_t gateStride, const float *bias, const float *previous,
                     float *cell, float *cellTanh, float *output, size_t stateStride, size_t rows,
                     size_t continued, size_t hidden);
// The gradient of that step. outputGradient: rows with the complete gradient of the hidden state.
// carry: rows of `hidden`. On entry the first `carried` rows hold the gradient of the cell state
// from the following step; the others count as 0. On return all rows hold the gradient for the
// previous step. gates: the activations, replaced by the gradients of the pre-activations.
void ck_lstm_backward(float *gates, size_t gateStride, const float *previous,
                      const float *cellTanh, const float *outputGradient, size_t stateStride,
                      float *carry, size_t rows, size_t continued, size_t carried, size_t hidden);

// Connectionist temporal classification (Graves et al. 2006) of one sequence, in log space.
// logProbabilities: row rows[t] + offset, of `columns` values, is time step t. It is replaced by
// the gradient of -log p(labels), which is softmax minus posterior, times `scale`. Blank is column
// 0. scratch: (steps + 4) * (2 * count + 3) floats. Returns log p(labels). If no path exists,
// returns -INFINITY and the gradient is 0.
double ck_ctc(float *logProbabilities, size_t columns, const int32_t *rows, size_t offset,
              size_t steps, const int32_t *labels, size_t count, float *scratch, float scale);

// The sum of squares, in double.
double ck_sum_of_squares(const float *x, size_t count);
// y += x.
void ck_accumulate(const float *x, float *y, size_t count);

// y [columns, rows] = the transpose of x [rows, columns].
void ck_transpose(const float *x, float *y, size_t rows, size_t columns);

// Products with factors rounded to bfloat16 (nearest, ties to even) and sums in single precision, on
// processors that have instructions for them. `inner` is at least 1.

// Vectors of 512 bits (AVX-512 BF16), or a tile unit (Intel AMX), which is faster.
typedef enum { CK_VECTORS, CK_TILES } ck_bfloat16_unit;
// True if the processor has the unit and the system lets this process use it; asks the system at
// each call. Call the functions below only if it is true.
int ck_bfloat16_available(ck_bfloat16_unit unit);
// Bytes of scratch memory for one product, aligned to 64.
size_t ck_bfloat16_scratch(void);
// c [rows, columns] = a b, added to c if `accumulate`. a is [rows, inner], or [inner, rows] if it
// is read transposed; b is [inner, columns] or [columns, inner].
void ck_bfloat16_multiply(ck_bfloat16_unit unit, const float *a, size_t aStride, int aTransposed,
                          const float *b, size_t bStride, int bTransposed, float *c, size_t cStride,
                          size_t rows, size_t columns, size_t inner, int accumulate, void *scratch);
// Bytes of a right factor that is packed once for many products, aligned to 64.
size_t ck_bfloat16_factor(size_t inner, size_t columns);
// Packs b, which is [inner, columns] or, transposed, [columns, inner]. The format is the same for
// both units.
void ck_bfloat16_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                      void *packed);
// c = a b with a packed b, added to c if `accumulate`.
void ck_bfloat16_multiply_packed(ck_bfloat16_unit unit, const float *a, size_t aStride,
                                 const void *packed, float *c, size_t cStride, size_t rows,
                                 size_t columns, size_t inner, int accumulate, void *scratch);

// Products in single precision with a right factor that is packed once for many products. Each sum is
// in the order of the rows of b: a row of the result does not depend on the others.

// The instructions that compute products, the slower first. They round differently, because only
// some of them fuse multiplication and addition.
typedef enum {
  CK_SINGLE_PLAIN,  // 128 bits, any processor
  CK_SINGLE_AVX2,   // x86-64: 256 bits
  CK_SINGLE_AVX512  // x86-64: 512 bits
} ck_single_unit;
// True if the processor has the instructions and the system saves their registers.
int ck_single_available(ck_single_unit unit);
// Floats of a packed factor, aligned to 64 bytes.
size_t ck_single_factor(size_t inner, size_t columns);
// Packs b, which is [inner, columns] or, transposed, [columns, inner]. The format is the same for all
// units.
void ck_single_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                    float *packed);
// c [rows, columns] = a b, added to c if `accumulate`, for products of few rows: a is read once for
// every 32 columns.
void ck_single_multiply(ck_single_unit unit, const float *a, size_t aStride, const float *packed,
                        float *c, size_t cStride, size_t rows, size_t columns, size_t inner,
                        int accumulate);

// One step of AdamW (Loshchilov and Hutter 2019) and of the exponential moving average of the
// weights: g is scaled by `gradientScale` first, `decay` is 1 - learning rate * weight decay,
// `stepSize` is the bias-corrected learning rate, `epsilon` the bias-corrected epsilon.
void ck_adamw(float *weights, const float *gradients, float *m, float *v, float *average,
              size_t count, float gradientScale, float beta1, float beta2, float stepSize,
              float epsilon, float decay, float averageDecay);

#ifdef __cplusplus
}
#endif
#endif
