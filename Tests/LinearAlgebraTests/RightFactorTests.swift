import InkCore
import LinearAlgebra
import Testing

@Suite("Products with a right factor packed for single precision") struct RightFactorTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    let rows, columns, inner: Int
    var testDescription: String { "\(rows) x \(columns) x \(inner)" }
  }

  static let shapes = [
    Shape(rows: 16, columns: 512, inner: 128), Shape(rows: 16, columns: 128, inner: 512),
    Shape(rows: 13, columns: 100, inner: 70), Shape(rows: 27, columns: 33, inner: 5),
    Shape(rows: 50, columns: 17, inner: 9), Shape(rows: 1, columns: 1, inner: 1),
    Shape(rows: 3, columns: 64, inner: 2), Shape(rows: 8, columns: 31, inner: 40),
  ]

  /// A matrix in rows that are longer than it.
  private func matrix(
    _ rows: Int, _ columns: Int, _ generator: inout SeededGenerator
  ) -> (buffer: AlignedBuffer, view: Matrix) {
    let buffer = AlignedBuffer(count: rows * (columns + 3))
    for index in 0..<rows * (columns + 3) { buffer.pointer[index] = 2 * generator.uniform() - 1 }
    return (buffer, Matrix(buffer.pointer, rows: rows, columns: columns, stride: columns + 3))
  }

  @Test(
    "Every unit computes the product and the sum, and leaves the rest of the rows",
    arguments: shapes)
  func products(_ shape: Shape) {
    var generator = SeededGenerator(seed: 5, UInt64(shape.rows))
    let (aBuffer, a) = matrix(shape.rows, shape.inner, &generator)
    let (bBuffer, b) = matrix(shape.inner, shape.columns, &generator)
    let (tBuffer, t) = matrix(shape.columns, shape.inner, &generator)
    defer { withExtendedLifetime((aBuffer, bBuffer, tBuffer)) {} }
    for row in 0..<shape.inner {
      for column in 0..<shape.columns {
        t.pointer[column * t.stride + row] = b.pointer[row * b.stride + column]
      }
    }
    let memory = AlignedBuffer(
      count: RightFactor.count(inner: shape.inner, columns: shape.columns))
    for unit in SingleUnit.available {
      for (source, isTransposed) in [(b, false), (t, true)] {
        let factor = RightFactor(
          source, transposed: isTransposed, in: memory.pointer, on: unit)
        for accumulates in [false, true] {
          let (cBuffer, c) = matrix(shape.rows, shape.columns, &generator)
          let before = (0..<cBuffer.count).map { cBuffer.pointer[$0] }
          c.multiply(a, factor, accumulates: accumulates)
          for row in 0..<shape.rows {
            for column in 0..<c.stride {
              let place = row * c.stride + column
              guard column < shape.columns else {
                #expect(cBuffer.pointer[place] == before[place])
                continue
              }
              var sum = accumulates ? Double(before[place]) : 0
              for k in 0..<shape.inner {
                sum +=
                  Double(a.pointer[row * a.stride + k]) * Double(b.pointer[k * b.stride + column])
              }
              // A sum of n products below 1 in single precision.
              let tolerance = 1e-7 * Double(shape.inner + 2)
              #expect(abs(Double(cBuffer.pointer[place]) - sum) <= tolerance, "\(unit)")
            }
          }
        }
      }
    }
  }

  @Test("A row of a product does not depend on the number of rows, bit for bit")
  func rows() {
    var generator = SeededGenerator(seed: 6, 0)
    let (aBuffer, a) = matrix(29, 64, &generator)
    let (bBuffer, b) = matrix(64, 80, &generator)
    defer { withExtendedLifetime((aBuffer, bBuffer)) {} }
    let memory = AlignedBuffer(count: RightFactor.count(inner: 64, columns: 80))
    for unit in SingleUnit.available {
      let factor = RightFactor(b, transposed: false, in: memory.pointer, on: unit)
      let all = AlignedBuffer(count: 29 * 80)
      Matrix(all.pointer, rows: 29, columns: 80).multiply(a, factor)
      for row in 0..<29 {
        let one = AlignedBuffer(count: 80)
        Matrix(one.pointer, rows: 1, columns: 80).multiply(
          Matrix(reading: a.pointer + row * a.stride, rows: 1, columns: 64), factor)
        for column in 0..<80 {
          #expect(
            one.pointer[column].bitPattern == all.pointer[row * 80 + column].bitPattern, "\(unit)")
        }
      }
    }
  }

  @Test("Vectors of 128 bits are there on every processor")
  func units() {
    #expect(SingleUnit.available.first == .plain)
    #expect(SingleUnit.available.contains(.avx512) == Processor.current.features.contains(.avx512f))
  }
}
