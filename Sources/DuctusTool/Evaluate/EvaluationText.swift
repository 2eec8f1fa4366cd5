import Evaluation
import Foundation

/// An evaluation as aligned text.
struct EvaluationText {
  let summary: EvaluationSummary

  init(_ summary: EvaluationSummary) {
    self.summary = summary
  }

  var text: String {
    (headline + worst + confusions + RobustnessText.lines(summary)).joined(separator: "\n")
  }

  private var headline: [String] {
    var rows: [(String, String)] = [
      ("model", "\(summary.model), \(summary.modelBytes / 1000) kB"),
      ("samples", samples),
    ]
    if let known = summary.knownInk { rows.append(("note", known.text)) }
    rows += [
      ("top-1", RateText.percent(summary.top1, summary.intervals.top1, of: summary)),
      ("top-3, top-5", "\(RateText.percent(summary.top3)), \(RateText.percent(summary.top5))"),
      ("mean recall", RateText.percent(summary.meanRecall)),
      ("calibration error", RateText.percent(summary.ece)),
    ]
    if let covered = summary.coverageAt99 {
      rows.append(
        (
          "99 % right",
          "on the most confident \(RateText.percent(covered.coverage)) "
            + String(format: "(probability of %.2f and more)", covered.threshold)
        ))
    }
    rows.append(("latency", latency))
    if let rate = summary.samplesPerSecond {
      rows.append(("speed", String(format: "%.0f inks/s on one thread", rate)))
    }
    if let bytes = summary.peakResidentBytes {
      rows.append(("peak memory", "\(bytes / 1_000_000) MB"))
    }
    return rows.map { "\($0.0.padding(toLength: 19, withPad: " ", startingAt: 0))\($0.1)" }
  }

  private var samples: String {
    var text = "\(summary.samples)"
    if summary.rejected > 0 { text += ", \(summary.rejected) without an answer" }
    if summary.unknownLabels > 0 { text += ", \(summary.unknownLabels) of unknown labels" }
    if summary.malformed > 0 { text += "; \(MalformedText.text(summary.malformed))" }
    return text
  }

  private var latency: String {
    let latency = summary.latencyMs
    let values = [("p50", latency.p50), ("p95", latency.p95), ("p99", latency.p99)]
    return values.map { "\($0.0) " + ($0.1.map { String(format: "%.0f", 1000 * $0) } ?? "–") }
      .joined(separator: ", ") + " µs"
  }

  private var worst: [String] {
    let rows = summary.labels.filter { ($0.recall ?? 1) < 1 }
      .sorted { ($0.recall ?? 0, $0.label) < ($1.recall ?? 0, $1.label) }.prefix(10)
    guard !rows.isEmpty else { return [] }
    return [""]
      + TextTable.lines(
        [["label", "recall", "inks"]]
          + rows.map {
            [TerminalText.label($0.label), RateText.percent($0.recall), "\($0.samples)"]
          }, right: [1, 2])
  }

  private var confusions: [String] {
    guard !summary.confusions.isEmpty else { return [] }
    return [""]
      + TextTable.lines(
        [["label", "taken for", "times"]]
          + summary.confusions.prefix(10).map {
            [TerminalText.label($0.label), TerminalText.label($0.predicted), "\($0.count)"]
          }, right: [2])
  }
}

/// Error rates on disturbed ink as aligned text.
enum RobustnessText {
  /// A heading and a line for each disturbance; none where it was not measured.
  static func lines(_ summary: EvaluationSummary) -> [String] {
    guard let figures = summary.robustness, let plain = figures[Robustness.undisturbed] else {
      return []
    }
    let rows = Robustness.order.compactMap { name -> String? in
      guard let rate = figures[name] else { return nil }
      let title = Robustness.title(of: name).padding(toLength: 26, withPad: " ", startingAt: 0)
      let text = title + String(format: "%6.2f %%", 100 * rate)
      guard name != Robustness.undisturbed else { return text }
      return text + String(format: "  %+6.2f points", 100 * (rate - plain))
    }
    return ["", "disturbed ink             errors"] + rows
  }
}
