#include "CZlib.h"

int ductus_inflateInit(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

int ductus_inflateInitRaw(z_stream *stream) { return inflateInit2(stream, -15); }

int ductus_deflateInitRaw(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

int ductus_deflateInit(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15, 8, Z_DEFAULT_STRATEGY);
}

int ductus_deflateInitGzip(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
