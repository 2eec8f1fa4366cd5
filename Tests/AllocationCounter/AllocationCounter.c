#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#endif

#include "AllocationCounter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

// What glibc itself exports malloc and the others as.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local bool counting;
static _Thread_local uint64_t allocations;

bool ac_counts(void) { return true; }

void ac_start(void) {
  allocations = 0;
  counting = true;
}

uint64_t ac_stop(void) {
  counting = false;
  return allocations;
}

static void count(void *caller) {
  if (!counting) return;
  counting = false;
  Dl_info info;
  // OpenBLAS allocates inside its kernels for small products.
  bool ours = !dladdr(caller, &info) || !info.dli_fname ||
              (!strstr(info.dli_fname, "blas") && !strstr(info.dli_fname, "lapack") &&
               !strstr(info.dli_fname, "gfortran"));
  allocations += ours;
  counting = true;
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

#endif
