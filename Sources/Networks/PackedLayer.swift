import LinearAlgebra

/// A stateless layer over sequences of different lengths: a `forward` and its `backward`.
///
/// The caller provides the scratch memory, which keeps intermediate results from the forward to the
/// backward pass.
protocol PackedLayer: Sendable {
  /// C of the input.
  var inputChannels: Int { get }
  /// C of the output.
  var outputChannels: Int { get }
  /// Input steps per output step.
  var stride: Int { get }
  /// Multiply-adds per output row.
  var multiplyAdds: Int { get }
  /// The matrices that can be in 8 bits for reading; all of them or none.
  var eightBitParts: [EightBitWeights.Part] { get }

  /// Floats of scratch memory for a shape.
  func scratchCount(_ shape: PackedShape) -> Int
  /// y [N', C'] = layer(x [N, C]).
  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext)
  /// Adds the gradients of the parameters to the context's gradients, or replaces them. Writes dx
  /// [N, C] if it is not nil. May overwrite `dy`.
  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext)
}

/// The layouts of a layer's input and output.
package struct PackedPair {
  let input: PackedSequences
  let output: PackedSequences

  package init(input: PackedSequences, output: PackedSequences) {
    self.input = input
    self.output = output
  }
}

/// Sizes to allocate memory for.
package struct PackedShape {
  /// The most sequences.
  var batch: Int
  /// The most input rows.
  var inputRows: Int
  /// The most output rows.
  var outputRows: Int
  /// True if a backward pass follows.
  var isTraining: Bool

  package init(batch: Int, inputRows: Int, outputRows: Int, isTraining: Bool) {
    self.batch = batch
    self.inputRows = inputRows
    self.outputRows = outputRows
    self.isTraining = isTraining
  }
}

/// The description of a layer over sequences, as saved in a model.
@usableFromInline package enum PackedLayerSpecification: Hashable, Codable, Sendable {
  /// Convolution over time, padded; `kernel` is odd, `stride` at least 1; with bias and ReLU.
  case convolution(channels: Int, kernel: Int, stride: Int)
  /// Long short-term memory in both directions, outputs concatenated: C' = 2 hidden.
  case bidirectionalLSTM(hidden: Int)
  /// Long short-term memory forward in time: C' = hidden.
  case lstm(hidden: Int)
  /// The same dense layer at every step.
  case dense(units: Int)
  /// Layer normalisation of each step.
  case layerNormalization
  /// Zeroes elements at this rate in training, 0 ..< 1.
  case dropout(rate: Float)
  /// The mean of each `stride` steps, at least 2; at the end, of those that are left.
  case meanPool(stride: Int)

  /// True if the layer may have weights.
  @usableFromInline package var isLearned: Bool {
    switch self {
    case .dropout, .meanPool: false
    case .convolution, .bidirectionalLSTM, .lstm, .dense, .layerNormalization: true
    }
  }

  func makeLayer(channels: Int, allocator: inout ParameterAllocator) -> any PackedLayer {
    switch self {
    case .convolution(let outputs, let kernel, let stride):
      PackedConvolution(
        inputChannels: channels, outputChannels: outputs, kernel: kernel, stride: stride,
        relu: true, allocator: &allocator)
    case .bidirectionalLSTM(let hidden):
      LSTM(
        inputChannels: channels, hidden: hidden, directions: [.forward, .backward],
        allocator: &allocator)
    case .lstm(let hidden):
      LSTM(
        inputChannels: channels, hidden: hidden, directions: [.forward], allocator: &allocator)
    case .dense(let units):
      PackedConvolution(
        inputChannels: channels, outputChannels: units, kernel: 1, stride: 1, relu: false,
        allocator: &allocator)
    case .layerNormalization:
      PackedLayerNormalization(inputChannels: channels, allocator: &allocator)
    case .dropout(let rate):
      PackedDropout(inputChannels: channels, rate: rate)
    case .meanPool(let stride):
      PackedMeanPool(inputChannels: channels, stride: stride)
    }
  }
}

/// Dropout (Srivastava et al. 2014) of each element.
struct PackedDropout: PackedLayer {
  let inputChannels: Int
  let rate: Float

  var outputChannels: Int { inputChannels }
  var stride: Int { 1 }
  var multiplyAdds: Int { 0 }

  func scratchCount(_ shape: PackedShape) -> Int { 0 }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    mask(x, y, sequences, context)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    if let dx { mask(dy, dx, sequences, context) }
  }

  private func mask(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    _ context: LayerContext
  ) {
    let count = sequences.input.rows * inputChannels
    if context.isTraining {
      Kernels.dropout(x, y, count: count, rate: rate, seed: context.seed)
    } else {
      y.update(from: x, count: count)
    }
  }
}

/// Layer normalisation (Ba et al. 2016): the channels of each step are normalised to mean 0 and
/// variance 1, then scaled and shifted by learned values.
package struct PackedLayerNormalization: PackedLayer {
  let inputChannels: Int
  package let scale: Parameter
  package let shift: Parameter

  package init(inputChannels: Int, allocator: inout ParameterAllocator) {
    self.inputChannels = inputChannels
    scale = allocator.allocate("scale", [inputChannels], .bias, .constant(1))
    shift = allocator.allocate("shift", [inputChannels], .bias, .constant(0))
  }

  var outputChannels: Int { inputChannels }
  var stride: Int { 1 }
  var multiplyAdds: Int { 0 }

  /// Mean and inverse standard deviation of each row.
  func scratchCount(_ shape: PackedShape) -> Int { 2 * shape.inputRows }

  package func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let rows = sequences.input.rows
    Kernels.layerNormalization(
      x, scale: context.parameters + scale.offset, shift: context.parameters + shift.offset, y,
      mean: scratch, inverse: scratch + rows, rows: rows, columns: inputChannels)
  }

  package func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let scaleSums = context.sums(of: scale), let shiftSums = context.sums(of: shift) else {
      return
    }
    let rows = sequences.input.rows
    Kernels.layerNormalizationBackward(
      x, dy, scale: context.parameters + scale.offset, mean: scratch, inverse: scratch + rows,
      scaleGradient: scaleSums, shiftGradient: shiftSums, dx, rows: rows, columns: inputChannels)
  }
}
