import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition

/// `ductus evaluate`.
struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Score a model on labelled ink: accuracy, calibration, speed and size.",
    discussion: """
      Uses one thread and one ink at a time, from raw points to calibrated candidates. Data with \
      splits= or fold= and no split= is scored on its test part; other data is scored whole: add \
      split=test where the model was trained on a part of it.

      Example:
        ductus evaluate --model digits.ductus --json - \\
          --data 'unipen:unipen?category=1a&splits=splits/unipen.tsv'
      """)

  @Option(help: "The model bundle, NAME.ductus.")
  var model: String

  @Option(
    help: ArgumentHelp("Labelled ink, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data"))
  var data: [String]

  @Option(
    help: ArgumentHelp("Write the figures as JSON; - for standard output.", valueName: "file"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Write figures, curves and drawn errors as one HTML page, DIR/index.html.", valueName: "dir"))
  var report: String?

  func run() throws {
    let specifications = try data.map { try DataSpecification(parsing: $0).withDefaultSplit(.test) }
    let bundle = try ModelBundle.open(URL(fileURLWithPath: model))
    let classifier = GlyphClassifier(model: try GlyphModel(bundle: bundle))
    let folder = try report.map { try ReportFolder(preparing: $0) }
    var line = ProgressLine()
    let started = ContinuousClock.now
    let kept = folder == nil ? 0 : EvaluationReport.mostErrors
    let evaluation = try GlyphEvaluation(classifier, on: specifications, keptErrors: kept) {
      count in
      guard count.isMultiple(of: 256) else { return }
      let rate = Double(count) / max((ContinuousClock.now - started) / .seconds(1), 1e-3)
      line.show(nil, "\(count) inks" + String(format: "  %.0f inks/s", rate))
    }
    line.clear()
    guard evaluation.samples > 0 else { throw NoLabelledInk(data: data) }
    let summary = EvaluationSummary(
      evaluation, model: model, data: data, modelBytes: bundle.byteCount,
      peakResidentBytes: ProcessMemory.peakResidentBytes)
    let output = json.map(JSONOutput.init)
    if output?.isStandardOutput != true { print(EvaluationText(summary).text) }
    try output?.write(summary)
    guard let folder else { return }
    try folder.write(EvaluationReport(evaluation, summary: summary).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }
}

/// Nothing to score.
struct NoLabelledInk: BadInputError, CustomStringConvertible {
  let data: [String]

  var description: String {
    "\(data.joined(separator: ", ")): expected labelled ink, found none; check path, split= and "
      + "labels="
  }
}

/// The process's memory.
enum ProcessMemory {
  /// The largest resident set so far, or nil where it cannot be told.
  static var peakResidentBytes: Int? {
    var usage = rusage()
    #if os(Linux)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
      return usage.ru_maxrss * 1024
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return usage.ru_maxrss
    #endif
  }
}
