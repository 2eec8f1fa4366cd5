// The functions of libzstd that unpack data. The library is opened when it is first asked for, so
// neither the build nor a program that reads no such data needs it.
#ifndef DUCTUS_CZSTD_H
#define DUCTUS_CZSTD_H

#include <stddef.h>

// As ZSTD_DCtx.
typedef struct ductus_zstd_stream ductus_zstd_stream;

// As ZSTD_inBuffer.
typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} ductus_zstd_input;

// As ZSTD_outBuffer.
typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} ductus_zstd_output;

// The functions have the meaning of those of libzstd whose names end as theirs.
typedef struct {
  ductus_zstd_stream *(*createDCtx)(void);
  size_t (*freeDCtx)(ductus_zstd_stream *stream);
  size_t (*DCtx_setParameter)(ductus_zstd_stream *stream, int parameter, int value);
  size_t (*decompressStream)(ductus_zstd_stream *stream, ductus_zstd_output *output,
                             ductus_zstd_input *input);
  unsigned (*isError)(size_t code);
} ductus_zstd_functions;

// Opens the library; NULL if it is missing or lacks a function.
const ductus_zstd_functions *ductus_zstd_open(const char *name);

#endif
