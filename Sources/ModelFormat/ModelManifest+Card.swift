import Foundation

extension ModelManifest {
  /// The text of `MODELCARD.md` as Markdown: the model, its data, licence and attribution, its
  /// figures with the commands that measure them, its training, and its limits (after Mitchell et
  /// al., Model Cards for Model Reporting, 2019).
  package var modelCard: String {
    var lines = ["# \(name)", "", summary, ""]
    lines += ["## Data, licence and attribution", ""]
    lines += data.isEmpty ? ["Not recorded."] : data.map(Self.line)
    lines += ["", "## Figures", ""]
    lines += metrics.isEmpty ? ["None measured."] : figureTable
    if let training { lines += ["", "## Training", ""] + Self.trainingLines(training) }
    lines += ["", "## Limits", ""] + limits
    lines += ["", "## Files", ""]
    lines += parts.map { "- `\($0.name)`: \($0.role), \($0.length) bytes, SHA-256 `\($0.sha256)`" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let what =
      switch kind {
      case .glyph: "Recognises one label from one pen ink"
      case .line: "Recognises a text from one pen ink"
      case .formula: "Recognises a formula from one pen ink"
      }
    let spoken = languages.isEmpty ? "" : " Languages: \(languages.joined(separator: ", "))."
    let symbols =
      switch kind {
      case .glyph: "labels"
      case .line: "characters"
      case .formula: "symbols"
      }
    return "`\(identifier)`. \(what); \(labels.count) \(symbols).\(spoken)"
  }

  private var figureTable: [String] {
    let rows = metrics.map { metric in
      let cells = [
        metric.name, Self.number(metric.value), metric.data, metric.seed.map(String.init) ?? "",
        "`\(metric.command)`",
      ]
      return "| \(cells.map(Self.cell).joined(separator: " | ")) |"
    }
    return ["| Metric | Value | Data | Seed | Command |", "|---|---|---|---|---|"] + rows
  }

  private var limits: [String] {
    var lines = [
      "- The figures are valid for the named data. Other writers, pens and surfaces may differ.",
      known,
    ]
    if let training, let writers = training.writers {
      lines.append("- Trained on \(training.samples) inks of \(writers) writers.")
    }
    return lines
  }

  private var known: String {
    switch kind {
    case .glyph: "- The model knows \(labels.count) labels only: any ink gets one of them."
    case .line:
      "- The model knows \(labels.count) characters only: ink of other scripts is read as these."
    case .formula:
      "- The model knows \(labels.count) symbols only: other ones are read as these."
    }
  }

  private static func line(_ source: DataSource) -> String {
    "- \(source.name). Licence: \(source.licence). Attribution: \(source.attribution)"
  }

  private static func trainingLines(_ record: TrainingRecord) -> [String] {
    [
      "- Command: `\(record.command)`",
      "- Seed \(record.seed), \(record.epochs) epochs, \(record.samples) inks, "
        + "\(Int(record.durationSeconds.rounded())) s on \(record.threads) threads, "
        + "\(record.blas)\(record.precision.map { ", \($0) precision" } ?? ""), ended \(record.date)",
      "- Training data: SHA-256 `\(record.dataHash)`",
    ] + (record.validationHash.map { ["- Validation data: SHA-256 `\($0)`"] } ?? [])
      + (record.commit.map { ["- Commit: `\($0)`"] } ?? [])
  }

  /// At most four decimals; more are not meaningful.
  private static func number(_ value: Double) -> String {
    abs(value) < 1e6 ? "\((value * 10_000).rounded() / 10_000)" : "\(value)"
  }

  /// Escapes text for a cell of a Markdown table.
  private static func cell(_ text: String) -> String {
    text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
  }
}
