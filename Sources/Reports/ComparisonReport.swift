import Evaluation
import Foundation
import Metrics

/// A comparison of two models as one self-contained HTML page: figures and their differences,
/// writers, and drawings of the inks that one model reads better.
package struct ComparisonReport: Sendable {
  /// The number of inks drawn of each kind. Use it as `keptInks` of a comparison.
  package static let mostInks = 36
  /// The most characters of a text.
  private static let mostCharacters = 400

  private let summary: ComparisonSummary
  private let isOfLines: Bool
  private let better: (first: ComparedInks, second: ComparedInks)
  private let writers: [ComparedWriter]

  /// Makes a report of a comparison of glyph models; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - comparison: A comparison with ``mostInks`` as `keptInks`.
  ///   - summary: The summary of the same comparison.
  package init(_ comparison: ModelComparison<GlyphEvaluation>, summary: ComparisonSummary) {
    self.init(
      comparison, summary,
      writers: ComparedWriter.all(
        comparison.first.byWriter, comparison.second.byWriter, isErrors: false), isOfLines: false)
  }

  /// Makes a report of a comparison of line models; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - comparison: A comparison with ``mostInks`` as `keptInks`.
  ///   - summary: The summary of the same comparison.
  package init(_ comparison: ModelComparison<LineEvaluation>, summary: ComparisonSummary) {
    self.init(
      comparison, summary,
      writers: ComparedWriter.all(
        comparison.first.byWriter, comparison.second.byWriter, isErrors: true), isOfLines: true)
  }

  private init(
    _ comparison: ModelComparison<some Sendable>, _ summary: ComparisonSummary,
    writers: [ComparedWriter], isOfLines: Bool
  ) {
    self.summary = summary
    self.writers = writers
    self.isOfLines = isOfLines
    better = (comparison.betterByFirst, comparison.betterBySecond)
  }

  /// The page. Texts, writers and names of files are escaped; absolute paths are reduced to their
  /// last part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func html() throws(ReportError) -> String {
    let (first, second) = (summary.first.modelTitle, summary.second.modelTitle)
    let head = ReportHead(
      kind: isOfLines ? "Comparison of line models" : "Comparison of glyph models",
      title: "\(first) and \(second)", data: summary.first.data, hash: summary.first.dataHash,
      links: [
        ("figures", "Figures"), ("writers", "Writers"), ("better", "Better with B"),
        ("worse", "Worse with B"),
      ])
    var values: [String: Any] = [
      "first": first, "second": second, "tiles": tiles.map(\.values),
      "unknown": summary.knownTexts + summary.unknownTexts { ReportText.label($0) },
      "figures": summary.figures.map(row),
      "parts": [
        section("better", "Better with B", better.second).values,
        section("worse", "Worse with B", better.first).values,
      ],
    ]
    values.merge(writerValues) { value, _ in value }
    return try ReportTemplates().render(.comparison, head, values)
  }

  private var tiles: [ReportTile] {
    var tiles: [ReportTile] = []
    if let main = summary.main {
      var tile = ReportTile(
        name: "\(main.title), B − A", value: difference(main), isMain: true)
      if let interval = main.interval, let verdict = summary.verdict {
        tile.note = "\(self.interval(interval)) over \(summary.clusterText): \(verdict.text)"
      } else {
        tile.note = summary.missingVerdict
      }
      tiles.append(tile)
    }
    let answers = summary.answers
    return tiles
      + [
        ("Both right", answers.both), ("A alone", answers.onlyFirst),
        ("B alone", answers.onlySecond), ("Neither", answers.neither),
      ].map { ReportTile(name: $0, value: CountText.count($1)) }
  }

  private func row(_ figure: ComparedFigure) -> [String: Any] {
    [
      "name": figure.title, "first": text(figure.first, figure.unit),
      "second": text(figure.second, figure.unit), "difference": difference(figure),
      "interval": figure.interval.map(interval) ?? "",
    ]
  }

  private func text(_ value: Double?, _ unit: ComparedFigure.Unit) -> String {
    guard let value else { return "–" }
    return switch unit {
    case .rate: ReportText.percent(value)
    case .milliseconds: ReportText.latency(value)
    case .perSecond, .count: CountText.count(Int(value.rounded()))
    case .bytes: ReportText.bytes(Int(value))
    }
  }

  private func difference(_ figure: ComparedFigure) -> String {
    guard let difference = figure.difference else { return "–" }
    if figure.unit == .rate { return ReportText.points(difference) + " points" }
    let sign = difference > 0 ? "+" : difference < 0 ? "−" : "±"
    return sign + text(abs(difference), figure.unit)
  }

  private func interval(_ interval: EvaluationSummary.Interval) -> String {
    [interval.lower, interval.upper].map(ReportText.points).joined(separator: " to ")
  }

  private func section(_ id: String, _ title: String, _ inks: ComparedInks) -> InkSection {
    InkSection(
      id: id, title: title,
      note: isOfLines
        ? "The lines with the largest difference in wrong characters."
        : "The most confident wrong answers come first.",
      isOfLines: isOfLines, cards: inks.clearest.map(card))
  }

  private func card(_ ink: ComparedInk) -> InkSection.Card {
    let limit = isOfLines ? Self.mostCharacters : 40
    func row(_ tag: String, _ text: String?) -> InkSection.Row {
      let shown = text.map { $0.isEmpty ? "–" : ReportText.label($0, limit: limit) }
      return InkSection.Row(tag: tag, text: shown ?? "no answer", isTrue: text == ink.reference)
    }
    let reference = row("written", ink.reference)
    return InkSection.Card(
      ink: ink.labeled,
      caption: isOfLines ? "A line of handwriting" : "Ink of \(reference.text)",
      rows: [reference, row("A", ink.first), row("B", ink.second)])
  }

  private var writerValues: [String: Any] {
    guard writers.count > 1 else { return ["hasWriters": false] }
    let (better, worse) = (
      writers.count { $0.second > $0.first }, writers.count { $0.second < $0.first }
    )
    return [
      "hasWriters": true, "writerChart": ComparedWriter.chart(writers, isOfLines: isOfLines),
      "writerNote":
        (ComparedWriter.step(writers) == 1
        ? "A mark for each writer" : "A mark for one in \(ComparedWriter.step(writers)) writers")
        + ", larger with more ink. Above the dashed line B is better.",
      "spread": [
        ("Writers", writers.count), ("Better with B", better), ("Worse with B", worse),
        ("The same", writers.count - better - worse),
      ].map { ["name": $0, "value": CountText.count($1)] },
    ]
  }
}

