import InkCore
import LinearAlgebra
import Testing

@Suite("Matrix")
struct MatrixTests {
  /// Sums of at most 65 products of numbers below 1; ten times that for up to 800.
  private let tolerance = 1e-5
  private let seed: UInt64 = 51

  private static let sizes = [(1, 1, 1), (3, 5, 7), (17, 1, 9), (1, 33, 2), (31, 29, 65)]

  /// A matrix in memory of its own, with `pad` floats of NaN after each row.
  private struct Sample {
    let rows, columns, stride: Int
    var values: [Float]

    init(_ rows: Int, _ columns: Int, pad: Int, _ generator: inout SeededGenerator) {
      (self.rows, self.columns, stride) = (rows, columns, columns + pad)
      values = [Float](repeating: .nan, count: rows * stride)
      for row in 0..<rows {
        for column in 0..<columns { values[row * stride + column] = 2 * generator.uniform() - 1 }
      }
    }

    subscript(row: Int, column: Int) -> Double { Double(values[row * stride + column]) }

    mutating func view(_ body: (Matrix) -> Void) {
      let (rows, columns, stride) = (rows, columns, stride)
      values.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        body(Matrix(base, rows: rows, columns: columns, stride: stride))
      }
    }
  }

  @Test(
    "A product equals the plain loop, for every transposition, stride and beta",
    arguments: [(false, false), (true, false), (false, true)])
  func product(transposeA: Bool, transposeB: Bool) {
    var generator = SeededGenerator(seed: seed)
    for (m, n, k) in Self.sizes {
      for (pad, beta) in [(0, Float(0)), (3, 1), (5, -0.5)] {
        var a = Sample(transposeA ? k : m, transposeA ? m : k, pad: pad, &generator)
        var b = Sample(transposeB ? n : k, transposeB ? k : n, pad: 2 * pad, &generator)
        var c = Sample(m, n, pad: pad + 1, &generator)
        let before = c
        a.view { a in
          b.view { b in
            c.view { c in
              if transposeA {
                c.multiply(a.transposed, b, beta: beta)
              } else if transposeB {
                c.multiply(a, b.transposed, beta: beta)
              } else {
                c.multiply(a, b, beta: beta)
              }
            }
          }
        }
        var worst = 0.0
        for row in 0..<m {
          for column in 0..<n {
            var sum = Double(beta) * before[row, column]
            for inner in 0..<k {
              sum +=
                (transposeA ? a[inner, row] : a[row, inner])
                * (transposeB ? b[column, inner] : b[inner, column])
            }
            let error = abs(c[row, column] - sum)
            worst = error.isNaN ? .infinity : max(worst, error)
          }
        }
        #expect(worst < tolerance, "seed \(seed), \(m) x \(k) by \(k) x \(n), padding \(pad)")
        let padding = (0..<m).flatMap { row in
          (n..<c.stride).map { c.values[row * c.stride + $0] }
        }
        #expect(padding.allSatisfy { $0.isNaN }, "the floats between the rows were written")
      }
    }
  }

  @Test(
    "A large product equals the plain loop, for any blocks",
    arguments: [(701, 61, 53), (33, 131, 801), (12, 1000, 97), (300, 90, 101)])
  func largeProduct(m: Int, n: Int, k: Int) {
    var generator = SeededGenerator(seed: seed)
    func matrix(_ rows: Int, _ columns: Int) -> Sample {
      Sample(rows, columns, pad: 0, &generator)
    }
    var (a, b, c) = (matrix(m, k), matrix(k, n), matrix(m, n))
    func worst(_ found: Sample, beta: Double, _ element: (Int, Int, Int) -> Double) -> Double {
      var worst = 0.0
      for row in 0..<found.rows {
        for column in 0..<found.columns {
          let sum = (0..<k).reduce(beta * c[row, column]) { $0 + element(row, column, $1) }
          let error = abs(found[row, column] - sum)
          worst = error.isNaN ? .infinity : max(worst, error)
        }
      }
      return worst
    }
    for beta in [Float(0), 1] {
      var plain = c
      a.view { a in b.view { b in plain.view { $0.multiply(a, b, beta: beta) } } }
      let error = worst(plain, beta: Double(beta)) { a[$0, $2] * b[$2, $1] }
      #expect(error < 10 * tolerance, "seed \(seed), beta \(beta)")
      var (left, result) = (matrix(k, m), c)
      left.view { a in b.view { b in result.view { $0.multiply(a.transposed, b, beta: beta) } } }
      let transposedError = worst(result, beta: Double(beta)) { left[$2, $0] * b[$2, $1] }
      #expect(transposedError < 10 * tolerance, "seed \(seed), beta \(beta)")
    }
    var (right, result) = (matrix(n, k), c)
    let scratch = AlignedBuffer(count: m * (n + k))
    a.view { a in
      right.view { b in
        result.view { $0.multiply(a, b.transposed, scratch: scratch.pointer) }
      }
    }
    let error = worst(result, beta: 0) { a[$0, $2] * right[$1, $2] }
    #expect(error < 10 * tolerance, "seed \(seed)")
  }

  @Test("With beta 0 the old values of the target do not matter, not even NaN")
  func betaZeroOverwrites() {
    var a: [Float] = [1, 2]
    var b: [Float] = [3, 4]
    var c: [Float] = [.nan]
    Matrix(&c, rows: 1, columns: 1).multiply(
      Matrix(&a, rows: 1, columns: 2), Matrix(&b, rows: 2, columns: 1))
    #expect(c == [11])
  }
}

