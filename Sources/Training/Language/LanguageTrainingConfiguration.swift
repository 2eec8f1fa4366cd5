import Networks
import Recognition

/// Everything that decides the outcome of training a recurrent language model, besides the text.
public struct LanguageTrainingConfiguration: TrainingConfiguration {
  /// Seed of the starting weights and the order of the passages.
  public var seed: UInt64 = 1
  /// Passes over the text.
  public var epochs = 1
  /// Passages of one optimisation step.
  public var batchSize = 64
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  public var shards = 2
  /// Peak of the one-cycle learning rate.
  public var peakRate: Float = 1e-2
  /// The peak over the last learning rate; 1 stays at the peak.
  public var finalDivisor: Float = 10_000
  /// Decoupled weight decay.
  public var weightDecay: Float = 0.01
  /// Decay of the moving average of the weights, per step.
  public var averageDecay: Float = 0.999
  /// Gradients longer than this are scaled down to it.
  public var maximumGradientNorm = 1.0
  /// Whose weights training ends with.
  public var keptEpoch = KeptEpoch.best
  /// How the factors of matrix products are rounded.
  public var precision = TrainingPrecision.single
  /// Units of each recurrent layer.
  public var hidden = [512]
  /// Dropout after every recurrent layer.
  public var dropout: Float = 0
  /// The most characters of a passage.
  public var passageLength = 200
  /// A character that occurs less often is not learned.
  public var minimumCount = 20
  /// Of so many texts one is held out for validation.
  public var validationShare = 100

  /// Makes the default configuration.
  public init() {}

  /// The architecture for a number of symbols.
  public func architecture(symbols: Int) -> SequenceArchitecture {
    var layers: [PackedLayerSpecification] = []
    for units in hidden {
      layers.append(.lstm(hidden: units))
      if dropout > 0 { layers.append(.dropout(rate: dropout)) }
    }
    return SequenceArchitecture(channels: symbols, layers: layers, classes: symbols)
  }

  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
  public func check(classes: Int) throws(TrainingError) {
    try TrainingError.check("finalDivisor", finalDivisor, in: 1...1e9)
    try TrainingError.check("passageLength", passageLength, in: 2...65536)
    try TrainingError.check("minimumCount", minimumCount, in: 1...1_000_000)
    try TrainingError.check("validationShare", validationShare, in: 2...1_000_000)
    try TrainingError.check("hidden", hidden.count, in: 1...16)
    try check(
      augmentation: [],
      network: { () throws(NetworkError) in
        _ = try SequenceNetwork(architecture(symbols: classes))
      })
  }
}
