#include "CJPEG.h"

#include <dlfcn.h>
#include <stdlib.h>

struct ductus_jpeg_library {
  void *(*InitCompress)(void);
  void *(*InitDecompress)(void);
  int (*Compress2)(void *handle, const unsigned char *pixels, int width, int pitch, int height,
                   int format, unsigned char **packed, unsigned long *size, int subsampling,
                   int quality, int flags);
  int (*DecompressHeader2)(void *handle, unsigned char *bytes, unsigned long count, int *width,
                           int *height, int *subsampling);
  int (*Decompress2)(void *handle, const unsigned char *bytes, unsigned long count,
                     unsigned char *pixels, int width, int pitch, int height, int format,
                     int flags);
  int (*Destroy)(void *handle);
  void (*Free)(unsigned char *buffer);
};

// TJPF_BGRX and TJPF_BGRA; TJSAMP_444, which keeps the edges of coloured lines.
enum { formatBGRX = 3, formatBGRA = 8, sampling444 = 0 };

const ductus_jpeg_library *ductus_jpeg_open(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
  ductus_jpeg_library *functions = calloc(1, sizeof *functions);
  int missing = functions == NULL;

// POSIX allows the conversion of a pointer from dlsym to one of a function through void **.
#define FIND(member)                                                   \
  if (!missing) {                                                      \
    *(void **)&functions->member = dlsym(library, "tj" #member);       \
    missing = functions->member == NULL;                               \
  }
  FIND(InitCompress)
  FIND(InitDecompress)
  FIND(Compress2)
  FIND(DecompressHeader2)
  FIND(Decompress2)
  FIND(Destroy)
  FIND(Free)
#undef FIND

  if (missing) {
    free(functions);
    dlclose(library);
    return NULL;
  }
  return functions;
}

unsigned long ductus_jpeg_pack(const ductus_jpeg_library *library, const unsigned char *pixels,
                               int width, int stride, int height, int quality,
                               unsigned char **packed) {
  void *handle = library->InitCompress();
  if (handle == NULL) return 0;
  unsigned long size = 0;
  *packed = NULL;
  int failed = library->Compress2(handle, pixels, width, stride, height, formatBGRX, packed, &size,
                                  sampling444, quality, 0);
  library->Destroy(handle);
  if (failed && *packed != NULL) {
    library->Free(*packed);
    *packed = NULL;
  }
  return failed ? 0 : size;
}

void ductus_jpeg_free(const ductus_jpeg_library *library, unsigned char *packed) {
  library->Free(packed);
}

int ductus_jpeg_size(const ductus_jpeg_library *library, const unsigned char *bytes,
                     unsigned long count, int *width, int *height) {
  void *handle = library->InitDecompress();
  if (handle == NULL) return -1;
  int subsampling = 0;
  // The library does not change the bytes.
  int failed = library->DecompressHeader2(handle, (unsigned char *)bytes, count, width, height,
                                          &subsampling);
  library->Destroy(handle);
  return failed ? -1 : 0;
}

int ductus_jpeg_unpack(const ductus_jpeg_library *library, const unsigned char *bytes,
                       unsigned long count, int width, int stride, int height,
                       unsigned char *pixels) {
  void *handle = library->InitDecompress();
  if (handle == NULL) return -1;
  int failed = library->Decompress2(handle, bytes, count, pixels, width, stride, height,
                                    formatBGRA, 0);
  library->Destroy(handle);
  return failed ? -1 : 0;
}
