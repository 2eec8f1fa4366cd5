import CKernels

/// One thread's use of the processor's tile unit (Intel AMX) for matrix products in mixed precision:
/// factors are rounded to bfloat16 (nearest, ties to even), sums are in single precision
/// (Micikevicius et al. 2018).
///
/// It owns the memory that factors are packed in, 1 MB. Not thread-safe.
public final class TileUnit: @unchecked Sendable {
  // Unchecked because the pointer is constant; the memory belongs to whoever uses the object.

  /// Whether the processor has one and the system lets this process use it.
  public static let isAvailable = ck_tiles_available() != 0

  fileprivate let scratch: UnsafeMutableRawPointer

  /// Makes the memory; nil where there is no tile unit.
  public init?() {
    guard Self.isAvailable else { return nil }
    scratch = .allocate(byteCount: ck_tile_scratch(), alignment: 64)
  }

  deinit { scratch.deallocate() }

  /// c = a b, or added to c.
  func multiply(
    _ a: Matrix, transposed transposedA: Bool, _ b: Matrix, transposed transposedB: Bool,
    inner: Int, into c: Matrix, accumulates: Bool
  ) {
    ck_tile_multiply(
      a.pointer, a.stride, transposedA ? 1 : 0, b.pointer, b.stride, transposedB ? 1 : 0,
      c.pointer, c.stride, c.rows, c.columns, inner, accumulates ? 1 : 0, scratch)
  }

  /// c = a b with a packed b, or added to c.
  fileprivate func multiply(
    _ a: Matrix, packed b: UnsafeRawPointer, into c: Matrix, accumulates: Bool
  ) {
    ck_tile_multiply_packed(
      a.pointer, a.stride, b, c.pointer, c.stride, c.rows, c.columns, a.columns,
      accumulates ? 1 : 0, scratch)
  }
}

/// The right factor of many products, [inner, columns], in the order that they read it fastest.
public struct RightFactor {
  private let matrix: Matrix
  /// The unit, where the memory holds tiles.
  private let tiles: TileUnit?

  /// Floats of memory, aligned to 64 bytes, for any factor of this size; a multiple of 16.
  public static func count(inner: Int, columns: Int) -> Int {
    let packed = ck_tile_factor(inner, columns) / MemoryLayout<Float>.stride
    return (max(inner * columns, packed) + 15) / 16 * 16
  }

  /// A view of `matrix` itself, or with a tile unit its tiles in `memory`.
  public init(_ matrix: Matrix, in memory: UnsafeMutablePointer<Float>, on tiles: TileUnit?) {
    self.tiles = tiles
    guard tiles != nil else {
      self.matrix = matrix
      return
    }
    ck_tile_pack(matrix.pointer, matrix.stride, 0, matrix.rows, matrix.columns, memory)
    self.matrix = Matrix(memory, rows: matrix.rows, columns: matrix.columns)
  }

  /// The transpose of a dense matrix in `memory`, or with a tile unit its tiles.
  public init(
    _ transposed: TransposedMatrix, in memory: UnsafeMutablePointer<Float>, on tiles: TileUnit?
  ) {
    let source = transposed.matrix
    self.tiles = tiles
    matrix = Matrix(memory, rows: source.columns, columns: source.rows)
    if tiles != nil {
      ck_tile_pack(source.pointer, source.stride, 1, source.columns, source.rows, memory)
    } else {
      assert(source.stride == source.columns)
      Kernels.transpose(source.pointer, into: memory, rows: source.rows, columns: source.columns)
    }
  }

  /// c = a b, or added to c.
  fileprivate func multiply(_ a: Matrix, into c: Matrix, accumulates: Bool) {
    assert(a.columns == matrix.rows && c.rows == a.rows && c.columns == matrix.columns)
    if let tiles {
      tiles.multiply(a, packed: matrix.pointer, into: c, accumulates: accumulates)
    } else {
      c.multiply(a, matrix, beta: accumulates ? 1 : 0)
    }
  }
}

extension Matrix {
  /// self = a b, or added to self.
  public func multiply(_ a: Matrix, _ b: RightFactor, accumulates: Bool = false) {
    b.multiply(a, into: self, accumulates: accumulates)
  }

  /// self = a b, or added to self; on a tile unit where there is one.
  public func multiply(_ a: Matrix, _ b: Matrix, accumulates: Bool = false, on tiles: TileUnit?) {
    guard let tiles else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.columns == b.rows && rows == a.rows && columns == b.columns)
    tiles.multiply(
      a, transposed: false, b, transposed: false, inner: a.columns, into: self,
      accumulates: accumulates)
  }

  /// self = aᵀ b, or added to self; on a tile unit where there is one.
  public func multiply(
    _ a: TransposedMatrix, _ b: Matrix, accumulates: Bool = false, on tiles: TileUnit?
  ) {
    guard let tiles else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.matrix.rows == b.rows && rows == a.matrix.columns && columns == b.columns)
    tiles.multiply(
      a.matrix, transposed: true, b, transposed: false, inner: b.rows, into: self,
      accumulates: accumulates)
  }
}
