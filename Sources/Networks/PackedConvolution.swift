import LinearAlgebra

/// Convolution over the time of packed sequences, zero outside each sequence, with bias; optionally
/// with ReLU. With one kernel step and stride 1 it is a dense layer at every step.
///
/// W is [K·C, C'], kernel step outermost. Output step u depends on the input steps stride u - K / 2
/// ... stride u + K / 2.
package struct PackedConvolution: PackedLayer {
  let inputChannels: Int
  let outputChannels: Int
  let kernel: Int
  let stride: Int
  let relu: Bool
  package let weight: Parameter
  package let bias: Parameter

  /// Floats of unrolled rows that one panel may take: 128 KiB.
  private static let panelFloats = 32 * 1024

  package init(
    inputChannels: Int, outputChannels: Int, kernel: Int, stride: Int, relu: Bool,
    allocator: inout ParameterAllocator
  ) {
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.kernel = kernel
    self.stride = stride
    self.relu = relu
    let fanIn = kernel * inputChannels
    // Without ReLU the outputs keep the variance of the inputs.
    weight = allocator.allocate(
      "weight", [fanIn, outputChannels], .weight, .normal(fanIn: relu ? fanIn : 2 * fanIn))
    bias = allocator.allocate("bias", [outputChannels], .bias, .constant(0))
  }

  var multiplyAdds: Int { weight.count }
  private var columns: Int { kernel * inputChannels }
  private var isDense: Bool { kernel == 1 && stride == 1 }

  private func panelRows(_ rows: Int) -> Int { min(rows, max(1, Self.panelFloats / columns)) }

  package func scratchCount(_ shape: PackedShape) -> Int {
    factorCount + panelCount(shape.outputRows)
      + (shape.isTraining
        ? 0
        : EightBitFactor.activationCount(
          rows: isDense ? shape.outputRows : panelRows(shape.outputRows), columns: columns))
  }

  /// Floats of one panel of unrolled rows; a multiple of 16.
  private func panelCount(_ rows: Int) -> Int {
    isDense ? 0 : (panelRows(rows) * columns + 15) / 16 * 16
  }

  /// Floats for the weights as the right factor of products.
  private var factorCount: Int {
    max(
      RightFactor.count(inner: columns, columns: outputChannels),
      RightFactor.count(inner: outputChannels, columns: columns))
  }

  package func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    if let weights = context.eightBit {
      return forward(x, y, sequences, scratch: scratch, context: context, eightBit: weights)
    }
    let w =
      context.packedFactor(weight)
      ?? RightFactor(weight.matrix(of: context.parameters), in: scratch, on: context.unit)
    forEachPanel(x, sequences, scratch + factorCount) { unrolled, first in
      Matrix(y + first * outputChannels, rows: unrolled.rows, columns: outputChannels)
        .multiply(unrolled, w)
    }
    Kernels.addBias(
      y, context.parameters + bias.offset, y, rows: sequences.output.rows, columns: outputChannels,
      relu: relu)
  }

  /// The forward pass with weights in 8 bits, or in single precision if they are not packed.
  private func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext, eightBit weights: EightBitWeights
  ) {
    let rounded = scratch + factorCount + panelCount(sequences.output.rows)
    let factor = weights.factor(weight)
    forEachPanel(x, sequences, scratch + factorCount) { unrolled, first in
      let target = y + first * outputChannels
      if let factor {
        factor.multiply(unrolled, into: target, relu: relu, scratch: rounded, on: weights.unit)
      } else {
        weights.unit.multiply(
          unrolled, weight.matrix(of: context.parameters), bias: context.parameters + bias.offset,
          into: target, relu: relu)
      }
    }
  }

  package func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    let rows = sequences.output.rows
    if relu { Kernels.reluBackward(y, dy, count: rows * outputChannels) }
    let dw = Matrix(gradients + weight.offset, rows: columns, columns: outputChannels)
    let panel = scratch + factorCount
    forEachPanel(x, sequences, panel) { unrolled, first in
      dw.multiply(
        unrolled.transposed,
        Matrix(dy + first * outputChannels, rows: unrolled.rows, columns: outputChannels),
        accumulates: first > 0 || context.accumulates, on: context.unit)
    }
    if let sums = context.sums(of: bias) {
      Kernels.addColumnSums(dy, to: sums, rows: rows, columns: outputChannels)
    }
    guard let dx else { return }
    let transposed = RightFactor(
      weight.matrix(of: context.parameters).transposed, in: scratch, on: context.unit)
    if isDense {
      Matrix(dx, rows: rows, columns: columns)
        .multiply(Matrix(dy, rows: rows, columns: outputChannels), transposed)
    } else {
      fold(dy, into: dx, transposed, sequences, panel)
    }
  }

  /// Calls `body` with each panel of unrolled rows of x and the index of its first row.
  private func forEachPanel(
    _ x: UnsafePointer<Float>, _ sequences: PackedPair, _ scratch: UnsafeMutablePointer<Float>,
    _ body: (_ unrolled: Matrix, _ first: Int) -> Void
  ) {
    let rows = sequences.output.rows
    if isDense { return body(Matrix(reading: x, rows: rows, columns: columns), 0) }
    let size = panelRows(rows)
    var first = 0
    while first < rows {
      let part = first..<min(first + size, rows)
      forEachTap(part, sequences) { place, source in
        let target = scratch + place * inputChannels
        if let source {
          target.update(from: x + source * inputChannels, count: inputChannels)
        } else {
          target.update(repeating: 0, count: inputChannels)
        }
      }
      body(Matrix(scratch, rows: part.count, columns: columns), first)
      first = part.upperBound
    }
  }

  /// Computes dx: the unrolled gradients, summed over overlapping kernels.
  private func fold(
    _ dy: UnsafePointer<Float>, into dx: UnsafeMutablePointer<Float>, _ transposed: RightFactor,
    _ sequences: PackedPair, _ scratch: UnsafeMutablePointer<Float>
  ) {
    dx.update(repeating: 0, count: sequences.input.rows * inputChannels)
    let rows = sequences.output.rows
    let size = panelRows(rows)
    var first = 0
    while first < rows {
      let part = first..<min(first + size, rows)
      Matrix(scratch, rows: part.count, columns: columns)
        .multiply(
          Matrix(
            reading: dy + first * outputChannels, rows: part.count, columns: outputChannels),
          transposed)
      forEachTap(part, sequences) { place, source in
        guard let source else { return }
        Kernels.accumulate(
          scratch + place * inputChannels, into: dx + source * inputChannels, count: inputChannels)
      }
      first = part.upperBound
    }
  }

  /// For each output row in `part`, in order, the input row that one kernel step reads, or nil
  /// outside the sequence.
  @inline(__always)
  private func forEachTap(
    _ part: Range<Int>, _ sequences: PackedPair, _ body: (_ place: Int, _ source: Int?) -> Void
  ) {
    let (input, output) = (sequences.input, sequences.output)
    var step = 0
    while output.starts[step + 1] <= part.lowerBound { step += 1 }
    var place = 0
    for row in part {
      while output.starts[step + 1] <= row { step += 1 }
      let sequence = row - Int(output.starts[step])
      let length = input.lengths[sequence]
      for tap in 0..<kernel {
        let time = stride * step + tap - kernel / 2
        body(
          place,
          time >= 0 && time < length ? Int(input.starts[time]) + sequence : nil)
        place += 1
      }
    }
  }
}