/// The page of a comparison of two models.
enum ComparisonTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    <p class="lead"><b>A</b> is <code>{{first}}</code>, <b>B</b> is <code>{{second}}</code>. Both \
    read every ink before the next, on one thread, and take turns in reading first.</p>
    {{> tiles}}
    {{#unknown}}<p class="lead">{{.}}.</p>
    {{/unknown}}
    <div class="scroll" tabindex="0" role="region" aria-label="Figures of both models">
    <table><thead><tr><th scope="col">Figure</th><th scope="col">A</th><th scope="col">B</th>\
    <th scope="col">B − A</th><th scope="col">95 % interval</th></tr></thead>
    <tbody>
    {{#figures}}<tr><th scope="row">{{name}}</th><td>{{first}}</td><td>{{second}}</td>\
    <td>{{difference}}</td><td>{{interval}}</td></tr>
    {{/figures}}
    </tbody></table></div>
    </section>

    <section id="writers">
    <h2>Writers</h2>
    {{#hasWriters}}
    <div class="charts">
    <figure>{{{writerChart}}}<figcaption>{{writerNote}}</figcaption></figure>
    <dl class="facts">{{#spread}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/spread}}</dl>
    </div>
    {{/hasWriters}}
    {{^hasWriters}}<p class="lead">The data names too few writers.</p>{{/hasWriters}}
    </section>
    {{#parts}}
    {{> inkSection}}
    {{/parts}}
    {{> foot}}
    """
}

/// The accuracies of two models on one writer.
struct ComparedWriter: Hashable, Sendable {
  /// The writer's id.
  let writer: String
  /// The number of inks, or of characters of lines.
  let count: Double
  /// The share that the first model reads correctly, 0 … 1.
  let first: Double
  /// The share that the second model reads correctly.
  let second: Double

  /// All writers of both models, in the order of their ids. Error rates are converted to
  /// accuracies.
  static func all(
    _ first: ClusteredRate, _ second: ClusteredRate, isErrors: Bool
  ) -> [ComparedWriter] {
    func share(_ cluster: ClusteredRate.Cluster) -> Double {
      let rate = cluster.numerator / cluster.denominator
      return isErrors ? max(0, 1 - rate) : rate
    }
    return first.byWriter.sorted { $0.key < $1.key }.compactMap { writer, one in
      guard one.denominator > 0, let other = second.byWriter[writer] else { return nil }
      return ComparedWriter(
        writer: writer, count: one.denominator, first: share(one), second: share(other))
    }
  }

  /// The interval of writers with a mark. More marks than units of the field would only overlap.
  static func step(_ writers: [ComparedWriter]) -> Int { max(1, writers.count / 400) }

  /// A mark for each writer: the first model's share against the second's.
  static func chart(_ writers: [ComparedWriter], isOfLines: Bool) -> String {
    let lowest = writers.map { min($0.first, $0.second) }.min() ?? 0
    let most = writers.map(\.count).max() ?? 1
    let floor = [0.9, 0.8, 0.6, 0.4, 0.2].first { $0 < lowest } ?? 0
    let frame = ChartFrame(x: floor...1, y: floor...1)
    var body = frame.line([(floor, floor), (1, 1)], style: "reference")
    for (index, writer) in writers.enumerated() where index.isMultiple(of: step(writers)) {
      body += frame.mark(
        x: writer.first, y: writer.second, radius: 2 + 4 * (writer.count / most).squareRoot(),
        style: "dot see",
        title: "\(ReportText.label(writer.writer)): A \(ReportText.percent(writer.first)), "
          + "B \(ReportText.percent(writer.second))")
    }
    let what = isOfLines ? "characters" : "answers"
    let ticks = ChartTick.percent(floor...1)
    return frame.svg(
      caption: "Right \(what) of each writer with both models", xName: "right \(what) with A",
      yName: "right \(what) with B", xTicks: ticks, yTicks: ticks, body: body)
  }
}
