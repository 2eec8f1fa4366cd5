import Networks
import Recognition

/// All settings that, together with the text, determine the result of training a recurrent language
/// model.
public struct LanguageTrainingConfiguration: TrainingConfiguration {
  /// Seed of the initial weights and the order of the passages.
  public var seed: UInt64 = 1
  /// Passes over the text.
  public var epochs = 1
  /// Passages of one optimisation step.
  public var batchSize = 64
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  public var shards = 2
  /// Peak of the one-cycle learning rate.
  public var peakRate: Float = 1e-2
  /// The peak divided by the last learning rate; 1 stays at the peak.
  public var finalDivisor: Float = 10_000
  /// Decoupled weight decay.
  public var weightDecay: Float = 0.01
  /// Decay of the moving average of the weights, per step.
  public var averageDecay: Float = 0.999
  /// Longer gradients are scaled down to this length.
  public var maximumGradientNorm = 1.0
  /// The epoch whose weights are kept.
  public var keptEpoch = KeptEpoch.best
  /// The precision of the factors of matrix products.
  public var precision = TrainingPrecision.single
  /// Units of each recurrent layer.
  public var hidden = [512]
  /// Dropout after every recurrent layer.
  public var dropout: Float = 0
  /// The most characters of a passage.
  public var passageLength = 200
  /// Characters that occur less often are left out of the model.
  public var minimumCount = 20
  /// One text of this many is held out for validation.
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

  /// - Throws: ``TrainingError`` if a setting is out of its range.
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
