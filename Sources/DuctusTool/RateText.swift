import Evaluation
import Foundation

/// Rates of an evaluation as a terminal shows them.
enum RateText {
  /// In percent; a dash for what was not measured.
  static func percent(_ value: Double?) -> String {
    value.map { String(format: "%.2f %%", 100 * $0) } ?? "–"
  }

  /// With the interval that it is known to, if any.
  static func percent(
    _ value: Double?, _ interval: EvaluationSummary.Interval?, of summary: EvaluationSummary
  ) -> String {
    guard let interval else {
      return percent(value)
        + (value.flatMap { _ in summary.missingInterval }.map { " (\($0))" } ?? "")
    }
    return percent(value) + " (95 % interval over \(summary.clusterText): "
      + "\(percent(interval.lower)) to \(percent(interval.upper)))"
  }
}
