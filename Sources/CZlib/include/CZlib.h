// The deflate streams of zlib, which every platform has.
#ifndef DUCTUS_CZLIB_H
#define DUCTUS_CZLIB_H

#include <zlib.h>

// A macro, which Swift does not see: starts a stream whose header may be of gzip or of zlib.
int ductus_inflateInit(z_stream *stream);

#endif
