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
  /// Rows that are open in the table of classes and in that of writers.
  static let openRows = 30
  /// Rows of a table, open ones and those that unfold.
  static let mostRows = 400

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
    let disturbed = robustness.map { RobustnessSection(robustness: $0, isOfLines: false) }
    let head = ReportHead(
      kind: "Evaluation of a glyph model", title: summary.modelTitle, data: summary.data,
      hash: summary.dataHash,
      links: [
        ("errors", "Errors"), ("confusions", "Confusions"), ("confidence", "Confidence"),
        ("classes", "Classes"), ("writers", "Writers"), ("speed", "Speed"),
      ] + (disturbed.map { [$0.link] } ?? []))
    var values: [String: Any] = ["tiles": tiles]
    if let disturbed { values["robustness"] = disturbed.values }
    for part in [errorValues, confusionValues, curveValues, classValues, writerValues] {
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
        + "\(ReportText.percent(interval.confidence, digits: 0)) interval over writers"
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

  private var curveValues: [String: Any] {
    let charts = EvaluationCharts(evaluation: evaluation, summary: summary)
    let note =
      summary.coverageAt99.map {
        "99 % are right on the most confident \(ReportText.percent($0.coverage)) of the inks, with "
          + "a confidence of \(ReportText.percent($0.threshold, digits: 1)) and more."
      } ?? "No confidence separates answers of which 99 % are right."
    let rate = summary.samplesPerSecond.map { "\(ReportText.count(Int($0.rounded()))) inks/s" }
    let speed = [
      ("Median", ReportText.latency(summary.latencyMs.p50)),
      ("95 of 100 within", ReportText.latency(summary.latencyMs.p95)),
      ("99 of 100 within", ReportText.latency(summary.latencyMs.p99)),
      ("One thread", rate ?? "–"), ("Model on disk", ReportText.bytes(summary.modelBytes)),
      ("Peak memory of the run", ReportText.bytes(summary.peakResidentBytes)),
    ]
    return [
      "reliability": charts.reliability, "coverage": charts.coverage, "coverageNote": note,
      "latency": charts.latency, "ece": ReportText.percent(summary.ece),
      "speed": speed.map { ["name": $0, "value": $1] }, "writerChart": charts.writers,
    ]
  }
}
