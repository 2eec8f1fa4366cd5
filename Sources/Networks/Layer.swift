import LinearAlgebra

// Shapes in this module: B samples of a batch, T time steps, C channels, K kernel steps.
// Activations are row-major [B, T, C].

/// The size of one sample's activation: T time steps of C channels.
@usableFromInline package struct Shape: Hashable, Codable, Sendable {
  /// T, at least 1.
  package var steps: Int
  /// C, at least 1.
  package var channels: Int

  /// Makes a shape.
  @usableFromInline package init(steps: Int, channels: Int) {
    self.steps = steps
    self.channels = channels
  }

  /// T x C.
  @usableFromInline package var count: Int { steps * channels }
}

/// A named tensor of a network: its place in the flat parameter buffer and its treatment.
public struct Parameter: Hashable, Sendable {
  /// The role of the tensor in optimisation.
  package enum Role: Hashable, Sendable {
    /// Learned, with weight decay.
    case weight
    /// Learned, without weight decay: biases, scales, shifts.
    case bias
    /// A running statistic, which is not trained by gradient. Its place in a gradient buffer holds
    /// the statistic of the batch.
    case statistic
  }

  /// The initial values of the tensor.
  package enum Initialization: Hashable, Sendable {
    /// Normal, variance 2 / fanIn (He et al. 2015).
    case normal(fanIn: Int)
    /// All elements equal.
    case constant(Float)
    /// Biases of LSTM gates in the order input, forget, cell, output, `hidden` each, once for each
    /// direction. Forget gates start at 1, so that a cell starts by remembering (Jozefowicz et al.
    /// 2015), the others at 0.
    case gates(hidden: Int)
  }

  /// A name that is unique in the network, for example `trunk.3.weight`.
  package let name: String
  /// Sizes, outermost first.
  package let shape: [Int]
  /// The role in optimisation.
  package let role: Role
  /// The initial values.
  package let initialization: Initialization
  /// Index of its first element in the flat buffer, a multiple of 16.
  package let offset: Int

  /// The number of elements.
  package var count: Int { shape.reduce(1, *) }

  /// The tensor as a matrix, if it has two sizes.
  func matrix(of parameters: UnsafePointer<Float>) -> Matrix {
    Matrix(reading: parameters + offset, rows: shape[0], columns: shape[1])
  }
}

/// Allocates places in the flat parameter buffer while layers are made.
package struct ParameterAllocator {
  /// All tensors so far, in order of allocation.
  package private(set) var parameters: [Parameter] = []
  /// Floats allocated so far, a multiple of 16.
  package private(set) var count = 0
  var prefix = ""

  /// Makes an empty allocator.
  package init() {}

  mutating func allocate(
    _ name: String, _ shape: [Int], _ role: Parameter.Role,
    _ initialization: Parameter.Initialization
  ) -> Parameter {
    let parameter = Parameter(
      name: prefix + name, shape: shape, role: role, initialization: initialization, offset: count)
    parameters.append(parameter)
    count += (parameter.count + 15) / 16 * 16
    return parameter
  }
}

/// The inputs of a layer's passes in addition to its activations.
@usableFromInline package struct LayerContext {
  /// The network's flat parameters.
  package var parameters: UnsafePointer<Float>
  /// The buffer for gradients in the backward pass and for batch statistics in the forward pass of
  /// training, laid out like the parameters. Only used if `isTraining`.
  package var gradients: UnsafeMutablePointer<Float>?
  /// True if the backward pass adds to `gradients`; false if it replaces them, which saves clearing
  /// them before each step.
  package var accumulates: Bool
  /// True if batch statistics and dropout are used.
  package var isTraining: Bool
  /// Seeds dropout masks. Use the same seed for the forward and the backward pass.
  package var seed: UInt64
  /// The unit for matrix products in mixed precision; nil for single precision.
  package var unit: BFloat16Unit?
  /// The matrices of the parameters, packed in advance for a unit; nil to pack them in each pass.
  package var packed: PackedWeights?
  /// The matrices in 8 bits, for the forward pass without training; nil for another precision.
  package var eightBit: EightBitWeights?

  /// Makes a context.
  @usableFromInline package init(
    parameters: UnsafePointer<Float>, gradients: UnsafeMutablePointer<Float>? = nil,
    accumulates: Bool = true, isTraining: Bool = false, seed: UInt64 = 0, unit: BFloat16Unit? = nil,
    packed: PackedWeights? = nil
  ) {
    eightBit = nil
    self.parameters = parameters
    self.gradients = gradients
    self.accumulates = accumulates
    self.isTraining = isTraining
    self.seed = seed
    self.unit = unit
    self.packed = packed
  }

  /// A matrix of weights that was packed in advance.
  func packedFactor(_ weight: Parameter) -> RightFactor? {
    unit.flatMap { packed?.factor(weight, on: $0) }
  }

  /// The gradient of a tensor, to be added to in the backward pass; cleared first if the pass
  /// replaces gradients.
  func sums(of parameter: Parameter) -> UnsafeMutablePointer<Float>? {
    guard let target = gradients?.advanced(by: parameter.offset) else { return nil }
    if !accumulates { target.update(repeating: 0, count: parameter.count) }
    return target
  }
}

