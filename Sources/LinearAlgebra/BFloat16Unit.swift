import CKernels

/// One thread's use of the processor's instructions for matrix products in mixed precision: factors
/// are rounded to bfloat16 (nearest, ties to even), sums are in single precision (Micikevicius et
/// al. 2018).
///
/// It owns the memory that factors are packed in, 1 MB. Not thread-safe.
@usableFromInline package final class BFloat16Unit: @unchecked Sendable {
  // Unchecked because the pointer is constant; only the thread that uses the object uses the
  // memory.

  /// The instructions that compute products. They add in different orders, so that results differ
  /// in the last bits.
  @usableFromInline package enum Kind: String, CaseIterable, Sendable {
    /// AVX-512 BF16 (Intel Cooper Lake, AMD Zen 4, and later).
    case vectors
    /// Intel AMX.
    case tiles

    fileprivate var code: ck_bfloat16_unit { self == .tiles ? CK_TILES : CK_VECTORS }
  }

  /// The kinds that the processor has and the system lets this process use, the slower first.
  package static let available = Kind.allCases.filter { ck_bfloat16_available($0.code) != 0 }

  /// True if any kind is available.
  package static var isAvailable: Bool { !available.isEmpty }

  private let code: ck_bfloat16_unit
  private let scratch: UnsafeMutableRawPointer

  /// Allocates the memory; nil if the processor has no such instructions.
  ///
  /// - Parameter kind: the instructions to use; nil uses the fastest.
  @usableFromInline package init?(_ kind: Kind? = nil) {
    guard let kind = kind ?? Self.available.last, Self.available.contains(kind) else { return nil }
    code = kind.code
    scratch = .allocate(byteCount: ck_bfloat16_scratch(), alignment: 64)
  }

  deinit { scratch.deallocate() }

  /// c = a b, or c += a b.
  func multiply(
    _ a: Matrix, transposed transposedA: Bool, _ b: Matrix, transposed transposedB: Bool,
    inner: Int, into c: Matrix, accumulates: Bool
  ) {
    ck_bfloat16_multiply(
      code, a.pointer, a.stride, transposedA ? 1 : 0, b.pointer, b.stride, transposedB ? 1 : 0,
      c.pointer, c.stride, c.rows, c.columns, inner, accumulates ? 1 : 0, scratch)
  }

  /// c = a b with a packed b, or c += a b.
  fileprivate func multiply(
    _ a: Matrix, packed b: UnsafeRawPointer, into c: Matrix, accumulates: Bool
  ) {
    ck_bfloat16_multiply_packed(
      code, a.pointer, a.stride, b, c.pointer, c.stride, c.rows, c.columns, a.columns,
      accumulates ? 1 : 0, scratch)
  }
}

/// The right factor of many products, [inner, columns], in the order that is fastest to read.
@usableFromInline package struct RightFactor {
  private let matrix: Matrix
  /// The unit that the memory is packed for; nil if it is not packed.
  private let unit: BFloat16Unit?

  /// Floats of memory, aligned to 64 bytes, for any factor of this size; a multiple of 16.
  package static func count(inner: Int, columns: Int) -> Int {
    max((inner * columns + 15) / 16 * 16, packedCount(inner: inner, columns: columns))
  }

  /// Floats of memory, aligned to 64 bytes, for a packed factor of this size; a multiple of 16.
  package static func packedCount(inner: Int, columns: Int) -> Int {
    (ck_bfloat16_factor(inner, columns) / MemoryLayout<Float>.stride + 15) / 16 * 16
  }

  /// Packs a matrix for any unit in `memory`, of ``packedCount(inner:columns:)`` floats.
  package static func pack(_ matrix: Matrix, in memory: UnsafeMutablePointer<Float>) {
    ck_bfloat16_pack(matrix.pointer, matrix.stride, 0, matrix.rows, matrix.columns, memory)
  }

  /// A view of `matrix` itself, for products in single precision.
  @usableFromInline package init(_ matrix: Matrix) {
    unit = nil
    self.matrix = matrix
  }

  /// A matrix [inner, columns] that ``pack(_:in:)`` packed in `memory`.
  @usableFromInline package init(
    packed memory: UnsafePointer<Float>, inner: Int, columns: Int, on unit: BFloat16Unit
  ) {
    self.unit = unit
    matrix = Matrix(reading: memory, rows: inner, columns: columns)
  }

  /// A view of `matrix` itself or, if there is a unit, a packed copy in `memory`.
  package init(_ matrix: Matrix, in memory: UnsafeMutablePointer<Float>, on unit: BFloat16Unit?) {
    guard let unit else {
      self.init(matrix)
      return
    }
    Self.pack(matrix, in: memory)
    self.init(packed: memory, inner: matrix.rows, columns: matrix.columns, on: unit)
  }

  /// The transpose of a dense matrix in `memory`, packed if there is a unit.
  package init(
    _ transposed: TransposedMatrix, in memory: UnsafeMutablePointer<Float>, on unit: BFloat16Unit?
  ) {
    let source = transposed.matrix
    self.unit = unit
    matrix = Matrix(memory, rows: source.columns, columns: source.rows)
    if unit != nil {
      ck_bfloat16_pack(source.pointer, source.stride, 1, source.columns, source.rows, memory)
    } else {
      assert(source.stride == source.columns)
      Kernels.transpose(source.pointer, into: memory, rows: source.rows, columns: source.columns)
    }
  }

  /// c = a b, or c += a b.
  fileprivate func multiply(_ a: Matrix, into c: Matrix, accumulates: Bool) {
    assert(a.columns == matrix.rows && c.rows == a.rows && c.columns == matrix.columns)
    if let unit {
      unit.multiply(a, packed: matrix.pointer, into: c, accumulates: accumulates)
    } else {
      c.multiply(a, matrix, beta: accumulates ? 1 : 0)
    }
  }
}

