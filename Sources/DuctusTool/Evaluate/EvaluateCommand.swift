import ArgumentParser
import Evaluation
import ExternalModels
import FormulaTraining
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Reports

/// `ductus evaluate`.
package struct Evaluate: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Score a model: accuracy, calibration, speed and size.",
    discussion: """
      Reads one ink at a time on one thread, from raw points to calibrated candidates. Data with \
      splits= or fold= and no split= is scored on its test part. Other data is scored as a \
      whole: add split=test if the model was trained on part of it. Ink that the model was \
      trained on is scored too, with a warning. Line models: ink whose label has several lines is \
      also scored as a page, in any order of its lines, and by the kinds of its strokes if the data \
      has them.

      exec:COMMAND is a program that speaks the protocol of 'ductus recognize -': it gets one \
      request per line, without the label, and answers each with one line that has the same id. \
      An error object counts as an ink without an answer. A program that ends, is too late, or \
      answers something else ends the evaluation with an error.

      Under mpirun the processes divide the inks among them; the report is that of one process.

      Examples:
        ductus evaluate --model mine.ductus --data 'ink:mine.jsonl?split=test' \\
          --report report
        ductus evaluate --model latin-lines --data 'iam-ondb:iam-ondb?split=val2' \\
          --json -
        ductus evaluate --model 'exec:ductus recognize - --model mine.ductus' \\
          --data ink:mine.jsonl
      """)

  @Option(
    help: "The model: NAME.ductus, the name of an installed or shipped model, or exec:COMMAND.")
  var model: String

  @OptionGroup var labeled: LabeledDataOptions

  @OptionGroup var output: JSONOutput

  @Option(
    help: ArgumentHelp(
      "Write figures, curves and drawn errors to an HTML page, DIR/index.html.", valueName: "dir"))
  var report: String?

  @OptionGroup var predictions: PredictionOutput

  @OptionGroup var reading: LineReadingOptions

  @OptionGroup var layout: LayoutOption

  @OptionGroup var program: ProgramOptions

  @OptionGroup var ranks: RankOptions

  @Flag(help: "Line models: the network alone, the best symbol of each time step.")
  var greedy = false

  @Flag(
    help: """
      Line models: the text read so far on the page or in the file is the pre-context of each \
      line.
      """)
  var runningText = false

  @Option(
    help: ArgumentHelp(
      """
      Line models: also score without additional knowledge: context (0, 5, 10 or 20 characters of \
      pre-context), area (the writing area), or context,area. Pre-context needs the search, so it \
      does not combine with --greedy.
      """, valueName: "parts"))
  var ablation: String?

  @Option(
    help: ArgumentHelp(
      """
      Line models: also score the strokes and points of each character, on words composed of these \
      labelled characters, or on synthetic texts: 'starter:words?length=5'; repeatable.
      """, valueName: "data"))
  var alignment: [String] = []

  @Flag(
    help: """
      Also score the same ink disturbed: fewer points, a coarse grid, a mouse, slant, interrupted \
      strokes, late dots, and others.
      """)
  var robustness = false

  @OptionGroup var editor: EditorEvaluationOptions

  package func validate() throws {
    try editor.validate(
      greedy: greedy, ablation: ablation, alignment: alignment, robustness: robustness,
      report: report)
    try program.check(models: [model])
    guard predictions.isEmpty || !editor.isAsked else {
      throw ValidationError("--through editor excludes --predictions: leave one of them out")
    }
    try reading.validate(greedy: greedy)
    guard try !greedy || !ablationParts().contains(.context) else {
      throw ValidationError("--ablation context reads with the search: leave out --greedy")
    }
    guard !runningText || !(greedy || editor.isAsked) else {
      throw ValidationError(
        "--running-text needs the search: leave out --greedy; leave out --running-text with "
          + "--through editor, which always uses the text before")
    }
  }

  package func run() throws {
    try RankedRun.run(ranks) { try evaluate($0) }
  }

  private func evaluate(_ ranked: RankedRun) throws {
    let shared = SharedReading(ranked)
    if shared.sharing != nil { try refuseUndividedOptions() }
    if labeled.data.contains(where: FormulaData.isNamed) {
      try refuseOptionsOfOtherData()
      let folder = try report.map { try ReportFolder(preparing: $0) }
      return try FormulaScoring(model: model, data: labeled.data).run(output, report: folder)
    }
    guard layout.layout != .formula else {
      throw ToolError.badInput(
        "--layout formula: expected data of formulas, inkml:PATH?unit=formula, found other data")
    }
    let specifications = try labeled.specifications(defaultSplit: .test)
    if ProgramOptions.isProgram(model) { try refuseOptionsOfBundles() }
    let scored = try ScoredModel(model, on: specifications, program)
    if editor.isAsked, let opened = scored.opened {
      return try editor.evaluate(
        opened, model: model, labeled, specifications, reading: reading, output: output)
    }
    let folder = try ranked.isLeader ? report.map { try ReportFolder(preparing: $0) } : nil
    switch scored.kind {
    case .glyphs: try evaluateGlyphs(scored, specifications, folder, shared)
    case .lines: try evaluateLines(scored, specifications, folder, shared)
    }
  }

  /// Refuses what several processes cannot divide.
  private func refuseUndividedOptions() throws {
    let options = [
      ("--running-text", runningText), ("--ablation", ablation != nil),
      ("--alignment", !alignment.isEmpty), ("--through", editor.isAsked),
      ("data of formulas", labeled.data.contains(where: FormulaData.isNamed)),
    ]
    if let (option, _) = options.first(where: \.1) { throw ToolError.undivided(option) }
  }

  /// Refuses the options that look into a model of this project.
  private func refuseOptionsOfBundles() throws {
    let options = [
      ("--greedy", greedy), ("--ablation", ablation != nil), ("--alignment", !alignment.isEmpty),
      ("--through", editor.isAsked),
      ("an option about language models, characters or words", !reading.isEmpty),
    ]
    if let (option, _) = options.first(where: \.1) { throw ToolError.needsBundle(model, option) }
  }

  /// Refuses the options that formulas do not have.
  private func refuseOptionsOfOtherData() throws {
    let asks = [
      greedy, runningText, robustness, ablation != nil, !alignment.isEmpty,
      editor.isAsked, !predictions.isEmpty, !reading.isEmpty,
    ]
    if asks.contains(true) {
      throw ToolError.badInput(
        "data of formulas (unit=formula): expected the options --model, --data, --json and "
          + "--report, found another; leave it out")
    }
  }

  private func evaluateGlyphs(
    _ scored: ScoredModel, _ specifications: [DataSpecification], _ folder: ReportFolder?,
    _ shared: SharedReading
  ) throws {
    guard !greedy, !runningText, !reading.replacesModels, ablation == nil, alignment.isEmpty else {
      throw ToolError.lineOptions(model)
    }
    let (alphabet, vocabulary) = try (reading.allowedCharacters(), reading.vocabulary())
    var classifier = try scored.glyphs().confined(to: alphabet, vocabulary: vocabulary)
    if let sharing = shared.sharing { classifier = SharedRecognizer(classifier, sharing) }
    let isLeader = try shared.prepared(model: scored.identity) {
      let evaluation = try GlyphEvaluation(classifier, on: specifications)
      if robustness { _ = try Robustness(glyphs: classifier, on: specifications) }
      return evaluation.dataHash
    }
    guard isLeader else { return try scored.end() }
    var progress = EvaluationProgress(unit: "inks")
    let kept = folder == nil ? 0 : EvaluationReport.mostErrors
    let answers = try predictions.open()
    let evaluation = try PredictionFile.keeping(answers) {
      try GlyphEvaluation(
        classifier, on: specifications, keptErrors: kept, progress: { progress.show($0) },
        keep: answers?.write)
    }
    progress.clear()
    guard evaluation.samples > 0 else {
      throw ToolError.noLabelledInk(labeled.data, malformed: evaluation.malformed)
    }
    try answers?.finish()
    var summary = EvaluationSummary(
      evaluation, model: model, data: labeled.data, modelBytes: scored.bytes,
      peakResidentBytes: ProcessMemory.peakResidentBytes)
    let disturbed = try disturbed("inks") {
      try Robustness(glyphs: classifier, on: specifications, progress: $0)
    }
    summary.robustness = disturbed?.figures
    try scored.end(&summary)
    summary.knownInk = scored.knownInk(on: specifications, hash: evaluation.dataHash)
    KnownInk.warn(of: summary.knownInk, model: model)
    try output.write(summary, text: EvaluationText(summary).text)
    guard let folder else { return }
    try folder.write(
      EvaluationReport(evaluation, summary: summary, robustness: disturbed).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  private func evaluateLines(
    _ scored: ScoredModel, _ specifications: [DataSpecification], _ folder: ReportFolder?,
    _ shared: SharedReading
  ) throws {
    let read = try scored.opened.map {
      try reading.reader($0, named: model, greedy: greedy)
    }
    if read != nil, read?.lines == nil, ablation != nil || !alignment.isEmpty {
      throw ToolError.needsLineNetwork(model, "--ablation or --alignment")
    }
    guard
      var reader = read.map(\.reader)
        ?? scored.program.map({ LineReader(program: $0) })
    else { throw ToolError.needsBundle(model, "this") }
    reader.sharing = shared.sharing
    let isLeader = try shared.prepared(model: scored.identity) {
      let evaluation = try LineEvaluation(
        reader, on: specifications, reading: greedy ? .greedy : .beam, layout: layout.layout)
      if robustness {
        _ = try Robustness(
          lines: reader, on: specifications, reading: greedy ? .greedy : .beam,
          layout: layout.layout)
      }
      return evaluation.dataHash
    }
    guard isLeader else { return try scored.end() }
    var progress = EvaluationProgress(unit: "lines")
    let answers = try predictions.open()
    let evaluation = try PredictionFile.keeping(answers) {
      try LineEvaluation(
        reader, on: specifications, reading: greedy ? .greedy : .beam, layout: layout.layout,
        isRunningText: runningText, progress: { progress.show($0) }, keep: answers?.write)
    }
    progress.clear()
    guard evaluation.samples > 0 else {
      throw ToolError.noLabelledInk(labeled.data, malformed: evaluation.malformed)
    }
    try answers?.finish()
    var summary = EvaluationSummary(
      evaluation, model: model, data: labeled.data, modelBytes: scored.bytes,
      languageBytes: read?.companions.languageBytes,
      peakResidentBytes: ProcessMemory.peakResidentBytes)
    if let recognizer = read?.lines {
      summary.ablations = try ablations(recognizer, specifications)
      summary.alignment = try alignments(recognizer)
    }
    let disturbed = try disturbed("lines") {
      try Robustness(
        lines: reader, on: specifications, reading: greedy ? .greedy : .beam,
        layout: layout.layout, progress: $0)
    }
    summary.robustness = disturbed?.figures
    try scored.end(&summary)
    summary.knownInk = scored.knownInk(on: specifications, hash: evaluation.dataHash)
    KnownInk.warn(of: summary.knownInk, model: model)
    try output.write(summary, text: LineEvaluationText(summary).text)
    guard let folder else { return }
    try folder.write(LineReport(evaluation, summary: summary, robustness: disturbed).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  /// The results on disturbed ink, if requested.
  private func disturbed(
    _ unit: String, measure: ((Int) -> Void) throws -> Robustness
  ) throws -> Robustness? {
    guard robustness else { return nil }
    var progress = EvaluationProgress(title: "disturbed: ", unit: unit)
    defer { progress.clear() }
    return try measure { progress.show($0) }
  }

  private func ablationParts() throws -> Set<LineAblation.Part> {
    try Set(
      (ablation ?? "").split(separator: ",").map { name in
        guard let part = LineAblation.Part(rawValue: String(name)) else {
          throw ValidationError("--ablation: expected context, area or both, found \(name)")
        }
        return part
      })
  }

  private func ablations(
    _ recognizer: LineRecognizer, _ specifications: [DataSpecification]
  ) throws -> [String: Double]? {
    let parts = try ablationParts()
    guard !parts.isEmpty else { return nil }
    var progress = EvaluationProgress(title: "ablations: ", unit: "lines")
    defer { progress.clear() }
    return try LineAblation(
      recognizer, on: specifications, parts: parts, reading: greedy ? .greedy : .beam
    ) { progress.show($0) }.figures
  }

  private func alignments(_ recognizer: LineRecognizer) throws -> [String: Double]? {
    guard !alignment.isEmpty else { return nil }
    let inks = try alignment.map {
      try DataSpecification(parsing: $0).withDefaultSplit(.test)
    }
    var progress = EvaluationProgress(title: "alignment: ", unit: "texts")
    defer { progress.clear() }
    return try AlignmentEvaluation(recognizer, on: inks) { progress.show($0) }.figures
  }
}

/// The progress of an evaluation.
struct EvaluationProgress {
  /// The current part, unless it is the whole evaluation.
  private let title: String
  private let unit: String
  private var line = ProgressLine()
  private let started = ContinuousClock.now

  init(title: String = "", unit: String) { (self.title, self.unit) = (title, unit) }

  mutating func show(_ count: Int) {
    guard count.isMultiple(of: 64) else { return }
    let rate = Double(count) / max((ContinuousClock.now - started) / .seconds(1), 1e-3)
    let text = "\(title)\(count) \(unit)" + String(format: "  %.0f \(unit)/s", rate)
    line.show(nil, text)
  }

  mutating func clear() { line.clear() }
}

extension ToolError {
  /// The error for work that several processes cannot divide.
  static func undivided(_ option: String) -> ToolError {
    .badInput(
      "\(option): several processes cannot divide this, because each reading depends on those "
        + "before it, or its figures are of another kind; leave it out, or start without mpirun")
  }

  /// The error for options of line models with another kind.
  static func lineOptions(_ model: String) -> ToolError {
    .badInput(
      "\(model): language models, a character model, text before the ink and --greedy are for line "
        + "models, and this is a glyph model; leave them out")
  }

  /// The error for a model of lines whose characters do not touch where a network of lines is needed.
  static func needsLineNetwork(_ model: String, _ options: String) -> ToolError {
    .badInput(
      "\(model): \(options): expected a model with a network of lines, found one of single characters; "
        + "leave the option out")
  }

  /// The error if the data has nothing to score; `malformed` records could not be read.
  static func noLabelledInk(_ data: [String], malformed: Int = 0) -> ToolError {
    let names = data.joined(separator: ", ")
    let found = malformed == 0 ? "none" : "only \(malformed) unreadable"
    let advice =
      malformed == 0
      ? "check path, split= and labels=" : "'ductus data inspect' shows the errors"
    return .badInput(
      "\(names): expected labelled ink, found \(found); \(advice)" + (emptyPartAdvice(data) ?? ""))
  }

  /// Advice for data of few writers; nil if no data names the part that may be empty.
  private static func emptyPartAdvice(_ data: [String]) -> String? {
    let parts = data.compactMap { try? DataSpecification(parsing: $0) }
    guard parts.contains(where: { $0.split == .test && $0.splits == nil && $0.splitUnit != .ink })
    else { return nil }
    return "; with few writers the test part is empty: use fold=K/N, which holds out "
      + "every N-th writer, or score single inks with split-by=ink if training held them out"
  }
}
