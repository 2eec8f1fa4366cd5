// The kernels in 8 bits on vectors of 128 bits. Arm Architecture Reference Manual for A-profile
// (DDI 0487), C7.2: SMULL, SADDLP, ADDP.
#if defined(__aarch64__)

#include <arm_neon.h>
#include <stdint.h>

#define LANES 4
#define TARGET
#define UNIT ck_eight_bit_neon
#define ADDS_OFFSETS 0

typedef int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef int8x16_t Left;

static inline __attribute__((always_inline)) Left left(int32_t four) {
  return vreinterpretq_s8_s32(vdupq_n_s32(four));
}

static inline __attribute__((always_inline)) Integers dot(Integers sum, Left row,
                                                          const int8_t *weights) {
  int8x16_t right = vld1q_s8(weights);
  // Products of two columns each; then the sums of two products, and of four.
  int16x8_t low = vmull_s8(vget_low_s8(row), vget_low_s8(right));
  int16x8_t high = vmull_high_s8(row, right);
  return sum + (Integers)vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high));
}

#include "EightBitLoops.h"

#endif
