import InkCore
import Networks
import Testing

/// Layers written again in Double with plain loops, over dictionaries of tensors.
private enum Reference {
  typealias Tensors = [String: [Double]]

  static func convolution(
    _ x: [Double], _ p: Tensors, batch: Int, input: Shape, channels: Int, kernel: Int, relu: Bool
  ) -> [Double] {
    var y: [Double] = []
    for b in 0..<batch {
      for t in 0..<input.steps {
        for out in 0..<channels {
          var sum = p["bias"]?[out] ?? 0
          for k in 0..<kernel {
            let source = t + k - kernel / 2
            guard source >= 0, source < input.steps else { continue }
            for c in 0..<input.channels {
              sum +=
                x[(b * input.steps + source) * input.channels + c]
                * (p["weight"]?[(k * input.channels + c) * channels + out] ?? .nan)
            }
          }
          y.append(relu ? max(0, sum) : sum)
        }
      }
    }
    return y
  }

  static func dense(
    _ x: [Double], _ p: Tensors, batch: Int, input: Shape, units: Int, relu: Bool
  ) -> [Double] {
    convolution(
      x, p, batch: batch, input: Shape(steps: 1, channels: input.count), channels: units,
      kernel: 1, relu: relu)
  }

  static func batchNormalization(
    _ x: [Double], _ p: Tensors, channels: Int, relu: Bool
  ) -> [Double] {
    let rows = x.count / channels
    var y = x
    for c in 0..<channels {
      let column = (0..<rows).map { x[$0 * channels + c] }
      let mean = column.reduce(0, +) / Double(rows)
      let variance = column.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rows)
      for (row, value) in column.enumerated() {
        let result =
          (value - mean) / (variance + 1e-5).squareRoot() * (p["scale"]?[c] ?? .nan)
          + (p["shift"]?[c] ?? .nan)
        y[row * channels + c] = relu ? max(0, result) : result
      }
    }
    return y
  }

  static func maxPool(_ x: [Double], batch: Int, input: Shape) -> [Double] {
    var y: [Double] = []
    for b in 0..<batch {
      for t in 0..<(input.steps / 2) {
        for c in 0..<input.channels {
          let first = (b * input.steps + 2 * t) * input.channels + c
          y.append(max(x[first], x[first + input.channels]))
        }
      }
    }
    return y
  }
}

@Suite("Layers by numeric gradients")
struct LayerGradientTests {
  private let batch = 3
  private let input = Shape(steps: 5, channels: 3)
  /// Step of the central differences in Double: errors of 1e-10 from both truncation and rounding.
  private let step = 1e-5
  /// Values and gradients in Float: sums of up to 45 products of numbers below 2.
  private let tolerance: Float = 2e-5

  @Test("A convolution's values and gradients are those of plain loops", arguments: [true, false])
  func convolution(relu: Bool) {
    check(.convolution(channels: 4, kernel: 3, bias: true, relu: relu), seed: 21) {
      [input, batch] in
      Reference.convolution(
        $0, $1, batch: batch, input: input, channels: 4, kernel: 3, relu: relu)
    }
  }

  @Test("A convolution without bias, wider than its input, agrees with plain loops")
  func wideConvolution() {
    check(.convolution(channels: 2, kernel: 7, bias: false, relu: false), seed: 22) {
      [input, batch] in
      Reference.convolution(
        $0, $1, batch: batch, input: input, channels: 2, kernel: 7, relu: false)
    }
  }

  @Test("A convolution of one step agrees with plain loops")
  func narrowConvolution() {
    check(.convolution(channels: 2, kernel: 1, bias: true, relu: false), seed: 26) {
      [input, batch] in
      Reference.convolution(
        $0, $1, batch: batch, input: input, channels: 2, kernel: 1, relu: false)
    }
  }

  @Test("A dense layer's values and gradients are those of plain loops", arguments: [true, false])
  func dense(relu: Bool) {
    check(.dense(units: 4, bias: true, relu: relu), seed: 23) { [input, batch] in
      Reference.dense($0, $1, batch: batch, input: input, units: 4, relu: relu)
    }
  }

  @Test(
    "Batch normalisation's values and gradients are those of plain loops",
    arguments: [true, false])
  func batchNormalization(relu: Bool) {
    check(.batchNormalization(relu: relu), seed: 24) { [input] in
      Reference.batchNormalization($0, $1, channels: input.channels, relu: relu)
    }
  }

  @Test("Max pooling's values and gradients are those of plain loops")
  func maxPool() {
    check(.maxPool, seed: 25) { [input, batch] x, _ in
      Reference.maxPool(x, batch: batch, input: input)
    }
  }

  /// Compares forward with the reference, and backward with central differences of
  /// sum(reference * r) for a random r.
  private func check(
    _ specification: LayerSpecification, seed: UInt64,
    reference: ([Double], [String: [Double]]) -> [Double]
  ) {
    var generator = SeededGenerator(seed: seed)
    let probe = LayerProbe(specification, input: input)
    var tensors: [String: [Double]] = [:]
    let learned = probe.tensors.filter { $0.role != .statistic }
    for tensor in learned {
      let values = randomFloats(tensor.count, &generator)
      probe[tensor.name] = values
      tensors[tensor.name] = values.map(Double.init)
    }
    let x = randomFloats(batch * input.count, &generator)
    let exact = x.map(Double.init)
    let y = probe.forward(x, batch: batch)
    let expected = reference(exact, tensors)
    #expect(largestDifference(y, expected.map(Float.init)) < tolerance, "seed \(seed)")
    let weights = randomFloats(y.count, &generator)
    func objective(_ x: [Double], _ tensors: [String: [Double]]) -> Double {
      zip(reference(x, tensors), weights).reduce(0) { $0 + $1.0 * Double($1.1) }
    }
    let dx = probe.backward(x, y, weights, batch: batch)
    let numeric = differences(exact) { objective($0, tensors) }
    #expect(largestDifference(dx, numeric) < tolerance, "seed \(seed)")
    for tensor in learned {
      let numeric = differences(tensors[tensor.name] ?? []) { values in
        var changed = tensors
        changed[tensor.name] = values
        return objective(exact, changed)
      }
      #expect(
        largestDifference(probe.gradient(tensor.name), numeric) < tolerance,
        "\(tensor.name), seed \(seed)")
    }
  }

  private func differences(_ point: [Double], _ function: ([Double]) -> Double) -> [Float] {
    point.indices.map { index in
      var up = point
      var down = point
      up[index] += step
      down[index] -= step
      return Float((function(up) - function(down)) / (2 * step))
    }
  }
}
