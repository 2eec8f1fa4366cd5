import LinearAlgebra

/// The layers of a glyph network, as saved in a model.
///
/// The sequence passes through the trunk, the maps through the side, and the globals through the
/// context. The three outputs are concatenated and pass through the head, whose last layer gives
/// one logit per class.
@usableFromInline package struct GlyphArchitecture: Hashable, Codable, Sendable {
  /// T steps of C channels: the encoded pen trajectory.
  package var sequence: Shape
  /// Layers over the sequence.
  package var trunk: [LayerSpecification]
  /// Number of order-free values; 0 for none.
  package var maps: Int
  /// Layers over the maps.
  package var side: [LayerSpecification]
  /// Number of values that describe the whole ink, such as its size in the writing area.
  package var globals: Int
  /// Layers over the globals.
  package var context: [LayerSpecification]
  /// Layers over the concatenation; the last is a dense layer with one unit per class.
  package var head: [LayerSpecification]

  /// Makes an architecture.
  @usableFromInline package init(
    sequence: Shape, trunk: [LayerSpecification], maps: Int, side: [LayerSpecification],
    globals: Int, context: [LayerSpecification], head: [LayerSpecification]
  ) {
    self.sequence = sequence
    self.trunk = trunk
    self.maps = maps
    self.side = side
    self.globals = globals
    self.context = context
    self.head = head
  }
}

extension GlyphArchitecture {
  /// The most floats of an activation or tensor of a network: 16 Mi.
  static let maximumSize = 1 << 24
  /// The most floats of all weights and activations of a network: 64 Mi.
  static let maximumTotal = 1 << 26

  /// The number of classes: the units of the last layer, or nil if that is not a dense layer.
  package var classes: Int? {
    guard case .dense(let units, _, _)? = head.last else { return nil }
    return units
  }

  /// Checks that the layers make a network of reasonable size.
  ///
  /// - Throws: ``NetworkError`` naming the first such member.
  func check() throws(NetworkError) {
    guard Self.isReasonable(sequence.steps, sequence.channels) else {
      throw NetworkError(
        what: "sequence", expected: "sizes of 1 and more",
        found: "\(sequence.steps) x \(sequence.channels)")
    }
    guard (0...Self.maximumSize).contains(maps), (0...Self.maximumSize).contains(globals) else {
      throw NetworkError(
        what: "maps and globals", expected: "sizes of 0 and more", found: "\(maps) and \(globals)")
    }
    guard classes != nil else {
      throw NetworkError(
        what: "head", expected: "a dense layer as the last layer", found: "another layer")
    }
    var total = 0
    let trunkOutput = try Self.follow(trunk, from: sequence, "trunk", &total)
    let sideOutput = try Self.followBranch(side, values: maps, "side", &total)
    let contextOutput = try Self.followBranch(context, values: globals, "context", &total)
    let joined = trunkOutput.count + sideOutput.count + contextOutput.count
    _ = try Self.follow(head, from: Shape(steps: 1, channels: joined), "head", &total)
  }

  /// Checks a branch over single values, which may be missing.
  private static func followBranch(
    _ layers: [LayerSpecification], values: Int, _ name: String, _ total: inout Int
  ) throws(NetworkError) -> Shape {
    let input = Shape(steps: 1, channels: values)
    return values == 0 && layers.isEmpty
      ? input : try follow(layers, from: input, name, &total)
  }

  private static func isReasonable(_ sizes: Int...) -> Bool {
    var product = 1
    for size in sizes {
      guard size >= 1, size <= maximumSize else { return false }
      let (next, overflow) = product.multipliedReportingOverflow(by: size)
      guard !overflow, next <= maximumSize else { return false }
      product = next
    }
    return true
  }

