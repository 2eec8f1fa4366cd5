import Foundation
import Harness

/// A training run as text.
struct RunText {
  let logged: LoggedRun
  private var run: RunRecord { logged.run }

  init(_ logged: LoggedRun) {
    self.logged = logged
  }

  /// The cells of the list: number, start, kind, model, state, epochs, figure, time, size.
  var row: [String] {
    [
      number, Self.time(run.started), run.kind.rawValue, model, run.state.rawValue, epochs,
      logged.figure.map(run.kind.phrase) ?? "–", ProgressLine.clock(run.seconds), size ?? "–",
    ]
  }

  /// `3`.
  var number: String { run.id.map(String.init) ?? "–" }

  /// The name of the model's file.
  var model: String {
    TerminalText.label(URL(fileURLWithPath: run.output).lastPathComponent, limit: 32)
  }

  private var epochs: String { "\(logged.epochs.count)/\(run.epochs)" }

  private var size: String? { run.modelBytes.map { "\($0 / 1000)" } }

  /// All there is to say of it.
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

  /// The figure over the epochs as a line of blocks.
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

  /// A text of the log, so that a terminal shows it and does nothing else.
  private static func shown(_ text: String) -> String { TerminalText.label(text, limit: 4000) }

  private static func number(_ value: Double) -> String { String(format: "%.4f", value) }

  private static func time(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm"
    return formatter.string(from: date)
  }
}
