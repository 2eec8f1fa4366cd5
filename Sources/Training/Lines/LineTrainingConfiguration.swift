import Features
import Networks
import Recognition

/// All settings that, together with the data, determine the result of training a line model. Saved
/// with the training state: a run is resumed with the configuration that it was started with.
public struct LineTrainingConfiguration: TrainingConfiguration {
  /// Seed of the initial weights, the order of the samples, augmentation and dropout.
  public var seed: UInt64 = 1
  /// Passes over the training data.
  public var epochs = 60
  /// Lines of one optimisation step.
  public var batchSize = 16
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  public var shards = 2
  /// Peak of the one-cycle learning rate.
  public var peakRate: Float = 4e-3
  /// The peak divided by the last learning rate; 1 stays at the peak.
  public var finalDivisor: Float = 10_000
  /// Decoupled weight decay.
  public var weightDecay: Float = 0.02
  /// Decay of the moving average of the weights, per step.
  public var averageDecay: Float = 0.999
  /// Longer gradients are scaled down to this length.
  public var maximumGradientNorm = 5.0
  /// SHA-256 of the weights that training started from; nil for fresh weights.
  public var start: String?
  /// Random changes to the training inks.
  public var augmentation = LineAugmentation()
  /// The most words of a writer that are combined to a line; 1 for none.
  public var joinedWords = 6
  /// True if the network cuts lines of several words into words once it is accurate enough. The
  /// words of a writer are then recombined to lines of at most ``joinedWords`` words, in addition
  /// to the original lines.
  public var cutsLines = true
  /// The most single digits of a writer that are combined to a number, with marks between them.
  /// Below 2, each digit is a line of its own.
  public var joinedDigits = 0
  /// The epoch whose weights are kept.
  public var keptEpoch = KeptEpoch.best
  /// The precision of the factors of matrix products.
  public var precision = TrainingPrecision.single
  /// The conversion of ink to numbers.
  public var pipeline = LinePipeline()
  /// The network's layers, except the last.
  public var layers = LineLayers.base

  /// Makes the default configuration.
  public init() {}

  /// True if words are combined to lines.
  var joins: Bool { joinedWords > 1 }

  /// True if lines are cut into words. This requires that words are combined.
  var cuts: Bool { cutsLines && joins }

  /// Changes the features to curves, and the layers to ones that keep every step: a character has
  /// only a few curves.
  public mutating func useCurves() {
    pipeline.curveError = 0.03
    for stage in layers.stages.indices { layers.stages[stage].stride = 1 }
  }

  /// - Throws: ``TrainingError`` if a setting is out of its range.
  public func check(classes: Int) throws(TrainingError) {
    try TrainingError.check("joinedWords", joinedWords, in: 1...64)
    try TrainingError.check("joinedDigits", joinedDigits, in: 0...64)
    try TrainingError.check("augmentation.maskedShare", augmentation.maskedShare, in: 0...1)
    try TrainingError.check("finalDivisor", finalDivisor, in: 1...1e9)
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
    public var channels: Int
    /// Steps that the kernel spans; odd.
    public var kernel: Int
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
  public var stages: [Stage]
  /// Units in each direction of each recurrent layer.
  public var hidden: [Int]
  /// Dropout after every recurrent layer.
  public var dropout: Float
  /// True if the output of every recurrent layer is normalised.
  public var normalizes = false

  /// Makes the sizes.
  public init(stages: [Stage], hidden: [Int], dropout: Float) {
    self.stages = stages
    self.hidden = hidden
    self.dropout = dropout
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

  /// The architecture for a pipeline and a number of classes, the blank included.
  public func architecture(_ pipeline: LinePipeline, classes: Int) -> SequenceArchitecture {
    var layers = stages.map {
      PackedLayerSpecification.convolution(
        channels: $0.channels, kernel: $0.kernel, stride: $0.stride)
    }
    for units in hidden {
      layers.append(.bidirectionalLSTM(hidden: units))
      if normalizes { layers.append(.layerNormalization) }
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
