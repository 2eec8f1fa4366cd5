import Evaluation
import Foundation

/// Findings about data as text: the counts, and the first of each kind.
struct DataFindingsText {
  let findings: DataFindings
  private static let most = 12

  init(_ findings: DataFindings) {
    self.findings = findings
  }

  var text: String {
    let parts = [overview, judged, suspects, duplicates, odd, thin, twins, unreadable, clean]
    return parts.compactMap { $0 }.joined(separator: "\n")
  }

  private var overview: String {
    let parts = [
      TerminalText.count(findings.records, "record"),
      TerminalText.count(findings.writers, "writer"),
      TerminalText.count(findings.classes, "label"),
    ]
    return parts.joined(separator: ", ")
      + (findings.withoutWriter > 0 ? "; \(findings.withoutWriter) without a writer" : "")
  }

  private var judged: String? {
    var lines: [String] = []
    if let judge = findings.judge {
      let share = RateText.percent(findings.agreement)
      lines.append(
        TerminalText.count(findings.judged, "label")
          + " judged by \(judge): \(share) are what it reads")
    }
    if let unjudged = findings.unjudged { lines.append("not judged: \(unjudged)") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private var suspects: String? {
    list(
      findings.suspectLabels.count, "label that is", "labels that are", "probably wrong",
      findings.suspectLabels.map { suspect in
        String(format: "%7d  %3.0f %%  ", suspect.index, 100 * suspect.score)
          + "\(TerminalText.label(suspect.label)) -> \(TerminalText.label(suspect.suggested))"
          + (suspect.writer.map { "  (writer \(TerminalText.label($0)))" } ?? "")
      })
  }

  private var duplicates: String? {
    let faults = findings.duplicates.count { !$0.hasSameLabel }
    return list(
      findings.duplicates.count, "ink that is", "inks that are",
      "there twice" + (faults > 0 ? ", \(faults) with another label" : ""),
      findings.duplicates.map { duplicate in
        String(format: "%7d  = %d", duplicate.index, duplicate.earlier)
          + (duplicate.hasSameLabel ? "" : ", another label")
          + (duplicate.hasSameWriter ? "" : ", another writer")
      })
  }

  private var odd: String? {
    list(
      findings.oddInks.count, "ink that is", "inks that are", "odd",
      findings.oddInks.map {
        String(format: "%7d  ", $0.index) + "\(TerminalText.label($0.label))  \($0.problem.text)"
      })
  }

  private var thin: String? {
    list(
      findings.thinClasses.count, "class that is", "classes that are", "thin",
      findings.thinClasses.map {
        "         \(TerminalText.label($0.label))  " + TerminalText.count($0.samples, "ink") + ", "
          + TerminalText.count($0.writers, "writer")
      })
  }

  private var twins: String? {
    list(
      findings.labelTwins.count, "label with", "labels with", "several spellings",
      findings.labelTwins.map { twins in
        "         " + twins.map { TerminalText.spelling($0) }.joined(separator: " = ")
      })
  }

  private var unreadable: String? {
    list(
      findings.malformed, "record that cannot", "records that cannot", "be read",
      findings.malformedExamples.map { "         \($0)" })
  }

  private var clean: String? { findings.isClean ? "nothing odd was found" : nil }

  /// A heading with the count, and the first rows; nil where there are none.
  private func list(
    _ count: Int, _ one: String, _ several: String, _ what: String, _ rows: [String]
  ) -> String? {
    guard count > 0 else { return nil }
    let shown = rows.prefix(Self.most)
    let more = count > shown.count ? ["         … and \(count - shown.count) more"] : []
    return (["", TerminalText.count(count, one, several) + " " + what] + shown + more)
      .joined(separator: "\n")
  }
}
