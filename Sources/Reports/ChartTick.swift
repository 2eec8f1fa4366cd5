import Evaluation
import Foundation

/// A label of an axis and the value it stands at.
struct ChartTick: Hashable {
  var value: Double
  var text: String

  /// Multiples of 1, 2 or 5 times a power of ten within a range, at most six of them.
  ///
  /// - Parameters:
  ///   - smallest: The least distance: 1 for counts.
  ///   - text: How a value is written.
  static func round(
    _ range: ClosedRange<Double>, smallest: Double = 0, text: (Double) -> String
  ) -> [ChartTick] {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite else {
      return [ChartTick(value: range.lowerBound, text: text(range.lowerBound))]
    }
    let power = pow(10, floor(log10(span / 5)))
    let steps = [1, 2, 5, 10].map { $0 * power }
    let step = max(smallest, steps.first { span / $0 <= 5 } ?? 10 * power)
    // A little beyond the ends, because multiples of 0.2 are not exact.
    let first = Int(((range.lowerBound / step) - 1e-9).rounded(.up))
    let last = Int(((range.upperBound / step) + 1e-9).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).map {
      ChartTick(value: Double($0) * step, text: text(Double($0) * step))
    }
  }

  /// Round rates in percent, with as many digits as tell them apart.
  static func percent(_ range: ClosedRange<Double>) -> [ChartTick] {
    let digits = range.upperBound - range.lowerBound > 0.035 ? 0 : 1
    return round(range) { ReportText.percent($0, digits: digits) }
  }

  /// Round whole numbers.
  static func counts(_ range: ClosedRange<Double>) -> [ChartTick] {
    round(range, smallest: 1) { CountText.count(Int($0.rounded())) }
  }

  /// Powers of ten, and between them twice and five times as much where there is room, on an axis
  /// of decimal logarithms.
  ///
  /// - Parameter text: How a value, not its logarithm, is written.
  static func logarithmic(
    _ range: ClosedRange<Double>, text: (Double) -> String
  ) -> [ChartTick] {
    let factors = range.upperBound - range.lowerBound < 2.2 ? [1.0, 2, 5] : [1.0]
    let powers = Int(range.lowerBound.rounded(.down))...Int(range.upperBound.rounded(.up))
    return powers.flatMap { power in factors.map { Double(power) + log10($0) } }
      .filter { range.contains($0) }
      .map { ChartTick(value: $0, text: text(pow(10, $0))) }
  }
}
