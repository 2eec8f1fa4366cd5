import Foundation
import RunLog

/// A training run as text.
package struct RunText {
  let logged: LoggedRun
  private var run: RunRecord { logged.run }

  init(_ logged: LoggedRun) {
    self.logged = logged
  }

  /// The columns of a terminal that a list fits into.
  private static let columns = 80

  /// Formats runs as a table of 80 columns. Names of models are cut at their beginning. If runs in
  /// several folders have the same name, it is preceded by the folder.
  package static func list(_ runs: [LoggedRun]) -> [String] {
    let paths = Set(runs.map(\.run.output)).map { URL(fileURLWithPath: $0) }
    let names = Dictionary(grouping: paths, by: \.lastPathComponent)
    let models = runs.map { logged -> String in
      let file = URL(fileURLWithPath: logged.run.output)
      let folder = file.deletingLastPathComponent().lastPathComponent
      let isAlone = (names[file.lastPathComponent]?.count ?? 0) < 2
      return TerminalText.label(
        isAlone ? file.lastPathComponent : "\(folder)/\(file.lastPathComponent)")
    }
    func lines(_ width: Int) -> [String] {
      let header = ["run", "started", "kind", "model", "state", "epochs", "validation", "time"]
      let rows = zip(runs, models).map { logged, model in
        RunText(logged).row(model: cut(model, to: width))
      }
      return TextTable.lines([header] + rows, right: [0, 5, 7])
    }
    let widest = models.map(\.count).max() ?? 0
    let excess = (lines(widest).map(\.count).max() ?? 0) - columns
    return lines(excess > 0 ? max(8, widest - excess) : widest)
  }

  /// The end of a name, which is more informative than its beginning.
  private static func cut(_ name: String, to width: Int) -> String {
    name.count > width ? "…" + name.suffix(width - 1) : name
  }

  /// The cells of the list: number, start, kind, model, state, epochs, figure, time.
  private func row(model: String) -> [String] {
    [
      number, Self.day(run.started), run.kind.rawValue, model, run.state.rawValue, epochs,
      figure, ProgressLine.clock(run.seconds),
    ]
  }

  /// The last figure in few characters.
  private var figure: String {
    guard let figure = logged.figure else { return "–" }
    return run.kind == .language ? "\(run.kind.text(of: figure)) bits" : run.kind.phrase(figure)
  }

  /// `3`.
  var number: String { run.id.map(String.init) ?? "–" }

  /// The name of the model's file.
  var model: String {
    TerminalText.label(URL(fileURLWithPath: run.output).lastPathComponent, limit: 32)
  }

  private var epochs: String { "\(logged.epochs.count)/\(run.epochs)" }

  private var size: String? { run.modelBytes.map { "\($0 / 1000)" } }

  /// All properties of the run.
  var page: String {
    let settings = run.settings.sorted { $0.key < $1.key }.map {
      [Self.shown($0.key), Self.shown($0.value)]
    }
    let lines =
      facts + curve + epochTable + ["", "settings"] + TextTable.lines(settings).map { "  " + $0 }
    return lines.joined(separator: "\n")
  }

  private var facts: [String] {
    var state = run.state.rawValue
    if let failure = run.failure { state += ": \(Self.shown(failure))" }
    let worth = run.figures.sorted { $0.key < $1.key }
      .map { "\($0.key) \(Self.number($0.value))" }
    let sessions = run.sessions > 1 ? ", \(run.sessions) sessions" : ""
    let rows = [
      ["run", number], ["model", Self.shown(run.output)],
      ["kind", run.kind.rawValue], ["state", state], ["command", Self.shown(run.command)],
      ["started", "\(Self.time(run.started)), last seen \(Self.time(run.updated))"],
      ["training", "\(ProgressLine.clock(run.seconds))\(sessions), epochs \(epochs)"],
      ["validation", logged.figure.map(run.kind.phrase) ?? "–"],
      ["kept", run.keptEpoch.map { "epoch \($0 + 1)" } ?? "–"],
      ["written", (size.map { ["\($0) kB"] + worth } ?? ["–"]).joined(separator: ", ")],
      [
        "data",
        "\(run.dataHash.prefix(16)), validation \(run.validationHash.prefix(16)) (SHA-256)",
      ],
      [
        "machine",
        Self.shown("\(run.host), \(TerminalText.count(run.workers, "thread")), \(run.blas)"),
      ],
      ["version", Self.shown(run.version)],
    ]
    return TextTable.lines(rows)
  }

  /// The figure over the epochs, as a line of blocks.
  private var curve: [String] {
    let values = logged.epochs.map { run.kind.figure(of: $0.figures) }
    guard values.count > 1 else { return [] }
    return ["", "\(run.kind.figureName), epoch by epoch", "  " + Sparkline.text(values, width: 72)]
  }

  private var epochTable: [String] {
    guard !logged.epochs.isEmpty else { return [] }
    let header = ["epoch", "loss", "validation loss", run.kind.figureName, "rate", "time"]
    let rows = logged.epochs.map { epoch in
      [
        "\(epoch.figures.epoch + 1)", String(format: "%.4f", epoch.figures.trainingLoss),
        String(format: "%.4f", epoch.figures.validationLoss),
        run.kind.text(of: run.kind.figure(of: epoch.figures)),
        String(format: "%.2g", epoch.figures.rate), epoch.seconds.map(ProgressLine.clock) ?? "–",
      ]
    }
    return [""] + TextTable.lines([header] + rows, right: [0, 1, 2, 3, 4, 5])
  }

  /// A line for each epoch, with a header (RFC 4180, lines end with a line feed).
  static func csv(_ runs: [LoggedRun]) -> String {
    let header = [
      "run", "model", "kind", "state", "epoch", "figure", "training_loss", "training_accuracy",
      "validation_loss", "validation_accuracy", "validation_accuracy_without_area", "rate",
      "seconds",
    ]
    let rows = runs.flatMap { logged in
      logged.epochs.map { epoch -> [String] in
        let figures = epoch.figures
        return [
          RunText(logged).number, logged.run.output, logged.run.kind.rawValue,
          logged.run.state.rawValue, "\(figures.epoch)",
          "\(logged.run.kind.figure(of: figures))", "\(figures.trainingLoss)",
          figures.trainingAccuracy.map { "\($0)" } ?? "", "\(figures.validationLoss)",
          "\(figures.validationAccuracy)",
          figures.validationAccuracyWithoutArea.map { "\($0)" } ?? "", "\(figures.rate)",
          epoch.seconds.map { "\($0)" } ?? "",
        ]
      }
    }
    return ([header] + rows).map { $0.map(field).joined(separator: ",") + "\n" }.joined()
  }

  private static func field(_ text: String) -> String {
    let isPlain = !text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return isPlain ? text : "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A text of the log without control characters for the terminal.
  private static func shown(_ text: String) -> String { TerminalText.label(text, limit: 4000) }

  private static func number(_ value: Double) -> String { String(format: "%.4f", value) }

  private static func time(_ date: Date) -> String { text(of: date, "yyyy-MM-dd HH:mm") }

  /// The day and the time, or only the day if it is in another year.
  private static func day(_ date: Date) -> String {
    let isOfThisYear = Calendar.current.isDate(date, equalTo: Date(), toGranularity: .year)
    return text(of: date, isOfThisYear ? "MM-dd HH:mm" : "yyyy-MM-dd")
  }

  private static func text(of date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}

/// Draws numbers as a line of blocks.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// One block per value, scaled by their logarithms, so that the end of a curve that falls from
  /// 100 to 7 is visible. If there are too many values, each block is the mean of neighbours.
  /// Values that are not above 0 count as the smallest positive one.
  package static func text(_ values: [Double], width: Int) -> String {
    guard !values.isEmpty, width > 0 else { return "" }
    let count = min(width, values.count)
    let means = (0..<count).map { place in
      let part = values[place * values.count / count..<(place + 1) * values.count / count]
      return part.reduce(0, +) / Double(part.count)
    }
    let floor = means.filter { $0 > 0 && $0.isFinite }.min() ?? 1
    let heights = means.map { log($0.isFinite ? max($0, floor) : floor) }
    let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
    let step = (high - low) / Double(blocks.count - 1)
    return String(heights.map { blocks[step > 0 ? Int((($0 - low) / step).rounded()) : 0] })
  }
}

/// A comparison of training runs as text.
package struct RunComparisonText {
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
    guard !comparison.settings.isEmpty else { return ["all settings are equal"] }
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
