import ArgumentParser
import DataDoctor
import Distributed
import Evaluation
import Files
import Foundation
import InkCore
import InkDatasets
import ModelFormat
import Recognition
import Reports
import Training

/// `ductus data doctor`: looks for problems in labelled data.
package struct DataDoctorCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find wrong labels, duplicates and thin classes.",
    discussion: """
      Small models trained on parts of the data judge the labels of the rest; --model names a \
      trained model instead. Texts are judged by a line model, such as latin-lines. Nothing is \
      changed: records are named by their index in the data, from 0.

      Under mpirun the processes divide the models or the inks among them; the findings are those \
      of one process.

      Example:
        ductus data doctor --data ink:mine.jsonl --report odd
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(
    help: "A model that was not trained on this data: NAME.ductus, a name, or exec:COMMAND.")
  var model: String?

  @OptionGroup var program: ProgramOptions

  @OptionGroup var ranks: RankOptions

  @OptionGroup var output: JSONOutput

  @Option(
    help: ArgumentHelp(
      "Write the findings with drawn inks to an HTML page, DIR/index.html.", valueName: "dir"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Threads of training, without --model. The findings do not depend on it.",
      valueName: "number"))
  var workers: Int?

  package func validate() throws {
    try program.check(models: [model].compactMap { $0 })
    guard let workers else { return }
    try TrainingOptions.check(workers: workers)
    guard model == nil else {
      throw ValidationError("--workers is for training: leave out --workers or --model")
    }
  }

  package func run() async throws {
    try RankedRun.run(ranks) { try examine($0) }
  }

  private func examine(_ ranked: RankedRun) throws {
    let specifications = try labeled.specifications(defaultSplit: .all)
    let scored = try model.map { try ScoredModel($0, on: specifications, program) }
    let shared = SharedReading(ranked)
    let judge = try judge(scored, ranked, shared)
    let folder = try ranked.isLeader ? report.map { try ReportFolder(preparing: $0) } : nil
    if let scored {
      let isLeader = try shared.prepared(model: scored.identity) {
        try DataExamination(specifications, judge: judge).findings.dataHash
      }
      guard isLeader else { return try scored.end() }
    }
    let line = SharedProgressLine()
    let findings = try DataExamination(specifications, judge: judge) { progress in
      guard ranked.isLeader else { return }
      switch progress {
      case .reading(let records): line.show(nil, "reading  \(records) records")
      case .judging(let fraction): line.showJudging(fraction)
      }
    }.findings
    line.clear()
    try scored?.end()
    // With a model the ranks compared the data before.
    if scored == nil { try ranked.compare(model: "none", data: findings.dataHash) }
    guard findings.records > 0 else { throw ToolError.noLabelledInk(labeled.data) }
    guard ranked.isLeader else { return }
    try output.write(findings, text: DataFindingsText(findings).text)
    guard let folder else { return }
    let inks = try inks(FindingsReport.drawnIndices(of: findings), of: specifications)
    try folder.write(FindingsReport(findings, inks: inks).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  private func judge(
    _ scored: ScoredModel?, _ ranked: RankedRun, _ shared: SharedReading
  ) throws -> DataExamination.Judge {
    guard let scored else {
      return .crossValidation(workers: workers ?? RankedRun.processors, ranks: ranked.ranks)
    }
    let recognizer: (any Recognizer)? =
      if let program = scored.program { program } else { try scored.opened?.recognizer() }
    guard let recognizer else { throw ToolError.needsBundle(scored.name, "this") }
    return .recognizer(
      shared.sharing.map { SharedRecognizer(recognizer, $0) } ?? recognizer, name: scored.name)
  }

  /// The inks of some records, read in a second pass, so that the first keeps none.
  private func inks(
    _ indices: Set<Int>, of specifications: [DataSpecification]
  ) throws -> [Int: LabeledInk] {
    var result: [Int: LabeledInk] = [:]
    var index = 0
    for specification in specifications {
      for element in try specification.records() {
        if indices.contains(index) { result[index] = try element.get().labeled }
        index += 1
      }
    }
    return result
  }
}

/// A progress line that any thread may draw.
private final class SharedProgressLine: Sendable {
  private struct State {
    var line = ProgressLine()
    var judgingSince: ContinuousClock.Instant?
  }
  private let state = Guarded(State())

  /// Shows the share of the judging that is done, and the remaining time.
  func showJudging(_ fraction: Double) {
    state.withLock { state in
      let now = ContinuousClock.now
      let elapsed = (now - (state.judgingSince ?? now)) / .seconds(1)
      state.judgingSince = state.judgingSince ?? now
      let left = fraction > 0 ? ProgressLine.clock(elapsed * (1 - fraction) / fraction) : "–"
      state.line.show(fraction, "judging labels  \(left) left")
    }
  }

  func show(_ fraction: Double?, _ text: @autoclosure () -> String) {
    state.withLock { $0.line.show(fraction, text()) }
  }

  func clear() { state.withLock { $0.line.clear() } }
}

/// The findings in the JSON of `ductus data doctor`.
package struct FindingsFile {
  private let path: String
  private let findings: DataFindings
  /// The records to leave out.
  let leftOut: Set<Int>

  /// - Throws: ``ToolError`` if there are none.
  init(path: String) throws(ToolError) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolError.unusableFindings(path, found: "no readable file")
    }
    guard let findings = try? JSONDecoder().decode(DataFindings.self, from: data) else {
      throw ToolError.unusableFindings(path, found: "\(data.count) bytes in another format")
    }
    self.findings = findings
    leftOut = Set(findings.suspectLabels.map(\.index) + findings.duplicates.map(\.index))
  }

  /// Checks that the data is the examined data, because other data has other indices.
  func check(dataHash: String) throws(ToolError) {
    guard dataHash == findings.dataHash else {
      throw ToolError.unusableFindings(
        path, found: "the findings of other data, \(findings.data.joined(separator: ", "))")
    }
  }
}

extension ToolError {
  /// The error for `--without` without findings, or with those of other data.
  fileprivate static func unusableFindings(_ path: String, found: String) -> ToolError {
    .badInput(
      "\(path): expected the JSON of 'ductus data doctor' for the same data, found \(found)")
  }
}

/// Findings as text: the counts, and the first of each kind.
package struct DataFindingsText {
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
          + " judged by \(judge): it confirms \(share)")
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
      "duplicates" + (faults > 0 ? ", \(faults) with another label" : ""),
      findings.duplicates.map { duplicate in
        String(format: "%7d  = %d", duplicate.index, duplicate.earlier)
          + (duplicate.hasSameLabel ? "" : ", another label")
          + (duplicate.hasSameWriter ? "" : ", another writer")
      })
  }

  private var odd: String? {
    list(
      findings.oddInks.count, "ink that is", "inks that are", "unusual",
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

  private var clean: String? { findings.isClean ? "no problems found" : nil }

  /// A heading with the count, and the first rows; nil if there are none.
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
