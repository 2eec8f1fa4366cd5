import Evaluation
import Foundation
import Recognition

/// An evaluation as one HTML page that needs nothing else: figures, errors drawn as ink,
/// confusions, calibration, latency, classes and writers.
///
/// The page holds no script and asks the network for nothing. Its size is bounded whatever the
/// data: errors, rows and labels of the matrix have limits, and drawings have a most number of
/// points.
public struct EvaluationReport: Sendable {
  /// Errors drawn of each kind; what `keptErrors` of an evaluation is for.
  public static let mostErrors = 48
  /// Errors that are open; the others unfold.
  static let openErrors = 12

  /// What was collected.
  public let evaluation: GlyphEvaluation
  /// Its figures.
  public let summary: EvaluationSummary
  /// What disturbed ink costs, or nil.
  public let robustness: Robustness?

  /// Makes a report; nothing is rendered yet.
  ///
  /// - Parameters:
  ///   - evaluation: Made with `keptErrors` of ``mostErrors``.
  ///   - summary: Of the same evaluation.
  ///   - robustness: Of the same model and data, if that was asked for.
  public init(
    _ evaluation: GlyphEvaluation, summary: EvaluationSummary, robustness: Robustness? = nil
  ) {
    self.evaluation = evaluation
    self.summary = summary
    self.robustness = robustness
  }

  /// The page. Labels, writers and names of files are escaped; absolute paths are cut to their last
  /// part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  public func html() throws(ReportError) -> String {
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
      confidence: ConfidenceSection(
        calibration: evaluation.calibration, coverage: evaluation.coverage,
        coverageAt99: summary.coverageAt99, unit: "ink"),
      writers: WriterSection(
        writers: evaluation.writerFigures(), overall: summary.top1, isOfLines: false),
      speed: SpeedSection(bins: evaluation.latencyBins(), summary: summary, unit: "ink"),
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
        CountText.count(summary.malformed, "unreadable record") + " of the whole file besides"
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