  /// Returns the output of layers; throws if one of them cannot be made. Adds their floats to
  /// `total`.
  private static func follow(
    _ layers: [LayerSpecification], from input: Shape, _ name: String, _ total: inout Int
  ) throws(NetworkError) -> Shape {
    var shape = input
    for (index, layer) in layers.enumerated() {
      let isSound: Bool
      let inputChannels = shape.channels
      let inputCount = shape.count
      var weights = 0
      switch layer {
      case .convolution(let channels, let kernel, let bias, let relu):
        isSound =
          kernel % 2 == 1 && isReasonable(kernel, shape.channels, max(channels, shape.steps))
          && isReasonable(shape.steps, channels) && (bias || !relu)
        if isSound { weights = kernel * inputChannels * max(channels, shape.steps) }
        shape.channels = channels
      case .dense(let units, let bias, let relu):
        isSound = isReasonable(shape.steps, shape.channels, units) && (bias || !relu)
        if isSound { weights = inputCount * units }
        shape = Shape(steps: 1, channels: units)
      case .batchNormalization:
        isSound = true
      case .maxPool:
        isSound = true
        shape.steps = max(1, shape.steps / 2)
      case .dropout(let rate):
        guard rate >= 0, rate < 1 else {
          throw NetworkError(
            what: "\(name) layer \(index)", expected: "a rate from 0, below 1", found: "\(rate)")
        }
        isSound = true
      }
      guard isSound else {
        throw NetworkError(
          what: "\(name) layer \(index)", expected: "valid sizes for a layer",
          found: "invalid sizes")
      }
      total += weights + shape.count
      guard total <= maximumTotal else {
        throw NetworkError(
          what: "network", expected: "at most \(maximumTotal) weights and activations",
          found: "more, at \(name) layer \(index)")
      }
    }
    return shape
  }
}

/// The inputs of a batch: sequence [B, T, C], maps [B, M], globals [B, G].
@usableFromInline package struct GlyphInput {
  /// [B, T, C]
  package let sequence: AlignedBuffer
  /// [B, M]
  package let maps: AlignedBuffer
  /// [B, G]
  package let globals: AlignedBuffer

  /// Allocates the inputs of up to `batch` samples.
  @usableFromInline package init(_ architecture: GlyphArchitecture, batch: Int) {
    sequence = AlignedBuffer(count: batch * architecture.sequence.count)
    maps = AlignedBuffer(count: batch * architecture.maps)
    globals = AlignedBuffer(count: batch * architecture.globals)
  }
}

/// A network from one encoded ink to one logit per class.
public struct GlyphNetwork: Sendable {
  /// The layers.
  package let architecture: GlyphArchitecture
  /// All tensors, in the order of the flat buffer.
  package let parameters: [Parameter]
  /// Floats of the flat parameter buffer.
  package let parameterCount: Int
  /// The number of classes K.
  @usableFromInline package var classes: Int { head.output.channels }

  let trunk: Sequential
  let side: Sequential
  let context: Sequential
  let head: Sequential

  /// Makes the network. Its parameters are in a buffer of `parameterCount` floats.
  ///
  /// - Throws: ``NetworkError`` if the architecture does not make a network of reasonable size.
  package init(_ architecture: GlyphArchitecture) throws(NetworkError) {
    try architecture.check()
    self.init(unchecked: architecture)
  }

  /// Makes a network without checking the architecture; may trap if it is invalid.
  package init(unchecked architecture: GlyphArchitecture) {
    self.architecture = architecture
    var allocator = ParameterAllocator()
    trunk = Sequential(
      architecture.trunk, input: architecture.sequence, name: "trunk", allocator: &allocator)
    side = Sequential(
      architecture.side, input: Shape(steps: 1, channels: architecture.maps), name: "side",
      allocator: &allocator)
    context = Sequential(
      architecture.context, input: Shape(steps: 1, channels: architecture.globals),
      name: "context", allocator: &allocator)
    let joined = trunk.output.count + side.output.count + context.output.count
    head = Sequential(
      architecture.head, input: Shape(steps: 1, channels: joined), name: "head",
      allocator: &allocator)
    parameters = allocator.parameters
    parameterCount = allocator.count
  }

  /// The memory of one thread.
  package final class Workspace {
    let trunk: Sequential.Workspace
    let side: Sequential.Workspace
    let context: Sequential.Workspace
    let head: Sequential.Workspace
    let joined: AlignedBuffer
    let joinedGradient: AlignedBuffer

    init(_ network: GlyphNetwork, batch: Int, training: Bool) {
      trunk = network.trunk.makeWorkspace(batch: batch, training: training)
      side = network.side.makeWorkspace(batch: batch, training: training)
      context = network.context.makeWorkspace(batch: batch, training: training)
      head = network.head.makeWorkspace(batch: batch, training: training)
      joined = AlignedBuffer(count: batch * network.head.input.count)
      joinedGradient = AlignedBuffer(count: training ? batch * network.head.input.count : 0)
    }
  }

