import Foundation

/// Maps the raw value of an estimator, 0 ... 1, to an intensity of 0 ... 100.
///
/// Up to the threshold the intensity is 0, above the ceiling 100. Between them the result is cut to
/// an integer.
public enum IntensityMapping: Hashable, Sendable {
  /// 100 (raw - threshold) / (ceiling - threshold).
  case linear(threshold: Double = 0, ceiling: Double = 1)
  /// 100 ln(1 + (raw - threshold) a) / ln(1 + (ceiling - threshold) a); a is kept in 1 ... 100.
  case logarithmic(threshold: Double = 0, ceiling: Double = 1, a: Double = 10)

  /// The name in preferences.
  public var name: String {
    switch self {
    case .linear: "linear"
    case .logarithmic: "logarithmic"
    }
  }

  /// The range of the factor of the logarithmic mapping.
  public static let factors = 1.0...100.0

  /// Returns the intensity of a raw value.
  ///
  /// - Throws: ``IntensityTextError`` if the value or a number of the mapping is not finite.
  public func intensity(_ raw: Double) throws(IntensityTextError) -> Int {
    try IntensityTextError.check(finite: raw, "raw")
    switch self {
    case .linear(let threshold, let ceiling):
      return try Self.guarded(raw, threshold, ceiling) { (raw - threshold) / (ceiling - threshold) }
    case .logarithmic(let threshold, let ceiling, let a):
      try IntensityTextError.check(finite: a, "a")
      let a = min(max(a, Self.factors.lowerBound), Self.factors.upperBound)
      return try Self.guarded(raw, threshold, ceiling) {
        log(1 + (raw - threshold) * a) / log(1 + (ceiling - threshold) * a)
      }
    }
  }

  private static func guarded(
    _ raw: Double, _ threshold: Double, _ ceiling: Double, _ share: () -> Double
  ) throws(IntensityTextError) -> Int {
    try IntensityTextError.check(finite: threshold, "threshold")
    try IntensityTextError.check(finite: ceiling, "ceiling")
    if raw <= threshold { return 0 }
    if raw > ceiling { return 100 }
    // Here the ceiling is above the threshold.
    return min(max(Int(100 * share()), 0), 100)
  }
}
