// Declarations that the sets of instructions of products in single precision share.
#ifndef DUCTUS_CKERNELS_SINGLE_PRODUCTS_H
#define DUCTUS_CKERNELS_SINGLE_PRODUCTS_H

#include <stddef.h>

enum {
  // Columns of a panel of a packed factor.
  SINGLE_PANEL = 32,
  // Rows of a product that incomplete tiles are computed for at once.
  SINGLE_ROWS = 24
};

void ck_single_plain(const float *a, size_t aStride, const float *packed, float *c,
                     size_t cStride, size_t rows, size_t columns, size_t inner, int accumulate);
void ck_single_avx2(const float *a, size_t aStride, const float *packed, float *c,
                    size_t cStride, size_t rows, size_t columns, size_t inner, int accumulate);
void ck_single_avx512(const float *a, size_t aStride, const float *packed, float *c,
                      size_t cStride, size_t rows, size_t columns, size_t inner, int accumulate);

#endif
