#include "CZlib.h"

int ductus_inflateInit(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
