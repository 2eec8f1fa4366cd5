import Features
import Networks
import Recognition

/// All settings that, together with the data, determine the result of training a line model. Saved
/// with the training state: a run is resumed with the configuration that it was started with.
public struct LineTrainingConfiguration: TrainingConfiguration {
  /// The settings of the optimisation.
  public var optimization = Optimization(
    epochs: 60, batchSize: 16, shards: 2, peakRate: 4e-3, weightDecay: 0.02, averageDecay: 0.999,
    maximumGradientNorm: 5)
  /// SHA-256 of the weights that training started from; nil for fresh weights.
  public var start: String?
  /// Random changes to the training inks.
  package var augmentation = LineAugmentation()
  /// The most words of a writer that are combined to a line; 1 for none.
  public var joinedWords = 6
  /// True if the network cuts lines of several words into words once it is accurate enough. The
  /// words of a writer are then recombined to lines of at most ``joinedWords`` words, in addition
  /// to the original lines.
  package var cutsLines = true
  /// The most single digits of a writer that are combined to a number, with marks between them.
  /// Below 2, each digit is a line of its own.
  package var joinedDigits = 0
  /// The conversion of ink to numbers.
  package var pipeline = LinePipeline()
  /// The network's layers, except the last.
  package var layers = LineLayers.base

  /// Makes the default configuration.
  public init() {}

  private enum CodingKeys: String, CodingKey {
    case start, augmentation, joinedWords, cutsLines, joinedDigits, pipeline, layers
  }

  /// Decodes a configuration, whose settings of the optimisation are beside the others.
  public init(from decoder: any Decoder) throws {
    optimization = try Optimization(from: decoder)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    start = try values.decodeIfPresent(String.self, forKey: .start)
    augmentation = try values.decode(LineAugmentation.self, forKey: .augmentation)
    joinedWords = try values.decode(Int.self, forKey: .joinedWords)
    cutsLines = try values.decode(Bool.self, forKey: .cutsLines)
    joinedDigits = try values.decode(Int.self, forKey: .joinedDigits)
    pipeline = try values.decode(LinePipeline.self, forKey: .pipeline)
    layers = try values.decode(LineLayers.self, forKey: .layers)
  }

  /// Encodes the configuration in the same form.
  public func encode(to encoder: any Encoder) throws {
    try optimization.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(start, forKey: .start)
    try values.encode(augmentation, forKey: .augmentation)
    try values.encode(joinedWords, forKey: .joinedWords)
    try values.encode(cutsLines, forKey: .cutsLines)
    try values.encode(joinedDigits, forKey: .joinedDigits)
    try values.encode(pipeline, forKey: .pipeline)
    try values.encode(layers, forKey: .layers)
  }

  /// True if words are combined to lines.
  var joins: Bool { joinedWords > 1 }

  /// True if lines are cut into words. This requires that words are combined.
  var cuts: Bool { cutsLines && joins }

  /// Changes the features to curves, and the layers to ones that keep every step: a character has
  /// only a few curves.
  package mutating func useCurves() {
    pipeline.curveError = 0.03
    layers.stride = 1
    for stage in layers.stages.indices { layers.stages[stage].stride = 1 }
  }

  /// Takes over what training from a model cannot change, or would lose: the places of marks, and the layers
  /// where they are wider than these or of another kind. Settings that are made afterwards may widen them.
  public mutating func start(from model: LineModel) {
    pipeline.placesMarks = model.pipeline.placesMarks
    layers.start(from: model.network.architecture)
  }

  /// - Throws: ``TrainingError`` if a setting is out of its range.
  public func check(classes: Int) throws(TrainingError) {
    try TrainingError.check("joinedWords", joinedWords, in: 1...64)
    try TrainingError.check("joinedDigits", joinedDigits, in: 0...64)
    try TrainingError.check("augmentation.maskedShare", augmentation.maskedShare, in: 0...1)
    try TrainingError.check(
      "layers.stride", layers.stride, in: 1...(layers.hidden.isEmpty ? 1 : LineLayers.largestStride)
    )
    let architecture = layers.architecture(pipeline, classes: classes)
    try check(
      augmentation: augmentation.values, features: pipeline.check,
      network: { () throws(NetworkError) in
        _ = try SequenceNetwork(architecture)
        try architecture.check(longest: pipeline.maximumSteps)
      })
  }
}

