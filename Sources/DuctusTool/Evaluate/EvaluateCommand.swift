import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Reports

/// `ductus evaluate`.
struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Score a model on labelled ink: accuracy, calibration, speed and size.",
    discussion: """
      Uses one thread and one ink at a time, from raw points to calibrated candidates. Data with \
      splits= or fold= and no split= is scored on its test part; other data is scored whole: add \
      split=test where the model was trained on a part of it. Ink that the model is known to have \
      learned is scored too, and said to be so.

      Example:
        ductus evaluate --model digits.ductus --json - \\
          --data 'unipen:unipen?category=1a&splits=unipen'
      """)

  @Option(help: "The model bundle, NAME.ductus, or the name of an installed model.")
  var model: String

  @OptionGroup var labeled: LabeledDataOptions

  @OptionGroup var output: JSONOutput

  @Option(
    help: ArgumentHelp(
      "Write figures, curves and drawn errors as one HTML page, DIR/index.html.", valueName: "dir"))
  var report: String?

  @OptionGroup var reading: LineReadingOptions

  @OptionGroup var layout: LayoutOption

  @Flag(help: "For line models: the network alone, the best symbol of each time step.")
  var greedy = false

  @Flag(
    help: """
      For line models: read each line behind what was read of the lines before it on its page or \
      in its file, as a program reads them as they are written.
      """)
  var runningText = false

  @Option(
    help: ArgumentHelp(
      """
      For line models: also score without what is known besides the ink: context (the text before \
      it, of which 0, 5, 10 and 20 characters are told), area (the writing area), or both: \
      context,area. The text before the ink is for the search, not for --greedy.
      """, valueName: "parts"))
  var ablation: String?

  @Option(
    help: ArgumentHelp(
      """
      For line models: also score which ink is said to make which character, on words put together \
      from these labelled characters, or on texts that the starter set makes: \
      'starter:words?length=5'; repeatable.
      """, valueName: "data"))
  var alignment: [String] = []

  @Flag(
    help: """
      Also score on the same ink disturbed as other people, pens and programs would: fewer points, \
      a coarse grid, leaning, interrupted, with dots that come late, and so on.
      """)
  var robustness = false

  @OptionGroup var editor: EditorEvaluationOptions

  func validate() throws {
    try editor.validate(
      greedy: greedy, ablation: ablation, alignment: alignment, robustness: robustness,
      report: report)
    try reading.validate(greedy: greedy)
    guard try !greedy || !ablationParts().contains(.context) else {
      throw ValidationError("--ablation context reads with the search: leave out --greedy")
    }
    guard !runningText || !(greedy || editor.isAsked) else {
      throw ValidationError(
        "--running-text is for the search, which knows the text before: leave out --greedy and "
          + "--through editor, which always knows it")
    }
  }

  func run() throws {
    let specifications = try labeled.specifications(defaultSplit: .test)
    let opened = try OpenModel.open(ModelLocation.url(of: model))
    if editor.isAsked {
      return try editor.evaluate(
        opened, model: model, labeled, specifications, reading: reading, output: output)
    }
    let folder = try report.map { try ReportFolder(preparing: $0) }
    switch opened.content {
    case .glyph(let model): try evaluateGlyphs(model, of: opened.bundle, specifications, folder)
    case .line: try evaluateLines(opened, specifications, folder)
    }
  }

  private func evaluateGlyphs(
    _ glyphs: GlyphModel, of bundle: ModelBundle, _ specifications: [DataSpecification],
    _ folder: ReportFolder?
  ) throws {
    guard !greedy, !runningText, reading.isEmpty, ablation == nil, alignment.isEmpty else {
      throw ToolError.lineOptions(model)
    }
    let classifier = GlyphClassifier(model: glyphs)
    var progress = EvaluationProgress(unit: "inks")
    let kept = folder == nil ? 0 : EvaluationReport.mostErrors
    let evaluation = try GlyphEvaluation(classifier, on: specifications, keptErrors: kept) {
      progress.show($0)
    }
    progress.clear()
    guard evaluation.samples > 0 else {
      throw ToolError.noLabelledInk(labeled.data, malformed: evaluation.malformed)
    }
    var summary = EvaluationSummary(
      evaluation, model: model, data: labeled.data, modelBytes: bundle.byteCount,
      peakResidentBytes: ProcessMemory.peakResidentBytes)
    let disturbed = try disturbed("inks") {
      try Robustness(glyphs: classifier, on: specifications, progress: $0)
    }
    summary.robustness = disturbed?.figures
    summary.knownInk = KnownInk(
      of: bundle.manifest, on: specifications, hash: evaluation.dataHash)
    KnownInk.warn(of: summary.knownInk, model: model)
    try output.write(summary, text: EvaluationText(summary).text)
    guard let folder else { return }
    try folder.write(
      EvaluationReport(evaluation, summary: summary, robustness: disturbed).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  private func evaluateLines(
    _ opened: OpenModel, _ specifications: [DataSpecification], _ folder: ReportFolder?
  ) throws {
    let bundle = opened.bundle
    let (recognizer, companions) = try reading.recognizer(opened, named: model, greedy: greedy)
    var progress = EvaluationProgress(unit: "lines")
    let evaluation = try LineEvaluation(
      recognizer, on: specifications, reading: greedy ? .greedy : .beam, layout: layout.layout,
      isRunningText: runningText
    ) { progress.show($0) }
    progress.clear()
    guard evaluation.samples > 0 else {
      throw ToolError.noLabelledInk(labeled.data, malformed: evaluation.malformed)
    }
    var summary = EvaluationSummary(
      evaluation, model: model, data: labeled.data, modelBytes: bundle.byteCount,
      languageBytes: companions.languageBytes, peakResidentBytes: ProcessMemory.peakResidentBytes)
    summary.ablations = try ablations(recognizer, specifications)
    summary.alignment = try alignments(recognizer)
    let disturbed = try disturbed("lines") {
      try Robustness(
        lines: recognizer, on: specifications, reading: greedy ? .greedy : .beam,
        layout: layout.layout, progress: $0)
    }
    summary.robustness = disturbed?.figures
    summary.knownInk = KnownInk(
      of: bundle.manifest, on: specifications, hash: evaluation.dataHash)
    KnownInk.warn(of: summary.knownInk, model: model)
    try output.write(summary, text: LineEvaluationText(summary).text)
    guard let folder else { return }
    try folder.write(LineReport(evaluation, summary: summary, robustness: disturbed).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  /// What disturbed ink costs, if that was asked for.
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

/// How far an evaluation has come.
struct EvaluationProgress {
  /// What is measured, where it is not the whole.
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
  /// Options of line models were given for another kind.
  static func lineOptions(_ model: String) -> ToolError {
    .badInput(
      "\(model): language models, a character model, alphabets, text before the ink and --greedy are "
        + "for line models, and this is a glyph model; leave them out")
  }

  /// The data holds nothing to score; `malformed` records could not be read.
  static func noLabelledInk(_ data: [String], malformed: Int = 0) -> ToolError {
    let names = data.joined(separator: ", ")
    let found = malformed == 0 ? "none" : "\(malformed) unreadable and none else"
    let advice =
      malformed == 0
      ? "check path, split= and labels=" : "'ductus data inspect' says what is wrong"
    return .badInput(
      "\(names): expected labelled ink, found \(found); \(advice)" + (emptyPartAdvice(data) ?? ""))
  }

  /// How to score data of few writers; nil where no data names the part that they may leave empty.
  private static func emptyPartAdvice(_ data: [String]) -> String? {
    let parts = data.compactMap { try? DataSpecification(parsing: $0) }
    guard parts.contains(where: { $0.split == .test && $0.splits == nil && $0.splitUnit != .ink })
    else { return nil }
    return "; few writers leave no test part: train and score with fold=K/N, which holds each N-th "
      + "of them out, or score single inks with split-by=ink where training has held them out"
  }
}
