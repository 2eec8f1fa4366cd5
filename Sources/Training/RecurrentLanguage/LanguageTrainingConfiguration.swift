import Networks
import Recognition

/// All settings that, together with the text, determine the result of training a recurrent language
/// model.
public struct LanguageTrainingConfiguration: TrainingConfiguration {
  /// The settings of the optimisation.
  public var optimization = Optimization(
    epochs: 1, batchSize: 64, shards: 2, peakRate: 1e-2, weightDecay: 0.01, averageDecay: 0.999,
    maximumGradientNorm: 1)
  /// Units of each recurrent layer.
  package var hidden = [512]
  /// Dropout after every recurrent layer.
  package var dropout: Float = 0
  /// The most characters of a passage.
  package var passageLength = 200
  /// Characters that occur less often are left out of the model.
  package var minimumCount = 20
  /// One text of this many is held out for validation.
  public var validationShare = 100

  /// Makes the default configuration.
  public init() {}

  private enum CodingKeys: String, CodingKey {
    case hidden, dropout, passageLength, minimumCount, validationShare
  }

  /// Decodes a configuration, whose settings of the optimisation are beside the others.
  public init(from decoder: any Decoder) throws {
    optimization = try Optimization(from: decoder)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    hidden = try values.decode([Int].self, forKey: .hidden)
    dropout = try values.decode(Float.self, forKey: .dropout)
    passageLength = try values.decode(Int.self, forKey: .passageLength)
    minimumCount = try values.decode(Int.self, forKey: .minimumCount)
    validationShare = try values.decode(Int.self, forKey: .validationShare)
  }

  /// Encodes the configuration in the same form.
  public func encode(to encoder: any Encoder) throws {
    try optimization.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(hidden, forKey: .hidden)
    try values.encode(dropout, forKey: .dropout)
    try values.encode(passageLength, forKey: .passageLength)
    try values.encode(minimumCount, forKey: .minimumCount)
    try values.encode(validationShare, forKey: .validationShare)
  }

  /// The architecture for a number of symbols.
  package func architecture(symbols: Int) -> SequenceArchitecture {
    var layers: [PackedLayerSpecification] = []
    for units in hidden {
      layers.append(.lstm(hidden: units))
      if dropout > 0 { layers.append(.dropout(rate: dropout)) }
    }
    return SequenceArchitecture(channels: symbols, layers: layers, classes: symbols)
  }

  /// - Throws: ``TrainingError`` if a setting is out of its range.
  public func check(classes: Int) throws(TrainingError) {
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