/// The layer sizes of a line network that a preset fixes; the rest follows from features and
/// classes.
public struct LineLayers: Hashable, Codable, Sendable {
  /// A convolution over the points, with bias and ReLU.
  public struct Stage: Hashable, Codable, Sendable {
    /// Output channels.
    package var channels: Int
    /// Steps that the kernel spans; odd.
    package var kernel: Int
    /// Input steps per output step.
    public var stride: Int

    /// Makes a stage.
    public init(channels: Int, kernel: Int, stride: Int) {
      self.channels = channels
      self.kernel = kernel
      self.stride = stride
    }
  }

  /// The convolutions, from the input up.
  package var stages: [Stage]
  /// Units in each direction of each recurrent layer.
  package var hidden: [Int]
  /// Dropout after every recurrent layer.
  package var dropout: Float
  /// True if the output of every recurrent layer is normalised.
  package var normalizes = false
  /// Steps of the first recurrent layer whose mean is one step of the later layers and of the
  /// output, 1 ... 8; 1 keeps every step.
  package var stride = 1

  /// The largest ``stride``: behind stages that keep every step, a letter then has about two.
  static let largestStride = 8

  /// Makes the sizes.
  public init(stages: [Stage], hidden: [Int], dropout: Float) {
    self.stages = stages
    self.hidden = hidden
    self.dropout = dropout
  }

  /// Decodes sizes; those that were written before there was a stride have none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    stages = try values.decode([Stage].self, forKey: .stages)
    hidden = try values.decode([Int].self, forKey: .hidden)
    dropout = try values.decode(Float.self, forKey: .dropout)
    normalizes = try values.decode(Bool.self, forKey: .normalizes)
    stride = try values.decodeIfPresent(Int.self, forKey: .stride) ?? 1
  }

  /// Layers of the base preset.
  public static let base = LineLayers(
    stages: [
      Stage(channels: 48, kernel: 7, stride: 1), Stage(channels: 96, kernel: 5, stride: 3),
    ], hidden: [128, 128, 128], dropout: 0.3)

  /// Layers of the small preset.
  public static let small = LineLayers(
    stages: [
      Stage(channels: 32, kernel: 7, stride: 1), Stage(channels: 64, kernel: 5, stride: 3),
    ], hidden: [64, 64, 64], dropout: 0.2)

  /// Takes over the layers of a network; its stages and recurrent layers keep the width that they have here
  /// if that is larger. The dropout stays. A network of other layers changes nothing.
  mutating func start(from architecture: SequenceArchitecture) {
    var other = LineLayers(stages: [], hidden: [], dropout: dropout)
    for layer in architecture.layers {
      switch layer {
      case .convolution(let channels, let kernel, let stride):
        other.stages.append(Stage(channels: channels, kernel: kernel, stride: stride))
      case .bidirectionalLSTM(let hidden): other.hidden.append(hidden)
      case .layerNormalization: other.normalizes = true
      case .meanPool(let stride): other.stride = stride
      case .dropout: break
      case .lstm, .dense: return
      }
    }
    if other.hidden.count == hidden.count {
      other.hidden = zip(other.hidden, hidden).map(max)
    }
    if other.stages.map(\.kernel) == stages.map(\.kernel),
      other.stages.map(\.stride) == stages.map(\.stride)
    {
      for place in stages.indices {
        other.stages[place].channels = max(other.stages[place].channels, stages[place].channels)
      }
    }
    self = other
  }

  /// The architecture for a pipeline and a number of classes, the blank included.
  package func architecture(_ pipeline: LinePipeline, classes: Int) -> SequenceArchitecture {
    var layers = stages.map {
      PackedLayerSpecification.convolution(
        channels: $0.channels, kernel: $0.kernel, stride: $0.stride)
    }
    for (index, units) in hidden.enumerated() {
      layers.append(.bidirectionalLSTM(hidden: units))
      if normalizes { layers.append(.layerNormalization) }
      if index == 0, stride != 1 { layers.append(.meanPool(stride: stride)) }
      if dropout > 0 { layers.append(.dropout(rate: dropout)) }
    }
    return SequenceArchitecture(channels: pipeline.channels, layers: layers, classes: classes)
  }
}

/// Named configurations of line training.
public enum LinePreset: String, CaseIterable, Sendable {
  /// For machines where the base preset is too slow: at most 1 MB.
  case small
  /// The default: at most 4 MB.
  case base

  /// The configuration.
  public var configuration: LineTrainingConfiguration {
    var result = LineTrainingConfiguration()
    if self == .small {
      result.layers = .small
      // A small network cannot memorise lines, so it trains on whole lines.
      result.augmentation.maskedShare = 0
    }
    return result
  }
}
