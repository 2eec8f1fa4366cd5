import Evaluation
import Foundation

/// Error rates with different writing areas as aligned text.
enum AreaText {
  /// A heading, a line for each area, and how many characters the shares are of; none where areas were
  /// not withheld.
  static func lines(_ summary: EvaluationSummary) -> [String] {
    guard let table = summary.ablations.flatMap(AreaTable.init) else { return [] }
    return ["", line("writing area", AreaTable.columns)]
      + table.rows.map { line($0.title, $0.rates.map(RateText.percent)) }
      + [line("characters", ["", ""] + table.counts.map(String.init))]
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    let cells = cells.map { String(repeating: " ", count: max(2, 14 - $0.count)) + $0 }
    return title.padding(toLength: 18, withPad: " ", startingAt: 0) + cells.joined()
  }
}
