#include "CZstd.h"

#include <dlfcn.h>
#include <stdlib.h>

const ductus_zstd_functions *ductus_zstd_open(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  ductus_zstd_functions *functions = calloc(1, sizeof *functions);
  int missing = functions == NULL;

// POSIX allows the conversion of a pointer from dlsym to one of a function through void **.
#define FIND(member)                                                  \
  if (!missing) {                                                     \
    *(void **)&functions->member = dlsym(library, "ZSTD_" #member);   \
    missing = functions->member == NULL;                              \
  }
  FIND(createDCtx)
  FIND(freeDCtx)
  FIND(DCtx_setParameter)
  FIND(decompressStream)
  FIND(isError)
#undef FIND

  if (missing) {
    free(functions);
    dlclose(library);
    return NULL;
  }
  return functions;
}
