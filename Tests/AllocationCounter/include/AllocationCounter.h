// Counts heap allocations, for tests that promise none. With glibc the test runner's malloc is
// wrapped; elsewhere nothing is counted.
#ifndef DUCTUS_ALLOCATION_COUNTER_H
#define DUCTUS_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Whether allocations are counted here.
bool ac_counts(void);
// From now on, counts what the calling thread allocates, but not what BLAS and LAPACK do inside.
void ac_start(void);
// Stops and returns the count.
uint64_t ac_stop(void);
// From now on, counts what all threads of the process allocate, but not what BLAS, LAPACK, and
// Dispatch and the dynamic linker starting threads do inside.
void ac_start_everywhere(void);
// Stops and returns the count.
uint64_t ac_stop_everywhere(void);

#endif
