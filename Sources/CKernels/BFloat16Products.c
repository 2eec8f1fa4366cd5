// Matrix products with factors in bfloat16 and sums in single precision, on the tile unit of x86-64
// processors (Intel AMX) or on their vector unit (AVX-512 BF16: Intel Cooper Lake, AMD Zen 4 and
// later). Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18, and
// volume 2, VDPBF16PS. Both read the same packed factors.
#include "CKernels.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define VECTORS __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#define TILES __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl,avx512bf16")))
#define VECTOR_HELPER VECTORS static inline __attribute__((always_inline))
#define TILE_HELPER TILES static inline __attribute__((always_inline))

// A tile is 16 rows of 64 bytes. In the left factor it holds 16 rows of 32 elements. In the right
// factor it holds 16 columns of 16 pairs of rows; the two elements of a pair are adjacent.
enum {
  ROWS = 16,
  DEPTH = 32,
  TILE = 16 * 32,
  // The parts that are packed at once: 512 x 1024 elements of the right factor, which stay in the
  // second-level cache, and 32 x 512 of the left, which stay in the first.
  BLOCK_DEPTH = 512,
  BLOCK_COLUMNS = 1024,
};

static size_t tiles(size_t count, size_t size) { return (count + size - 1) / size; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// True if the processor has AVX-512 F, BW, VL and BF16, and Linux saves its registers.
static int has_vectors(void) {
  unsigned a, b, c, d;
  if (!__builtin_cpu_supports("avx512f")) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b >> 30 & 1) || !(b >> 31 & 1)) return 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 5 & 1);
}

// True if the processor has AMX with BF16 and Linux saves the tiles of this process. The process
// must request that: ARCH_REQ_XCOMP_PERM, XTILEDATA.
static int has_tiles(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 22 & 1) || !(d >> 24 & 1)) return 0;
  return syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

int ck_bfloat16_available(ck_bfloat16_unit unit) {
  return has_vectors() && (unit == CK_VECTORS || has_tiles());
}

size_t ck_bfloat16_scratch(void) {
  return (2 + BLOCK_COLUMNS / ROWS) * (BLOCK_DEPTH / DEPTH) * TILE * sizeof(uint16_t);
}

size_t ck_bfloat16_factor(size_t inner, size_t columns) {
  return tiles(columns, ROWS) * tiles(inner, DEPTH) * TILE * sizeof(uint16_t);
}

// MARK: - Packing

VECTOR_HELPER __mmask16 first(size_t count) {
  return count >= 16 ? 0xffff : (__mmask16)((1u << count) - 1);
}

VECTOR_HELPER __m512 load(const float *x, size_t count) {
  return count >= 16 ? _mm512_loadu_ps(x) : _mm512_maskz_loadu_ps(first(count), x);
}

// Reads 32 elements of a row; elements from `count` on are zero.
VECTOR_HELPER __m512i round_row(const float *x, size_t count) {
  __m512 low = load(x, count);
  __m512 high = count > 16 ? load(x + 16, count - 16) : _mm512_setzero_ps();
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

// Interleaves 16 columns of two rows. Columns from `count` on and a missing second row are zero.
VECTOR_HELPER __m512i round_pair(const float *x, size_t stride, size_t rows, size_t count) {
  __m512 even = load(x, count);
  __m512 odd = rows > 1 ? load(x + stride, count) : _mm512_setzero_ps();
  __m512i both = (__m512i)_mm512_cvtne2ps_pbh(odd, even);
  const __m512i order = _mm512_set_epi16(
      31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19,
      3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutexvar_epi16(order, both);
}

// Transposes 16 x 16 elements of 32 bits.
VECTOR_HELPER void transpose(__m512i r[16]) {
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
VECTOR_HELPER void store(__m512i r[16], int transposed, uint16_t *tile) {
  if (transposed) transpose(r);
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) _mm512_store_si512(tile + i * DEPTH, r[i]);
}

VECTOR_HELPER void pack_rows_of(const float *x, size_t stride, size_t rows, size_t depth,
                                int transposed, uint16_t *tile) {
  __m512i r[16];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++)
    r[i] = i < rows ? round_row(x + i * stride, depth) : _mm512_setzero_si512();
  store(r, transposed, tile);
}

VECTOR_HELPER void pack_pairs_of(const float *x, size_t stride, size_t depth, size_t columns,
                                 int transposed, uint16_t *tile) {
  __m512i r[16];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++)
    r[i] = 2 * i < depth ? round_pair(x + 2 * i * stride, stride, depth - 2 * i, columns)
                         : _mm512_setzero_si512();
  store(r, transposed, tile);
}

