// Matrix products on the tile unit of x86-64 processors (Intel AMX): factors in bfloat16, sums in
// single precision. Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
// chapter 18.
#include "CKernels.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TILES __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl,avx512bf16")))
#define TILE_HELPER TILES static inline __attribute__((always_inline))

// A tile is 16 rows of 64 bytes. Of a left factor: 16 rows of 32 elements. Of a right factor: 16
// pairs of rows of 16 columns, the two elements of a pair side by side.
enum {
  ROWS = 16,
  DEPTH = 32,
  TILE = 16 * 32,
  // What is packed at once: 512 x 1024 elements of the right factor, which stay in the second-level
  // cache, and 32 x 512 of the left, which stay in the first.
  BLOCK_DEPTH = 512,
  BLOCK_COLUMNS = 1024,
};

static size_t tiles(size_t count, size_t size) { return (count + size - 1) / size; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

int ck_tiles_available(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  int matrixUnit = (d >> 22 & 1) && (d >> 24 & 1);
  int vectors = (b >> 16 & 1) && (b >> 30 & 1) && (b >> 31 & 1);
  if (!matrixUnit || !vectors) return 0;
  if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a >> 5 & 1)) return 0;
  // Linux saves the tiles of processes that asked for it: ARCH_REQ_XCOMP_PERM, XTILEDATA.
  return syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

size_t ck_tile_scratch(void) {
  return (2 + BLOCK_COLUMNS / ROWS) * (BLOCK_DEPTH / DEPTH) * TILE * sizeof(uint16_t);
}

size_t ck_tile_factor(size_t inner, size_t columns) {
  return tiles(columns, ROWS) * tiles(inner, DEPTH) * TILE * sizeof(uint16_t);
}

// MARK: - Packing

TILE_HELPER __mmask16 first(size_t count) {
  return count >= 16 ? 0xffff : (__mmask16)((1u << count) - 1);
}

TILE_HELPER __m512 load(const float *x, size_t count) {
  return count >= 16 ? _mm512_loadu_ps(x) : _mm512_maskz_loadu_ps(first(count), x);
}

// 32 elements of a row, zero from `count` on.
TILE_HELPER __m512i round_row(const float *x, size_t count) {
  __m512 low = load(x, count);
  __m512 high = count > 16 ? load(x + 16, count - 16) : _mm512_setzero_ps();
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

// 16 columns of two rows side by side, zero from `count` on and where there is no second row.
TILE_HELPER __m512i round_pair(const float *x, size_t stride, size_t rows, size_t count) {
  __m512 even = load(x, count);
  __m512 odd = rows > 1 ? load(x + stride, count) : _mm512_setzero_ps();
  __m512i both = (__m512i)_mm512_cvtne2ps_pbh(odd, even);
  const __m512i order = _mm512_set_epi16(
      31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19,
      3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutexvar_epi16(order, both);
}

// The transpose of 16 x 16 elements of 32 bits.
TILE_HELPER void transpose(__m512i r[16]) {
  __m512i t[16];
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; i++) {
    t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
    t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
    t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
    t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; i++) {
    r[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
    r[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
    r[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
    r[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd);
  }
}

// Stores a tile, or its transpose.
TILE_HELPER void store(__m512i r[16], int transposed, uint16_t *tile) {
  if (transposed) transpose(r);
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) _mm512_store_si512(tile + i * DEPTH, r[i]);
}

TILE_HELPER void pack_rows_of(const float *x, size_t stride, size_t rows, size_t depth,
                              int transposed, uint16_t *tile) {
  __m512i r[16];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++)
    r[i] = i < rows ? round_row(x + i * stride, depth) : _mm512_setzero_si512();
  store(r, transposed, tile);
}

TILE_HELPER void pack_pairs_of(const float *x, size_t stride, size_t depth, size_t columns,
                               int transposed, uint16_t *tile) {
  __m512i r[16];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++)
    r[i] = 2 * i < depth ? round_pair(x + 2 * i * stride, stride, depth - 2 * i, columns)
                         : _mm512_setzero_si512();
  store(r, transposed, tile);
}

// One tile whose rows are rows of x, or, transposed, of its transpose. Whole tiles need no masks.
TILE_HELPER void pack_rows(const float *x, size_t stride, size_t rows, size_t depth,
                           int transposed, uint16_t *tile) {
  if (rows == ROWS && depth == DEPTH)
    pack_rows_of(x, stride, ROWS, DEPTH, transposed, tile);
  else
    pack_rows_of(x, stride, rows, depth, transposed, tile);
}

// One tile whose rows are pairs of rows of x, or, transposed, the columns of x.
TILE_HELPER void pack_pairs(const float *x, size_t stride, size_t depth, size_t columns,
                            int transposed, uint16_t *tile) {
  if (depth == DEPTH && columns == ROWS)
    pack_pairs_of(x, stride, DEPTH, ROWS, transposed, tile);
  else
    pack_pairs_of(x, stride, depth, columns, transposed, tile);
}

// rows x depth of the left factor: tiles of 16 rows, those of one group side by side.
TILES static void pack_left(const float *a, size_t stride, int transposed, size_t rows,
                            size_t depth, uint16_t *packed) {
  for (size_t row = 0; row < rows; row += ROWS)
    for (size_t k = 0; k < depth; k += DEPTH, packed += TILE) {
      size_t height = least(ROWS, rows - row), width = least(DEPTH, depth - k);
      if (transposed)
        pack_pairs(a + k * stride + row, stride, width, height, 1, packed);
      else
        pack_rows(a + row * stride + k, stride, height, width, 0, packed);
    }
}

// depth x columns of the right factor: tiles of 16 columns, those of one group side by side. Reads
// along the rows of b.
TILES static void pack_right(const float *b, size_t stride, int transposed, size_t depth,
                             size_t columns, uint16_t *packed) {
  const size_t group = tiles(depth, DEPTH) * TILE;
  if (transposed) {
    for (size_t column = 0; column < columns; column += ROWS)
      for (size_t k = 0; k < depth; k += DEPTH)
        pack_rows(b + column * stride + k, stride, least(ROWS, columns - column),
                  least(DEPTH, depth - k), 1, packed + column / ROWS * group + k / DEPTH * TILE);
  } else {
    for (size_t k = 0; k < depth; k += DEPTH)
      for (size_t column = 0; column < columns; column += ROWS)
        pack_pairs(b + k * stride + column, stride, least(DEPTH, depth - k),
                   least(ROWS, columns - column), 0,
                   packed + column / ROWS * group + k / DEPTH * TILE);
  }
}

void ck_tile_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                  void *packed) {
  pack_right(b, stride, transposed, inner, columns, packed);
}

