import Features
import LinearAlgebra
import Networks
import Recognition

/// Everything that decides the outcome of training, besides the data.
public protocol TrainingConfiguration: Hashable, Codable, Sendable {
  /// Seed of everything random.
  var seed: UInt64 { get set }
  /// Passes over the training data.
  var epochs: Int { get set }
  /// Samples of one optimisation step.
  var batchSize: Int { get set }
  /// Micro-shards of one step.
  var shards: Int { get }
  /// Peak of the one-cycle learning rate.
  var peakRate: Float { get set }
  /// Decoupled weight decay.
  var weightDecay: Float { get }
  /// Decay of the moving average of the weights, per step.
  var averageDecay: Float { get }
  /// Gradients longer than this are scaled down to it.
  var maximumGradientNorm: Double { get }
  /// The peak over the last learning rate.
  var finalDivisor: Float { get }
  /// End after so many validations without an improvement; 0 never.
  var patience: Int { get }
  /// Whose weights training ends with.
  var keptEpoch: KeptEpoch { get set }
  /// How the factors of matrix products are rounded.
  var precision: TrainingPrecision { get set }

  /// - Parameter classes: Outputs of the network.
  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
  func check(classes: Int) throws(TrainingError)
}

extension TrainingConfiguration {
  /// 10,000: the rate ends at next to nothing.
  public var finalDivisor: Float { 10_000 }
  /// Never.
  public var patience: Int { 0 }

  /// Checks what all configurations have.
  ///
  /// - Parameters:
  ///   - augmentation: The numbers of the augmentation.
  ///   - features: Refuses features that cannot be applied.
  ///   - network: Makes the network, or refuses its architecture.
  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
  func check(
    augmentation: [Float], features: () throws(FeatureError) -> Void = {},
    network: () throws(NetworkError) -> Void
  ) throws(TrainingError) {
    try precision.check()
    try TrainingError.check("epochs", epochs, in: 1...100_000)
    try TrainingError.check("batchSize", batchSize, in: 1...65536)
    try TrainingError.check("shards", shards, in: 1...1024)
    try TrainingError.check("peakRate", peakRate, in: 1e-9...1e9)
    try TrainingError.check("weightDecay", weightDecay, in: 0...10)
    try TrainingError.check("averageDecay", averageDecay, in: 0...0.999999)
    try TrainingError.check("maximumGradientNorm", maximumGradientNorm, in: 1e-6...1e9)
    for value in augmentation { try TrainingError.check("augmentation", value, in: 0...10) }
    do throws(FeatureError) {
      try features()
    } catch {
      throw .unusableConfiguration(name: error.what, expected: error.expected, found: error.found)
    }
    do throws(NetworkError) {
      try network()
    } catch {
      throw .unusableConfiguration(name: error.what, expected: error.expected, found: error.found)
    }
  }
}

/// Whose weights training ends with, each epoch's averaged ones.
public enum KeptEpoch: String, CaseIterable, Hashable, Codable, Sendable {
  /// The best on the validation data, of equal ones the later.
  case best
  /// The last: where the validation data is of another kind than what is to be learned. Training
  /// then ends at no score before its end.
  case last
}

/// How the factors of matrix products are rounded while a network is trained. Weights and sums are
/// in single precision either way.
public enum TrainingPrecision: String, CaseIterable, Hashable, Codable, Sendable {
  /// They are not: products are those of BLAS.
  case single
  /// To bfloat16 (Micikevicius et al. 2018), on processors with instructions for that: up to several
  /// times as fast.
  case mixed

  /// Those that this processor has, the slower first.
  public static var available: [TrainingPrecision] {
    BFloat16Unit.isAvailable ? [.single, .mixed] : [.single]
  }

  /// The fastest that this processor has.
  public static var fastest: TrainingPrecision { BFloat16Unit.isAvailable ? .mixed : .single }

  /// - Throws: ``TrainingError/noBFloat16Unit`` where this processor cannot train so.
  func check() throws(TrainingError) {
    guard self == .single || BFloat16Unit.isAvailable else { throw .noBFloat16Unit }
  }

  /// What one worker computes products on; nil for BLAS.
  func makeUnit() -> BFloat16Unit? { self == .mixed ? BFloat16Unit() : nil }
}
