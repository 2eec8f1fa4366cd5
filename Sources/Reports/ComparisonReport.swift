import Evaluation
import Foundation
import Metrics

/// A comparison of two models as one HTML page that needs nothing else: figures and their
/// differences, writers, and the inks that one model reads better, drawn.
public struct ComparisonReport: Sendable {
  /// Inks drawn of each kind; what `keptInks` of a comparison is for.
  public static let mostInks = 36
  /// Characters of a text that are shown.
  private static let mostCharacters = 400

  private let summary: ComparisonSummary
  private let isOfLines: Bool
  private let better: (first: ComparedInks, second: ComparedInks)
  private let writers: [ComparedWriter]

  /// Makes a report of a comparison of glyph models; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - comparison: Made with `keptInks` of ``mostInks``.
  ///   - summary: Of the same comparison.
  public init(_ comparison: ModelComparison<GlyphEvaluation>, summary: ComparisonSummary) {
    self.init(
      comparison, summary,
      writers: ComparedWriter.all(
        comparison.first.byWriter, comparison.second.byWriter, isErrors: false), isOfLines: false)
  }

  /// Makes a report of a comparison of line models; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - comparison: Made with `keptInks` of ``mostInks``.
  ///   - summary: Of the same comparison.
  public init(_ comparison: ModelComparison<LineEvaluation>, summary: ComparisonSummary) {
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

  /// The page. Texts, writers and names of files are escaped; absolute paths are cut to their last
  /// part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  public func html() throws(ReportError) -> String {
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
        : "What the model that is wrong is surest of comes first.",
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
