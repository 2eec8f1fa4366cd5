import Evaluation
import Foundation
import Metrics
import Recognition

/// An evaluation as one self-contained HTML page: figures, errors drawn as ink, confusions,
/// calibration, latency, classes and writers.
///
/// The page has no script and makes no network request. Its size is bounded for any data: errors,
/// rows, labels of the matrix and points of drawings have limits.
package struct EvaluationReport: Sendable {
  /// The number of errors drawn of each kind. Use it as `keptErrors` of an evaluation.
  package static let mostErrors = 48
  /// The number of errors shown at once; the others unfold.
  static let openErrors = 12

  /// The evaluation.
  package let evaluation: GlyphEvaluation
  /// Its figures.
  package let summary: EvaluationSummary
  /// Error rates on disturbed ink, or nil.
  package let robustness: Robustness?

  /// Makes a report; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - evaluation: An evaluation with ``mostErrors`` as `keptErrors`.
  ///   - summary: The summary of the same evaluation.
  ///   - robustness: The robustness of the same model on the same data, if requested.
  package init(
    _ evaluation: GlyphEvaluation, summary: EvaluationSummary, robustness: Robustness? = nil
  ) {
    self.evaluation = evaluation
    self.summary = summary
    self.robustness = robustness
  }

  /// The page. Labels, writers and names of files are escaped; absolute paths are reduced to their
  /// last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let sections = sections
    let head = ReportHead(
      kind: "Evaluation of a glyph model", of: summary,
      links: [("errors", "Errors"), ("confusions", "Confusions"), ("classes", "Classes")]
        + sections.links)
    var values: [String: Any] = ["tiles": tiles.map(\.values)]
    if let known = summary.knownInk { values["known"] = [known.sentence] }
    for part in [errorValues, confusionValues, classValues, sections.values] {
      values.merge(part) { value, _ in value }
    }
    return try ReportTemplates().render(.evaluation, head, values)
  }

  private var sections: EvaluationSections {
    EvaluationSections(
      letters: summary.letters.map { LetterSection(figures: $0, marks: evaluation.letters.marks) },
      confidence: ConfidenceSection(
        calibration: evaluation.calibration, coverage: evaluation.coverage,
        coverageAt99: summary.coverageAt99, unit: "ink"),
      writers: WriterSection(
        writers: evaluation.writerFigures(), overall: summary.top1, isOfLines: false),
      speed: SpeedSection(bins: evaluation.totals.latencyBins(), summary: summary, unit: "ink"),
      robustness: robustness.map { RobustnessSection(robustness: $0, isOfLines: false) })
  }

  private var tiles: [ReportTile] {
    var samples = ReportTile(name: "Inks", value: CountText.count(summary.samples))
    if summary.unknownLabels > 0 {
      samples.note = "\(CountText.count(summary.unknownLabels)) with labels the model lacks"
    }
    var rejected = ReportTile(
      name: "Without an answer", value: CountText.count(summary.rejected))
    if summary.malformed > 0 {
      rejected.note =
        "in addition, " + CountText.count(summary.malformed, "unreadable record")
        + " in the whole file"
    }
    return [
      ReportTile("Top-1", summary.top1, summary.intervals.top1, of: summary, isMain: true),
      ReportTile(name: "Top-3", value: ReportText.percent(summary.top3)),
      ReportTile(name: "Top-5", value: ReportText.percent(summary.top5)),
      ReportTile(name: "Mean recall", value: ReportText.percent(summary.meanRecall)),
      ReportTile(name: "Calibration error", value: ReportText.percent(summary.ece)), samples,
      rejected,
    ] + summary.speedTiles
  }
}

extension EvaluationReport {
  /// Cards of the errors.
  var errorValues: [String: Any] {
    let gallery = evaluation.errors
    let more = gallery.mostConfident.prefix(Self.mostErrors).dropFirst(Self.openErrors)
    var values: [String: Any] = [
      "hasErrors": !gallery.mostConfident.isEmpty,
      "errors": gallery.mostConfident.prefix(Self.openErrors).map(Self.card),
      "hasRefused": !gallery.refused.isEmpty,
      "refused": gallery.refused.prefix(Self.openErrors).map(Self.card),
    ]
    if !more.isEmpty {
      values["moreErrors"] =
        ["count": CountText.count(more.count), "cards": more.map(Self.card)] as [String: Any]
    }
    return values
  }

  private static func card(_ error: MisreadInk) -> [String: Any] {
    let labeled = error.labeled
    let label = ReportText.label(labeled.label)
    let predicted = error.candidates.first.map { ReportText.label($0.text) }
    let caption = "Ink of \(label), " + (predicted.map { "read as \($0)" } ?? "without an answer")
    var card: [String: Any] = [
      "drawing": InkDrawing(
        labeled.ink, area: labeled.writingArea, caption: caption,
        style: InkDrawing.Style(maximumWidth: 120, height: 120)
      ).svg,
      "label": label,
      "candidates": error.candidates.prefix(5).map { candidate -> [String: Any] in
        let probability = exp(candidate.score)
        return [
          "text": ReportText.label(candidate.text), "isTrue": candidate.text == labeled.label,
          "share": ReportText.share(probability),
          "probability": ReportText.percent(probability, digits: 1),
        ]
      },
    ]
    if let predicted { card["predicted"] = predicted }
    if let writer = labeled.writer { card["writer"] = ReportText.label(writer) }
    return card
  }

