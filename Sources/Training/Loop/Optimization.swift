import Networks
import Recognition

/// The settings of the optimisation that all kinds of model have. On disk they are members of the
/// configuration.
public struct Optimization: Hashable, Codable, Sendable {
  /// Seed of everything random: initial weights, order of the samples, augmentation and dropout.
  public var seed: UInt64 = 1
  /// Passes over the training data.
  public var epochs: Int
  /// Samples of one optimisation step.
  public var batchSize: Int
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  package var shards: Int
  /// Peak of the one-cycle learning rate.
  package var peakRate: Float
  /// The peak divided by the last learning rate; 1 stays at the peak.
  package var finalDivisor: Float = 10_000
  /// Decoupled weight decay.
  package var weightDecay: Float
  /// Decay of the moving average of the weights, per step.
  package var averageDecay: Float
  /// Longer gradients are scaled down to this length.
  package var maximumGradientNorm: Double
  /// The epoch whose weights are kept.
  package var keptEpoch = KeptEpoch.best
  /// The precision of the factors of matrix products.
  package var precision = TrainingPrecision.single

  /// Makes the settings of a kind of model.
  init(
    epochs: Int, batchSize: Int, shards: Int, peakRate: Float, weightDecay: Float,
    averageDecay: Float, maximumGradientNorm: Double
  ) {
    self.epochs = epochs
    self.batchSize = batchSize
    self.shards = shards
    self.peakRate = peakRate
    self.weightDecay = weightDecay
    self.averageDecay = averageDecay
    self.maximumGradientNorm = maximumGradientNorm
  }

  /// Decodes the settings; configurations of glyph models had no divisor.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    seed = try values.decode(UInt64.self, forKey: .seed)
    epochs = try values.decode(Int.self, forKey: .epochs)
    batchSize = try values.decode(Int.self, forKey: .batchSize)
    shards = try values.decode(Int.self, forKey: .shards)
    peakRate = try values.decode(Float.self, forKey: .peakRate)
    finalDivisor = try values.decodeIfPresent(Float.self, forKey: .finalDivisor) ?? finalDivisor
    weightDecay = try values.decode(Float.self, forKey: .weightDecay)
    averageDecay = try values.decode(Float.self, forKey: .averageDecay)
    maximumGradientNorm = try values.decode(Double.self, forKey: .maximumGradientNorm)
    keptEpoch = try values.decode(KeptEpoch.self, forKey: .keptEpoch)
    precision = try values.decode(TrainingPrecision.self, forKey: .precision)
  }

  /// - Throws: ``TrainingError`` if a setting is out of its range.
  func check() throws(TrainingError) {
    try precision.check()
    try TrainingError.check("epochs", epochs, in: 1...100_000)
    try TrainingError.check("batchSize", batchSize, in: 1...65536)
    try TrainingError.check("shards", shards, in: 1...1024)
    try TrainingError.check("peakRate", peakRate, in: 1e-9...1e9)
    try TrainingError.check("finalDivisor", finalDivisor, in: 1...1e9)
    try TrainingError.check("weightDecay", weightDecay, in: 0...10)
    try TrainingError.check("averageDecay", averageDecay, in: 0...0.999999)
    try TrainingError.check("maximumGradientNorm", maximumGradientNorm, in: 1e-6...1e9)
  }
}
