import CKernels
import Networks
import Testing

// Golden numbers of PyTorch 2.15 in double, by scripts/golden/layers_golden.py; the part of it that
// made them stands above each.

/// Sums of fewer than 30 products of numbers below 1: errors of a few units in the last place of 1.
private let tolerance: Float = 2e-6

@Suite("Layers against PyTorch")
struct LayerGoldenTests {
  // x, w, b = pattern([2, 4, 2], 1), pattern([3, 2, 3], 2), pattern([3], 3), all with gradients
  // y = F.relu(F.conv1d(x.transpose(1, 2), w.permute(2, 1, 0), b, padding=1)).transpose(1, 2)
  // y.backward(pattern([2, 4, 3], 4))
  @Test("A convolution with bias and ReLU gives PyTorch's output and gradients")
  func convolution() {
    let y: [Float] = [
      0.005371094, 0.8725586, 0, 0, 0.9633789, 0, 0, 0.5869141, 0.439209, 0, 0.4458008, 0.6193848,
      0.07373047, 0.6879883, 0, 0, 0.7890625, 0, 0.1506348, 0.4125977, 0.4033203, 0, 0.3979492,
      0.4912109,
    ]
    let dx: [Float] = [
      0.2216797, 0.1337891, -0.3200684, -0.4812012, -0.7724609, 0.3059082, 0.1364746, 0.9511719,
      0.01660156, 0.2216797, 0.2434082, 0.3728027, 0.1201172, 0.2561035, -0.3771973, -0.6025391,
    ]
    let dw: [Float] = [
      -0.1513672, 0.1652832, -0.09179688, 0.02929688, 0.5185547, -0.04833984, 0.1806641,
      -0.6706543, -0.8432617, -0.4931641, 0.6555176, 0.5317383, 0.3125, 0.2399902, -0.2912598,
      -0.3613281, 0.1252441, 0.5524902,
    ]
    let db: [Float] = [
      -0.3125, 0.84375, -1.375,
    ]
    let probe = LayerProbe(
      .convolution(channels: 3, kernel: 3, bias: true, relu: true),
      input: Shape(steps: 4, channels: 2))
    probe["weight"] = pattern(18, 2)
    probe["bias"] = pattern(3, 3)
    let x = pattern(16, 1)
    let output = probe.forward(x, batch: 2)
    #expect(largestDifference(output, y) < tolerance)
    #expect(largestDifference(probe.backward(x, output, pattern(24, 4), batch: 2), dx) < tolerance)
    #expect(largestDifference(probe.gradient("weight"), dw) < tolerance)
    #expect(largestDifference(probe.gradient("bias"), db) < tolerance)
  }

  // x, w, b = pattern([3, 4], 1), pattern([4, 2], 2), pattern([2], 3), all with gradients
  // y = F.relu(x @ w + b)
  // y.backward(pattern([3, 2], 4))
  @Test("A dense layer with bias and ReLU gives PyTorch's output and gradients")
  func dense() {
    let y: [Float] = [
      0.2841797, 0.1650391, 0, 0.8239746, 0.3508301, 0.1513672,
    ]
    let dx: [Float] = [
      0.4453125, -0.2575684, -0.0480957, 0.2353516, 0.05859375, 0.2563477, -0.2856445, -0.08789062,
      -0.1628418, -0.326416, 0.4223633, 0.08618164,
    ]
    let dw: [Float] = [
      -0.03613281, -0.411377, -0.3342285, 0.4277344, 0.1813965, -0.4838867, -0.1166992, 0.3552246,
    ]
    let db: [Float] = [
      -0.515625, 0.171875,
    ]
    let probe = LayerProbe(
      .dense(units: 2, bias: true, relu: true), input: Shape(steps: 2, channels: 2))
    probe["weight"] = pattern(8, 2)
    probe["bias"] = pattern(2, 3)
    let x = pattern(12, 1)
    let output = probe.forward(x, batch: 3)
    #expect(largestDifference(output, y) < tolerance)
    #expect(largestDifference(probe.backward(x, output, pattern(6, 4), batch: 3), dx) < tolerance)
    #expect(largestDifference(probe.gradient("weight"), dw) < tolerance)
    #expect(largestDifference(probe.gradient("bias"), db) < tolerance)
  }