// MARK: - Products

// Tiles 0 to 3 are sums, 4 and 5 of the left factor, 6 and 7 of the right.
typedef struct {
  uint8_t palette, start, reserved[14];
  uint16_t bytes[16];
  uint8_t rows[16];
} TileShapes;

TILE_HELPER void shape_tiles(size_t rows, size_t columns) {
  TileShapes shapes;
  memset(&shapes, 0, sizeof shapes);
  shapes.palette = 1;
  size_t low = least(rows, ROWS), high = rows > ROWS ? rows - ROWS : ROWS;
  size_t left = least(columns, ROWS), right = columns > ROWS ? columns - ROWS : ROWS;
  const size_t heights[8] = {low, low, high, high, low, high, ROWS, ROWS};
  const size_t widths[8] = {left, right, left, right, ROWS, ROWS, left, right};
  for (int i = 0; i < 8; i++) {
    shapes.rows[i] = (uint8_t)heights[i];
    shapes.bytes[i] = (uint16_t)(4 * widths[i]);
  }
  _tile_loadconfig(&shapes);
}

// At most 32 x 32 elements of c from packed tiles; `depth` counts tiles.
TILE_HELPER void multiply_block(const uint16_t *a, size_t aGroup, const uint16_t *b, size_t bGroup,
                                float *c, size_t stride, size_t depth, int twoRows, int twoColumns,
                                int accumulate) {
  const size_t bytes = stride * sizeof(float);
  if (accumulate) {
    _tile_loadd(0, c, bytes);
    if (twoColumns) _tile_loadd(1, c + ROWS, bytes);
    if (twoRows) _tile_loadd(2, c + ROWS * stride, bytes);
    if (twoRows && twoColumns) _tile_loadd(3, c + ROWS * stride + ROWS, bytes);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (size_t k = 0; k < depth; k++) {
    _tile_loadd(4, a + k * TILE, 64);
    _tile_loadd(6, b + k * TILE, 64);
    _tile_dpbf16ps(0, 4, 6);
    if (twoColumns) {
      _tile_loadd(7, b + bGroup + k * TILE, 64);
      _tile_dpbf16ps(1, 4, 7);
    }
    if (twoRows) {
      _tile_loadd(5, a + aGroup + k * TILE, 64);
      _tile_dpbf16ps(2, 5, 6);
      if (twoColumns) _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, c, bytes);
  if (twoColumns) _tile_stored(1, c + ROWS, bytes);
  if (twoRows) _tile_stored(2, c + ROWS * stride, bytes);
  if (twoRows && twoColumns) _tile_stored(3, c + ROWS * stride + ROWS, bytes);
}

// At most 32 rows of c. The shapes of the tiles are set for 32 columns where `isShaped`; returns
// whether they are afterwards.
TILE_HELPER int multiply_rows(const uint16_t *a, const uint16_t *b, size_t bGroup, float *c,
                              size_t stride, size_t rows, size_t columns, size_t depth,
                              int accumulate, int isShaped) {
  const size_t aGroup = depth * TILE;
  const int twoRows = rows > ROWS;
  size_t column = 0;
  if (!isShaped && columns >= 2 * ROWS) shape_tiles(rows, 2 * ROWS);
  for (; column + 2 * ROWS <= columns; column += 2 * ROWS) {
    const uint16_t *part = b + column / ROWS * bGroup;
    if (twoRows)
      multiply_block(a, aGroup, part, bGroup, c + column, stride, depth, 1, 1, accumulate);
    else
      multiply_block(a, aGroup, part, bGroup, c + column, stride, depth, 0, 1, accumulate);
  }
  if (column == columns) return 1;
  shape_tiles(rows, columns - column);
  multiply_block(a, aGroup, b + column / ROWS * bGroup, bGroup, c + column, stride, depth, twoRows,
                 columns - column > ROWS, accumulate);
  return 0;
}

// c from the left factor and the right, packed as a whole where `packed` is not NULL.
TILE_HELPER void multiply(const float *a, size_t aStride, int aTransposed, const float *b,
                          size_t bStride, int bTransposed, const uint16_t *packed, float *c,
                          size_t cStride, size_t rows, size_t columns, size_t inner, int accumulate,
                          void *scratch) {
  uint16_t *left = scratch;
  uint16_t *right = left + 2 * (BLOCK_DEPTH / DEPTH) * TILE;
  for (size_t column = 0; column < columns; column += BLOCK_COLUMNS)
    for (size_t k = 0; k < inner; k += BLOCK_DEPTH) {
      size_t width = least(BLOCK_COLUMNS, columns - column), depth = least(BLOCK_DEPTH, inner - k);
      size_t group = tiles(depth, DEPTH) * TILE;
      const uint16_t *part = right;
      if (packed) {
        group = tiles(inner, DEPTH) * TILE;
        part = packed + column / ROWS * group + k / DEPTH * TILE;
      } else {
        pack_right(b + (bTransposed ? column * bStride + k : k * bStride + column), bStride,
                   bTransposed, depth, width, right);
      }
      int isShaped = 0;
      for (size_t row = 0; row < rows; row += 2 * ROWS) {
        size_t height = least(2 * ROWS, rows - row);
        pack_left(a + (aTransposed ? k * aStride + row : row * aStride + k), aStride, aTransposed,
                  height, depth, left);
        isShaped = multiply_rows(left, part, group, c + row * cStride + column, cStride, height,
                                 width, tiles(depth, DEPTH), accumulate || k > 0,
                                 isShaped && height == 2 * ROWS);
      }
    }
  _tile_release();
}

TILES void ck_tile_multiply(const float *a, size_t aStride, int aTransposed, const float *b,
                            size_t bStride, int bTransposed, float *c, size_t cStride, size_t rows,
                            size_t columns, size_t inner, int accumulate, void *scratch) {
  multiply(a, aStride, aTransposed, b, bStride, bTransposed, NULL, c, cStride, rows, columns, inner,
           accumulate, scratch);
}

TILES void ck_tile_multiply_packed(const float *a, size_t aStride, const void *packed, float *c,
                                   size_t cStride, size_t rows, size_t columns, size_t inner,
                                   int accumulate, void *scratch) {
  multiply(a, aStride, 0, NULL, 0, 0, packed, c, cStride, rows, columns, inner, accumulate,
           scratch);
}

#else

int ck_tiles_available(void) { return 0; }
// Nothing is packed.
size_t ck_tile_scratch(void) { return 0; }
size_t ck_tile_factor(size_t inner, size_t columns) { return 0; }

// Never called where tiles are not available.
void ck_tile_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                  void *packed) {
  __builtin_trap();
}

void ck_tile_multiply(const float *a, size_t aStride, int aTransposed, const float *b,
                      size_t bStride, int bTransposed, float *c, size_t cStride, size_t rows,
                      size_t columns, size_t inner, int accumulate, void *scratch) {
  __builtin_trap();
}

void ck_tile_multiply_packed(const float *a, size_t aStride, const void *packed, float *c,
                             size_t cStride, size_t rows, size_t columns, size_t inner,
                             int accumulate, void *scratch) {
  __builtin_trap();
}

#endif
