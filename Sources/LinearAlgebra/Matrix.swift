import CBLAS

/// A row-major view of floats that it does not own.
@usableFromInline package struct Matrix {
  /// The first element.
  @usableFromInline package let pointer: UnsafeMutablePointer<Float>
  /// The number of rows.
  @usableFromInline package let rows: Int
  /// The number of columns.
  @usableFromInline package let columns: Int
  /// Floats from one row to the next, at least `columns`.
  @usableFromInline package let stride: Int

  /// Makes a view; `stride` defaults to `columns`.
  @inlinable
  package init(
    _ pointer: UnsafeMutablePointer<Float>, rows: Int, columns: Int, stride: Int? = nil
  ) {
    self.pointer = pointer
    self.rows = rows
    self.columns = columns
    self.stride = stride ?? columns
  }

  /// Makes a view for reading only; writing through it is undefined.
  @inlinable
  package init(
    reading pointer: UnsafePointer<Float>, rows: Int, columns: Int, stride: Int? = nil
  ) {
    self.init(UnsafeMutablePointer(mutating: pointer), rows: rows, columns: columns, stride: stride)
  }

  /// The same memory read as its transpose.
  @inlinable package var transposed: TransposedMatrix { TransposedMatrix(matrix: self) }
}

/// A matrix to be read as its transpose.
@usableFromInline package struct TransposedMatrix {
  /// The matrix before transposition.
  @usableFromInline package let matrix: Matrix

  @inlinable init(matrix: Matrix) { self.matrix = matrix }
}

extension Matrix {
  /// self = a b + beta self.
  @inlinable
  package func multiply(_ a: Matrix, _ b: Matrix, beta: Float = 0) {
    assert(a.columns == b.rows && rows == a.rows && columns == b.columns)
    multiplyInBlocks(a, transposed: false, b, inner: a.columns, beta)
  }

  /// self = aᵀ b + beta self.
  @inlinable
  package func multiply(_ a: TransposedMatrix, _ b: Matrix, beta: Float = 0) {
    assert(a.matrix.rows == b.rows && rows == a.matrix.columns && columns == b.columns)
    multiplyInBlocks(a.matrix, transposed: true, b, inner: b.rows, beta)
  }

  /// self = a bᵀ + beta self.
  @inlinable
  package func multiply(_ a: Matrix, _ b: TransposedMatrix, beta: Float = 0) {
    assert(a.columns == b.matrix.columns && rows == a.rows && columns == b.matrix.rows)
    gemm(a, false, b.matrix, true, inner: a.columns, beta)
  }

  /// self = a bᵀ, for dense matrices and an `a` of few rows.
  ///
  /// Uses mixed precision if a unit is given. Otherwise, if the library computes b aᵀ without
  /// packing, computes that and transposes the result.
  ///
  /// - Parameter scratch: Space for rows x (columns + a.columns) floats.
  package func multiply(
    _ a: Matrix, _ b: TransposedMatrix, scratch: UnsafeMutablePointer<Float>,
    on unit: BFloat16Unit? = nil
  ) {
    let inner = a.columns
    if let unit {
      assert(inner == b.matrix.columns && rows == a.rows && columns == b.matrix.rows)
      return unit.multiply(
        a, transposed: false, b.matrix, transposed: true, inner: inner, into: self,
        accumulates: false)
    }
    guard UnpackedProducts.limit > 0, inner * rows * columns > UnpackedProducts.limit,
      stride == columns, a.stride == inner
    else { return multiply(a, b) }
    let transposedA = Matrix(scratch, rows: inner, columns: rows)
    let product = Matrix(scratch + inner * rows, rows: columns, columns: rows)
    Kernels.transpose(a.pointer, into: transposedA.pointer, rows: rows, columns: inner)
    product.multiply(b.matrix, transposedA)
    Kernels.transpose(product.pointer, into: pointer, rows: columns, columns: rows)
  }

  /// Makes one call for each block that the library computes without packing, or one call in all.
  @usableFromInline
  func multiplyInBlocks(_ a: Matrix, transposed: Bool, _ b: Matrix, inner: Int, _ beta: Float) {
    guard
      let block = transposed
        ? UnpackedProducts.rows(inner: inner, columns: columns).map({ (rows: $0, inner: inner) })
        : UnpackedProducts.block(rows: rows, inner: inner, columns: columns)
    else { return gemm(a, transposed, b, false, inner: inner, beta) }
    var step = 0
    while step < inner {
      let depth = min(block.inner, inner - step)
      let partB = Matrix(
        b.pointer + step * b.stride, rows: depth, columns: columns, stride: b.stride)
      var row = 0
      while row < rows {
        let height = min(block.rows, rows - row)
        let partA = Matrix(
          a.pointer + (transposed ? step * a.stride + row : row * a.stride + step),
          rows: transposed ? depth : height, columns: transposed ? height : depth,
          stride: a.stride)
        Matrix(pointer + row * stride, rows: height, columns: columns, stride: stride)
          .gemm(partA, transposed, partB, false, inner: depth, step == 0 ? beta : 1)
        row += height
      }
      step += depth
    }
  }

  @usableFromInline
  func gemm(
    _ a: Matrix, _ transposeA: Bool, _ b: Matrix, _ transposeB: Bool, inner: Int, _ beta: Float
  ) {
    cblas_sgemm(
      CblasRowMajor, transposeA ? CblasTrans : CblasNoTrans, transposeB ? CblasTrans : CblasNoTrans,
      CInt(rows), CInt(columns), CInt(inner), 1, a.pointer, CInt(a.stride), b.pointer,
      CInt(b.stride), beta, pointer, CInt(stride))
  }
}
