// The deflate streams of zlib, which every platform has.
#ifndef DUCTUS_CZLIB_H
#define DUCTUS_CZLIB_H

#include <zlib.h>

// Macros, which Swift does not see.

// Starts a stream whose header may be of gzip or of zlib.
int ductus_inflateInit(z_stream *stream);

// Starts a stream without a header, as in ZIP archives.
int ductus_inflateInitRaw(z_stream *stream);

// Starts packing into a stream without a header.
int ductus_deflateInitRaw(z_stream *stream);

// Starts packing into a stream with the header of zlib, as in PDF.
int ductus_deflateInit(z_stream *stream);

// Starts packing into a stream with the header of gzip.
int ductus_deflateInitGzip(z_stream *stream);

#endif
