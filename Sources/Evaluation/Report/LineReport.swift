import Foundation
import InkCore

/// An evaluation of a line model as one HTML page that needs nothing else: figures, the worst lines
/// drawn with what was written and what was read, confidences, writers, speed.
public struct LineReport: Sendable {
  /// Characters of a text that are shown; lines of writing are shorter.
  private static let mostCharacters = 400

  /// What was collected.
  public let evaluation: LineEvaluation
  /// Its figures.
  public let summary: EvaluationSummary
  /// What disturbed ink costs, or nil.
  public let robustness: Robustness?

  /// Makes a report; nothing is rendered yet.
  public init(
    _ evaluation: LineEvaluation, summary: EvaluationSummary, robustness: Robustness? = nil
  ) {
    self.evaluation = evaluation
    self.summary = summary
    self.robustness = robustness
  }

  /// The page. Texts and names of files are escaped; absolute paths are cut to their last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  public func html() throws(ReportError) -> String {
    let writers = WriterSection(
      writers: evaluation.writerFigures(), overall: summary.cer, isOfLines: true)
    let speed = SpeedSection(bins: evaluation.latencyBins(), summary: summary, unit: "line")
    let disturbed = robustness.map { RobustnessSection(robustness: $0, isOfLines: true) }
    let head = ReportHead(
      kind: "Evaluation of a line model", title: summary.modelTitle, data: summary.data,
      hash: summary.dataHash,
      links: [("errors", "Worst lines"), ("kinds", "Kinds of errors")]
        + (confidence.map { [$0.link] } ?? []) + [writers.link, speed.link]
        + (disturbed.map { [$0.link] } ?? []))
    var values: [String: Any] = [
      "tiles": tiles, "errors": errors.values, "lists": lists,
      "writerSection": writers.values, "speed": speed.values,
    ]
    if let confidence { values["confidence"] = confidence.values }
    if let disturbed { values["robustness"] = disturbed.values }
    return try ReportTemplates().render(.lines, head, values)
  }

  private var tiles: [[String: Any]] {
    [
      tile("Character errors", summary.cer, summary.intervals.cer, isMain: true),
      tile("Word errors", summary.wer, summary.intervals.wer, isMain: false),
      tile("Best of ten", summary.nbestOracle, nil, isMain: false),
      tile("Calibration error of words", summary.ece, nil, isMain: false),
      tile("Lines", ReportText.count(summary.samples)),
      tile("Characters", summary.characters.map { ReportText.count($0) } ?? "–"),
      tile("Without an answer", ReportText.count(summary.rejected)),
      tile("Latency p50", ReportText.latency(summary.latencyMs.p50)),
      tile("Latency p95", ReportText.latency(summary.latencyMs.p95)),
      tile("Latency p99", ReportText.latency(summary.latencyMs.p99)),
      tile("Model", ReportText.bytes(summary.modelBytes)),
      tile("Language model", summary.languageBytes.map { ReportText.bytes($0) } ?? "none"),
    ]
  }

  private func tile(_ name: String, _ value: String) -> [String: Any] {
    ["name": name, "value": value, "isMain": false]
  }

  private func tile(
    _ name: String, _ rate: Double?, _ interval: EvaluationSummary.Interval?, isMain: Bool
  ) -> [String: Any] {
    var tile: [String: Any] = [
      "name": name, "value": ReportText.percent(rate), "isMain": isMain,
    ]
    if let interval {
      tile["note"] =
        "\(ReportText.percent(interval.lower)) to \(ReportText.percent(interval.upper)): "
        + "\(ReportText.percent(interval.confidence, digits: 0)) interval over \(summary.clusterName)"
    }
    return tile
  }

  /// Of words; nil where the search was not used, which alone has confidences.
  private var confidence: ConfidenceSection? {
    guard summary.ece != nil else { return nil }
    return ConfidenceSection(
      calibration: evaluation.calibration, coverage: evaluation.coverage,
      coverageAt99: summary.coverageAt99, unit: "word")
  }

  /// Edits by kind, and what was asked for besides.
  private var lists: [[String: Any]] {
    var lists: [[String: Any]] = []
    if let edits = summary.edits {
      lists.append(
        list(
          "Edits of characters",
          [
            ("Taken for others", edits.substitutions), ("Read, not written", edits.insertions),
            ("Written, not read", edits.deletions),
          ].map { ($0.0, ReportText.count($0.1)) }
            + [("Words wrong, marks joined to them", ReportText.percent(summary.joinedWER))]))
    }
    for (title, figures) in [
      ("Parts of what is known withheld", summary.ablations),
      ("Which ink is which character", summary.alignment),
    ] {
      guard let figures else { continue }
      lists.append(
        list(
          title,
          figures.sorted { $0.key < $1.key }.map { name, value in
            (
              name,
              EvaluationSummary.isCount(name)
                ? ReportText.count(Int(value)) : ReportText.percent(value)
            )
          }))
    }
    return lists
  }

  private func list(_ title: String, _ rows: [(String, String)]) -> [String: Any] {
    ["title": title, "rows": rows.map { ["name": $0.0, "value": $0.1] }]
  }

  private var errors: InkSection {
    InkSection(
      id: "errors", title: "Worst lines",
      note: "The lines with the most wrong characters: the ink, what was written, and what was "
        + "read. Colour and number give the order of the strokes.",
      absence: "None: every line was read as it was written.", isOfLines: true,
      cards: evaluation.worst.map(Self.card))
  }

  private static func card(_ line: LineEvaluation.Misreading) -> InkSection.Card {
    func row(_ tag: String, _ text: String, isTrue: Bool, figure: String? = nil) -> InkSection.Row {
      InkSection.Row(
        tag: tag, text: text.isEmpty ? "–" : ReportText.label(text, limit: mostCharacters),
        isTrue: isTrue, figure: figure)
    }
    return InkSection.Card(
      ink: LabeledInk(ink: line.ink, label: line.reference), caption: "A line of handwriting",
      rows: [
        row("written", line.reference, isTrue: true),
        row(
          "read", line.hypothesis, isTrue: false, figure: ReportText.count(line.edits, "edit")),
      ])
  }
}