/// One stateless step of a network: a `forward` and its `backward`.
///
/// Neither allocates. The caller provides `scratchCount(batch:)` floats of scratch memory, which
/// keep intermediate results from the forward to the backward pass.
package protocol Layer: Sendable {
  /// One sample's input.
  var input: Shape { get }
  /// One sample's output.
  var output: Shape { get }
  /// Floats of scratch for a batch of B samples.
  func scratchCount(batch: Int) -> Int
  /// y [B, T', C'] = layer(x [B, T, C]).
  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext)
  /// Adds the gradients of the parameters to the context's gradients, or replaces them. Writes dx
  /// [B, T, C] if it is not nil. May overwrite `dy`.
  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext)
}

/// The description of a layer, as saved in a model.
@usableFromInline package enum LayerSpecification: Hashable, Codable, Sendable {
  /// Convolution over time, stride 1, padded to keep T; `kernel` is odd.
  case convolution(channels: Int, kernel: Int, bias: Bool, relu: Bool)
  /// A dense layer from all of [T, C] to [1, units].
  case dense(units: Int, bias: Bool, relu: Bool)
  /// Batch normalisation of each channel.
  case batchNormalization(relu: Bool)
  /// The larger of each pair of time steps; an odd last step is dropped.
  case maxPool
  /// Zeroes elements at this rate in training, 0 ..< 1.
  case dropout(rate: Float)

  package func makeLayer(input: Shape, allocator: inout ParameterAllocator) -> any Layer {
    switch self {
    case .convolution(let channels, let kernel, let bias, let relu):
      Convolution(
        input: input, channels: channels, kernel: kernel, bias: bias, relu: relu,
        allocator: &allocator)
    case .dense(let units, let bias, let relu):
      Dense(input: input, units: units, bias: bias, relu: relu, allocator: &allocator)
    case .batchNormalization(let relu):
      BatchNormalization(input: input, relu: relu, allocator: &allocator)
    case .maxPool:
      MaxPool(input: input)
    case .dropout(let rate):
      Dropout(input: input, rate: rate)
    }
  }
}

extension [Parameter] {
  /// Fills a flat buffer with initial values.
  package func initialize(
    _ buffer: AlignedBuffer, using generator: inout some RandomNumberGenerator
  ) {
    buffer.clear()
    for parameter in self {
      let target = UnsafeMutableBufferPointer(
        start: buffer.pointer + parameter.offset, count: parameter.count)
      switch parameter.initialization {
      case .constant(let value):
        target.update(repeating: value)
      case .gates(let hidden):
        for index in target.indices where index / hidden % 4 == 1 { target[index] = 1 }
      case .normal(let fanIn):
        let deviation = (2 / Float(Swift.max(fanIn, 1))).squareRoot()
        for index in target.indices { target[index] = deviation * normal(using: &generator) }
      }
    }
  }
}

/// A standard normal number, as the sum of twelve uniform ones; bounded by ±6.
private func normal(using generator: inout some RandomNumberGenerator) -> Float {
  var sum: Float = -6
  for _ in 0..<12 { sum += Float(generator.next() >> 40) * 0x1p-24 }
  return sum
}