  // x, scale, shift = pattern([2, 3, 2], 1), 1 + pattern([2], 2) / 2, pattern([2], 3) / 4
  // mean, variance = torch.zeros(2), torch.ones(2)
  // y = F.relu(F.batch_norm(
  //     x.reshape(6, 2), mean, variance, scale, shift, training=True, momentum=1, eps=1e-5))
  // y.backward(pattern([6, 2], 4)); variance *= 5 / 6
  @Test("Batch normalisation with ReLU gives PyTorch's output, gradients and statistics")
  func batchNormalization() {
    let y: [Float] = [
      0.03517751, 1.328482, 0, 0.4085927, 1.142735, 0, 0.5064788, 0, 0, 1.089992, 0, 0.1701029,
    ]
    let dx: [Float] = [
      -0.7343754, 0.4963423, 0.1970464, -0.5386913, 0.3926451, 0.3682633, -0.2547922, 0.2531189,
      0.2053284, 0.2280002, 0.1941478, -0.8070334,
    ]
    let dScale: [Float] = [
      -0.04533199, -0.3229076,
    ]
    let dShift: [Float] = [
      -0.828125, -1.25,
    ]
    let mean: [Float] = [
      0.04427083, 0.09635417,
    ]
    let variance: [Float] = [
      0.1848484, 0.1848484,
    ]
    let probe = LayerProbe(
      .batchNormalization(relu: true), input: Shape(steps: 3, channels: 2))
    probe["scale"] = pattern(2, 2).map { 1 + $0 / 2 }
    probe["shift"] = pattern(2, 3).map { $0 / 4 }
    let x = pattern(12, 1)
    let output = probe.forward(x, batch: 2)
    #expect(largestDifference(output, y) < tolerance)
    #expect(largestDifference(probe.gradient("mean"), mean) < tolerance)
    #expect(largestDifference(probe.gradient("variance"), variance) < tolerance)
    #expect(largestDifference(probe.backward(x, output, pattern(12, 4), batch: 2), dx) < tolerance)
    #expect(largestDifference(probe.gradient("scale"), dScale) < tolerance)
    #expect(largestDifference(probe.gradient("shift"), dShift) < tolerance)
  }

  // x = pattern([2, 5, 2], 1)
  // y = F.max_pool1d(x.transpose(1, 2), 2).transpose(1, 2)
  // y.backward(pattern([2, 2, 2], 4))
  @Test("Max pooling of an odd number of steps gives PyTorch's output and gradient")
  func maxPool() {
    let y: [Float] = [
      0.046875, 0.625, 0.78125, -0.21875, 0.671875, 0.09375, 0.25, 0.40625,
    ]
    let dx: [Float] = [
      -0.625, -0.046875, 0, 0, 0.53125, -0.46875, 0, 0, 0, 0, 0, 0.6875, 0.109375, 0, -0.3125, 0,
      0, 0.265625, 0, 0,
    ]
    let probe = LayerProbe(.maxPool, input: Shape(steps: 5, channels: 2))
    let x = pattern(20, 1)
    let output = probe.forward(x, batch: 2)
    #expect(output == y)
    #expect(probe.backward(x, output, pattern(8, 4), batch: 2) == dx)
  }

  // z = 4 * pattern([3, 4], 1)
  // loss = F.cross_entropy(z, torch.tensor([2, 0, 3]), label_smoothing=0.1); loss.backward()
  @Test("Cross-entropy with label smoothing gives PyTorch's loss and gradient")
  func crossEntropy() {
    let dz: [Float] = [
      0.01700968, 0.247622, -0.3036453, 0.03901365, -0.03209446, -0.003273842, 0.04276572,
      -0.007397422, 0.01700968, 0.247622, -0.003645347, -0.2609864,
    ]
    let loss = 2.17309397
    var logits = pattern(12, 1).map { 4 * $0 }
    var total = 0.0
    var correct = 0
    ck_softmax_cross_entropy(&logits, [2, 0, 3], 3, 4, 0.1, 1.0 / 3, &total, &correct)
    #expect(abs(total / 3 - loss) < Double(tolerance))
    #expect(largestDifference(logits, dz) < tolerance)
  }
}
