import LinearAlgebra

/// What a glyph network is made of, as saved in a model.
///
/// The sequence passes the trunk, the maps pass the side and the globals pass the context; the three
/// outputs are joined and pass the head, whose last layer gives one logit per class.
public struct GlyphArchitecture: Hashable, Codable, Sendable {
  /// T steps of C channels: the encoded pen trajectory.
  public var sequence: Shape
  /// Layers over the sequence.
  public var trunk: [LayerSpecification]
  /// Number of order-free values, 0 for none.
  public var maps: Int
  /// Layers over the maps.
  public var side: [LayerSpecification]
  /// Number of values that describe the whole ink, such as its size in the writing area.
  public var globals: Int
  /// Layers over the globals.
  public var context: [LayerSpecification]
  /// Layers over all that, the last a dense layer of as many units as there are classes.
  public var head: [LayerSpecification]

  /// Makes an architecture.
  public init(
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
  /// No activation or tensor of a network may have more floats than this: 16 Mi.
  static let maximumSize = 1 << 24
  /// All weights and activations of a network together may have at most this many floats: 64 Mi.
  static let maximumTotal = 1 << 26

  /// The number of classes: the units of the last layer, or nil where that is not a dense layer.
  package var classes: Int? {
    guard case .dense(let units, _, _)? = head.last else { return nil }
    return units
  }

  /// Refuses what does not make a network of reasonable size.
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
      throw NetworkError(what: "head", expected: "a dense layer at its end", found: "another")
    }
    var total = 0
    let trunkOutput = try Self.follow(trunk, from: sequence, "trunk", &total)
    let sideOutput = try Self.followBranch(side, values: maps, "side", &total)
    let contextOutput = try Self.followBranch(context, values: globals, "context", &total)
    let joined = trunkOutput.count + sideOutput.count + contextOutput.count
    _ = try Self.follow(head, from: Shape(steps: 1, channels: joined), "head", &total)
  }

  /// A branch over single values, which may be missing altogether.
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

  /// The output of layers, none of which is one that cannot be made; adds their floats to `total`.
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
          what: "\(name) layer \(index)", expected: "sizes that make a layer",
          found: "sizes that do not")
      }
      total += weights + shape.count
      guard total <= maximumTotal else {
        throw NetworkError(
          what: "network", expected: "at most \(maximumTotal) weights and activations",
          found: "more by \(name) layer \(index)")
      }
    }
    return shape
  }
}

/// The inputs of a batch: sequence [B, T, C], maps [B, M], globals [B, G].
public struct GlyphInput {
  /// [B, T, C]
  public let sequence: AlignedBuffer
  /// [B, M]
  public let maps: AlignedBuffer
  /// [B, G]
  public let globals: AlignedBuffer

  /// Allocates the inputs of up to `batch` samples.
  public init(_ architecture: GlyphArchitecture, batch: Int) {
    sequence = AlignedBuffer(count: batch * architecture.sequence.count)
    maps = AlignedBuffer(count: batch * architecture.maps)
    globals = AlignedBuffer(count: batch * architecture.globals)
  }
}

/// A network from one encoded ink to one logit per class.
public struct GlyphNetwork: Sendable {
  /// What it is made of.
  public let architecture: GlyphArchitecture
  /// All tensors, in the order of the flat buffer.
  public let parameters: [Parameter]
  /// Floats of the flat parameter buffer.
  public let parameterCount: Int
  /// Number of classes K.
  public var classes: Int { head.output.channels }

  let trunk: Sequential
  let side: Sequential
  let context: Sequential
  let head: Sequential

  /// Makes the network; its parameters live in a buffer of `parameterCount` floats.
  ///
  /// - Throws: ``NetworkError`` where the architecture makes no network of reasonable size.
  public init(_ architecture: GlyphArchitecture) throws(NetworkError) {
    try architecture.check()
    self.init(unchecked: architecture)
  }

  /// The same of an architecture that is known to make a network; may trap for others.
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

  /// The memory of one worker.
  public final class Workspace {
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
  public func makeWorkspace(batch: Int, training: Bool = false) -> Workspace {
    Workspace(self, batch: batch, training: training)
  }

  /// The logits [B, K], valid until the next call. Allocates nothing.
  public func forward(
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

  /// Where the caller writes the logits' gradient [B, K] before `backward`.
  public func logitGradient(_ workspace: Workspace) -> UnsafeMutablePointer<Float>? {
    head.outputGradient(workspace.head)
  }

  /// Adds the parameters' gradients into the context's; the input needs none. Allocates nothing.
  public func backward(
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

  /// Fills a parameter buffer with starting values.
  public func initialize(
    _ buffer: AlignedBuffer, using generator: inout some RandomNumberGenerator
  ) {
    parameters.initialize(buffer, using: &generator)
  }

  /// Multiply-adds of one sample's forward pass in the matrix products.
  public var multiplyAdds: Int {
    [trunk, side, context, head].reduce(0) { $0 + $1.multiplyAdds }
  }
}

extension LayerContext {
  /// The context of one of a network's parts, so that their dropout masks differ.
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
