import Features
import Networks
import Recognition

/// Everything that decides the outcome of training a line model, besides the data. Saved with the
/// training state; a run is resumed with the configuration it was started with.
public struct LineTrainingConfiguration: TrainingConfiguration {
  /// Seed of the starting weights, the order of the samples, augmentation and dropout.
  public var seed: UInt64 = 1
  /// Passes over the training data.
  public var epochs = 60
  /// Lines of one optimisation step.
  public var batchSize = 16
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  public var shards = 2
  /// Peak of the one-cycle learning rate.
  public var peakRate: Float = 4e-3
  /// The peak over the last learning rate; 1 stays at the peak.
  public var finalDivisor: Float = 10_000
  /// Decoupled weight decay.
  public var weightDecay: Float = 0.02
  /// Decay of the moving average of the weights, per step.
  public var averageDecay: Float = 0.999
  /// Gradients longer than this are scaled down to it.
  public var maximumGradientNorm = 5.0
  /// SHA-256 of the weights that training started from; nil where they were fresh.
  public var start: String?
  /// Random changes to the training inks.
  public var augmentation = LineAugmentation()
  /// The most words of a writer that are put side by side to make a line; 1 for none.
  public var joinedWords = 6
  /// Whether lines of several words are cut into words by the network itself, once it knows how, and
  /// the words of a writer put together to other lines, ``joinedWords`` at most, besides the lines.
  public var cutsLines = true
  /// The most single digits of a writer that are put together to make a number, with marks between
  /// them; below 2 for none, so that each is a line of its own.
  public var joinedDigits = 0
  /// Whose weights training ends with.
  public var keptEpoch = KeptEpoch.best
  /// How the factors of matrix products are rounded.
  public var precision = TrainingPrecision.single
  /// How ink becomes numbers.
  public var pipeline = LinePipeline()
  /// The network's layers, without the last.
  public var layers = LineLayers.base

  /// Makes the default configuration.
  public init() {}

  /// Whether words are put together to lines.
  var joins: Bool { joinedWords > 1 }

  /// Whether lines are cut into words, which takes that those are put together.
  var cuts: Bool { cutsLines && joins }

  /// Changes the features to curves, and the layers to ones that keep every step: curves are a few
  /// for each character.
  public mutating func useCurves() {
    pipeline.curveError = 0.03
    for stage in layers.stages.indices { layers.stages[stage].stride = 1 }
  }

  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
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

/// The sizes of a line network that a preset fixes; the rest follows from features and classes.
public struct LineLayers: Hashable, Codable, Sendable {
  /// A convolution over the points, with bias and ReLU.
  public struct Stage: Hashable, Codable, Sendable {
    /// Channels out.
    public var channels: Int
    /// Odd number of steps the kernel spans.
    public var kernel: Int
    /// Input steps for each output step.
    public var stride: Int

    /// Makes a stage.
    public init(channels: Int, kernel: Int, stride: Int) {
      self.channels = channels
      self.kernel = kernel
      self.stride = stride
    }
  }

  /// From the input up.
  public var stages: [Stage]
  /// Units in each direction of each recurrent layer.
  public var hidden: [Int]
  /// Dropout after every recurrent layer.
  public var dropout: Float
  /// Whether the output of every recurrent layer is normalised.
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
  /// What is used unless another is named: at most 4 MB.
  case base

  /// The configuration.
  public var configuration: LineTrainingConfiguration {
    var result = LineTrainingConfiguration()
    if self == .small {
      result.layers = .small
      // A network that is too small to learn lines by heart needs to see all of them.
      result.augmentation.maskedShare = 0
    }
    return result
  }
}
