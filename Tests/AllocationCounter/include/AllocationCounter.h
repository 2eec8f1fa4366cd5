// Counts heap allocations, for tests of functions that must not allocate. With glibc the test
// runner's malloc is wrapped; elsewhere nothing is counted.
#ifndef DUCTUS_ALLOCATION_COUNTER_H
#define DUCTUS_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Returns whether allocations can be counted on this system.
bool ac_counts(void);
// Starts to count the allocations of the calling thread, except those inside BLAS and LAPACK.
void ac_start(void);
// Stops and returns the count.
uint64_t ac_stop(void);
// Starts to count the allocations of all threads of the process, except those inside BLAS and
// LAPACK, and those of Dispatch and the dynamic linker when they start threads.
void ac_start_everywhere(void);
// Stops and returns the count.
uint64_t ac_stop_everywhere(void);

#endif
