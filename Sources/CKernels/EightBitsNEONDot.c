// The kernels in 8 bits on vectors of 128 bits with products of bytes. Arm Architecture Reference
// Manual for A-profile (DDI 0487), C7.2: SDOT (vector), FEAT_DotProd.
#if defined(__aarch64__)

#include <arm_neon.h>
#include <stdint.h>

#define LANES 4
#define TARGET __attribute__((target("dotprod")))
#define UNIT ck_eight_bit_neon_dot
#define ADDS_OFFSETS 0

typedef int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef int8x16_t Left;

TARGET static inline __attribute__((always_inline)) Left left(int32_t four) {
  return vreinterpretq_s8_s32(vdupq_n_s32(four));
}

TARGET static inline __attribute__((always_inline)) Integers dot(Integers sum, Left row,
                                                                 const int8_t *weights) {
  return (Integers)vdotq_s32((int32x4_t)sum, vld1q_s8(weights), row);
}

#include "EightBitLoops.h"

#endif
