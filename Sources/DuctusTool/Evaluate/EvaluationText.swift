import Evaluation
import Foundation

/// An evaluation as aligned text.
package struct EvaluationText {
  let summary: EvaluationSummary

  package init(_ summary: EvaluationSummary) {
    self.summary = summary
  }

  package var text: String {
    (headline + worst + confusions + RobustnessText.lines(summary)).joined(separator: "\n")
  }

  private var headline: [String] {
    var rows: [(String, String)] = [
      ("model", summary.modelText),
      ("samples", samples),
    ]
    if let known = summary.knownInk { rows.append(("note", known.text)) }
    rows += [
      ("top-1", RateText.percent(summary.top1, summary.intervals.top1, of: summary)),
      ("top-3, top-5", "\(RateText.percent(summary.top3)), \(RateText.percent(summary.top5))"),
      ("mean recall", RateText.percent(summary.meanRecall)),
      ("calibration error", RateText.percent(summary.ece)),
    ]
    if let letters = summary.letters { rows.append(("letters beyond a-z", letters.line)) }
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
  /// A heading and a line for each disturbance; empty if it was not measured.
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

/// The kinds of strokes of pages as aligned text.
enum KindText {
  /// A heading and a line for each kind; empty if no page has kinds.
  static func lines(_ summary: EvaluationSummary) -> [String] {
    guard let kinds = summary.pages?.kinds, !kinds.isEmpty else { return [] }
    return [""]
      + TextTable.lines(
        [["kind of stroke", "strokes", "recall", "precision"]]
          + kinds.map {
            [
              $0.label, "\($0.samples)", RateText.percent($0.recall),
              RateText.percent($0.precision),
            ]
          }, right: [1, 2, 3])
  }
}

/// The evaluation of a line model as aligned text.
struct LineEvaluationText {
  let summary: EvaluationSummary

  init(_ summary: EvaluationSummary) {
    self.summary = summary
  }

  var text: String {
    (rows.map { "\($0.0.padding(toLength: 19, withPad: " ", startingAt: 0))\($0.1)" }
      + KindText.lines(summary) + AreaText.lines(summary) + RobustnessText.lines(summary)).joined(
        separator: "\n")
  }

  private var rows: [(String, String)] {
    var rows = [
      ("model", summary.modelText),
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
    if let pages = summary.pages {
      rows.append(
        (
          "pages",
          "\(pages.pages), \(RateText.percent(pages.cer)) character errors in any order of lines"
        ))
      rows.append(
        ("", "\(RateText.percent(pages.wholePhrases)) of \(pages.phrases) phrases read whole"))
      if let accuracy = pages.kindAccuracy {
        rows.append(
          (
            "kinds of strokes",
            "\(RateText.percent(accuracy)) right on "
              + TerminalText.count(pages.pagesWithKinds, "page")
          ))
      }
    }
    if let letters = summary.letters { rows.append(("letters beyond a-z", letters.line)) }
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

  /// The share of words that can be accepted without checking.
  private var trustedWords: String {
    guard let point = summary.coverageAt99 else { return "no threshold gives 99 % accuracy" }
    return String(
      format: "%.0f %% of them have a confidence of %.3f or more: 99 %% of those are correct",
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

/// Error rates with different writing areas as aligned text.
enum AreaText {
  /// A heading, a line for each area, and the number of characters for the shares; empty if areas
  /// were not withheld.
  static func lines(_ summary: EvaluationSummary) -> [String] {
    guard let table = summary.ablations.flatMap(AreaTable.init) else { return [] }
    return ["", line("writing area", AreaTable.columns)]
      + table.rows.map { line($0.title, $0.rates.map(RateText.percent)) }
      + [line("characters", ["", ""] + table.counts.map(String.init))]
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    let cells = cells.map { String(repeating: " ", count: max(2, 14 - $0.count)) + $0 }
    return title.padding(toLength: 18, withPad: " ", startingAt: 0) + cells.joined()
  }
}

extension KnownInk {
  /// Prints a warning to standard error if the model knows the ink.
  static func warn(of known: KnownInk?, model: String) {
    if let known { Outcome.writeToStandardError("note: \(model): \(known.text)\n") }
  }
}

extension EvaluationSummary {
  /// The model with its size, or the program with what it needed.
  fileprivate var modelText: String {
    var text = model
    if let modelBytes { text += ", \(modelBytes / 1000) kB" }
    if let program {
      text += String(format: ", %.1f s of processor time", program.cpuSeconds)
      if let first = program.firstAnswerSeconds {
        text += String(format: ", first answer after %.2f s", first)
      }
    }
    return text
  }
}
