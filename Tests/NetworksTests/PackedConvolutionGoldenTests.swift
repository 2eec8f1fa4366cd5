import LinearAlgebra
import Networks
import Testing

// Golden numbers of PyTorch 2.15 in double, by scripts/golden/lines_golden.py: for each sequence
//   relu(conv1d(x.T[None], w.permute(2, 1, 0), b, stride=2, padding=1))
// and the gradients of the sum of its products with a pattern. B = 3 sequences of 7, 4 and 1 steps,
// C = 2, K = 3, C' = 3.

@Suite("Packed convolution against PyTorch")
struct PackedConvolutionGoldenTests {
  /// Sums of at most 21 products of numbers below 1, in single precision.
  private let tolerance: Float = 2e-6
  private let lengths = [7, 4, 1]
  private let stride = 2
  /// [4 + 2 + 1, C'], sequence by sequence.
  private let convolved: [Float] = [
    0.2075195, 0.2436523, 0, 0, 0.8588867, 0, 0.1311035, 0.2485352, 0.1193848, 0.1396484,
    0.03222656, 0, 0, 0.2944336, 0, 0, 0.7446289, 0, 0, 0.3171387, 0,
  ]
  /// [B, 7, C], rows of 0 behind the end of each sequence.
  private let input: [Float] = [
    -0.3754883, -0.3461914, -0.1958008, -0.2055664, 0.04296875, 0.00390625, -0.2907715,
    -0.3737793, 0.7167969, 0.6728516, 0.3327637, -0.5463867, 0.3759766, 0.3051758, -0.03759766,
    -0.003417969, -0.1508789, -0.05810547, -0.06445312, -0.005859375, 0.05273438, 0.1113281, 0,
    0, 0, 0, 0, 0, 0.1262207, 0.01147461, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  /// [K, C, C'].
  private let weight: [Float] = [
    -0.3786621, 0.03027344, 0, -0.2514648, -0.01416016, 0.2800293, -0.06323242, 0.222168,
    -0.2043457, 0.4072266, -0.5524902, 0.07568359, -0.9294434, 0.1894531, 0.3557129, 0.08569336,
    0.2470703, -0.1286621,
  ]
  private let bias: [Float] = [-0.59375, -0.828125, 0.484375]

  @Test("Sequences of different lengths with a stride give PyTorch's numbers and gradients")
  func stridedSequences() {
    var allocator = ParameterAllocator()
    let layer = PackedConvolution(
      inputChannels: 2, outputChannels: 3, kernel: 3, stride: stride, relu: true,
      allocator: &allocator)
    let parameters = AlignedBuffer(count: allocator.count)
    for (tensor, salt) in [(layer.weight, 13), (layer.bias, 14)] {
      for (index, value) in pattern(tensor.count, salt).enumerated() {
        parameters.pointer[tensor.offset + index] = value
      }
    }
    let gradients = AlignedBuffer(count: allocator.count)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true)
    let (before, after) = (PackedSequences(), PackedSequences())
    before.set(lengths: lengths)
    after.set(before, stride: stride)
    #expect(after.lengths == [4, 2, 1])
    let pair = PackedPair(input: before, output: after)
    let shape = PackedShape(
      batch: 3, inputRows: before.rows, outputRows: after.rows, isTraining: true)
    let scratch = AlignedBuffer(count: layer.scratchCount(shape))

    let x = packed(pattern(3 * 7 * 2, 12), steps: 7, channels: 2, before)
    var y = [Float](repeating: .nan, count: after.rows * 3)
    layer.forward(x, &y, pair, scratch: scratch.pointer, context: context)
    #expect(largestDifference(unpacked(y, channels: 3, after), convolved) < tolerance)

    var dy = packed(pattern(3 * 4 * 3, 15), steps: 4, channels: 3, after)
    var dx = [Float](repeating: .nan, count: before.rows * 2)
    layer.backward(x, y, &dy, &dx, pair, scratch: scratch.pointer, context: context)
    let expected = lengths.enumerated().flatMap { sequence, length in
      input[sequence * 14..<sequence * 14 + length * 2]
    }
    #expect(largestDifference(unpacked(dx, channels: 2, before), expected) < tolerance)
    for (tensor, values) in [(layer.weight, weight), (layer.bias, bias)] {
      let found = (0..<tensor.count).map { gradients.pointer[tensor.offset + $0] }
      #expect(largestDifference(found, values) < tolerance, "\(tensor.name)")
    }
  }

  /// Rows of [B, steps, channels], without those behind the ends, in the order of the layout.
  private func packed(
    _ values: [Float], steps: Int, channels: Int, _ layout: PackedSequences
  ) -> [Float] {
    var result = [Float](repeating: .nan, count: layout.rows * channels)
    for (sequence, length) in layout.lengths.enumerated() {
      for step in 0..<length {
        let row = layout.row(sequence: sequence, step: step)
        for channel in 0..<channels {
          result[row * channels + channel] =
            values[(sequence * steps + step) * channels + channel]
        }
      }
    }
    return result
  }

  /// Rows in the order of the layout, sequence by sequence.
  private func unpacked(_ values: [Float], channels: Int, _ layout: PackedSequences) -> [Float] {
    layout.lengths.enumerated().flatMap { sequence, length in
      (0..<length).flatMap { step in
        let row = layout.row(sequence: sequence, step: step)
        return values[row * channels..<(row + 1) * channels]
      }
    }
  }
}
