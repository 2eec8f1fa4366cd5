import Evaluation
import Foundation
import InkCore

/// An evaluation of a line model as one self-contained HTML page: figures, drawings of the worst
/// lines with reference and reading, confidences, writers, speed.
package struct LineReport: Sendable {
  /// The most characters of a text; lines of writing are shorter.
  private static let mostCharacters = 400

  /// The evaluation.
  package let evaluation: LineEvaluation
  /// Its figures.
  package let summary: EvaluationSummary
  /// Error rates on disturbed ink, or nil.
  package let robustness: Robustness?

  /// Makes a report; nothing is rendered yet.
  package init(
    _ evaluation: LineEvaluation, summary: EvaluationSummary, robustness: Robustness? = nil
  ) {
    self.evaluation = evaluation
    self.summary = summary
    self.robustness = robustness
  }

  /// The page. Texts and names of files are escaped; absolute paths are reduced to their last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let sections = sections
    let head = ReportHead(
      kind: "Evaluation of a line model", of: summary,
      links: [("errors", "Worst lines"), ("kinds", "Kinds of errors")] + sections.links)
    var values: [String: Any] = [
      "tiles": tiles.map(\.values), "errors": errors.values, "lists": lists,
    ]
    if let known = summary.knownInk { values["known"] = [known.sentence] }
    if let areas = summary.ablations.flatMap(AreaTable.init) {
      values["areas"] = AreaSection(table: areas).values
    }
    values.merge(sections.values) { value, _ in value }
    return try ReportTemplates().render(.lines, head, values)
  }

  private var sections: EvaluationSections {
    EvaluationSections(
      pages: summary.pages.map { PageSection(figures: $0, worst: evaluation.pages.worst) },
      letters: summary.letters.map { LetterSection(figures: $0, marks: evaluation.letters.marks) },
      // Only the beam search has confidences.
      confidence: summary.ece == nil
        ? nil
        : ConfidenceSection(
          calibration: evaluation.calibration, coverage: evaluation.coverage,
          coverageAt99: summary.coverageAt99, unit: "word"),
      writers: WriterSection(
        writers: evaluation.writerFigures(), overall: summary.cer, isOfLines: true),
      speed: SpeedSection(bins: evaluation.totals.latencyBins(), summary: summary, unit: "line"),
      robustness: robustness.map { RobustnessSection(robustness: $0, isOfLines: true) })
  }

  private var tiles: [ReportTile] {
    [
      ReportTile(
        "Character errors", summary.cer, summary.intervals.cer, of: summary, isMain: true),
      ReportTile("Word errors", summary.wer, summary.intervals.wer, of: summary),
    ] + pageTiles + [
      ReportTile(name: "Best of ten", value: ReportText.percent(summary.nbestOracle)),
      ReportTile(name: "Calibration error of words", value: ReportText.percent(summary.ece)),
      ReportTile(name: "Calibration error of texts", value: ReportText.percent(summary.textECE)),
      ReportTile(name: "Lines", value: CountText.count(summary.samples)),
      ReportTile(
        name: "Characters", value: summary.characters.map { CountText.count($0) } ?? "–"),
      ReportTile(name: "Without an answer", value: CountText.count(summary.rejected)),
    ] + summary.speedTiles + [
      ReportTile(
        name: "Language model", value: summary.languageBytes.map { ReportText.bytes($0) } ?? "none")
    ]
  }

  private var pageTiles: [ReportTile] {
    guard let pages = summary.pages else { return [] }
    return [
      ReportTile(name: "Character errors in any order", value: ReportText.percent(pages.cer)),
      ReportTile(name: "Phrases read whole", value: ReportText.percent(pages.wholePhrases)),
    ]
  }

  /// Edits by kind, and the additional figures that were requested.
  private var lists: [[String: Any]] {
    var lists: [[String: Any]] = []
    if let edits = summary.edits {
      lists.append(
        list(
          "Edits of characters",
          [
            ("Read as others", edits.substitutions), ("Read, not written", edits.insertions),
            ("Written, not read", edits.deletions),
          ].map { ($0.0, CountText.count($0.1)) }
            + [("Wrong words, marks joined", ReportText.percent(summary.joinedWER))]))
    }
    for (title, figures) in [
      ("Information withheld", summary.ablations),
      ("Alignment of ink and characters", summary.alignment),
    ] {
      let figures = (figures ?? [:]).filter { !AreaTable.contains($0.key) }
      guard !figures.isEmpty else { continue }
      lists.append(
        list(
          title,
          figures.sorted { $0.key < $1.key }.map { name, value in
            (
              name,
              EvaluationSummary.isCount(name)
                ? CountText.count(Int(value)) : ReportText.percent(value)
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
      note: "The lines with the most wrong characters: the ink, the reference, and the "
        + "reading. Colour and number give the order of the strokes.",
      absence: "None: every line was read correctly.", isOfLines: true,
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
          "read", line.hypothesis, isTrue: false, figure: CountText.count(line.edits, "edit")),
      ])
  }
}

/// The page of an evaluation of a line model.
enum LinesTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{#known}}<p class="lead">{{.}}.</p>
    {{/known}}
    {{> tiles}}
    </section>

    {{#errors}}
    {{> inkSection}}
    {{/errors}}

    <section id="kinds">
    <h2>Kinds of errors</h2>
    {{#lists}}
    <h3>{{title}}</h3>
    <dl class="facts">{{#rows}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/rows}}</dl>
    {{/lists}}
    {{> areas}}
    </section>

    {{> evaluationSections}}
    {{> foot}}
    """
}
