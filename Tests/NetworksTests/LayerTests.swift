import InkCore
import Networks
import Testing

@Suite("Layers by hand")
struct LayerTests {
  @Test("A convolution reads the steps around each step, and zeros outside the ends")
  func convolutionByHand() {
    let probe = LayerProbe(
      .convolution(channels: 1, kernel: 3, bias: true, relu: false),
      input: Shape(steps: 3, channels: 1))
    probe["weight"] = [1, 10, 100]
    probe["bias"] = [1000]
    let x: [Float] = [1, 2, 3, 4, 5, 6]
    // 0·1 + 1·10 + 2·100, 1·1 + 2·10 + 3·100, 2·1 + 3·10 + 0·100; the second sample alike.
    let y = probe.forward(x, batch: 2)
    #expect(y == [1210, 1321, 1032, 1540, 1654, 1065])
    let dx = probe.backward(x, y, [1, 0, 0, 0, 1, 0], batch: 2)
    #expect(dx == [10, 100, 0, 1, 10, 100])
    #expect(probe.gradient("weight") == [4, 1 + 5, 2 + 6])
    #expect(probe.gradient("bias") == [2])
  }

  @Test("A convolution unrolls many samples in panels without a seam")
  func convolutionPanels() {
    // 40 steps of 3 x 200 floats: four samples fill a panel of 96 Ki floats.
    let shape = Shape(steps: 40, channels: 200)
    let probe = LayerProbe(
      .convolution(channels: 2, kernel: 3, bias: false, relu: false), input: shape)
    let seed: UInt64 = 11
    var generator = SeededGenerator(seed: seed)
    probe["weight"] = randomFloats(1200, &generator)
    let batch = 9
    let x = randomFloats(batch * shape.count, &generator)
    let dy = randomFloats(batch * 80, &generator)
    let y = probe.forward(x, batch: batch)
    #expect(probe.layer.scratchCount(batch: batch) < batch * 3 * shape.count)
    let dx = probe.backward(x, y, dy, batch: batch)
    // One sample at a time is one panel each. Sums of 600 products of numbers below 1, in an
    // order that the library may change with the number of rows.
    let tolerance: Float = 1e-4
    let single = LayerProbe(
      .convolution(channels: 2, kernel: 3, bias: false, relu: false), input: shape)
    single["weight"] = probe["weight"]
    for sample in 0..<batch {
      let part = Array(x[sample * shape.count..<(sample + 1) * shape.count])
      let output = single.forward(part, batch: 1)
      #expect(
        largestDifference(output, Array(y[sample * 80..<(sample + 1) * 80])) < tolerance,
        "seed \(seed), sample \(sample)")
      let gradient = single.backward(
        part, output, Array(dy[sample * 80..<(sample + 1) * 80]), batch: 1)
      #expect(
        largestDifference(gradient, Array(dx[sample * shape.count..<(sample + 1) * shape.count]))
          < tolerance, "seed \(seed), sample \(sample)")
    }
    #expect(
      largestDifference(single.gradient("weight"), probe.gradient("weight")) < tolerance,
      "seed \(seed)")
  }

  @Test("A dense layer weighs all of [T, C], and its ReLU stops values and gradients below 0")
  func denseByHand() {
    let probe = LayerProbe(
      .dense(units: 2, bias: true, relu: true), input: Shape(steps: 2, channels: 1))
    probe["weight"] = [1, -1, 2, -2]
    probe["bias"] = [0.5, 0.25]
    let x: [Float] = [3, 4]
    let y = probe.forward(x, batch: 1)
    #expect(y == [11.5, 0])
    #expect(probe.backward(x, y, [1, 1], batch: 1) == [1, 2])
    #expect(probe.gradient("weight") == [3, 0, 4, 0])
    #expect(probe.gradient("bias") == [1, 0])
  }

  @Test("Gradients are added to the buffer, or replace it if the context says so")
  func gradientsAdd() {
    for specification: LayerSpecification in [
      .dense(units: 2, bias: true, relu: false),
      .convolution(channels: 2, kernel: 3, bias: true, relu: false),
      .batchNormalization(relu: false),
    ] {
      let probe = LayerProbe(specification, input: Shape(steps: 3, channels: 2))
      for tensor in probe.tensors where tensor.role == .weight {
        probe[tensor.name] = pattern(tensor.count, 2)
      }
      let x = pattern(12, 1)
      let dy = pattern(2 * probe.layer.output.count, 4)
      let y = probe.forward(x, batch: 2)
      _ = probe.backward(x, y, dy, batch: 2)
      let learned = probe.tensors.filter { $0.role != .statistic }
      let once = learned.map { probe.gradient($0.name) }
      _ = probe.backward(x, y, dy, batch: 2)
      for (tensor, gradient) in zip(learned, once) {
        // A reference BLAS adds the products one by one to what is there.
        #expect(
          largestDifference(probe.gradient(tensor.name), gradient.map { 2 * $0 }) < 1e-5,
          "\(tensor.name)")
        #expect(gradient.contains { abs($0) > 0.1 })
      }
      _ = probe.backward(x, y, dy, batch: 2, accumulates: false)
      #expect(learned.map { probe.gradient($0.name) } == once, "\(specification)")
    }
  }

  @Test("Batch normalisation in training gives mean 0 and variance 1, and records the statistics")
  func batchNormalizationByHand() {
    let probe = LayerProbe(.batchNormalization(relu: false), input: Shape(steps: 2, channels: 1))
    probe["scale"] = [2]
    probe["shift"] = [10]
    let y = probe.forward([1, 3, 5, 7], batch: 2)
    // Mean 4, variance 5; ε = 1e-5 changes 1/√5 by 1e-6 of itself.
    let tolerance: Float = 1e-5
    let unit = 2 / Float(5).squareRoot()
    let expected: [Float] = [10 - 3 * unit, 10 - unit, 10 + unit, 10 + 3 * unit]
    #expect(largestDifference(y, expected) < tolerance)
    #expect(probe.gradient("mean") == [4])
    #expect(probe.gradient("variance") == [5])
    // A gradient that is constant, or grows with x, does not reach the input.
    let constant = probe.backward([1, 3, 5, 7], y, [1, 1, 1, 1], batch: 2)
    #expect(largestDifference(constant, [0, 0, 0, 0]) < tolerance)
    let linear = probe.backward([1, 3, 5, 7], y, [-3, -1, 1, 3], batch: 2)
    #expect(largestDifference(linear, [0, 0, 0, 0]) < tolerance)
  }

  @Test("Batch normalisation in recognition uses the running statistics and no gradient")
  func batchNormalizationInUse() {
    let probe = LayerProbe(.batchNormalization(relu: true), input: Shape(steps: 1, channels: 2))
    probe["mean"] = [1, 2]
    probe["variance"] = [4, 9]
    probe["scale"] = [2, 3]
    probe["shift"] = [0.5, -0.5]
    let y = probe.forward([5, 5, -5, 8], batch: 2, training: false)
    // ε = 1e-5 against a variance of 4 changes the factor by 1.3e-6 of itself.
    #expect(largestDifference(y, [4.5, 2.5, 0, 5.5]) < 1e-4)
    #expect(probe.gradients.values.allSatisfy { $0 == 0 })
  }

  @Test("Max pooling keeps the larger of two steps; the first of equal ones gets the gradient")
  func maxPoolByHand() {
    let probe = LayerProbe(.maxPool, input: Shape(steps: 4, channels: 2))
    let x: [Float] = [1, 5, 2, 4, 3, 3, 3, 9]
    let y = probe.forward(x, batch: 1)
    #expect(y == [2, 5, 3, 9])
    #expect(probe.backward(x, y, [10, 20, 30, 40], batch: 1) == [0, 20, 10, 0, 30, 0, 0, 40])
  }

  @Test("Max pooling keeps a single step")
  func maxPoolOfOneStep() {
    let probe = LayerProbe(.maxPool, input: Shape(steps: 1, channels: 2))
    let x: [Float] = [1, -2, 3, -4]
    let y = probe.forward(x, batch: 2)
    #expect(y == x)
    #expect(probe.backward(x, y, [5, 6, 7, 8], batch: 2) == [5, 6, 7, 8])
  }

  @Test("Dropout masks gradient and values alike, and differently for another seed")
  func dropout() {
    let probe = LayerProbe(.dropout(rate: 0.25), input: Shape(steps: 5, channels: 401))
    let ones = [Float](repeating: 1, count: 2 * 2005)
    let mask = probe.forward(ones, batch: 2, seed: 7)
    let kept = mask.count { $0 != 0 }
    #expect(mask.allSatisfy { $0 == 0 || abs($0 - 4 / 3) < 1e-6 })
    // 4010 trials at 3/4: a standard deviation of 27; five of them.
    #expect(abs(Double(kept) - 3007.5) < 137)
    let seed: UInt64 = 3
    var generator = SeededGenerator(seed: seed)
    let dy = randomFloats(ones.count, &generator)
    let dx = probe.backward(ones, mask, dy, batch: 2, seed: 7)
    #expect(dx == zip(dy, mask).map { $0 * $1 }, "seed \(seed)")
    #expect(probe.forward(ones, batch: 2, seed: 8) != mask)
    #expect(probe.forward(dy, batch: 2, training: false, seed: 7) == dy)
  }
}