  /// The most frequent errors, and the matrix.
  var confusionValues: [String: Any] {
    let pairs = evaluation.confusion.mostConfused(limit: 30)
    let map = ConfusionHeatMap(evaluation.confusion)
    var values: [String: Any] = [
      "hasConfusions": !pairs.isEmpty,
      "confusions": pairs.map {
        [
          "label": ReportText.label($0.label), "predicted": ReportText.label($0.predicted),
          "count": CountText.count($0.count),
        ]
      },
      "matrix": map.svg,
    ]
    if map.omitted > 0 { values["matrixOmitted"] = CountText.count(map.omitted) }
    return values
  }
}

extension EvaluationReport {
  /// Rows of the classes: labels that have inks, the worst recall first.
  var classValues: [String: Any] {
    let statistics = evaluation.confusion.labelStatistics().filter { $0.count > 0 }
      .sorted { ($0.recall ?? 0, $1.count, $0.label) < ($1.recall ?? 0, $0.count, $1.label) }
    let readAs = mostFrequentErrors()
    return FoldedRows.values(statistics, names: ("classes", "moreClasses")) { one in
      [
        "label": ReportText.label(one.label), "support": CountText.count(one.count),
        "recall": ReportText.percent(one.recall), "recallShare": ReportText.share(one.recall),
        "precision": ReportText.percent(one.precision),
        "precisionShare": ReportText.share(one.precision),
        "readAs": (readAs[one.label] ?? []).map {
          ["label": ReportText.label($0.predicted), "count": CountText.count($0.count)]
        },
      ]
    }
  }

  /// Up to four of the most frequent wrong answers for each label.
  private func mostFrequentErrors() -> [String: [ConfusionMatrix.Pair]] {
    var byLabel: [String: [ConfusionMatrix.Pair]] = [:]
    for pair in evaluation.confusion.mostConfused(limit: .max)
    where byLabel[pair.label, default: []].count < 4 {
      byLabel[pair.label, default: []].append(pair)
    }
    return byLabel
  }
}

/// The page of an evaluation.
enum EvaluationTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{#known}}<p class="lead">{{.}}.</p>
    {{/known}}
    {{> tiles}}
    </section>

    <section id="errors">
    <h2>Most confident errors</h2>
    {{#hasErrors}}
    <p class="lead">The wrong answers with the highest confidence. If a model is this confident, \
    the label may be wrong. Colour and number give the order of the strokes; a number is at the \
    beginning of its stroke. Faint lines are the writing area.</p>
    <div class="cards">
    {{#errors}}
    {{> card}}
    {{/errors}}
    </div>
    {{#moreErrors}}
    <details><summary>{{count}} more</summary>
    <div class="cards">
    {{#cards}}
    {{> card}}
    {{/cards}}
    </div></details>
    {{/moreErrors}}
    {{/hasErrors}}
    {{^hasErrors}}<p class="lead">None: every answer was right.</p>{{/hasErrors}}
    {{#hasRefused}}
    <h3>Without an answer</h3>
    <div class="cards">
    {{#refused}}
    {{> card}}
    {{/refused}}
    </div>
    {{/hasRefused}}
    </section>

    <section id="confusions">
    <h2>Confusions</h2>
    {{#hasConfusions}}
    <p class="lead">The most frequent errors: the written label, the answer, and the count.</p>
    <ol class="pairs">{{#confusions}}<li><bdi class="truth">{{label}}</bdi> <span class="as">→</span> \
    <bdi class="read">{{predicted}}</bdi> <b>{{count}}</b></li>{{/confusions}}</ol>
    {{/hasConfusions}}
    <p class="lead">A row for each label written, a column for each label read. Green is right, red \
    wrong, each by its share of the row.{{#matrixOmitted}} {{matrixOmitted}} labels with fewer errors are left \
    out.{{/matrixOmitted}}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">{{{matrix}}}</div>
    </section>

    <section id="classes">
    <h2>Classes</h2>
    <p class="lead">Worst recall first. Recall is the share of a label's inks that were read \
    correctly; precision is the share of answers with a label that were correct.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Figures by class">
    <table><thead><tr><th scope="col">Label</th><th scope="col">Inks</th><th scope="col">Recall</th>\
    <th scope="col">Precision</th><th scope="col" class="list">Read as</th></tr></thead>
    <tbody>
    {{#classes}}
    {{> classRows}}
    {{/classes}}
    </tbody></table></div>
    {{#moreClasses}}
    <details><summary>{{count}} more{{#omitted}}; {{omitted}} with better recall are left out\
    {{/omitted}}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Figures of more classes">
    <table><tbody>
    {{> classRows}}
    </tbody></table></div></details>
    {{/moreClasses}}
    </section>

    {{> evaluationSections}}
    {{> foot}}
    """
}
