import CBLAS

/// Linear least squares by LAPACK's QR factorisation (`dgels`). It owns its work memory.
package struct LeastSquares: Sendable {
  private var work = [Double](repeating: 0, count: 256)

  /// Makes a solver.
  package init() {}

  /// Minimises |A X - B| column by column.
  ///
  /// - Parameters:
  ///   - a: A, column-major [rows, columns]; overwritten.
  ///   - b: B, column-major [rows, sides]; its first `columns` rows become X.
  ///   - rows: at least `columns`.
  ///   - columns: the number of unknowns.
  ///   - sides: the number of columns of B.
  /// - Returns: true if A has full rank and the solution is finite; otherwise B is undefined.
  package mutating func solve(
    _ a: inout [Double], _ b: inout [Double], rows: Int, columns: Int, sides: Int
  ) -> Bool {
    var m = CInt(rows)
    var n = CInt(columns)
    var nrhs = CInt(sides)
    var lda = m
    var ldb = m
    var lwork = CInt(work.count)
    var info: CInt = 0
    var none = CChar(UInt8(ascii: "N"))
    dgels_(&none, &m, &n, &nrhs, &a, &lda, &b, &ldb, &work, &lwork, &info)
    guard info == 0 else { return false }
    for side in 0..<sides {
      for row in 0..<columns where !b[side * rows + row].isFinite { return false }
    }
    return true
  }
}
