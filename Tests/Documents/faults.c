// Lets the n-th change of a file fail, or all from the n-th on, in a program that it is loaded into.
//
// DUCTUS_FAULT_AT is n, DUCTUS_FAULT_CODE the value of errno, DUCTUS_FAULT_LASTS is set for all later
// changes, too, and DUCTUS_FAULT_COUNT names a file that gets the number of changes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long count;

static int is_file(int descriptor) {
  struct stat status;
  int old = errno;
  int result = descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  errno = old;
  return result;
}

static int fails(void) {
  const char *at = getenv("DUCTUS_FAULT_AT"), *code = getenv("DUCTUS_FAULT_CODE");
  long number = atomic_fetch_add(&count, 1) + 1, wanted = at ? atol(at) : 0;
  if (wanted <= 0 || number < wanted) return 0;
  if (number > wanted && !getenv("DUCTUS_FAULT_LASTS")) return 0;
  errno = code ? atoi(code) : EIO;
  return 1;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("DUCTUS_FAULT_COUNT");
  if (!path) return;
  long number = atomic_load(&count);
  unsetenv("DUCTUS_FAULT_AT");
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%ld\n", number);
  fclose(file);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int descriptor, const void *bytes, size_t size) {
  NEXT(write);
  return is_file(descriptor) && fails() ? -1 : next(descriptor, bytes, size);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t place) {
  NEXT(pwrite);
  return is_file(descriptor) && fails() ? -1 : next(descriptor, bytes, size, place);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t place) {
  NEXT(pwrite64);
  return is_file(descriptor) && fails() ? -1 : next(descriptor, bytes, size, place);
}
ssize_t sendfile(int to, int from, off_t *place, size_t size) {
  NEXT(sendfile);
  return is_file(to) && fails() ? -1 : next(to, from, place, size);
}
ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t size, unsigned flags) {
  NEXT(copy_file_range);
  return is_file(to) && fails() ? -1 : next(from, a, to, b, size, flags);
}
int fsync(int descriptor) {
  NEXT(fsync);
  return is_file(descriptor) && fails() ? -1 : next(descriptor);
}
int fdatasync(int descriptor) {
  NEXT(fdatasync);
  return is_file(descriptor) && fails() ? -1 : next(descriptor);
}
int ftruncate(int descriptor, off_t size) {
  NEXT(ftruncate);
  return is_file(descriptor) && fails() ? -1 : next(descriptor, size);
}
int ftruncate64(int descriptor, off64_t size) {
  NEXT(ftruncate64);
  return is_file(descriptor) && fails() ? -1 : next(descriptor, size);
}
int rename(const char *from, const char *to) {
  NEXT(rename);
  return fails() ? -1 : next(from, to);
}
