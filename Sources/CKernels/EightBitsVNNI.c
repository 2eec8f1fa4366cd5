// The kernels in 8 bits on vectors of 512 bits. Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 2: VPDPBUSD.
#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#define LANES 16
#define TARGET \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"), min_vector_width(512)))
#define UNIT ck_eight_bit_vnni
#define ADDS_OFFSETS 1

typedef int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef __m512i Left;

// VPDPBUSD multiplies unsigned with signed bytes: 128 is added to each element of the row, and the
// sums begin with -128 times the sum of the weights.
TARGET static inline __attribute__((always_inline)) Left left(int32_t four) {
  return _mm512_set1_epi32((int32_t)((uint32_t)four ^ 0x80808080u));
}

TARGET static inline __attribute__((always_inline)) Integers dot(Integers sum, Left row,
                                                                 const int8_t *weights) {
  return (Integers)_mm512_dpbusd_epi32((__m512i)sum, row, _mm512_loadu_si512(weights));
}

#include "EightBitLoops.h"

#endif
