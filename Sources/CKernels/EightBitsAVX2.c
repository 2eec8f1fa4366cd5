// The kernels in 8 bits on vectors of 256 bits. Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 2: VPMADDUBSW, VPMADDWD.
#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define UNIT ck_eight_bit_avx2
#define ADDS_OFFSETS 1

typedef int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef __m256i Left;

// VPMADDUBSW multiplies unsigned with signed bytes: 128 is added to each element of the row, and the
// sums begin with -128 times the sum of the weights.
TARGET static inline __attribute__((always_inline)) Left left(int32_t four) {
  return _mm256_set1_epi32((int32_t)((uint32_t)four ^ 0x80808080u));
}

// The sum of two products does not saturate at 16 bits, because PAIR limits the weights.
TARGET static inline __attribute__((always_inline)) Integers dot(Integers sum, Left row,
                                                                 const int8_t *weights) {
  __m256i pairs = _mm256_maddubs_epi16(row, _mm256_loadu_si256((const __m256i *)weights));
  return sum + (Integers)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

#include "EightBitLoops.h"

#endif
