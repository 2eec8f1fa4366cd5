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
    ([overview, judged, suspects, duplicates, odd, thin, twins].compactMap { $0 } + [unreadable])
      .compactMap { $0 }.joined(separator: "\n")
  }

  private var overview: String {
    "\(findings.records) records of \(findings.writers) writers, \(findings.classes) labels"
      + (findings.withoutWriter > 0 ? "; \(findings.withoutWriter) without a writer" : "")
  }

  private var judged: String? {
    var lines: [String] = []
    if let judge = findings.judge {
      let share = findings.agreement.map { String(format: "%.2f %%", 100 * $0) } ?? "–"
      lines.append("\(findings.judged) labels judged by \(judge): \(share) agree")
    }
    if let unjudged = findings.unjudged { lines.append("not judged: \(unjudged)") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private var suspects: String? {
    list(
      "labels are probably wrong",
      findings.suspectLabels.map { suspect in
        String(format: "%7d  %3.0f %%  ", suspect.index, 100 * suspect.score)
          + "\(suspect.label) -> \(suspect.suggested)"
          + (suspect.writer.map { "  (writer \($0))" } ?? "")
      })
  }

  private var duplicates: String? {
    let faults = findings.duplicates.count { !$0.hasSameLabel }
    return list(
      "inks are there twice" + (faults > 0 ? ", \(faults) with another label" : ""),
      findings.duplicates.map { duplicate in
        String(format: "%7d  = %d", duplicate.index, duplicate.earlier)
          + (duplicate.hasSameLabel ? "" : ", another label")
          + (duplicate.hasSameWriter ? "" : ", another writer")
      })
  }

  private var odd: String? {
    list(
      "inks are odd",
      findings.oddInks.map { String(format: "%7d  ", $0.index) + "\($0.label)  \($0.problem.text)" }
    )
  }

  private var thin: String? {
    list(
      "classes are thin",
      findings.thinClasses.map { "         \($0.label)  \($0.samples) inks, \($0.writers) writers" }
    )
  }

  private var twins: String? {
    list(
      "labels look the same as another",
      findings.labelTwins.map { "         \($0[0]) (\($0.count) spellings)" })
  }

  private var unreadable: String? {
    guard findings.malformed > 0 else { return nil }
    return "\n\(findings.malformed) records could not be read\n"
      + findings.malformedExamples.map { "         \($0)" }.joined(separator: "\n")
  }

  /// A heading with the count, and the first rows; nil without rows.
  private func list(_ heading: String, _ rows: [String]) -> String? {
    guard !rows.isEmpty else { return nil }
    let more = rows.count > Self.most ? ["         … and \(rows.count - Self.most) more"] : []
    return (["", "\(rows.count) \(heading)"] + rows.prefix(Self.most) + more)
      .joined(separator: "\n")
  }
}
