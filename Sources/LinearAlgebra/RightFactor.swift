import CKernels

/// The instructions that compute products in single precision with a packed factor.
package enum SingleUnit: CaseIterable, Sendable {
  /// Vectors of 128 bits, on any processor.
  case plain
  /// Vectors of 256 bits (x86-64).
  case avx2
  /// Vectors of 512 bits (x86-64).
  case avx512

  /// The units of this processor, the slower first.
  package static let available = allCases.filter { ck_single_available($0.code) != 0 }

  /// The fastest unit of this processor.
  static let fastest = available.last ?? .plain

  var code: ck_single_unit {
    switch self {
    case .plain: CK_SINGLE_PLAIN
    case .avx2: CK_SINGLE_AVX2
    case .avx512: CK_SINGLE_AVX512
    }
  }
}

/// The right factor of many products, [inner, columns], in the order that is fastest to read.
///
/// A BLAS copies such a factor into packed panels in every product. A recurrent layer multiplies few
/// rows in each time step, so that the copies would take as long as the product.
@usableFromInline package struct RightFactor {
  private enum Storage {
    /// The matrix itself.
    case view
    /// Packed for single precision.
    case single(SingleUnit)
    /// Packed for mixed precision.
    case bfloat16(BFloat16Unit)
  }

  /// The left factors of the products.
  package enum Rows: Sendable {
    /// A few dozen rows at a time, many times: worth packing.
    case few
    /// All rows at once: the BLAS packs the factor once.
    case many
  }

  private let matrix: Matrix
  private let storage: Storage

  /// Floats of memory, aligned to 64 bytes, for any factor of this size; a multiple of 16.
  package static func count(inner: Int, columns: Int) -> Int {
    max(
      (inner * columns + 15) / 16 * 16, ck_single_factor(inner, columns),
      packedCount(inner: inner, columns: columns))
  }

  /// Floats of memory, aligned to 64 bytes, for a factor packed for mixed precision; a multiple of
  /// 16.
  package static func packedCount(inner: Int, columns: Int) -> Int {
    (ck_bfloat16_factor(inner, columns) / MemoryLayout<Float>.stride + 15) / 16 * 16
  }

  /// Packs a matrix for mixed precision in `memory`, of ``packedCount(inner:columns:)`` floats.
  package static func pack(_ matrix: Matrix, in memory: UnsafeMutablePointer<Float>) {
    ck_bfloat16_pack(matrix.pointer, matrix.stride, 0, matrix.rows, matrix.columns, memory)
  }

  /// A view of `matrix` itself, for products in single precision.
  @usableFromInline package init(_ matrix: Matrix) {
    (self.matrix, storage) = (matrix, .view)
  }

  /// A matrix [inner, columns] that ``pack(_:in:)`` packed in `memory`.
  @usableFromInline package init(
    packed memory: UnsafePointer<Float>, inner: Int, columns: Int, on unit: BFloat16Unit
  ) {
    matrix = Matrix(reading: memory, rows: inner, columns: columns)
    storage = .bfloat16(unit)
  }

  /// A view of `matrix` itself, or a packed copy in `memory`: for mixed precision if there is a unit,
  /// for single precision if there is none and the products have few rows.
  package init(
    _ matrix: Matrix, in memory: UnsafeMutablePointer<Float>, on unit: BFloat16Unit?,
    rows: Rows = .many
  ) {
    if let unit {
      Self.pack(matrix, in: memory)
      self.init(packed: memory, inner: matrix.rows, columns: matrix.columns, on: unit)
    } else if rows == .few {
      self.init(matrix, transposed: false, in: memory, on: .fastest)
    } else {
      self.init(matrix)
    }
  }

  /// The transpose of a dense matrix in `memory`, packed as in ``init(_:in:on:rows:)-(Matrix,_,_,_)``.
  package init(
    _ transposed: TransposedMatrix, in memory: UnsafeMutablePointer<Float>, on unit: BFloat16Unit?,
    rows: Rows = .many
  ) {
    let source = transposed.matrix
    if let unit {
      ck_bfloat16_pack(source.pointer, source.stride, 1, source.columns, source.rows, memory)
      self.init(packed: memory, inner: source.columns, columns: source.rows, on: unit)
    } else if rows == .few {
      self.init(source, transposed: true, in: memory, on: .fastest)
    } else {
      assert(source.stride == source.columns)
      Kernels.transpose(source.pointer, into: memory, rows: source.rows, columns: source.columns)
      self.init(Matrix(memory, rows: source.columns, columns: source.rows))
    }
  }

  /// A copy of a matrix or its transpose, packed for single precision.
  package init(
    _ source: Matrix, transposed: Bool, in memory: UnsafeMutablePointer<Float>, on unit: SingleUnit
  ) {
    let inner = transposed ? source.columns : source.rows
    let columns = transposed ? source.rows : source.columns
    ck_single_pack(source.pointer, source.stride, transposed ? 1 : 0, inner, columns, memory)
    matrix = Matrix(memory, rows: inner, columns: columns)
    storage = .single(unit)
  }

  /// c = a b, or c += a b.
  fileprivate func multiply(_ a: Matrix, into c: Matrix, accumulates: Bool) {
    assert(a.columns == matrix.rows && c.rows == a.rows && c.columns == matrix.columns)
    switch storage {
    case .view: c.multiply(a, matrix, beta: accumulates ? 1 : 0)
    case .single(let unit):
      ck_single_multiply(
        unit.code, a.pointer, a.stride, matrix.pointer, c.pointer, c.stride, c.rows, c.columns,
        a.columns, accumulates ? 1 : 0)
    case .bfloat16(let unit):
      unit.multiply(a, packed: matrix.pointer, into: c, accumulates: accumulates)
    }
  }
}

extension Matrix {
  /// self = a b, or self += a b.
  package func multiply(_ a: Matrix, _ b: RightFactor, accumulates: Bool = false) {
    b.multiply(a, into: self, accumulates: accumulates)
  }
}
