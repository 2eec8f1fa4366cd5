// Products in single precision on vectors of 512 bits.
#if defined(__x86_64__)

#define LANES 16
#define TARGET __attribute__((target("avx512f"), min_vector_width(512)))
#define MOST 12
#define UNIT ck_single_avx512
#include "SingleLoops.h"

#endif
