import Evaluation
import Foundation

/// The evaluation of a line model as aligned text.
struct LineEvaluationText {
  let summary: EvaluationSummary

  init(_ summary: EvaluationSummary) {
    self.summary = summary
  }

  var text: String {
    (rows.map { "\($0.0.padding(toLength: 19, withPad: " ", startingAt: 0))\($0.1)" }
      + AreaText.lines(summary) + RobustnessText.lines(summary)).joined(separator: "\n")
  }

  private var rows: [(String, String)] {
    var rows = [
      ("model", "\(summary.model), \(summary.modelBytes / 1000) kB"),
      ("language model", summary.languageBytes.map { "\($0 / 1000) kB" } ?? "none"),
      ("lines", lines),
    ]
    if let known = summary.knownInk { rows.append(("note", known.text)) }
    rows += [
      ("text before", summary.runningText == true ? "what was read on the page" : "none"),
      ("character errors", RateText.percent(summary.cer, summary.intervals.cer, of: summary)),
      ("word errors", RateText.percent(summary.wer, summary.intervals.wer, of: summary)),
      (
        "",
        RateText.percent(summary.joinedWER) + " where a space before a closing mark does not count"
      ),
    ]
    if let edits = summary.edits {
      rows.append(
        (
          "",
          "\(edits.substitutions) substituted, \(edits.insertions) inserted, "
            + "\(edits.deletions) deleted"
        ))
    }
    if let oracle = summary.nbestOracle {
      rows.append(("best of ten", RateText.percent(oracle) + " character errors"))
      rows.append(
        (
          "calibration error",
          "\(RateText.percent(summary.ece)) of words, \(RateText.percent(summary.textECE)) of texts"
        ))
      rows.append(("words to trust", trustedWords))
    }
    if let spread = summary.writerSpread {
      rows.append(
        (
          "writers",
          "from \(RateText.percent(spread.best)) to \(RateText.percent(spread.worst)) character "
            + "errors, median \(RateText.percent(spread.median))"
        ))
    }
    let latency = summary.latencyMs
    rows.append(
      (
        "latency",
        [("p50", latency.p50), ("p95", latency.p95), ("p99", latency.p99)].map {
          "\($0.0) " + ($0.1.map { String(format: "%.1f", $0) } ?? "–")
        }.joined(separator: ", ") + " ms"
      ))
    if let stages = summary.stagesMs {
      rows.append(
        (
          "",
          String(
            format: "mean: features %.1f, network %.1f, decoding %.1f ms", stages.features,
            stages.network, stages.decoding)
        ))
    }
    if let rate = summary.samplesPerSecond {
      rows.append(("speed", String(format: "%.0f lines/s on one thread", rate)))
    }
    if let bytes = summary.peakResidentBytes {
      rows.append(("peak memory", "\(bytes / 1_000_000) MB"))
    }
    for (title, figures) in [("ablation", summary.ablations), ("alignment", summary.alignment)] {
      for (name, value) in (figures ?? [:]).sorted(by: { $0.key < $1.key })
      where !AreaTable.contains(name) {
        let number =
          EvaluationSummary.isCount(name) ? String(format: "%.0f", value) : RateText.percent(value)
        rows.append((title, name.padding(toLength: 28, withPad: " ", startingAt: 0) + number))
      }
    }
    return rows
  }

  /// How many words can be accepted unseen.
  private var trustedWords: String {
    guard let point = summary.coverageAt99 else { return "no threshold leaves 99 % right" }
    return String(
      format: "%.0f %% of them have a confidence of %.3f or more: 99 %% of those are right",
      100 * point.coverage, point.threshold)
  }

  private var lines: String {
    var text = "\(summary.samples)"
    if let characters = summary.characters { text += ", \(characters) characters" }
    if summary.rejected > 0 { text += ", \(summary.rejected) without an answer" }
    if summary.malformed > 0 { text += "; \(MalformedText.text(summary.malformed))" }
    return text
  }
}
