import LinearAlgebra

/// The layers of a network over sequences, as saved in a model.
@usableFromInline package struct SequenceArchitecture: Hashable, Codable, Sendable {
  /// C of the input: encoded pen trajectories, or one-hot characters.
  package var channels: Int
  /// The layers from the input up, without the last dense layer to the classes.
  package var layers: [PackedLayerSpecification]
  /// K. A line model has the blank, class 0, and one class for each symbol.
  package var classes: Int

  /// Makes an architecture.
  @usableFromInline package init(channels: Int, layers: [PackedLayerSpecification], classes: Int) {
    self.channels = channels
    self.layers = layers
    self.classes = classes
  }
}

extension SequenceArchitecture {
  /// Checks that the layers make a network of reasonable size.
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
      case .meanPool(let step):
        isSound = (2...Self.maximumStride).contains(step) && stride * step <= Self.maximumStride
        if isSound { stride *= step }
      }
      guard isSound, weights <= GlyphArchitecture.maximumTotal else {
        throw NetworkError(
          what: "layer \(index)",
          expected: "valid layer sizes, at most \(GlyphArchitecture.maximumTotal) weights "
            + "and \(Self.maximumStride) input steps per output step",
          found: "\(layer)")
      }
    }
  }

  /// Checks that no layer has too many values for a sequence of `steps` steps.
  ///
  /// - Throws: ``NetworkError``.
  package func check(longest steps: Int) throws(NetworkError) {
    var (rows, most) = (steps, steps * channels)
    for layer in layers + [.dense(units: classes)] {
      switch layer {
      case .convolution(let outputs, _, let stride):
        rows = PackedSequences.outputSteps(rows, stride: stride)
        most = max(most, rows * outputs)
      case .bidirectionalLSTM(let hidden): most = max(most, rows * 8 * hidden)
      case .lstm(let hidden): most = max(most, rows * 4 * hidden)
      case .dense(let units): most = max(most, rows * units)
      case .meanPool(let stride): rows = PackedSequences.outputSteps(rows, stride: stride)
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
  /// The most input steps per output step; more would leave nothing of a word.
  private static let maximumStride = 64
}

/// A network from sequences to ln p of each class at each time step: of encoded ink for
/// connectionist temporal classification, or of characters for language models.
public struct SequenceNetwork: Sendable {
  /// The layers.
  package let architecture: SequenceArchitecture
  /// All tensors, in the order of the flat buffer.
  package let parameters: [Parameter]
  /// Floats of the flat parameter buffer.
  package let parameterCount: Int
  /// Input steps per output step. Output step u covers the input steps stride u ..< stride (u + 1).
  package let stride: Int

  let layers: [any PackedLayer]

  /// Makes the network. Its parameters are in a buffer of `parameterCount` floats.
  ///
  /// - Throws: ``NetworkError`` if the architecture does not make a network of reasonable size.
  package init(_ architecture: SequenceArchitecture) throws(NetworkError) {
    try architecture.check()
    self.init(unchecked: architecture)
  }

  /// Makes a network without checking the architecture; may trap if it is invalid.
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

  /// The number of output steps of a sequence of `length` input steps.
  package func outputSteps(_ length: Int) -> Int {
    PackedSequences.outputSteps(length, stride: stride)
  }

  /// Multiply-adds of the forward pass over a sequence of `length` steps, in the matrix products.
  package func multiplyAdds(_ length: Int) -> Int {
    var (steps, sum) = (length, 0)
    for layer in layers {
      steps = PackedSequences.outputSteps(steps, stride: layer.stride)
      sum += steps * layer.multiplyAdds
    }
    return sum
  }

  /// The memory of one thread. Grows to the largest batch and allocates nothing after that.
  package final class Workspace {
    /// The layout of the input; set its lengths before `forward`.
    package let sequences = PackedSequences()
    /// The layout of the output.
    package var outputSequences: PackedSequences { layouts.last ?? sequences }
    let isTraining: Bool
    fileprivate var layouts: [PackedSequences]
    fileprivate var inputBuffer = AlignedBuffer(count: 0)
    /// One buffer per layer if there is a backward pass; otherwise two that layers use alternately.
    private var activations: [AlignedBuffer]
    /// One buffer per layer if there is a backward pass; otherwise one.
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

    /// The scratch memory of a layer.
    fileprivate func scratch(_ layer: Int) -> UnsafeMutablePointer<Float> {
      scratch[layer % scratch.count].pointer
    }

    /// The input [N, C]. Write it after setting the lengths and before `forward`.
    package var input: UnsafeMutablePointer<Float> {
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

    /// Grows by a quarter more than needed, so that slightly longer batches need no new memory.
    private static func grow(_ buffer: inout AlignedBuffer, to count: Int) {
      if buffer.count < count { buffer = AlignedBuffer(count: count + count / 4) }
    }

    fileprivate func pair(_ index: Int) -> PackedPair {
      PackedPair(input: index == 0 ? sequences : layouts[index - 1], output: layouts[index])
    }
  }

  /// Allocates memory for one thread.
  package func makeWorkspace(training: Bool = false) -> Workspace {
    Workspace(self, isTraining: training)
  }

  /// Computes ln p [N', K] of the workspace's input, in the layout of its output; valid until the
  /// next call.
  package func forward(
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

  /// Adds the gradients of the parameters to the context's gradients, or replaces them. Overwrites
  /// the gradient of the logits [N', K]. Computes none for the input.
  package func backward(
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

  /// Fills a parameter buffer with initial values.
  package func initialize(
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
