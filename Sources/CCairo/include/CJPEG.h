// The functions of TurboJPEG that read and write JPEG. The library is opened when it is first asked
// for, so neither the build nor a program that uses no such picture needs it.
#ifndef DUCTUS_CJPEG_H
#define DUCTUS_CJPEG_H

typedef struct ductus_jpeg_library ductus_jpeg_library;

// The functions of a library; NULL if it is not there or lacks one of them. They stay valid.
const ductus_jpeg_library *ductus_jpeg_open(const char *name);

// Packs pixels of 4 bytes: blue, green, red and one that is ignored. Returns the length of `*packed`,
// which ductus_jpeg_free releases, or 0 if it fails.
unsigned long ductus_jpeg_pack(const ductus_jpeg_library *library, const unsigned char *pixels,
                               int width, int stride, int height, int quality,
                               unsigned char **packed);
void ductus_jpeg_free(const ductus_jpeg_library *library, unsigned char *packed);

// Reads the size of a JPEG. Returns 0, or -1 if it is none.
int ductus_jpeg_size(const ductus_jpeg_library *library, const unsigned char *bytes,
                     unsigned long count, int *width, int *height);

// Unpacks a JPEG to pixels of 4 bytes: blue, green, red, 255. Returns 0, or -1 if it fails.
int ductus_jpeg_unpack(const ductus_jpeg_library *library, const unsigned char *bytes,
                       unsigned long count, int width, int stride, int height,
                       unsigned char *pixels);

#endif
