// Products in single precision on vectors of 256 bits with fused multiply-adds.
#if defined(__x86_64__)

#define LANES 8
#define TARGET __attribute__((target("avx2,fma")))
#define MOST 6
#define UNIT ck_single_avx2
#include "SingleLoops.h"

#endif
