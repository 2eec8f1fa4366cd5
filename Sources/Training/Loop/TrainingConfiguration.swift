import Features
import LinearAlgebra
import Networks
import Recognition

/// The settings that, together with the data, determine the result of training. The members of
/// ``optimization`` are members of the configuration, also on disk: `configuration.epochs`.
@dynamicMemberLookup
public protocol TrainingConfiguration: Hashable, Codable, Sendable {
  /// The settings of the optimisation.
  var optimization: Optimization { get set }
  /// The number of validations without an improvement that ends training; 0 for no early end.
  var patience: Int { get }

  /// - Parameter classes: The number of outputs of the network.
  /// - Throws: ``TrainingError`` if a setting is out of its range.
  func check(classes: Int) throws(TrainingError)
}

extension TrainingConfiguration {
  /// 0: no early end.
  public var patience: Int { 0 }

  /// A setting of the optimisation.
  public subscript<Value>(dynamicMember member: WritableKeyPath<Optimization, Value>) -> Value {
    get { optimization[keyPath: member] }
    set { optimization[keyPath: member] = newValue }
  }

  /// Checks the settings that all configurations share.
  ///
  /// - Parameters:
  ///   - augmentation: The settings of the augmentation.
  ///   - features: Refuses features that cannot be applied.
  ///   - network: Makes the network, or refuses its architecture.
  /// - Throws: ``TrainingError`` if a setting is out of its range.
  public func check(
    augmentation: [Float], features: () throws(FeatureError) -> Void = {},
    network: () throws(NetworkError) -> Void
  ) throws(TrainingError) {
    try optimization.check()
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

/// The epoch whose averaged weights are kept.
public enum KeptEpoch: String, CaseIterable, Hashable, Codable, Sendable {
  /// The best on the validation data; of equal ones, the later.
  case best
  /// The last. For validation data of another kind than the training data. Training then runs all
  /// epochs.
  case last
}

/// The precision of the factors of matrix products during training. Weights and sums are in single
/// precision in any case.
public enum TrainingPrecision: String, CaseIterable, Hashable, Codable, Sendable {
  /// Single precision, by BLAS.
  case single
  /// bfloat16 (Micikevicius et al. 2018), on processors that support it: up to several
  /// times as fast.
  case mixed

  /// The precisions that this processor supports, the slower first.
  package static var available: [TrainingPrecision] {
    BFloat16Unit.isAvailable ? [.single, .mixed] : [.single]
  }

  /// The fastest precision that this processor supports.
  package static var fastest: TrainingPrecision { BFloat16Unit.isAvailable ? .mixed : .single }

  /// - Throws: ``TrainingError/noBFloat16Unit`` if this processor does not support the precision.
  func check() throws(TrainingError) {
    guard self == .single || BFloat16Unit.isAvailable else { throw .noBFloat16Unit }
  }

  /// Makes the unit that one worker computes products on; nil for BLAS.
  func makeUnit() -> BFloat16Unit? { self == .mixed ? BFloat16Unit() : nil }
}
