import Foundation
import InkCore
import InkFormats

/// A format of an export.
public enum ExportType: String, Hashable, Sendable, CaseIterable {
  /// The recognised text, with line breaks between lines.
  case text = "text/plain"
  /// JIIX 3: blocks, words, characters, candidates, shapes and ink.
  case jiix = "application/vnd.myscript.jiix"
  /// A drawing of the ink in millimetres; see ``Editor/svg(_:options:)``.
  case svg = "image/svg+xml"
  /// InkML: the ink in millimetres with times, forces and tilt, and the text as its label.
  case inkML = "application/inkml+xml"
  /// The recognised text with an intensity for each character, as JSON; see
  /// ``Editor/intensityText(_:_:)``.
  case intensity = "application/vnd.ductus.intensity+json"
  /// A formula as LaTeX.
  case latex = "application/x-latex"
  /// A formula as presentation MathML.
  case mathML = "application/mathml+xml"

  /// Makes the format of files with the ending of a URL: `.txt`, `.jiix`, `.svg`, `.inkml`,
  /// `.intensity.json`, `.tex` or `.mml`; nil for others.
  public init?(endingOf url: URL) {
    if url.lastPathComponent.lowercased().hasSuffix(".\(ExportType.intensity.ending)") {
      self = .intensity
      return
    }
    switch url.pathExtension.lowercased() {
    case "txt", "text": self = .text
    case "jiix": self = .jiix
    case "svg": self = .svg
    case "inkml": self = .inkML
    case "tex": self = .latex
    case "mml": self = .mathML
    default: return nil
    }
  }

  /// The usual ending of files, without the dot.
  public var ending: String {
    switch self {
    case .text: "txt"
    case .jiix: "jiix"
    case .svg: "svg"
    case .inkML: "inkml"
    case .intensity: "intensity.json"
    case .latex: "tex"
    case .mathML: "mml"
    }
  }
}

extension Editor {
  /// Returns the formats that a block can be exported to; nil means the root.
  ///
  /// - Throws: ``EditorError/invalidBlock(_:)``.
  package func supportedExportTypes(_ block: ContentBlock? = nil) throws(EditorError)
    -> [ExportType]
  {
    try withNode(orRoot: block) { (state, _, node) throws(EditorError) in
      switch node.type {
      case .text, .rawContent, .textDocument, .diagram, .container:
        [.text, .jiix, .svg, .inkML, .intensity]
      case .drawing, .node, .edge: [.jiix, .svg, .inkML]
      case .math: [.text, .jiix, .svg, .inkML, .latex, .mathML]
      }
    }
  }

  /// Exports a block, or the root if nil: as recognised text, as JIIX with all ink and readings, or
  /// as a drawing. A drawing needs no readings and can be made at any time.
  ///
  /// JIIX contains every item of ink, whether or not it has been read. Ink that waits for a request
  /// or a model has no words in it; see ``unreadCount``.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - type: The format.
  ///   - overrides: JSON of configuration keys for this call alone, such as
  ///     `{"export": {"jiix": {"strokes": false}}}`.
  /// - Throws: ``EditorError/notIdle`` while ink is being read, because the export would be
  ///   incomplete; ``EditorError/unsupportedExport(found:supported:)``; and the errors of the
  ///   configuration.
  public func export(
    _ block: ContentBlock? = nil, as type: ExportType, overrides: String? = nil
  ) throws(EditorError) -> String {
    let supported = try supportedExportTypes(block)
    guard supported.contains(type) else {
      throw .unsupportedExport(found: type.rawValue, supported: supported.map(\.rawValue))
    }
    switch type {
    case .inkML: return try inkML(block)
    case .intensity:
      let text = try intensityText(
        block, try intensityOptions(overrides), withStruckWords: try showsStruckWords(overrides))
      return String(decoding: text.json(), as: UTF8.self)
    case .svg:
      return try svg(block, options: try svgOptions(overrides: overrides))
    case .latex: return try formula(block)?.latex ?? ""
    case .mathML: return try formula(block)?.mathML ?? ""
    case .text:
      if try isFormula(block) { return try formula(block)?.text ?? "" }
      let withStruckWords = try showsStruckWords(overrides)
      return try idle(block) { (state, document, node) throws(EditorError) in
        Self.plainText(of: node, without: withStruckWords ? [] : document.struckWords)
      }
    case .jiix:
      let document = try exportDocument(block, overrides: overrides)
      do {
        return String(decoding: try document.json(), as: UTF8.self)
      } catch {
        throw .invalidArgument("export", expected: "finite numbers", found: "other numbers")
      }
    }
  }