// Packs one tile whose rows are rows of x or, if transposed, columns of x. Whole tiles need no
// masks.
VECTOR_HELPER void pack_rows(const float *x, size_t stride, size_t rows, size_t depth,
                             int transposed, uint16_t *tile) {
  if (rows == ROWS && depth == DEPTH)
    pack_rows_of(x, stride, ROWS, DEPTH, transposed, tile);
  else
    pack_rows_of(x, stride, rows, depth, transposed, tile);
}

// Packs one tile whose rows are pairs of rows of x or, if transposed, the columns of x.
VECTOR_HELPER void pack_pairs(const float *x, size_t stride, size_t depth, size_t columns,
                              int transposed, uint16_t *tile) {
  if (depth == DEPTH && columns == ROWS)
    pack_pairs_of(x, stride, DEPTH, ROWS, transposed, tile);
  else
    pack_pairs_of(x, stride, depth, columns, transposed, tile);
}

// Packs rows x depth of the left factor into tiles of 16 rows. The tiles of one group are adjacent.
VECTORS static void pack_left(const float *a, size_t stride, int transposed, size_t rows,
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

// Packs depth x columns of the right factor into tiles of 16 columns. The tiles of one group are
// adjacent. Reads along the rows of b.
VECTORS static void pack_right(const float *b, size_t stride, int transposed, size_t depth,
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

VECTORS void ck_bfloat16_pack(const float *b, size_t stride, int transposed, size_t inner,
                              size_t columns, void *packed) {
  pack_right(b, stride, transposed, inner, columns, packed);
}

// MARK: - Products


// Tile registers: 0 to 3 hold sums, 4 and 5 the left factor, 6 and 7 the right factor.
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

// Computes at most 32 x 32 elements of c from packed tiles; `depth` counts tiles.
TILE_HELPER void multiply_tiles(const uint16_t *a, size_t aGroup, const uint16_t *b, size_t bGroup,
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

// Computes at most 32 rows of c. If `isShaped`, the tiles are already configured for 32 columns.
// Returns whether they are configured so afterwards.
TILES static int multiply_rows_on_tiles(const uint16_t *a, const uint16_t *b, size_t bGroup,
                                        float *c, size_t stride, size_t rows, size_t columns,
                                        size_t depth, int accumulate, int isShaped) {
  const size_t aGroup = depth * TILE;
  const int twoRows = rows > ROWS;
  size_t column = 0;
  if (!isShaped && columns >= 2 * ROWS) shape_tiles(rows, 2 * ROWS);
  for (; column + 2 * ROWS <= columns; column += 2 * ROWS) {
    const uint16_t *part = b + column / ROWS * bGroup;
    if (twoRows)
      multiply_tiles(a, aGroup, part, bGroup, c + column, stride, depth, 1, 1, accumulate);
    else
      multiply_tiles(a, aGroup, part, bGroup, c + column, stride, depth, 0, 1, accumulate);
  }
  if (column == columns) return 1;
  shape_tiles(rows, columns - column);
  multiply_tiles(a, aGroup, b + column / ROWS * bGroup, bGroup, c + column, stride, depth, twoRows,
                 columns - column > ROWS, accumulate);
  return 0;
}

TILES static void release_tiles(void) { _tile_release(); }

// Computes `rows` rows, at most 8, of one or two groups of 16 columns of c. The last group has
// `width` columns. Each pair of elements of a row is multiplied with 16 pairs of columns.
VECTOR_HELPER void multiply_vectors(const uint16_t *a, const uint16_t *b, size_t bGroup, float *c,
                                    size_t stride, size_t depth, const int rows, const int groups,
                                    size_t width, int accumulate) {
  const __mmask16 last = first(width);
  __m512 sums[8][2];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; g++)
      sums[r][g] = accumulate ? _mm512_maskz_loadu_ps(g + 1 < groups ? 0xffff : last,
                                                      c + r * stride + g * ROWS)
                              : _mm512_setzero_ps();
  for (size_t k = 0; k < depth; k++, a += TILE, b += TILE) {
#pragma clang loop unroll_count(4)
    for (int pair = 0; pair < DEPTH / 2; pair++) {
      __m512bh right[2];
#pragma clang loop unroll(full)
      for (int g = 0; g < groups; g++)
        right[g] = (__m512bh)_mm512_load_si512(b + g * bGroup + pair * DEPTH);
#pragma clang loop unroll(full)
      for (int r = 0; r < rows; r++) {
        int left;
        memcpy(&left, a + r * DEPTH + 2 * pair, sizeof left);
#pragma clang loop unroll(full)
        for (int g = 0; g < groups; g++)
          sums[r][g] = _mm512_dpbf16_ps(sums[r][g], (__m512bh)_mm512_set1_epi32(left), right[g]);
      }
    }
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int g = 0; g < groups; g++)
      _mm512_mask_storeu_ps(c + r * stride + g * ROWS, g + 1 < groups ? 0xffff : last, sums[r][g]);
}

// Computes at most 8 rows of all columns.
VECTOR_HELPER void multiply_columns(const uint16_t *a, const uint16_t *b, size_t bGroup, float *c,
                                    size_t stride, const int rows, size_t columns, size_t depth,
                                    int accumulate) {
  for (size_t column = 0; column < columns; column += 2 * ROWS, b += 2 * bGroup) {
    size_t width = columns - column;
    if (width > ROWS)
      multiply_vectors(a, b, bGroup, c + column, stride, depth, rows, 2,
                       least(ROWS, width - ROWS), accumulate);
    else
      multiply_vectors(a, b, bGroup, c + column, stride, depth, rows, 1, width, accumulate);
  }
}

// Computes at most 32 rows of c.
VECTORS static void multiply_rows_on_vectors(const uint16_t *a, const uint16_t *b, size_t bGroup,
                                             float *c, size_t stride, size_t rows, size_t columns,
                                             size_t depth, int accumulate) {
  for (size_t row = 0; row < rows; row += 8) {
    const uint16_t *left = a + row / ROWS * depth * TILE + row % ROWS * DEPTH;
    float *target = c + row * stride;
    switch (least(8, rows - row)) {
#define CASE(height)                                                                          \
  case height:                                                                                \
    multiply_columns(left, b, bGroup, target, stride, height, columns, depth, accumulate); \
    break;
      CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
    }
  }
}

// Computes c. If `packed` is not NULL, it holds the whole right factor.
VECTOR_HELPER void multiply(const ck_bfloat16_unit unit, const float *a, size_t aStride,
                            int aTransposed, const float *b, size_t bStride, int bTransposed,
                            const uint16_t *packed, float *c, size_t cStride, size_t rows,
                            size_t columns, size_t inner, int accumulate, void *scratch) {
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
        float *target = c + row * cStride + column;
        if (unit == CK_TILES)
          isShaped = multiply_rows_on_tiles(left, part, group, target, cStride, height, width,
                                            tiles(depth, DEPTH), accumulate || k > 0,
                                            isShaped && height == 2 * ROWS);
        else
          multiply_rows_on_vectors(left, part, group, target, cStride, height, width,
                                   tiles(depth, DEPTH), accumulate || k > 0);
      }
    }
  if (unit == CK_TILES) release_tiles();
}

