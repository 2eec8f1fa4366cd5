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

extension SequenceArchitecture {
  /// Refuses what does not make a network of reasonable size.
  ///
  /// - Throws: ``NetworkError`` naming the first such member.
  func check() throws(NetworkError) {
    let sizes = 1...8192
    guard sizes.contains(channels), (2...65536).contains(classes), layers.count <= 64 else {
      throw NetworkError(
        what: "architecture", expected: "1 to 8192 channels, 2 to 65536 classes, 64 layers",
        found: "\(channels), \(classes) and \(layers.count)")
    }
    var (width, weights, stride) = (channels, 0, 1)
    for (index, layer) in (layers + [.dense(units: classes)]).enumerated() {
      let isSound: Bool
      switch layer {
      case .convolution(let outputs, let kernel, let step):
        isSound =
          sizes.contains(outputs) && (1...255).contains(kernel) && kernel % 2 == 1
          && (1...Self.maximumStride).contains(step) && stride * step <= Self.maximumStride
        if isSound {
          weights += kernel * width * outputs
          stride *= step
        }
        width = outputs
      case .bidirectionalLSTM(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 8 * hidden * (width + hidden) }
        width = isSound ? 2 * hidden : width
      case .lstm(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 4 * hidden * (width + hidden) }
        width = isSound ? hidden : width
      case .dense(let units):
        isSound = sizes.contains(units) || index == layers.count
        if isSound { weights += width * units }
        width = units
      case .layerNormalization:
        isSound = true
      case .dropout(let rate):
        isSound = rate >= 0 && rate < 1
      }
      guard isSound, weights <= GlyphArchitecture.maximumTotal else {
        throw NetworkError(
          what: "layer \(index)",
          expected: "sizes that make a layer, at most \(GlyphArchitecture.maximumTotal) weights "
            + "and \(Self.maximumStride) input steps to an output step",
          found: "\(layer)")
      }
    }
  }

  /// Refuses an architecture that makes a network where the values of all steps of one layer are too
  /// many for a sequence of so many steps.
  ///
  /// - Throws: ``NetworkError``.
  package func check(longest steps: Int) throws(NetworkError) {
    var (rows, most) = (steps, steps * channels)
    for layer in layers + [.dense(units: classes)] {
      switch layer {
      case .convolution(let outputs, _, let stride):
        rows = (rows + stride - 1) / stride
        most = max(most, rows * outputs)
      case .bidirectionalLSTM(let hidden): most = max(most, rows * 8 * hidden)
      case .lstm(let hidden): most = max(most, rows * 4 * hidden)
      case .dense(let units): most = max(most, rows * units)
      case .layerNormalization, .dropout: break
      }
    }
    guard most <= Self.maximumValues else {
      throw NetworkError(
        what: "layers", expected: "at most \(Self.maximumValues) values of \(steps) steps in each",
        found: "\(most)")
    }
  }

  /// A quarter of a gibibyte.
  private static let maximumValues = 1 << 26
  /// Input steps to an output step; more leave nothing of a word.
  private static let maximumStride = 64
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
  ///
  /// - Throws: ``NetworkError`` where the architecture makes no network of reasonable size.
  public init(_ architecture: SequenceArchitecture) throws(NetworkError) {
    try architecture.check()
    self.init(unchecked: architecture)
  }

  /// The same of an architecture that is known to make a network; may trap for others.
  package init(unchecked architecture: SequenceArchitecture) {
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
