import LinearAlgebra

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
