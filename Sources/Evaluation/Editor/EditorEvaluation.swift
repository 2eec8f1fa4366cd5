import Foundation
import InkCore
import InkDatasets
import InkEditor
import Metrics
import Recognition

/// Writes labelled ink into editors and scores the content of their documents.
package struct EditorEvaluation {
  /// The settings of an evaluation.
  package struct Options: Hashable, Sendable {
    /// The scenario.
    package var scenario = EditorScenario.lines
    /// The way in which ink is passed to the editor.
    package var feeding = EditorFeeding.points
    /// The position of the guides.
    package var guides = EditorGuides.right
    /// True if the recogniser gets the writing area.
    package var areas = true

    /// Makes the default options.
    package init() {}
  }

  private let engine: Engine
  private let line: LineRecognizer
  private let options: Options
  private let pages: EditorPages
  private let gestureData: [DataSpecification]
  private var figures: EditorFigures
  private var errors = TextErrorRate()
  private var alone = TextErrorRate()
  private var before = TextErrorRate()
  private var updates: [Double] = []
  private var idles: [Double] = []
  private var rightLine = (right: 0, all: 0)

  /// Runs a scenario.
  ///
  /// - Parameters:
  ///   - line: The recogniser of text.
  ///   - shapes: The recogniser of shapes; needed for mixed pages.
  ///   - data: Lines of text, or pages of text and shapes.
  ///   - shapeData: Shapes to draw between lines, for mixed pages.
  ///   - gestures: The model that votes on gestures; nil for none.
  ///   - gestureData: Gestures of people to draw over words, by labels as `caret` and `circle`.
  ///   - progress: Called with the number of pages.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, and errors of the editor.
  package static func figures(
    line: LineRecognizer, shapes: (any Recognizer)?, options: Options,
    data: [DataSpecification], shapeData: [DataSpecification] = [],
    gestures: (any Recognizer)? = nil, gestureData: [DataSpecification] = [],
    progress: (Int) -> Void = { _ in }
  ) throws -> EditorFigures {
    var evaluation = EditorEvaluation(line, shapes, gestures, options, data, shapeData, gestureData)
    try evaluation.run(progress)
    return evaluation.finished
  }

  private init(
    _ line: LineRecognizer, _ shapes: (any Recognizer)?, _ gestures: (any Recognizer)?,
    _ options: Options, _ data: [DataSpecification], _ shapeData: [DataSpecification],
    _ gestureData: [DataSpecification]
  ) {
    let models = LoadedModels()
    models.setText(line, bundle: "en_US")
    if let shapes { models.setShapes(shapes) }
    if let gestures { models.setGestures(gestures) }
    engine = Engine(models: models)
    self.line = line
    self.options = options
    self.gestureData = gestureData
    pages = EditorPages(data: data, shapes: shapeData)
    figures = EditorFigures(
      scenario: options.scenario, events: options.feeding, guides: options.guides)
  }

  private mutating func run(_ progress: (Int) -> Void) throws {
    switch options.scenario {
    case .lines:
      try pages.lines { page, labeled in
        try write(page, type: "Text")
        let result = try? line.recognize(
          labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea))
        alone.add(reference: page.text, hypothesis: result?.candidates.first?.text)
        progress(figures.pages)
      }
    case .pages:
      try pages.forms { page in
        try write(page, type: "Text")
        progress(figures.pages)
      }
    case .mixed:
      try pages.mixed { page in
        try write(page, type: "Raw Content")
        progress(figures.pages)
      }
    case .replace:
      try pages.lines { page, _ in
        try replaceWord(page)
        progress(figures.pages)
      }
    case .growth: try measureGrowth(progress)
    case .gestures:
      var scenario = GestureScenario(
        seed: Self.gestureSeed,
        tracings: gestureData.isEmpty ? nil : try GestureTracings(gestureData))
      try pages.lines { page, _ in
        let session = try session("Text")
        try scenario.run(page, in: session)
        figures.pages += 1
        figures.strokes += session.items.count
        progress(figures.pages)
      }
      figures.gestures = scenario.finished
    }
  }

  private static let gestureSeed: UInt64 = 1

  private var finished: EditorFigures {
    var result = figures
    if errors.count > 0, errors.characters.referenceCount > 0 {
      result.characters = errors.characters.referenceCount
      result.words = errors.words.referenceCount
      result.cer = errors.characterErrorRate
      result.wer = errors.wordErrorRate
    }
    result.recognizerCER = alone.characterErrorRate
    result.cerBefore = before.characterErrorRate
    if rightLine.all > 0 {
      result.strokesInRightLine = Double(rightLine.right) / Double(rightLine.all)
    }
    if let kinds = result.kinds {
      let right = (kinds["text"]?["text"] ?? 0) + (kinds["shape"]?["shape"] ?? 0)
      let all = kinds.values.reduce(0) { $0 + $1.values.reduce(0, +) }
      result.strokesOfRightKind = all > 0 ? Double(right) / Double(all) : nil
    }
    result.penUpToCandidatesMs = .init(updates)
    result.penUpToIdleMs = .init(idles)
    return result
  }

  private func session(_ type: String) throws -> EditorSession {
    try EditorSession(engine: engine, type: type, guides: options.guides, areas: options.areas)
  }

  // MARK: - Scenarios

  private mutating func write(_ page: EditorPage, type: String) throws {
    let session = try session(type)
    try session.write(page.strokes, options.feeding)
    try count(session, page)
    guard let root = session.editor.rootBlock else { return }
    // Diagrams mark text but have no transcriptions.
    if page.lines.contains(where: { !$0.isEmpty }) {
      errors.add(reference: page.text, hypothesis: try session.text)
      let texts = [root] + root.children
      if page.lines.count > 1 {
        countLines(texts.flatMap(\.lines).map(\.items), page, session.items)
      }
    }
    if type != "Text" { countKinds(root, page, session.items) }
  }

  private mutating func count(_ session: EditorSession, _ page: EditorPage) throws {
    figures.pages += 1
    figures.strokes += session.items.count
    let kept = Set(session.editor.rootBlock?.items ?? [])
    figures.lostStrokes += session.items.count { !kept.contains($0) }
    updates += session.updates
    idles += session.idles
  }

  /// Matches each written line with the found line that has most of its strokes, one to one.
  private mutating func countLines(_ found: [[Int]], _ page: EditorPage, _ items: [Int]) {
    let lines = Dictionary(
      uniqueKeysWithValues: zip(items, page.strokes).compactMap { item, stroke in
        stroke.line.map { (item, $0) }
      })
    var pairs: [(found: Int, line: Int, count: Int)] = []
    for (index, members) in found.enumerated() {
      let counts = members.compactMap { lines[$0] }.reduce(into: [Int: Int]()) {
        $0[$1, default: 0] += 1
      }
      pairs += counts.map { (index, $0.key, $0.value) }
    }
    pairs.sort { ($0.count, $1.found, $1.line) > ($1.count, $0.found, $0.line) }
    var usedFound: Set<Int> = []
    var usedLines: Set<Int> = []
    for pair in pairs where !usedFound.contains(pair.found) && !usedLines.contains(pair.line) {
      usedFound.insert(pair.found)
      usedLines.insert(pair.line)
      rightLine.right += pair.count
    }
    rightLine.all += lines.count
  }

  private mutating func countKinds(_ root: ContentBlock, _ page: EditorPage, _ items: [Int]) {
    var found: [Int: String] = [:]
    for block in root.children {
      let kind: SelectionType =
        switch block.type {
        case .text: .text
        case .node, .edge: .shape
        case .drawing, .rawContent, .math, .diagram, .textDocument, .container: .drawing
        }
      for item in block.items { found[item] = kind.rawValue }
    }
    var kinds = figures.kinds ?? [:]
    for (item, stroke) in zip(items, page.strokes) {
      kinds[stroke.kind.rawValue, default: [:]][found[item] ?? "lost", default: 0] += 1
    }
    figures.kinds = kinds
  }

  private mutating func replaceWord(_ page: EditorPage) throws {
    let session = try session("Text")
    try session.write(page.strokes, .batch)
    guard let root = session.editor.rootBlock else { return }
    let words = root.words
    guard words.count >= 3 else { return }
    let first = try session.text
    let gone = Set(words[words.count / 2].items)
    guard !gone.isEmpty else { return }
    try session.editor.removeItems(gone)
    try session.editor.waitUntilIdle()
    let again = zip(session.items, page.strokes).filter { gone.contains($0.0) }.map(\.1)
    let written = session.items.count
    try session.write(again, options.feeding)
    figures.pages += 1
    figures.strokes += session.items.count
    let kept = Set(root.items)
    figures.lostStrokes += session.items[..<written].count {
      !kept.contains($0) && !gone.contains($0)
    }
    figures.lostStrokes += session.items[written...].count { !kept.contains($0) }
    updates += session.updates
    idles += session.idles
    before.add(reference: page.text, hypothesis: first)
    errors.add(reference: page.text, hypothesis: try session.text)
  }

  /// The word counts of small and large pages.
  private static let pageWords = (small: 20, large: 500)

  /// Writes the same line at the end of a small and of a large page.
  private mutating func measureGrowth(_ progress: (Int) -> Void) throws {
    var sources: [EditorPage.Source] = []
    var words = 0
    try pages.lines { page, labeled in
      guard words < Self.pageWords.large + 40 else { return }
      sources.append(EditorPage.Source(ink: labeled.ink, label: page.text))
      words += page.wordCount
    }
    guard let last = sources.popLast() else { return }
    var small: [Double] = []
    var large: [Double] = []
    // Warm up: the first part opens models and allocates memory.
    _ = try lastLine(last, after: Array(sources.prefix(1)), words: Self.pageWords.small)
    for _ in 0..<3 {
      small += try lastLine(last, after: sources, words: Self.pageWords.small).idles
      progress(figures.pages)
      let result = try lastLine(last, after: sources, words: Self.pageWords.large)
      large += result.idles
      figures.pageBytes = max(figures.pageBytes ?? 0, result.bytes)
      progress(figures.pages)
    }
    figures.smallPageMs = Percentiles(small)?.p50
    figures.largePageMs = Percentiles(large)?.p50
  }

  private mutating func lastLine(
    _ last: EditorPage.Source, after sources: [EditorPage.Source], words: Int
  ) throws -> (idles: [Double], bytes: Int) {
    var page = EditorPage(strokes: [], lines: [])
    for source in sources where page.wordCount < words { page.stack(source) }
    let bytes = ProcessMemory.residentBytes ?? 0
    let session = try session("Text")
    try session.write(page.strokes, .batch)
    let written = page.strokes.count
    page.stack(last)
    try session.write(Array(page.strokes[written...]), .points)
    figures.pages += 1
    figures.strokes += page.strokes.count
    return (session.idles, max(0, (ProcessMemory.residentBytes ?? 0) - bytes))
  }
}
