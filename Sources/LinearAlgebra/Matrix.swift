import CBLAS

/// A row-major view of floats that somebody else owns.
public struct Matrix {
  /// The first element.
  public let pointer: UnsafeMutablePointer<Float>
  /// The number of rows.
  public let rows: Int
  /// The number of columns.
  public let columns: Int
  /// Floats from one row to the next, at least `columns`.
  public let stride: Int

  /// Makes a view; `stride` defaults to `columns`.
  @inlinable
  public init(
    _ pointer: UnsafeMutablePointer<Float>, rows: Int, columns: Int, stride: Int? = nil
  ) {
    self.pointer = pointer
    self.rows = rows
    self.columns = columns
    self.stride = stride ?? columns
  }

  /// Makes a view for reading only; writing through it is undefined.
  @inlinable
  public init(
    reading pointer: UnsafePointer<Float>, rows: Int, columns: Int, stride: Int? = nil
  ) {
    self.init(UnsafeMutablePointer(mutating: pointer), rows: rows, columns: columns, stride: stride)
  }

  /// The same memory read as its transpose.
  @inlinable public var transposed: TransposedMatrix { TransposedMatrix(matrix: self) }
}

/// A matrix to be read as its transpose.
public struct TransposedMatrix {
  /// The matrix before transposition.
  public let matrix: Matrix

  @inlinable init(matrix: Matrix) { self.matrix = matrix }
}

extension Matrix {
  /// self = a b + beta self.
  @inlinable
  public func multiply(_ a: Matrix, _ b: Matrix, beta: Float = 0) {
    assert(a.columns == b.rows && rows == a.rows && columns == b.columns)
    multiplyInBlocks(a, transposed: false, b, inner: a.columns, beta)
  }

  /// self = aᵀ b + beta self.
  @inlinable
  public func multiply(_ a: TransposedMatrix, _ b: Matrix, beta: Float = 0) {
    assert(a.matrix.rows == b.rows && rows == a.matrix.columns && columns == b.columns)
    multiplyInBlocks(a.matrix, transposed: true, b, inner: b.rows, beta)
  }

  /// self = a bᵀ + beta self.
  @inlinable
  public func multiply(_ a: Matrix, _ b: TransposedMatrix, beta: Float = 0) {
    assert(a.columns == b.matrix.columns && rows == a.rows && columns == b.matrix.rows)
    gemm(a.pointer, a.stride, false, b.matrix, true, rows: 0..<rows, inner: a.columns, beta)
  }

  /// One call for each block of rows that the library computes without packing, or one call.
  @usableFromInline
  func multiplyInBlocks(
    _ a: Matrix, transposed: Bool, _ b: Matrix, inner: Int, _ beta: Float
  ) {
    let block = UnpackedProducts.rows(
      inner: inner, columns: columns, atLeast: transposed ? 24 : 12) ?? rows
    var first = 0
    while first < rows {
      let part = first..<min(first + block, rows)
      let start = a.pointer + (transposed ? first : first * a.stride)
      gemm(start, a.stride, transposed, b, false, rows: part, inner: inner, beta)
      first = part.upperBound
    }
  }

  @usableFromInline
  func gemm(
    _ a: UnsafeMutablePointer<Float>, _ strideA: Int, _ transposeA: Bool, _ b: Matrix,
    _ transposeB: Bool, rows part: Range<Int>, inner: Int, _ beta: Float
  ) {
    cblas_sgemm(
      CblasRowMajor, transposeA ? CblasTrans : CblasNoTrans, transposeB ? CblasTrans : CblasNoTrans,
      CInt(part.count), CInt(columns), CInt(inner), 1, a, CInt(strideA), b.pointer,
      CInt(b.stride), beta, pointer + part.lowerBound * stride, CInt(stride))
  }
}
