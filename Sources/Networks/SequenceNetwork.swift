import LinearAlgebra

/// What a network over sequences is made of, as saved in a model.
public struct SequenceArchitecture: Hashable, Codable, Sendable {
  /// C of the input: encoded pen trajectories, or one-hot characters.
  public var channels: Int
  /// From the input up, without the last dense layer to the classes.
  public var layers: [PackedLayerSpecification]
  /// K: of a line model the blank, which is class 0, and one class for each symbol.
  public var classes: Int

  /// Makes an architecture.
  public init(channels: Int, layers: [PackedLayerSpecification], classes: Int) {
    self.channels = channels
    self.layers = layers
    self.classes = classes
  }
}

/// A network from sequences to the natural logarithms of the probabilities of each class at each time
/// step: of encoded ink for connectionist temporal classification, of characters for language models.
public struct SequenceNetwork: Sendable {
  /// What it is made of.
  public let architecture: SequenceArchitecture
  /// All tensors, in the order of the flat buffer.
  public let parameters: [Parameter]
  /// Floats of the flat parameter buffer.
  public let parameterCount: Int
  /// Input steps for each output step.
  public let stride: Int

  let layers: [any PackedLayer]

  /// Makes the network; its parameters live in a buffer of `parameterCount` floats.
  public init(_ architecture: SequenceArchitecture) {
    self.architecture = architecture
    var allocator = ParameterAllocator()
    var layers: [any PackedLayer] = []
    var channels = architecture.channels
    for (index, layer) in (architecture.layers + [.dense(units: architecture.classes)])
      .enumerated()
    {
      allocator.prefix = "layers.\(index)."
      layers.append(layer.makeLayer(channels: channels, allocator: &allocator))
      channels = layers[index].outputChannels
    }
    self.layers = layers
    stride = layers.reduce(1) { $0 * $1.stride }
    parameters = allocator.parameters
    parameterCount = allocator.count
  }

  /// Output steps of a sequence of `length` input steps.
  public func outputSteps(_ length: Int) -> Int {
    layers.reduce(length) { ($0 + $1.stride - 1) / $1.stride }
  }

  /// Multiply-adds of the forward pass over a sequence of `length` steps, in the matrix products.
  public func multiplyAdds(_ length: Int) -> Int {
    var (steps, sum) = (length, 0)
    for layer in layers {
      steps = (steps + layer.stride - 1) / layer.stride
      sum += steps * layer.multiplyAdds
    }
    return sum
  }

  /// The memory of one worker. Grows to the largest batch seen and allocates nothing after that.
  public final class Workspace {
    /// The layout of the input; set its lengths before `forward`.
    public let sequences = PackedSequences()
    /// The layout of the output.
    public var outputSequences: PackedSequences { layouts.last ?? sequences }
    let isTraining: Bool
    fileprivate var layouts: [PackedSequences]
    fileprivate var inputBuffer = AlignedBuffer(count: 0)
    /// One for each layer where there is a backward pass; else two, which layers use in turns.
    private var activations: [AlignedBuffer]
    /// One for each layer where there is a backward pass; else one.
    private var scratch: [AlignedBuffer]
    fileprivate var gradients: [AlignedBuffer]
    private let channels: Int

    init(_ network: SequenceNetwork, isTraining: Bool) {
      self.isTraining = isTraining
      channels = network.architecture.channels
      layouts = network.layers.map { _ in PackedSequences() }
      gradients = network.layers.map { _ in AlignedBuffer(count: 0) }
      activations = isTraining ? gradients : Array(gradients.prefix(2))
      scratch = isTraining ? gradients : Array(gradients.prefix(1))
    }

    /// The output of a layer.
    fileprivate func activation(_ layer: Int) -> UnsafeMutablePointer<Float> {
      activations[layer % activations.count].pointer
    }

    /// The memory of a layer besides its output.
    fileprivate func scratch(_ layer: Int) -> UnsafeMutablePointer<Float> {
      scratch[layer % scratch.count].pointer
    }

    /// The input [N, C], to be written after the lengths are set and before `forward`.
    public var input: UnsafeMutablePointer<Float> {
      Self.grow(&inputBuffer, to: sequences.rows * channels)
      return inputBuffer.pointer
    }

    fileprivate func prepare(_ network: SequenceNetwork) {
      var before = sequences
      for (index, layer) in network.layers.enumerated() {
        let after = layouts[index]
        if layer.stride == 1 {
          after.set(lengths: before.lengths)
        } else {
          after.set(before, stride: layer.stride)
        }
        let count = after.rows * layer.outputChannels
        Self.grow(&activations[index % activations.count], to: count)
        if isTraining { Self.grow(&gradients[index], to: count) }
        Self.grow(
          &scratch[index % scratch.count],
          to: layer.scratchCount(
            PackedShape(
              batch: sequences.batch, inputRows: before.rows, outputRows: after.rows,
              isTraining: isTraining)))
        before = after
      }
    }

    /// A quarter more than asked for, so that slightly longer batches need no new memory.
    private static func grow(_ buffer: inout AlignedBuffer, to count: Int) {
      if buffer.count < count { buffer = AlignedBuffer(count: count + count / 4) }
    }

    fileprivate func pair(_ index: Int) -> PackedPair {
      PackedPair(input: index == 0 ? sequences : layouts[index - 1], output: layouts[index])
    }
  }

  /// Makes memory for one worker.
  public func makeWorkspace(training: Bool = false) -> Workspace {
    Workspace(self, isTraining: training)
  }

  /// The logarithms of the probabilities [N', K] of the workspace's input, in the layout of its
  /// output; valid until the next call.
  public func forward(
    _ workspace: Workspace, context: LayerContext
  ) -> UnsafeMutablePointer<Float> {
    precondition(
      workspace.isTraining || !context.isTraining, "training needs a workspace made for it")
    workspace.prepare(self)
    var current = workspace.inputBuffer.pointer
    for (index, layer) in layers.enumerated() {
      let y = workspace.activation(index)
      layer.forward(
        current, y, workspace.pair(index), scratch: workspace.scratch(index),
        context: seeded(context, index))
      current = y
    }
    Kernels.logSoftmax(
      current, rows: workspace.outputSequences.rows, columns: architecture.classes)
    return current
  }

  /// Adds the parameters' gradients into the context's, or replaces those, from the gradient of
  /// the logits [N', K], which is destroyed; the input needs none.
  public func backward(
    _ workspace: Workspace, logitGradient: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    precondition(workspace.isTraining, "a backward pass needs a workspace made for training")
    var gradient = logitGradient
    for index in layers.indices.reversed() {
      let isFirst = index == 0
      layers[index].backward(
        isFirst ? workspace.inputBuffer.pointer : workspace.activation(index - 1),
        workspace.activation(index), gradient,
        isFirst ? nil : workspace.gradients[index - 1].pointer, workspace.pair(index),
        scratch: workspace.scratch(index), context: seeded(context, index))
      if !isFirst { gradient = workspace.gradients[index - 1].pointer }
    }
  }

  /// Fills a parameter buffer with starting values.
  public func initialize(
    _ buffer: AlignedBuffer, using generator: inout some RandomNumberGenerator
  ) {
    parameters.initialize(buffer, using: &generator)
  }

  private func seeded(_ context: LayerContext, _ index: Int) -> LayerContext {
    var result = context
    result.seed = context.seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
    return result
  }
}
