import CKernels
import InkCore
import Testing

@Suite("Reduction kernels")
struct ReductionKernelTests {
  /// Float sums of up to 131 numbers below 2: each addition rounds a sum below 30 or so by 2e-6.
  private let tolerance = 5e-5
  private let seed: UInt64 = 42

  private func column(_ x: [Float], _ c: Int, _ columns: Int) -> [Double] {
    stride(from: c, to: x.count, by: columns).map { Double(x[$0]) }
  }

  @Test("Column sums are added to what is there")
  func columnSums() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let before = randomFloats(columns, &generator)
      var sum = before
      ck_column_sums(x, &sum, rows, columns)
      let expected = (0..<columns).map { Double(before[$0]) + column(x, $0, columns).reduce(0, +) }
      #expect(largestError(sum, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
    }
  }

  @Test("Mean and biased variance of each column, far from 0 too")
  func moments() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      for center in [Float(0), 100] {
        let x = randomFloats(rows * columns, &generator).map { $0 + center }
        var mean = [Float](repeating: .nan, count: columns)
        var variance = mean
        ck_column_moments(x, &mean, &variance, rows, columns)
        let means = (0..<columns).map { column(x, $0, columns).reduce(0, +) / Double(rows) }
        let variances = (0..<columns).map { c in
          column(x, c, columns).reduce(0) { $0 + ($1 - means[c]) * ($1 - means[c]) } / Double(rows)
        }
        // Relative to the centre: sums of 131 hundreds round by 1e-3, a hundredth of it a row.
        let limit = tolerance * Double(1 + center)
        #expect(largestError(mean, means) < limit, "seed \(seed), \(rows) x \(columns)")
        // Two passes: the mean's error enters the variance by its square.
        #expect(largestError(variance, variances) < tolerance, "seed \(seed), \(rows) x \(columns)")
      }
    }
  }

  @Test("The reductions of batch normalisation mask the gradient and sum it, alone and with x")
  func batchNormReduce() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let y = randomFloats(rows * columns, &generator).enumerated().map {
        $0 % 7 == 0 ? 0 : max(0, $1)
      }
      let g = randomFloats(rows * columns, &generator)
      let mean = randomFloats(columns, &generator)
      let inverse = randomFloats(columns, &generator).map { 1 + $0 / 2 }
      var masked = g
      var sumG = [Float](repeating: .nan, count: columns)
      var sumGX = sumG
      ck_batch_norm_reduce(x, y, 0, &masked, mean, inverse, &sumG, &sumGX, rows, columns)
      #expect(masked == zip(y, g).map { $0 > 0 ? $1 : 0 }, "seed \(seed)")
      let sums = (0..<columns).map { column(masked, $0, columns).reduce(0, +) }
      let products = (0..<columns).map { c in
        zip(column(masked, c, columns), column(x, c, columns)).reduce(0) {
          $0 + $1.0 * ($1.1 - Double(mean[c])) * Double(inverse[c])
        }
      }
      #expect(largestError(sumG, sums) < tolerance, "seed \(seed), \(rows) x \(columns)")
      #expect(largestError(sumGX, products) < tolerance, "seed \(seed), \(rows) x \(columns)")
      var whole = g
      ck_batch_norm_reduce(
        x, y, -.greatestFiniteMagnitude, &whole, mean, inverse, &sumG, &sumGX, rows, columns)
      #expect(whole == g, "seed \(seed): nothing is masked without ReLU")
    }
  }

  @Test("The input gradient of batch normalisation, in place as well")
  func batchNormInputGradient() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      let x = randomFloats(rows * columns, &generator)
      let g = randomFloats(rows * columns, &generator)
      let mean = randomFloats(columns, &generator)
      let inverse = randomFloats(columns, &generator)
      let gamma = randomFloats(columns, &generator)
      let sumG = randomFloats(columns, &generator)
      let sumGX = randomFloats(columns, &generator)
      let expected = x.indices.map { index -> Double in
        let c = index % columns
        let normalized = (Double(x[index]) - Double(mean[c])) * Double(inverse[c])
        let shared = (Double(sumG[c]) + normalized * Double(sumGX[c])) / Double(rows)
        return Double(gamma[c]) * Double(inverse[c]) * (Double(g[index]) - shared)
      }
      var dx = [Float](repeating: .nan, count: x.count)
      ck_batch_norm_input_gradient(
        x, g, mean, inverse, gamma, sumG, sumGX, &dx, rows, columns)
      #expect(largestError(dx, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
      dx = g
      dx.withUnsafeMutableBufferPointer {
        ck_batch_norm_input_gradient(
          x, $0.baseAddress, mean, inverse, gamma, sumG, sumGX, $0.baseAddress, rows, columns)
      }
      #expect(largestError(dx, expected) < tolerance, "seed \(seed), \(rows) x \(columns)")
    }
  }

  @Test("The sum of squares is a sum in Double, for any count")
  func sumOfSquares() {
    var generator = SeededGenerator(seed: seed)
    for count in [0, 1, 15, 16, 17, 1000] {
      // Products rounded to Float show among equals, a sum in Float beside a large number.
      for largest in [Float(1), 1e4] {
        let x = randomFloats(count, &generator).enumerated().map { $0 == 0 ? largest : $1 }
        let expected = x.reduce(0.0) { $0 + Double($1) * Double($1) }
        let error = abs(ck_sum_of_squares(x, count) - expected)
        #expect(error <= 1e-13 * max(1, expected), "seed \(seed), \(count) numbers")
      }
    }
  }

  @Test("Softmax of each row sums to 1, for logits of any size")
  func softmax() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      for scale in [Float(1), 30, 1e4, 1e30] {
        let x = randomFloats(rows * columns, &generator).map { $0 * scale }
        var result = x
        ck_softmax_rows(&result, rows, columns)
        // The polynomial is within 2e-7 of exp, the sum of 67 shares of 1 within 4e-6.
        let error = largestError(result, Softmax(x, columns).probabilities)
        #expect(error < 1e-6, "seed \(seed), \(rows) x \(columns), scale \(scale)")
      }
    }
  }

  @Test("Cross-entropy with label smoothing: loss, gradient and count of right answers")
  func crossEntropy() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns) in oddSizes {
      for smoothing in [Float(0), 0.1] {
        let x = randomFloats(rows * columns, &generator).map { 6 * $0 }
        let labels = (0..<rows).map { _ in Int32(generator.index(below: columns)) }
        check(x, labels, columns, smoothing: smoothing, tolerance: 1e-6)
      }
    }
  }

  @Test("Cross-entropy of extreme logits is finite and exact: sure and right, sure and wrong")
  func extremeLogits() {
    for scale in [Float(90), 1e4, 1e30] {
      let row: [Float] = [scale, -scale, 0, scale / 2]
      let x = row + row + row
      // The loss is as large as the logits.
      check(x, [0, 1, 2], 4, smoothing: 0, tolerance: 1e-6)
      check(x, [0, 1, 2], 4, smoothing: 0.1, tolerance: 1e-6)
    }
  }

  /// Loss is compared relative to its size, gradients absolutely: they are at most `scale`.
  private func check(
    _ x: [Float], _ labels: [Int32], _ columns: Int, smoothing: Float, tolerance: Double
  ) {
    let rows = labels.count
    let scale: Float = 0.5
    var gradient = x
    var loss = 10.0
    var correct = 3
    ck_softmax_cross_entropy(
      &gradient, labels, rows, columns, smoothing, scale, &loss, &correct)
    let softmax = Softmax(x, columns)
    var expected = 10.0
    var hits = 3
    var target = softmax.probabilities
    for (row, label) in labels.enumerated() {
      for c in 0..<columns {
        let share =
          (c == Int(label) ? 1 - Double(smoothing) : 0) + Double(smoothing) / Double(columns)
        if share > 0 { expected -= share * softmax.logs[row * columns + c] }
        target[row * columns + c] = (target[row * columns + c] - share) * Double(scale)
      }
      let values = x[row * columns..<(row + 1) * columns]
      hits += x[row * columns + Int(label)] == values.max() ? 1 : 0
    }
    #expect(abs(loss - expected) <= tolerance * max(1, expected), "seed \(seed), \(rows) rows")
    #expect(largestError(gradient, target) < tolerance, "seed \(seed), \(rows) rows")
    #expect(correct == hits, "seed \(seed), \(rows) rows")
  }
}

/// Softmax and its logarithm in Double.
private struct Softmax {
  var probabilities: [Double] = []
  var logs: [Double] = []

  init(_ x: [Float], _ columns: Int) {
    for start in stride(from: 0, to: x.count, by: columns) {
      let row = x[start..<(start + columns)].map(Double.init)
      let largest = row.max() ?? 0
      let sum = row.reduce(0) { $0 + exponential($1 - largest) }
      for value in row {
        probabilities.append(exponential(value - largest) / sum)
        logs.append(value - largest - logarithm(sum))
      }
    }
  }
}
