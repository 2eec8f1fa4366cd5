import LinearAlgebra

/// The mean of each `stride` consecutive time steps. Output step u covers the input steps stride u
/// ..< stride (u + 1); at the end of a sequence it is the mean of the steps that are left.
///
/// Later layers have fewer steps to compute. There are no weights, so that those of a network
/// without this layer fit the network with it.
struct PackedMeanPool: PackedLayer {
  let inputChannels: Int
  let stride: Int

  var outputChannels: Int { inputChannels }
  var multiplyAdds: Int { 0 }

  func scratchCount(_ shape: PackedShape) -> Int { 0 }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let input = sequences.input
    for step in 0..<sequences.output.steps {
      let target = y + Int(sequences.output.starts[step]) * inputChannels
      let window = window(of: step, input)
      for time in window {
        let source = x + Int(input.starts[time]) * inputChannels
        let count = input.active(at: time) * inputChannels
        if time == window.lowerBound {
          target.update(from: source, count: count)
        } else {
          Kernels.accumulate(source, into: target, count: count)
        }
      }
      divide(target, window, input)
    }
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let dx else { return }
    let input = sequences.input
    for step in 0..<sequences.output.steps {
      let gradient = dy + Int(sequences.output.starts[step]) * inputChannels
      let window = window(of: step, input)
      divide(gradient, window, input)
      for time in window {
        (dx + Int(input.starts[time]) * inputChannels).update(
          from: gradient, count: input.active(at: time) * inputChannels)
      }
    }
  }

  /// The input steps of an output step. Later ones have fewer rows: those of the longest sequences.
  private func window(of step: Int, _ input: PackedSequences) -> Range<Int> {
    step * stride..<min((step + 1) * stride, input.steps)
  }

  /// Divides each row of an output step by the number of input steps that it covers.
  private func divide(
    _ rows: UnsafeMutablePointer<Float>, _ window: Range<Int>, _ input: PackedSequences
  ) {
    for time in window.dropFirst() {
      // The rows of sequences that end with this step.
      let next = time + 1 < window.upperBound ? input.active(at: time + 1) : 0
      let factor = 1 / Float(time - window.lowerBound + 1)
      for index in next * inputChannels..<input.active(at: time) * inputChannels {
        rows[index] *= factor
      }
    }
  }
}
