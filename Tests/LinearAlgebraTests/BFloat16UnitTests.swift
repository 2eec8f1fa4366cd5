import InkCore
import LinearAlgebra
import Testing

@Suite("Products in bfloat16")
struct BFloat16UnitTests {
  /// Sums of at most 1,100 products of numbers below 1, in single precision.
  private let tolerance = 2e-4
  private let seed: UInt64 = 61

  /// Rows, columns and inner size: less than a tile of 16, whole tiles, parts of them, and more than what
  /// is packed at once.
  private static let sizes = [
    (1, 1, 1), (8, 64, 32), (16, 16, 64), (17, 33, 65), (31, 15, 31), (33, 48, 600),
    (70, 1050, 40), (5, 7, 1100),
  ]

  /// A matrix with `pad` floats of NaN after each row.
  private struct Sample {
    let rows, columns, stride: Int
    let buffer: AlignedBuffer

    init(_ rows: Int, _ columns: Int, pad: Int, _ generator: inout SeededGenerator) {
      (self.rows, self.columns, stride) = (rows, columns, columns + pad)
      buffer = AlignedBuffer([Float](repeating: .nan, count: rows * stride))
      for row in 0..<rows {
        for column in 0..<columns {
          buffer.pointer[row * stride + column] = 2 * generator.uniform() - 1
        }
      }
    }

    var view: Matrix { Matrix(buffer.pointer, rows: rows, columns: columns, stride: stride) }

    subscript(row: Int, column: Int) -> Float { buffer.pointer[row * stride + column] }
  }

  /// The nearest number with 8 significant bits; ties go to the even one.
  private static func bfloat16(_ x: Float) -> Double {
    let bits = x.bitPattern
    return Double(Float(bitPattern: (bits &+ 0x7fff &+ (bits >> 16 & 1)) & 0xffff_0000))
  }

  /// The largest difference between `found` and a b + before, by plain loops over rounded factors.
  private func worst(
    _ found: Sample, before: [Float]?, inner: Int, _ a: (Int, Int) -> Float,
    _ b: (Int, Int) -> Float
  ) -> Double {
    var worst = 0.0
    for row in 0..<found.rows {
      for column in 0..<found.columns {
        var sum = before.map { Double($0[row * found.stride + column]) } ?? 0
        for k in 0..<inner { sum += Self.bfloat16(a(row, k)) * Self.bfloat16(b(k, column)) }
        let error = abs(Double(found[row, column]) - sum)
        worst = error.isNaN ? .infinity : max(worst, error)
      }
    }
    return worst
  }

  private func paddingIsUntouched(_ sample: Sample) -> Bool {
    (0..<sample.rows).allSatisfy { row in
      (sample.columns..<sample.stride).allSatisfy {
        sample.buffer.pointer[row * sample.stride + $0].isNaN
      }
    }
  }

  @Test(
    "A product equals the plain loop over rounded factors, for every transposition and stride",
    .enabled(if: BFloat16Unit.isAvailable, "this processor has no products in bfloat16"),
    arguments: [(false, false), (true, false), (false, true)], BFloat16Unit.available)
  func product(transposed: (a: Bool, b: Bool), kind: BFloat16Unit.Kind) throws {
    let (transposeA, transposeB) = transposed
    let unit = try #require(BFloat16Unit(kind))
    var generator = SeededGenerator(seed: seed)
    for (m, n, k) in Self.sizes {
      for (pad, accumulates) in [(0, false), (3, true)] where !(transposeB && accumulates) {
        let a = Sample(transposeA ? k : m, transposeA ? m : k, pad: pad, &generator)
        let b = Sample(transposeB ? n : k, transposeB ? k : n, pad: 2 * pad, &generator)
        let c = Sample(m, n, pad: pad + 1, &generator)
        let before = accumulates ? c.buffer.values : nil
        if transposeA {
          c.view.multiply(a.view.transposed, b.view, accumulates: accumulates, on: unit)
        } else if transposeB {
          c.view.multiply(a.view, b.view.transposed, scratch: c.buffer.pointer, on: unit)
        } else {
          c.view.multiply(a.view, b.view, accumulates: accumulates, on: unit)
        }
        let error = worst(
          c, before: before, inner: k, { transposeA ? a[$1, $0] : a[$0, $1] },
          { transposeB ? b[$1, $0] : b[$0, $1] })
        #expect(error < tolerance, "seed \(seed), \(m) x \(k) by \(k) x \(n), padding \(pad)")
        #expect(paddingIsUntouched(c), "the floats between the rows were written")
      }
    }
  }

  @Test(
    "A right factor gives the same as the matrix, with and without a unit",
    arguments: [false, true], [nil] + BFloat16Unit.available)
  func rightFactor(transposed: Bool, kind: BFloat16Unit.Kind?) {
    let unit = kind.flatMap { BFloat16Unit($0) }
    var generator = SeededGenerator(seed: seed + 1)
    for (m, n, k) in Self.sizes {
      for accumulates in [false, true] {
        let a = Sample(m, k, pad: 2, &generator)
        let b = Sample(transposed ? n : k, transposed ? k : n, pad: 0, &generator)
        let c = Sample(m, n, pad: 1, &generator)
        let before = accumulates ? c.buffer.values : nil
        let memory = AlignedBuffer(count: RightFactor.count(inner: k, columns: n))
        let factor =
          transposed
          ? RightFactor(b.view.transposed, in: memory.pointer, on: unit)
          : RightFactor(b.view, in: memory.pointer, on: unit)
        c.view.multiply(a.view, factor, accumulates: accumulates)
        let error = worst(
          c, before: before, inner: k, { a[$0, $1] }, { transposed ? b[$1, $0] : b[$0, $1] })
        // Without a unit nothing is rounded: each of k factors may differ by 2^-8.
        #expect(error < (unit != nil ? tolerance : 0.004 * Double(k) + tolerance))
        #expect(paddingIsUntouched(c))
      }
    }
  }

  @Test(
    "Infinite and undefined numbers appear in exactly the right places",
    .enabled(if: BFloat16Unit.isAvailable, "this processor has no products in bfloat16"),
    arguments: BFloat16Unit.available)
  func notFinite(kind: BFloat16Unit.Kind) throws {
    let unit = try #require(BFloat16Unit(kind))
    var generator = SeededGenerator(seed: seed + 2)
    let a = Sample(20, 40, pad: 0, &generator)
    let b = Sample(40, 20, pad: 0, &generator)
    let c = Sample(20, 20, pad: 0, &generator)
    a.buffer.pointer[3 * 40 + 7] = .nan
    c.view.multiply(a.view, b.view, on: unit)
    for row in 0..<20 { #expect(c[row, 5].isNaN == (row == 3), "row \(row)") }
  }
}
