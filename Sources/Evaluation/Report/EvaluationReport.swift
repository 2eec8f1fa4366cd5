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
    let confidence = ConfidenceSection(
      calibration: evaluation.calibration, coverage: evaluation.coverage,
      coverageAt99: summary.coverageAt99, unit: "ink")
    let writers = WriterSection(
      writers: evaluation.writerFigures(), overall: summary.top1, isOfLines: false)
    let speed = SpeedSection(bins: evaluation.latencyBins(), summary: summary, unit: "ink")
    let disturbed = robustness.map { RobustnessSection(robustness: $0, isOfLines: false) }
    let head = ReportHead(
      kind: "Evaluation of a glyph model", title: summary.modelTitle, data: summary.data,
      hash: summary.dataHash,
      links: [
        ("errors", "Errors"), ("confusions", "Confusions"), confidence.link,
        ("classes", "Classes"), writers.link, speed.link,
      ] + (disturbed.map { [$0.link] } ?? []))
    var values: [String: Any] = [
      "tiles": tiles, "confidence": confidence.values, "writerSection": writers.values,
      "speed": speed.values,
    ]
    if let disturbed { values["robustness"] = disturbed.values }
    for part in [errorValues, confusionValues, classValues] {
      values.merge(part) { value, _ in value }
    }
    return try ReportTemplates().render(.evaluation, head, values)
  }

  private var tiles: [[String: Any]] {
    var top1: [String: Any] = [
      "name": "Top-1", "value": ReportText.percent(summary.top1), "isMain": true,
    ]
    if let interval = summary.intervals.top1 {
      top1["note"] =
        "\(ReportText.percent(interval.lower)) to \(ReportText.percent(interval.upper)): "
        + "\(ReportText.percent(interval.confidence, digits: 0)) interval over \(summary.clusterName)"
    }
    var samples = tile("Inks", ReportText.count(summary.samples))
    if summary.unknownLabels > 0 {
      samples["note"] = "\(ReportText.count(summary.unknownLabels)) with labels the model lacks"
    }
    var rejected = tile("Without an answer", ReportText.count(summary.rejected))
    if summary.malformed > 0 {
      rejected["note"] = ReportText.count(summary.malformed, "unreadable record") + " besides"
    }
    return [
      top1, tile("Top-3", ReportText.percent(summary.top3)),
      tile("Top-5", ReportText.percent(summary.top5)),
      tile("Mean recall", ReportText.percent(summary.meanRecall)),
      tile("Calibration error", ReportText.percent(summary.ece)), samples, rejected,
      tile("Latency p50", ReportText.latency(summary.latencyMs.p50)),
      tile("Latency p95", ReportText.latency(summary.latencyMs.p95)),
      tile("Latency p99", ReportText.latency(summary.latencyMs.p99)),
      tile("Model", ReportText.bytes(summary.modelBytes)),
    ]
  }

  private func tile(_ name: String, _ value: String) -> [String: Any] {
    ["name": name, "value": value, "isMain": false]
  }
}