@Suite("AlignedBuffer")
struct AlignedBufferTests {
  @Test("Every buffer starts at a multiple of 64 bytes, filled with 0")
  func alignment() {
    for count in [0, 1, 15, 16, 17, 1000, 100_001] {
      let buffer = AlignedBuffer(count: count)
      #expect(UInt(bitPattern: buffer.pointer) % 64 == 0, "\(count) floats")
      #expect(buffer.count == count)
      #expect(buffer.values == [Float](repeating: 0, count: count))
    }
  }

  @Test("Values are copied in, out, from another buffer, and cleared")
  func copies() {
    let buffer = AlignedBuffer([1, 2, 3])
    let other = AlignedBuffer(count: 3)
    other.copy(from: buffer)
    buffer.clear()
    #expect(other.values == [1, 2, 3])
    #expect(buffer.values == [0, 0, 0])
  }
}

@Suite("LeastSquares")
struct LeastSquaresTests {
  private let seed: UInt64 = 52

  @Test("A system with an exact solution gives it, for every side")
  func exact() {
    // Columns (1, 1, 1) and (0, 1, 2): the lines 1 + 2t and 5 - t.
    var a: [Double] = [1, 1, 1, 0, 1, 2]
    var b: [Double] = [1, 3, 5, 5, 4, 3]
    var solver = LeastSquares()
    #expect(solver.solve(&a, &b, rows: 3, columns: 2, sides: 2))
    let tolerance = 1e-13
    for (found, expected) in zip([b[0], b[1], b[3], b[4]], [1.0, 2, 5, -1]) {
      #expect(abs(found - expected) < tolerance)
    }
  }

  @Test("The residual is orthogonal to every column")
  func orthogonal() {
    var generator = SeededGenerator(seed: seed)
    var solver = LeastSquares()
    for (rows, columns) in [(2, 2), (7, 3), (101, 2)] {
      let a = (0..<rows * columns).map { _ in Double(generator.uniform()) - 0.5 }
      let b = (0..<rows * 2).map { _ in Double(generator.uniform()) - 0.5 }
      var (factors, solution) = (a, b)
      #expect(solver.solve(&factors, &solution, rows: rows, columns: columns, sides: 2))
      for side in 0..<2 {
        let residual = (0..<rows).map { row in
          (0..<columns).reduce(b[side * rows + row]) {
            $0 - a[$1 * rows + row] * solution[side * rows + $1]
          }
        }
        for column in 0..<columns {
          let product = (0..<rows).reduce(0) { $0 + residual[$1] * a[column * rows + $1] }
          // Sums of 101 products below 1, in Double.
          #expect(abs(product) < 1e-12, "seed \(seed), \(rows) x \(columns)")
        }
      }
    }
  }

  @Test("A column of zeros is refused, and the solver still works afterwards")
  func rankDeficient() {
    var solver = LeastSquares()
    var a: [Double] = [1, 2, 3, 0, 0, 0]
    var b: [Double] = [1, 2, 3]
    #expect(!solver.solve(&a, &b, rows: 3, columns: 2, sides: 1))
    a = [1, 2, 3, 1, 0, 0]
    b = [2, 2, 3]
    #expect(solver.solve(&a, &b, rows: 3, columns: 2, sides: 1))
    #expect(abs(b[0] - 1) < 1e-13 && abs(b[1] - 1) < 1e-13)
  }
}
