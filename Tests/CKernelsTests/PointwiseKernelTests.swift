import CKernels
import InkCore
import Testing

@Suite("Pointwise kernels")
struct PointwiseKernelTests {
  /// Numbers below 3 after one or two roundings.
  private let tolerance = 5e-7
  private let seed: UInt64 = 41

  @Test("A bias is added row by row, in place as well")
  func addBias() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let bias = randomFloats(columns, &generator)
      let expected = x.indices.map { Double(x[$0]) + Double(bias[$0 % columns]) }
      var y = [Float](repeating: .nan, count: x.count)
      ck_add_bias(x, bias, &y, rows, columns)
      #expect(largestError(y, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
      y = x
      y.withUnsafeMutableBufferPointer {
        ck_add_bias($0.baseAddress, bias, $0.baseAddress, rows, columns)
      }
      #expect(largestError(y, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
    }
  }

  @Test("A bias with ReLU leaves nothing below 0, in place as well")
  func addBiasReLU() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let bias = randomFloats(columns, &generator)
      let expected = x.indices.map { max(0, Double(x[$0]) + Double(bias[$0 % columns])) }
      var y = [Float](repeating: .nan, count: x.count)
      ck_add_bias_relu(x, bias, &y, rows, columns)
      #expect(largestError(y, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
      y = x
      y.withUnsafeMutableBufferPointer {
        ck_add_bias_relu($0.baseAddress, bias, $0.baseAddress, rows, columns)
      }
      #expect(largestError(y, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
    }
  }

  @Test("ReLU passes the gradient on where its output is above 0, and nothing at 0")
  func reluBackward() {
    var generator = SeededGenerator(seed: seed)
    let y = randomFloats(77, &generator).enumerated().map { $0 % 5 == 0 ? 0 : max(0, $1) }
    let g = randomFloats(77, &generator)
    var result = g
    ck_relu_backward(y, &result, 77)
    #expect(result == zip(y, g).map { $0 > 0 ? $1 : 0 }, "seed \(seed)")
  }

  @Test("Scale, shift and floor: ReLU with floor 0, nothing cut with the lowest float")
  func scaleShiftFloor() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let scale = randomFloats(columns, &generator)
      let shift = randomFloats(columns, &generator)
      for floor in [0, -Float.greatestFiniteMagnitude] {
        var y = [Float](repeating: .nan, count: x.count)
        ck_scale_shift_floor(x, scale, shift, floor, &y, rows, columns)
        let expected = x.indices.map {
          max(
            Double(floor),
            Double(x[$0]) * Double(scale[$0 % columns]) + Double(shift[$0 % columns]))
        }
        #expect(largestError(y, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
      }
    }
  }

  @Test("Max pooling takes the larger of two rows; the first of equal ones gets the gradient")
  func maxPool() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      var x = randomFloats(2 * rows * columns, &generator)
      for index in stride(from: 0, to: rows * columns, by: 3) {
        let (row, column) = (index / columns, index % columns)
        x[(2 * row + 1) * columns + column] = x[2 * row * columns + column]
      }
      let g = randomFloats(rows * columns, &generator)
      var y = [Float](repeating: .nan, count: rows * columns)
      var dx = [Float](repeating: .nan, count: x.count)
      ck_max_pool_pairs(x, &y, rows, columns)
      ck_max_pool_pairs_backward(x, g, &dx, rows, columns)
      for index in 0..<(rows * columns) {
        let first = index / columns * 2 * columns + index % columns
        let second = first + columns
        #expect(y[index] == max(x[first], x[second]), "seed \(seed)")
        let takesSecond = x[second] > x[first]
        #expect(dx[first] == (takesSecond ? 0 : g[index]), "seed \(seed)")
        #expect(dx[second] == (takesSecond ? g[index] : 0), "seed \(seed)")
      }
    }
  }

  @Test("A transpose exchanges rows and columns, of any size")
  func transpose() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes + [(16, 16), (17, 48)] {
      let x = randomFloats(rows * columns, &generator)
      var y = [Float](repeating: .nan, count: x.count)
      ck_transpose(x, &y, rows, columns)
      let expected = x.indices.map { x[$0 % rows * columns + $0 / rows] }
      #expect(y == expected, "seed \(seed), \(rows) x \(columns)")
    }
  }

  @Test("Values are accumulated onto what is there")
  func accumulate() {
    var generator = SeededGenerator(seed: seed)
    let x = randomFloats(77, &generator)
    let y = randomFloats(77, &generator)
    var result = y
    ck_accumulate(x, &result, 76)
    var expected = zip(x, y).map { Double($0) + Double($1) }
    expected[76] = Double(y[76])
    #expect(largestError(result, expected) < tolerance, "seed \(seed)")
  }

  @Test("Dropout keeps the requested share and scales the kept elements")
  func dropoutRate() {
    let count = 100_003
    let ones = [Float](repeating: 1, count: count)
    for (rate, number) in [(0.1, UInt64(1)), (0.5, 2), (0.9, 1 << 40)] {
      var y = [Float](repeating: .nan, count: count)
      ck_dropout(ones, &y, count, number, UInt32(rate * 4_294_967_296), 3)
      #expect(y.allSatisfy { $0 == 0 || $0 == 3 })
      let kept = Double(y.count { $0 != 0 })
      // Five standard deviations of a binomial count.
      let limit = 5 * (Double(count) * rate * (1 - rate)).squareRoot()
      #expect(abs(kept - Double(count) * (1 - rate)) < limit, "rate \(rate), seed \(number)")
    }
  }

  @Test("A dropout mask depends on its seed and place only, and serves the gradient too")
  func dropoutMask() {
    func mask(_ x: [Float], _ seed: UInt64) -> [Float] {
      var y = [Float](repeating: .nan, count: x.count)
      ck_dropout(x, &y, x.count, seed, 1 << 31, 2)
      return y
    }
    var generator = SeededGenerator(seed: seed)
    let ones = [Float](repeating: 1, count: 1001)
    let g = randomFloats(1001, &generator)
    let first = mask(ones, 5)
    #expect(mask(ones, 5) == first)
    #expect(mask(g, 5) == zip(g, first).map { $0 * $1 }, "seed \(seed)")
    #expect(mask(Array(ones.prefix(500)), 5) == Array(first.prefix(500)))
    // Independent masks agree in half of 1001 places: a standard deviation of 16; five of them.
    let others: [UInt64] = [6, 0x1_0000_0005, 5 << 32]
    for other in others {
      let agreeing = zip(mask(ones, other), first).count { $0 == $1 }
      #expect(abs(agreeing - 500) < 80, "seed \(other)")
    }
    var same = g
    same.withUnsafeMutableBufferPointer {
      ck_dropout($0.baseAddress, $0.baseAddress, 1001, 5, 1 << 31, 2)
    }
    #expect(same == mask(g, 5), "in place")
  }

  @Test("Rate 0 keeps every element")
  func dropoutOfNothing() {
    let ones = [Float](repeating: 1, count: 100)
    var y = [Float](repeating: .nan, count: 100)
    ck_dropout(ones, &y, 100, 9, 0, 1)
    #expect(y == ones)
  }
}