  /// Exports a block as a value; see `export(_:as:overrides:)`. Nil means the root.
  public func exportDocument(
    _ block: ContentBlock? = nil, overrides: String? = nil
  ) throws(EditorError) -> JIIXBlock {
    let options = try exportOptions(overrides) { settings throws(ConfigurationError) in
      try JIIXOptions(settings)
    }
    return try idle(block) { (state, document, node) throws(EditorError) in
      var exporter = JIIXExporter(document: document, options: options)
      return exporter.root(node)
    }
  }

  /// Reads options of an export from the settings.
  ///
  /// - Parameter overrides: JSON of configuration keys for this export alone.
  func exportOptions<Options>(
    _ overrides: String?, _ read: (Configuration) throws(ConfigurationError) -> Options
  ) throws(EditorError) -> Options {
    let settings = Configuration(parent: configuration)
    do throws(ConfigurationError) {
      if let overrides { try settings.inject(overrides) }
      return try read(settings)
    } catch {
      throw .configuration(error)
    }
  }

  /// Returns true if plain text has the words that are struck through.
  func showsStruckWords(_ overrides: String?) throws(EditorError) -> Bool {
    try exportOptions(overrides) { settings throws(ConfigurationError) in
      try settings.boolean("export.text.struck-words")
    }
  }

  /// Imports the labels of a JIIX document as the labels of a block's words. Each label must be a
  /// candidate of its word. Use it for choices that were made outside of the editor.
  ///
  /// Words are matched by position: the document must have as many words as the block.
  ///
  /// - Returns: The number of changed words.
  /// - Throws: ``EditorError/notIdle``, ``EditorError/unusableImport(what:expected:found:)`` for
  ///   malformed JIIX or a different number of words, ``EditorError/noSuchCandidate`` for a label
  ///   that is not a candidate. After an error, nothing has changed.
  @discardableResult
  public func importCandidates(
    _ json: String, into block: ContentBlock? = nil
  ) throws(EditorError) -> Int {
    let imported: JIIXBlock
    do throws(InkFormatError) {
      imported = try JIIXBlock(parsing: Data(json.utf8))
    } catch {
      throw .unusableImport(what: "JIIX", expected: error.expected, found: error.found)
    }
    return try idle(block) { (state, document, node) throws(EditorError) in
      let pairs = try Self.texts(imported, node)
      var choices: [(node: BlockNode, word: Int, label: String)] = []
      for (text, node) in pairs {
        choices += try Self.choices(text, node).map { (node, $0.word, $0.label) }
      }
      try state.change(document) { (state) throws(EditorError) in
        for (node, word, label) in choices {
          try state.choose(label, word: word, of: node, document)
        }
      }
      if !choices.isEmpty { state.schedule() }
      return choices.count
    }
  }

  /// Returns the text blocks of a document, each with the matching block of the part.
  private static func texts(
    _ imported: JIIXBlock, _ node: BlockNode
  ) throws(EditorError) -> [(JIIXBlock, BlockNode)] {
    if node.type == .text {
      guard imported.type == BlockType.text.rawValue else {
        throw .unusableImport(what: "block", expected: "type Text", found: "another type")
      }
      return [(imported, node)]
    }
    func texts(_ block: JIIXBlock) -> [JIIXBlock] {
      block.type == BlockType.text.rawValue ? [block] : (block.elements ?? []).flatMap(texts)
    }
    let texts = texts(imported)
    let nodes = node.texts
    guard texts.count == nodes.count else {
      throw .unusableImport(
        what: "blocks", expected: "\(nodes.count) of text", found: "\(texts.count)")
    }
    return Array(zip(texts, nodes))
  }