  /// Allocates memory for batches of up to `batch` samples.
  package func makeWorkspace(batch: Int, training: Bool = false) -> Workspace {
    Workspace(self, batch: batch, training: training)
  }

  /// Computes the logits [B, K], valid until the next call. Allocates nothing.
  package func forward(
    _ input: GlyphInput, batch: Int, workspace: Workspace, context: LayerContext
  ) -> UnsafePointer<Float> {
    var column = 0
    func join(_ part: UnsafePointer<Float>, _ width: Int) {
      for sample in 0..<batch {
        (workspace.joined.pointer + sample * head.input.count + column)
          .update(from: part + sample * width, count: width)
      }
      column += width
    }
    join(
      trunk.forward(
        input.sequence.pointer, batch: batch, workspace: workspace.trunk, context: context),
      trunk.output.count)
    join(
      side.forward(
        input.maps.pointer, batch: batch, workspace: workspace.side, context: context.seeded(1)),
      side.output.count)
    join(
      self.context.forward(
        input.globals.pointer, batch: batch, workspace: workspace.context,
        context: context.seeded(2)), self.context.output.count)
    return head.forward(
      workspace.joined.pointer, batch: batch, workspace: workspace.head,
      context: context.seeded(3))
  }

  /// The buffer for the gradient of the logits [B, K]. The caller writes it before `backward`.
  package func logitGradient(_ workspace: Workspace) -> UnsafeMutablePointer<Float>? {
    head.outputGradient(workspace.head)
  }

  /// Adds the gradients of the parameters to the context's gradients. Computes none for the input.
  /// Allocates nothing.
  package func backward(
    _ input: GlyphInput, batch: Int, workspace: Workspace, context: LayerContext
  ) {
    head.backward(
      workspace.joined.pointer, dx: workspace.joinedGradient.pointer, batch: batch,
      workspace: workspace.head, context: context.seeded(3))
    var column = 0
    func part(_ gradient: UnsafeMutablePointer<Float>?, _ width: Int) {
      for sample in 0..<batch {
        gradient?.advanced(by: sample * width).update(
          from: workspace.joinedGradient.pointer + sample * head.input.count + column,
          count: width)
      }
      column += width
    }
    part(trunk.outputGradient(workspace.trunk), trunk.output.count)
    part(side.outputGradient(workspace.side), side.output.count)
    part(self.context.outputGradient(workspace.context), self.context.output.count)
    trunk.backward(
      input.sequence.pointer, dx: nil, batch: batch, workspace: workspace.trunk, context: context)
    side.backward(
      input.maps.pointer, dx: nil, batch: batch, workspace: workspace.side,
      context: context.seeded(1))
    self.context.backward(
      input.globals.pointer, dx: nil, batch: batch, workspace: workspace.context,
      context: context.seeded(2))
  }

  /// Fills a parameter buffer with initial values.
  package func initialize(
    _ buffer: AlignedBuffer, using generator: inout some RandomNumberGenerator
  ) {
    parameters.initialize(buffer, using: &generator)
  }

  /// Multiply-adds of one sample's forward pass in the matrix products.
  package var multiplyAdds: Int {
    [trunk, side, context, head].reduce(0) { $0 + $1.multiplyAdds }
  }
}

extension LayerContext {
  /// The context for one of a network's parts, with its own dropout masks.
  fileprivate func seeded(_ part: UInt64) -> LayerContext {
    var result = self
    result.seed = seed &+ part &* 0x5851_F42D_4C95_7F2D
    return result
  }
}

extension Sequential {
  /// Multiply-adds of one sample's forward pass in the matrix products.
  var multiplyAdds: Int {
    layers.reduce(0) { sum, layer in
      switch layer {
      case let layer as Convolution: sum + layer.weight.count * layer.output.steps
      case let layer as Dense: sum + layer.weight.count
      default: sum
      }
    }
  }
}
