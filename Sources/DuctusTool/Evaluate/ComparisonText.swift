import Evaluation
import Foundation

/// A comparison as an aligned table.
struct ComparisonText {
  let summary: ComparisonSummary

  init(_ summary: ComparisonSummary) {
    self.summary = summary
  }

  var text: String {
    (names + [""] + table + [""] + [answers, verdict].compactMap { $0 }
      + summary.knownTexts + summary.unknownTexts { TerminalText.label($0) } + broken)
      .joined(separator: "\n")
  }

  private var names: [String] {
    ["A  \(summary.first.model)", "B  \(summary.second.model)"]
  }

  private var table: [String] {
    let rows = summary.figures.map { figure in
      [
        figure.title, text(figure.first, of: figure), text(figure.second, of: figure),
        text(figure.difference, of: figure, isSigned: true), interval(figure),
      ]
    }
    return TextTable.lines([["", "A", "B", "B - A", ""]] + rows, right: [1, 2, 3])
  }

  private var answers: String {
    let answers = summary.answers
    var text =
      "\(summary.first.samples) inks: both right on \(answers.both), A alone on "
      + "\(answers.onlyFirst), B alone on \(answers.onlySecond), neither on \(answers.neither)"
    if summary.first.malformed > 0 {
      text += "; \(MalformedText.text(summary.first.malformed))"
    }
    return text
  }

  private var verdict: String? {
    summary.main.flatMap { main in
      let text = summary.verdict.map {
        "\($0.text), by the 95 % interval over \(summary.clusterText)"
      }
      return (text ?? summary.missingVerdict).map { "\(main.title): \($0)" }
    }
  }

  private var broken: [String] { summary.broken.map { "broken: \($0)" } }

  private func interval(_ figure: ComparedFigure) -> String {
    guard let interval = figure.interval else { return "" }
    return String(format: "(%+.2f to %+.2f)", 100 * interval.lower, 100 * interval.upper)
  }

  /// A number of a figure; times in the unit that suits both models.
  private func text(
    _ value: Double?, of figure: ComparedFigure, isSigned: Bool = false
  ) -> String {
    guard let value else { return "–" }
    let sign = isSigned ? "+" : ""
    switch figure.unit {
    case .rate: return String(format: isSigned ? "%+.2f points" : "%.2f %%", 100 * value)
    case .milliseconds:
      return max(figure.first ?? 0, figure.second ?? 0) < 1
        ? String(format: "%\(sign).0f µs", 1000 * value) : String(format: "%\(sign).1f ms", value)
    case .perSecond, .count:
      // No minus before a zero.
      return String(format: "%\(sign).0f", value.rounded() == 0 ? 0 : value)
    case .bytes: return String(format: "%\(sign).0f kB", value / 1000)
    }
  }
}