  private static func choices(
    _ text: JIIXBlock, _ node: BlockNode
  ) throws(EditorError) -> [(word: Int, label: String)] {
    let labels = (text.words ?? []).map(\.label).filter { !$0.allSatisfy(\.isWhitespace) }
    let words = node.lines.flatMap { $0.runs.flatMap(\.words) }
    guard labels.count == words.count else {
      throw .unusableImport(what: "words", expected: "\(words.count)", found: "\(labels.count)")
    }
    var result: [(Int, String)] = []
    for (index, label) in labels.enumerated() where label != words[index].label {
      guard words[index].candidates.contains(where: { $0.text == label }) else {
        throw .noSuchCandidate
      }
      result.append((index, label))
    }
    return result
  }

  /// Returns the recognised text; a line without text adds nothing. The cells of a row of a table are
  /// on one line with tabs between them.
  ///
  /// - Parameter words: The ids of words to leave out.
  static func plainText(of node: BlockNode, without words: Set<Int> = []) -> String {
    pieces(of: node, without: words).map(\.text).joined()
  }

  /// Returns the words of the plain text and what separates them.
  static func pieces(of node: BlockNode, without words: Set<Int> = []) -> [TextPiece] {
    func pieces(of line: TextLine) -> [TextPiece] {
      joined(
        line.runs.flatMap(\.words).filter { !words.contains($0.id) && !$0.label.isEmpty }
          .map { [TextPiece($0)] }, by: " ")
    }
    func joined(_ parts: [[TextPiece]], by separator: String) -> [TextPiece] {
      Array(parts.joined(separator: [TextPiece(separator: separator)]))
    }
    let direction = node.ownDirection ?? .leftToRight
    let lines = readingOrderOfTexts(node, direction).flatMap { block in
      TextTable.groups(of: block.lines, by: \.role.cell?.table).flatMap { lines -> [[TextPiece]] in
        guard lines[0].role.cell != nil else { return lines.map(pieces) }
        return TextTable.rows(of: lines, by: \.role.cell).map { row in
          joined(row.map { joined($0.map(pieces).filter { !$0.isEmpty }, by: " ") }, by: "\t")
        }
      }
    }
    return joined(
      lines.filter { $0.contains { $0.text.contains { !$0.isWhitespace } } }, by: "\n")
  }

  /// Returns the texts in a block in reading order.
  static func readingOrderOfTexts(
    _ block: BlockNode, _ direction: WritingDirection
  ) -> [BlockNode] {
    guard block.type != .text else { return [block] }
    return readingOrder(block.children, direction).flatMap { readingOrderOfTexts($0, direction) }
  }

  /// Returns blocks from top to bottom, and at one height in the direction of the page.
  private static func readingOrder(
    _ blocks: [BlockNode], _ direction: WritingDirection
  ) -> [BlockNode] {
    let frame = ReadingFrame(direction)
    func place(_ block: BlockNode) -> (Double, Double) {
      (block.box?.minY ?? 0, block.box.map(frame.start) ?? 0)
    }
    return blocks.sorted { place($0) < place($1) }
  }

  func withNode<Value: Sendable>(
    orRoot block: ContentBlock?,
    _ body: (inout EditorState, Document, BlockNode) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    if let block { return try withNode(block, body) }
    return try withDocument { (state, document) throws(EditorError) in
      try body(&state, document, document.root)
    }
  }

  /// Runs a body with the state, or throws if ink is still to be read.
  func idle<Value: Sendable>(
    _ block: ContentBlock?,
    _ body: (inout EditorState, Document, BlockNode) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    try withNode(orRoot: block) { (state, document, node) throws(EditorError) in
      guard state.isIdle else { throw .notIdle }
      return try body(&state, document, node)
    }
  }
}
