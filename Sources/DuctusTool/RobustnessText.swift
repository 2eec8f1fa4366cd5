import Evaluation
import Foundation

/// Error rates on disturbed ink as aligned text.
enum RobustnessText {
  /// A heading and a line for each disturbance; none where it was not measured.
  static func lines(_ summary: EvaluationSummary) -> [String] {
    guard let figures = summary.robustness, let plain = figures[Robustness.undisturbed] else {
      return []
    }
    let rows = Robustness.order.compactMap { name -> String? in
      guard let rate = figures[name] else { return nil }
      let title = Robustness.title(of: name).padding(toLength: 26, withPad: " ", startingAt: 0)
      let text = title + String(format: "%6.2f %%", 100 * rate)
      guard name != Robustness.undisturbed else { return text }
      return text + String(format: "  %+6.2f points", 100 * (rate - plain))
    }
    return ["", "disturbed ink             errors"] + rows
  }
}
