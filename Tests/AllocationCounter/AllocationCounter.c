#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#endif

#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

// The names under which glibc itself exports malloc and related functions.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local bool counting;
static _Thread_local uint64_t allocations;
static _Thread_local bool looking;
static atomic_bool countingEverywhere;
static atomic_uint_fast64_t allocationsEverywhere;

bool ac_counts(void) { return true; }

void ac_start(void) {
  allocations = 0;
  counting = true;
}

uint64_t ac_stop(void) {
  counting = false;
  return allocations;
}

void ac_start_everywhere(void) {
  atomic_store(&allocationsEverywhere, 0);
  atomic_store(&countingEverywhere, true);
}

uint64_t ac_stop_everywhere(void) {
  atomic_store(&countingEverywhere, false);
  return atomic_load(&allocationsEverywhere);
}

// OpenBLAS allocates inside its kernels for small products, Dispatch when it wakes workers, and the
// dynamic linker when a worker is a new thread.
static bool is_ours(void *caller) {
  static const char *const others[] = {"blas", "lapack", "gfortran", "libdispatch", "ld-linux"};
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strstr(info.dli_fname, others[i])) return false;
  return true;
}

static void count(void *caller) {
  bool everywhere = atomic_load_explicit(&countingEverywhere, memory_order_relaxed);
  if (looking || (!counting && !everywhere)) return;
  looking = true;
  if (is_ours(caller)) {
    allocations += counting;
    if (everywhere) atomic_fetch_add(&allocationsEverywhere, 1);
  }
  looking = false;
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  void *result = __libc_memalign(alignment, size);
  if (!result) return ENOMEM;
  *pointer = result;
  return 0;
}

#else

bool ac_counts(void) { return false; }
void ac_start(void) {}
uint64_t ac_stop(void) { return 0; }
void ac_start_everywhere(void) {}
uint64_t ac_stop_everywhere(void) { return 0; }

#endif
