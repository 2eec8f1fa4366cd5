import InkCore
import InkEditor
import InkFormats

extension ExportPage {
  /// Makes a page of the content of an editor: its ink and decorations as they are drawn, and what was
  /// read.
  ///
  /// - Parameter editor: The editor, with a part.
  /// - Throws: ``EditorError/notIdle`` while ink is being read, ``EditorError/noPart``.
  package init(of editor: Editor) throws(EditorError) {
    let document = try editor.exportDocument(overrides: Self.overrides)
    let drawing = editor.drawCommands(of: .ink)
    let ink = BoundingBox(holding: drawing.compactMap(\.box))
    let sheet = ink?.grown(by: Self.margin) ?? editor.pageExtent(margin: 0)
    self.init(box: sheet, drawing: drawing)
    var reader = EditorBlocks(document) { id in
      editor.block(id: id).map { editor.drawCommands(ofItems: $0.items) } ?? []
    }
    (blocks, edges) = reader.read()
  }

  /// Millimetres around the ink.
  private static let margin = 10.0

  private static let overrides = """
    {"export": {"jiix": {"bounding-box": true, "strokes": false, "ids": true, "ranges": false,
    "text": {"words": true, "chars": true, "lines": false}}}}
    """
}

/// Turns JIIX into blocks.
private struct EditorBlocks {
  private let document: JIIXBlock
  private let drawing: (String) -> [DrawCommand]
  /// The decorations of words by the ids of texts and the places among their words.
  private var marks: [JIIXMarkedWord: Set<DecorationKind>] = [:]
  /// The numbers of blocks by their ids.
  private var numbers: [String: Int] = [:]
  private var edges: [JIIXBlock] = []

  init(_ document: JIIXBlock, drawing: @escaping (String) -> [DrawCommand]) {
    (self.document, self.drawing) = (document, drawing)
    findMarks(document)
  }

  private mutating func findMarks(_ block: JIIXBlock) {
    if let kind = block.kind.flatMap({ RecognizedMarkName(rawValue: $0) })?.decoration {
      for word in block.markedWords ?? [] { marks[word, default: []].insert(kind) }
    }
    for element in block.elements ?? [] { findMarks(element) }
  }

  mutating func read() -> (blocks: [ExportBlock], edges: [ExportEdge]) {
    let blocks = blocks(of: document)
    let ends = edges.map { edge -> ExportEdge in
      let known = (edge.connected ?? []).map { numbers[$0] }
      return ExportEdge(
        from: known.first ?? nil, to: known.count > 1 ? known[1] : nil,
        startArrow: edge.startDecoration != nil, endArrow: edge.endDecoration != nil,
        label: (edge.elements ?? []).compactMap(\.label).joined(separator: " "),
        drawing: edge.id.map(drawing) ?? [])
    }
    return (blocks, ends)
  }

  private mutating func blocks(of block: JIIXBlock) -> [ExportBlock] {
    switch BlockType(rawValue: block.type) {
    case .text: return texts(of: block)
    case .rawContent, .textDocument, .diagram, .container:
      let elements = (block.elements ?? []).sorted { one, other in
        let (a, b) = (one.boundingBox, other.boundingBox)
        return (a?.y ?? 0, a?.x ?? 0) < (b?.y ?? 0, b?.x ?? 0)
      }
      return elements.flatMap { blocks(of: $0) }
    case .drawing:
      // A mark is a look of its words, or a sign of layout.
      guard block.kind.flatMap({ RecognizedMarkName(rawValue: $0) }) == nil else { return [] }
      return [figure(block, .figure([]))]
    case .node:
      return [figure(block, .figure((block.elements ?? []).flatMap(lines)))]
    case .edge:
      edges.append(block)
      // A line that joins two nodes is part of their diagram.
      guard (block.connected ?? []).count < 2 else { return [] }
      return [figure(block, .figure((block.elements ?? []).flatMap(lines)))]
    case .math: return [figure(block, .formula)]
    case nil: return []
    }
  }

  private mutating func number(of block: JIIXBlock) -> Int {
    let id = block.id ?? ""
    if let known = numbers[id] { return known }
    numbers[id] = numbers.count
    return numbers.count - 1
  }

  private mutating func figure(
    _ block: JIIXBlock, _ content: ExportBlock.Content
  ) -> ExportBlock {
    ExportBlock(
      id: number(of: block), content, box: block.boundingBox.map(BoundingBox.init),
      drawing: block.id.map(drawing) ?? [])
  }

  private mutating func texts(of block: JIIXBlock) -> [ExportBlock] {
    let lines = lines(block)
    guard !lines.isEmpty else { return [] }
    return [
      ExportBlock(
        id: number(of: block), .paragraph(lines), box: block.boundingBox.map(BoundingBox.init))
    ]
  }

  /// Returns the lines of a text.
  private func lines(_ block: JIIXBlock) -> [ExportLine] {
    var result: [ExportLine] = []
    var words: [ExportWord] = []
    for (index, word) in (block.words ?? []).enumerated() {
      if word.label.contains("\n") {
        if !words.isEmpty { result.append(ExportLine(words)) }
        words = []
        continue
      }
      guard !word.label.allSatisfy(\.isWhitespace) else { continue }
      words.append(
        ExportWord(
          word.label, followsSpace: !words.isEmpty,
          place: word.boundingBox.map { ExportPlace(BoundingBox($0)) },
          decorations: decorations(of: word, index, block)))
    }
    if !words.isEmpty { result.append(ExportLine(words)) }
    return result
  }

  /// Returns the marks of a word, and the decorations of more than half of its characters.
  private func decorations(
    of word: JIIXWord, _ index: Int, _ block: JIIXBlock
  ) -> Set<DecorationKind> {
    var result =
      block.id.flatMap { marks[JIIXMarkedWord(text: $0, word: index)] } ?? []
    guard let first = word.firstChar, let last = word.lastChar, last >= first else { return result }
    var counts: [DecorationKind: Int] = [:]
    for decoration in block.decorations ?? [] {
      guard let kind = DecorationKind(rawValue: decoration.kind) else { continue }
      let shared = min(last, decoration.lastChar) - max(first, decoration.firstChar) + 1
      if shared > 0 { counts[kind, default: 0] += shared }
    }
    for (kind, count) in counts where 2 * count > last - first + 1 { result.insert(kind) }
    return result
  }
}

/// The names of marks in JIIX.
private enum RecognizedMarkName: String {
  case underline
  case strikeThrough = "strike-through"
  case frame
  case divider
  case bullet
  case tickBox = "tick-box"

  /// The decoration of words that a mark is; nil for others.
  var decoration: DecorationKind? {
    switch self {
    case .underline: .underline
    case .strikeThrough: .strikeThrough
    case .frame: .surround
    case .divider, .bullet, .tickBox: nil
    }
  }
}

extension BoundingBox {
  /// The box of JIIX.
  init(_ box: JIIXBox) {
    self.init(minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
  }
}
