import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import InkEditor
import ModelFormat
import Recognition

/// The path of the ink, instead of directly to the recogniser.
enum EvaluationPath: String, ExpressibleByArgument, CaseIterable {
  case editor
}

extension EditorScenario: ExpressibleByArgument {}
extension EditorFeeding: ExpressibleByArgument {}
extension EditorGuides: ExpressibleByArgument {}

/// The options of `ductus evaluate --through editor`.
struct EditorEvaluationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the ink into an editor as pointer events and score its documents.", valueName: "path"))
  var through: EvaluationPath?

  @Option(
    help: ArgumentHelp(
      """
      With --through editor: single lines, forms as pages, pages mixed with shapes, a word that is \
      replaced, the cost of pages of 20 and 500 words, or gestures over lines. (default: lines)
      """, valueName: "scenario"))
  var scenario: EditorScenario?

  @Option(
    help: ArgumentHelp(
      "With --through editor: a call per point, or one per page. (default: points)",
      valueName: "events"))
  var events: EditorFeeding?

  @Option(
    help: ArgumentHelp(
      "With --through editor: the position of the guides. (default: right)",
      valueName: "guides"))
  var guides: EditorGuides?

  @Flag(help: "With --through editor: read without the writing area.")
  var withoutArea = false

  @Option(
    help: ArgumentHelp(
      "With --scenario mixed: the model of shapes, NAME.ductus.", valueName: "model"))
  var shapes: String?

  @Option(
    help: ArgumentHelp(
      "With --scenario mixed: shapes to draw between the lines; default: those in the data.",
      valueName: "data"))
  var shapeData: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      With --scenario gestures: the model that votes on them, or none. (default: gestures)
      """, valueName: "model"))
  var gestureModel: String?

  @Option(
    help: ArgumentHelp(
      """
      With --scenario gestures: gestures of people to draw over words, too, by their labels: caret, \
      line, circle, rectangle, delete_mark, check and others.
      """, valueName: "data"))
  var gestureData: [String] = []

  /// True if ink goes through an editor.
  var isAsked: Bool { through == .editor }

  /// Checks the options together with the others of the command.
  func validate(
    greedy: Bool, ablation: String?, alignment: [String], robustness: Bool, report: String?
  ) throws {
    guard isAsked else {
      guard scenario == nil, events == nil, guides == nil, !withoutArea, shapes == nil,
        shapeData.isEmpty, gestureModel == nil, gestureData.isEmpty
      else {
        throw ValidationError(
          "--scenario, --events, --guides, --without-area, --shapes, --shape-data, "
            + "--gesture-model and --gesture-data need --through editor")
      }
      return
    }
    guard !greedy, ablation == nil, alignment.isEmpty, !robustness, report == nil else {
      throw ValidationError(
        "--through editor excludes --greedy, --ablation, --alignment, --robustness and "
          + "--report")
    }
    guard (scenario == .mixed) == (shapes != nil) else {
      throw ValidationError("--scenario mixed and --shapes need each other")
    }
    guard scenario == .gestures || gestureModel == nil && gestureData.isEmpty else {
      throw ValidationError("--gesture-model and --gesture-data need --scenario gestures")
    }
  }

  /// Runs the evaluation and writes its figures.
  func evaluate(
    _ opened: OpenModel, model: String, _ labeled: LabeledDataOptions,
    _ specifications: [DataSpecification], reading: LineReadingOptions, output: JSONOutput
  ) throws {
    let bundle = opened.bundle
    switch opened.content {
    case .line: break
    case .characterLine: throw ToolError.needsLineNetwork(model, "--through editor")
    case .glyph, .formula: throw ToolError.editorNeedsLines(model)
    }
    let recognizer = try reading.recognizer(opened, named: model).recognizer
    let shapeModel = try shapes.map {
      GlyphClassifier(model: try ModelLibrary.local.open($0).glyph())
    }
    let gestures = try gestureRecognizer()
    var options = EditorEvaluation.Options()
    options.scenario = scenario ?? .lines
    options.feeding = events ?? .points
    options.guides = guides ?? .right
    options.areas = !withoutArea
    var progress = EvaluationProgress(unit: "pages")
    let figures = try EditorEvaluation.figures(
      line: recognizer, shapes: shapeModel, options: options, data: specifications,
      shapeData: try shapeData.map { try DataSpecification(parsing: $0) }, gestures: gestures,
      gestureData: try gestureData.map { try DataSpecification(parsing: $0) }
    ) { progress.show($0) }
    progress.clear()
    guard figures.pages > 0 else { throw ToolError.noLabelledInk(labeled.data) }
    var summary = figures.summary(
      model: model, data: labeled.data, dataHash: try Self.hash(specifications),
      modelBytes: bundle.byteCount)
    summary.knownInk = KnownInk(
      of: bundle.manifest, on: specifications, hash: summary.dataHash)
    KnownInk.warn(of: summary.knownInk, model: model)
    try output.write(
      summary, text: EditorFiguresText(figures, model: model, known: summary.knownInk).text)
  }

  /// Opens the model that votes on gestures; nil for none.
  private func gestureRecognizer() throws -> GlyphClassifier? {
    guard scenario == .gestures, gestureModel != "none" else { return nil }
    return GlyphClassifier(model: try ModelLibrary.local.open(gestureModel ?? "gestures").glyph())
  }

  private static func hash(_ data: [DataSpecification]) throws -> String {
    var hasher = DataHasher()
    for specification in data {
      for case .success(let record) in try specification.records() {
        hasher.update(with: record.labeled)
      }
    }
    return hasher.finalize()
  }
}

extension ToolError {
  /// The error for a glyph model, because the editor reads text.
  fileprivate static func editorNeedsLines(_ model: String) -> ToolError {
    .badInput(
      "\(model): this is a glyph model; --through editor needs a line model, "
        + "and takes glyph models as --shapes")
  }
}

/// The figures of an evaluation through the editor as aligned text.
struct EditorFiguresText {
  private let figures: EditorFigures
  private let model: String
  /// The model's previous knowledge of the ink.
  private let known: KnownInk?

  init(_ figures: EditorFigures, model: String, known: KnownInk?) {
    self.figures = figures
    self.model = model
    self.known = known
  }

  var text: String {
    rows.map { "\($0.0.padding(toLength: 24, withPad: " ", startingAt: 0))\($0.1)" }
      .joined(separator: "\n")
  }

  private var rows: [(String, String)] {
    var rows = [
      ("model", model),
      (
        "scenario",
        "\(figures.scenario.rawValue), events as \(figures.events.rawValue), guides "
          + figures.guides.rawValue
      ),
      ("pages", "\(figures.pages), \(figures.strokes) strokes, \(figures.lostStrokes) lost"),
    ]
    if let known { rows.append(("note", known.text)) }
    func add(_ name: String, _ value: Double?) {
      if let value { rows.append((name, RateText.percent(value))) }
    }
    add("character errors", figures.cer)
    add("word errors", figures.wer)
    add("recogniser alone", figures.recognizerCER)
    add("before the replacement", figures.cerBefore)
    add("strokes in right line", figures.strokesInRightLine)
    add("strokes of right kind", figures.strokesOfRightKind)
    for (kind, found) in (figures.kinds ?? [:]).sorted(by: { $0.key < $1.key }) {
      let counts = found.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      rows.append(("  \(kind)", counts.joined(separator: ", ")))
    }
    func add(_ name: String, _ latency: Percentiles?) {
      guard let latency else { return }
      rows.append(
        (
          name,
          String(format: "p50 %.1f, p95 %.1f, p99 %.1f ms", latency.p50, latency.p95, latency.p99)
        ))
    }
    add("pen-up to candidates", figures.penUpToCandidatesMs)
    add("pen-up to idle", figures.penUpToIdleMs)
    if let small = figures.smallPageMs, let large = figures.largePageMs,
      let growth = figures.growth
    {
      rows.append(
        (
          "20 and 500 words",
          String(format: "%.1f and %.1f ms per stroke, %.2f times", small, large, growth)
        ))
    }
    if let gestures = figures.gestures { addGestures(gestures, &rows) }
    if let bytes = figures.pageBytes {
      rows.append(("page of 500 words", String(format: "%.1f MB", Double(bytes) / 1e6)))
    }
    return rows
  }
}

extension EditorFiguresText {
  private func addGestures(_ gestures: GestureFigures, _ rows: inout [(String, String)]) {
    func rate(_ value: Double?) -> String { value.map(RateText.percent) ?? "–" }
    for (kind, counts) in gestures.kinds.sorted(by: { $0.key < $1.key }) {
      rows.append(
        (
          kind,
          "recall \(rate(counts.recall)) of \(counts.drawn), precision \(rate(counts.precision)), "
            + "\(counts.falseAlarms) in plain writing"
        ))
    }
    for (name, counts) in (gestures.people ?? [:]).sorted(by: { $0.key < $1.key }) {
      rows.append(("people: " + name, "recall \(rate(counts.recall)) of \(counts.drawn)"))
    }
    func isDestructive(_ kind: String) -> Bool {
      GestureKind(rawValue: kind)?.isDestructive ?? false
    }
    if let all = gestures.falseAlarms({ _ in true }),
      let worst = gestures.falseAlarms(isDestructive)
    {
      rows.append(
        (
          "false alarms",
          String(
            format: "%.2f per 1,000 words, of which %.2f lose or move ink; %d words", all, worst,
            gestures.words)
        ))
    }
    if let time = gestures.penUpToEffectMs {
      rows.append(
        ("pen-up to effect", String(format: "p50 %.1f, p95 %.1f ms", time.p50, time.p95)))
    }
  }
}

extension EditorFigures {
  /// Combines the figures with those of all evaluations; the editor's are under `editor`.
  fileprivate func summary(
    model: String, data: [String], dataHash: String, modelBytes: Int
  ) -> EvaluationSummary {
    var summary = EvaluationSummary(
      model: model, data: data, dataHash: dataHash, samples: pages, modelBytes: modelBytes)
    summary.cer = cer
    summary.wer = wer
    summary.characters = characters
    summary.words = words
    summary.peakResidentBytes = ProcessMemory.peakResidentBytes
    summary.editor = values
    return summary
  }
}
