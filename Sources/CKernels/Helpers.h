// Helpers that the kernels share.
#ifndef DUCTUS_CKERNELS_HELPERS_H
#define DUCTUS_CKERNELS_HELPERS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

// One source, three instruction sets, chosen by the dynamic linker. Helpers are forced inline so
// that each clone gets its own copy of them.
// ThreadSanitizer cannot run in the dynamic linker, before the program has begun.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINGLE_CLONE
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(SINGLE_CLONE)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
#define HELPER static inline __attribute__((always_inline))

// exp by range reduction and a degree-6 polynomial (Cephes coefficients); relative error below
// 2e-7 on [-87, 87], clamped outside.
HELPER float fast_exp(float x) {
  x = x < -87.0f ? -87.0f : (x > 87.0f ? 87.0f : x);
  float n = nearbyintf(x * 1.44269504088896341f);
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  union {
    int32_t i;
    float f;
  } two = {.i = ((int32_t)n + 127) << 23};
  return p * two.f;
}

// log of a normal positive number by its exponent and a degree-8 polynomial (Cephes coefficients);
// absolute error below 1e-6.
HELPER float fast_log(float x) {
  union {
    float f;
    int32_t i;
  } bits = {.f = x};
  int32_t shifted = bits.i - 0x3f3504f3;
  float exponent = (float)(shifted >> 23);
  bits.i = (shifted & 0x007fffff) + 0x3f3504f3;
  float r = bits.f - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * r - 1.1514610310e-1f;
  p = p * r + 1.1676998740e-1f;
  p = p * r - 1.2420140846e-1f;
  p = p * r + 1.4249322787e-1f;
  p = p * r - 1.6668057665e-1f;
  p = p * r + 2.0000714765e-1f;
  p = p * r - 2.4999993993e-1f;
  p = p * r + 3.3333331174e-1f;
  float square = r * r;
  return exponent * 0.693147180559945f + (r - 0.5f * square + r * square * p);
}

// tanh as a quotient of two polynomials: a minimax approximation with the coefficients of Eigen;
// absolute error below 5e-7. The latency is half that of an exponential, because numerator and
// denominator are computed in parallel.
HELPER float fast_tanh(float x) {
  x = x < -7.9053111f ? -7.9053111f : x;
  x = x > 7.9053111f ? 7.9053111f : x;
  float s = x * x;
  float q = 1.19825839466702e-6f * s + 1.18534705686654e-4f;
  float p = -2.76076847742355e-16f * s + 2.00018790482477e-13f;
  q = q * s + 2.26843463243900e-3f;
  p = p * s - 8.60467152213735e-11f;
  q = q * s + 4.89352518554385e-3f;
  p = p * s + 5.12229709037114e-8f;
  p = p * s + 1.48572235717979e-5f;
  p = p * s + 6.37261928875436e-4f;
  p = p * s + 4.89352455891786e-3f;
  return x * p / q;
}

HELPER float fast_sigmoid(float x) { return 0.5f + 0.5f * fast_tanh(0.5f * x); }

// Sixteen running results in parallel: a fixed order that vectorises.
HELPER float row_max(const float *x, size_t columns) {
  float lanes[16], largest = x[0];
  for (size_t lane = 0; lane < 16; lane++) lanes[lane] = x[0];
  size_t c = 0;
  for (; c + 16 <= columns; c += 16)
    for (size_t lane = 0; lane < 16; lane++)
      lanes[lane] = x[c + lane] > lanes[lane] ? x[c + lane] : lanes[lane];
  for (; c < columns; c++) largest = x[c] > largest ? x[c] : largest;
  for (size_t lane = 0; lane < 16; lane++) largest = lanes[lane] > largest ? lanes[lane] : largest;
  return largest;
}

// The body of a function that sums `term`, an expression of the index c, over a row.
#define RETURN_ROW_SUM(term)                                        \
  float lanes[16] = {0}, sum = 0;                                   \
  size_t first = 0;                                                 \
  for (; first + 16 <= columns; first += 16)                        \
    for (size_t lane = 0; lane < 16; lane++) {                      \
      size_t c = first + lane;                                      \
      lanes[lane] += (term);                                        \
    }                                                               \
  for (size_t c = first; c < columns; c++) sum += (term);           \
  for (size_t lane = 0; lane < 16; lane++) sum += lanes[lane];      \
  return sum;

HELPER float row_sum(const float *x, size_t columns) { RETURN_ROW_SUM(x[c]) }

// The sum of squared differences from `mean`.
HELPER float row_deviation(const float *x, float mean, size_t columns) {
  RETURN_ROW_SUM((x[c] - mean) * (x[c] - mean))
}

// The sum of exp(x - shift).
HELPER float row_exp_sum(const float *x, float shift, size_t columns) {
  RETURN_ROW_SUM(fast_exp(x[c] - shift))
}

#endif