VECTORS void ck_bfloat16_multiply(ck_bfloat16_unit unit, const float *a, size_t aStride,
                                  int aTransposed, const float *b, size_t bStride, int bTransposed,
                                  float *c, size_t cStride, size_t rows, size_t columns,
                                  size_t inner, int accumulate, void *scratch) {
  multiply(unit, a, aStride, aTransposed, b, bStride, bTransposed, NULL, c, cStride, rows, columns,
           inner, accumulate, scratch);
}

VECTORS void ck_bfloat16_multiply_packed(ck_bfloat16_unit unit, const float *a, size_t aStride,
                                         const void *packed, float *c, size_t cStride, size_t rows,
                                         size_t columns, size_t inner, int accumulate,
                                         void *scratch) {
  multiply(unit, a, aStride, 0, NULL, 0, 0, packed, c, cStride, rows, columns, inner, accumulate,
           scratch);
}

#else

int ck_bfloat16_available(ck_bfloat16_unit unit) { return 0; }
// No unit is available, so nothing is packed.
size_t ck_bfloat16_scratch(void) { return 0; }
size_t ck_bfloat16_factor(size_t inner, size_t columns) { return 0; }

// Never called where no unit is available.
void ck_bfloat16_pack(const float *b, size_t stride, int transposed, size_t inner, size_t columns,
                      void *packed) {
  __builtin_trap();
}

void ck_bfloat16_multiply(ck_bfloat16_unit unit, const float *a, size_t aStride, int aTransposed,
                          const float *b, size_t bStride, int bTransposed, float *c, size_t cStride,
                          size_t rows, size_t columns, size_t inner, int accumulate,
                          void *scratch) {
  __builtin_trap();
}

void ck_bfloat16_multiply_packed(ck_bfloat16_unit unit, const float *a, size_t aStride,
                                 const void *packed, float *c, size_t cStride, size_t rows,
                                 size_t columns, size_t inner, int accumulate, void *scratch) {
  __builtin_trap();
}

#endif