extension Matrix {
  /// self = a b, or self += a b.
  package func multiply(_ a: Matrix, _ b: RightFactor, accumulates: Bool = false) {
    b.multiply(a, into: self, accumulates: accumulates)
  }

  /// self = a b, or self += a b; on a unit if there is one.
  package func multiply(_ a: Matrix, _ b: Matrix, accumulates: Bool = false, on unit: BFloat16Unit?)
  {
    guard let unit else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.columns == b.rows && rows == a.rows && columns == b.columns)
    unit.multiply(
      a, transposed: false, b, transposed: false, inner: a.columns, into: self,
      accumulates: accumulates)
  }

  /// self = aᵀ b, or self += aᵀ b; on a unit if there is one.
  package func multiply(
    _ a: TransposedMatrix, _ b: Matrix, accumulates: Bool = false, on unit: BFloat16Unit?
  ) {
    guard let unit else { return multiply(a, b, beta: accumulates ? 1 : 0) }
    assert(a.matrix.rows == b.rows && rows == a.matrix.columns && columns == b.columns)
    unit.multiply(
      a.matrix, transposed: true, b, transposed: false, inner: b.rows, into: self,
      accumulates: accumulates)
  }
}

/// Products that the BLAS in use computes straight from the operands.
///
/// OpenBLAS with its AVX-512 kernels (0.3.17 and newer) does not first copy the operands of a
/// product of up to 10^6 multiply-adds into packed panels. On the matrices of glyph networks this
/// is 10 to 20 % faster than one large packed product, and twice as fast if one side is a batch of
/// 32. Products are therefore cut into blocks below the limit. Other libraries get the whole
/// product at once.
enum UnpackedProducts {
  /// The most multiply-adds of a product that is not packed; 0 if the library packs every product.
  static let limit = multiplyAdds(of: .current)

  /// Twice the rows of the register tile of those kernels: other counts leave part of it idle.
  private static let rowMultiple = 12
  /// The fewest columns of `a` that are worth another pass over the result.
  private static let shortestInner = 64

  /// The limit for a library.
  static func multiplyAdds(of library: BLASLibrary) -> Int {
    guard library.implementation == .openBLAS, library.usesAVX512Kernels,
      let version = library.version
    else { return 0 }
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    return numbers.lexicographicallyPrecedes([0, 3, 17]) ? 0 : 1_000_000
  }

  /// The block for [rows, inner] x [inner, columns]: as many rows as the limit allows, or twelve
  /// rows and part of the inner size; nil if that part would be too short.
  static func block(rows: Int, inner: Int, columns: Int) -> (rows: Int, inner: Int)? {
    let room = limit / max(1, inner * columns)
    if room >= rows { return (rows, inner) }
    if room >= rowMultiple { return (room - room % rowMultiple, inner) }
    let height = min(rows, rowMultiple)
    let depth = limit / max(1, height * columns)
    guard depth >= shortestInner else { return nil }
    let parts = (inner + depth - 1) / depth
    return (height, (inner + parts - 1) / parts)
  }

  /// The rows of a block of aᵀ b with `inner` rows in a and b; nil if they are too few to be worth
  /// reading b once for each block.
  static func rows(inner: Int, columns: Int) -> Int? {
    let room = limit / max(1, inner * columns)
    return room < 2 * rowMultiple ? nil : room - room % rowMultiple
  }
}
