import Foundation
import RunLog

/// A comparison of training runs as text.
struct RunComparisonText {
  let comparison: RunComparison
  private var runs: [LoggedRun] { comparison.runs }

  init(_ comparison: RunComparison) {
    self.comparison = comparison
  }

  var text: String {
    ([table(head + outcome), data, settings, curve] as [[String]])
      .filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func table(_ rows: [[String]]) -> [String] {
    TextTable.lines(rows, right: Set(1...runs.count))
  }

  private var head: [[String]] {
    [
      ["run"] + runs.map { RunText($0).number },
      ["model"] + runs.map { RunText($0).model },
      ["state"] + runs.map(\.run.state.rawValue),
    ]
  }

  private var outcome: [[String]] {
    [
      ["epochs"] + runs.map { "\($0.epochs.count)/\($0.run.epochs)" },
      ["training time"] + runs.map { ProgressLine.clock($0.run.seconds) },
      ["kB"] + runs.map { $0.run.modelBytes.map { "\($0 / 1000)" } ?? "–" },
      ["validation"] + runs.map { run in run.figure.map(run.run.kind.phrase) ?? "–" },
    ]
  }

  private var data: [String] {
    let verdict =
      comparison.sharesValidation && comparison.sharesKind
      ? "the same validation data"
      : "different validation data or kinds: the figures do not compare"
    let differences = comparison.circumstances.flatMap { setting in
      zip(runs, setting.values).map { run, value in
        "\(setting.name) of \(RunText(run).number): \(TerminalText.label(value ?? "", limit: 400))"
      }
    }
    return [
      comparison.sharesTraining ? "trained on the same data" : "trained on different data", verdict,
    ] + differences
  }

  private var settings: [String] {
    guard !comparison.settings.isEmpty else { return ["no setting differs"] }
    let rows = comparison.settings.map { setting in
      [TerminalText.label(setting.name)]
        + setting.values.map { $0.map { TerminalText.label($0, limit: 40) } ?? "–" }
    }
    return table([["settings that differ"] + runs.map { RunText($0).number }] + rows)
  }

  private var curve: [String] {
    guard !comparison.curve.isEmpty else { return [] }
    let rows = comparison.curve.map { point in
      ["\(point.epoch + 1)"]
        + zip(runs, point.figures).map { run, figure in
          figure.map(run.run.kind.text) ?? "–"
        }
    }
    return table([["after epoch"] + runs.map { RunText($0).number }] + rows)
  }
}
