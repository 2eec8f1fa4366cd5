import InkCore
import InkEditor
import InkFormats
import Recognition

/// Turns JIIX into blocks.
struct EditorBlocks {
  private let document: JIIXBlock
  private let typed: TypedLooks
  private let drawing: (String) -> [DrawCommand]
  /// The decorations of words by the ids of texts and the places among their words.
  private var marks: [JIIXMarkedWord: Set<DecorationKind>] = [:]
  /// The numbers of blocks by their ids.
  private var numbers: [String: Int] = [:]
  private var edges: [JIIXBlock] = []

  /// Prepares to read.
  ///
  /// - Parameters:
  ///   - document: The blocks.
  ///   - typed: The looks of typed words.
  ///   - drawing: Returns the commands that draw a block, by its id.
  init(
    _ document: JIIXBlock, typed: TypedLooks, drawing: @escaping (String) -> [DrawCommand]
  ) {
    (self.document, self.typed, self.drawing) = (document, typed, drawing)
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
      let figure = figure(block, .figure([]))
      guard figure.drawing.count == 1, case .image(let image)? = figure.drawing.first else {
        return [figure]
      }
      var picture = figure
      (picture.content, picture.drawing) = (.picture(image, ""), [])
      return [picture]
    case .node:
      return [figure(block, .figure((block.elements ?? []).flatMap(lines)))]
    case .edge:
      edges.append(block)
      // A line that joins two nodes is part of their diagram.
      guard (block.connected ?? []).count < 2 else { return [] }
      return [figure(block, .figure((block.elements ?? []).flatMap(lines)))]
    case .math:
      let reading = block.latex.map {
        RecognizedFormula(
          text: block.label ?? "", latex: $0, mathML: block.mathml ?? "", symbols: [])
      }
      return [figure(block, .formula(reading))]
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

  /// Returns the headings, items, tables and paragraphs of a text.
  private mutating func texts(of block: JIIXBlock) -> [ExportBlock] {
    let lines = placedLines(of: block)
    let number = number(of: block)
    var result: [ExportBlock] = []
    var tables: Set<Int> = []
    let isMirrored = lines.map(\.line).isRightToLeft
    let end = lines.compactMap { LineExtent($0.line, isMirrored: isMirrored)?.end }.max() ?? 0
    var extent: ItemExtent?
    for (line, first) in lines {
      let content: ExportBlock.Content
      if let index = block.tables?.firstIndex(where: { $0.holds(first) }) {
        guard tables.insert(index).inserted, let table = block.tables?[index] else { continue }
        content = .table(table.rows(of: lines))
      } else if let heading = block.headings?.first(where: {
        ($0.firstChar...max($0.firstChar, $0.lastChar)).contains(first)
      }) {
        if case .heading(heading.level, let before)? = result.last?.content {
          result.removeLast()
          content = .heading(level: heading.level, before + [line])
        } else {
          content = .heading(level: heading.level, [line])
        }
      } else if let item = block.listItems?.first(where: { $0.firstChar == first }) {
        var line = line
        let mark: ExportItemMark
        let sign = line.words.first
        let count = line.words.count
        switch item.bullet {
        case "•":
          // A sign that was written is a word of the line.
          if line.words.first?.text == "•" { _ = line.takeItemMark() }
          mark = .bullet
        case "☐": mark = .box
        default: mark = line.takeItemMark() ?? .bullet
        }
        extent = ItemExtent(
          line, mark: line.words.count < count ? sign : nil, isMirrored: isMirrored)
        content = .item(level: item.level, mark: mark, [line])
      } else if case .item(let level, let mark, let before)? = result.last?.content,
        extent?.takes(line, end: end) ?? true
      {
        result.removeLast()
        content = .item(level: level, mark: mark, before + [line])
      } else if case .paragraph(let before)? = result.last?.content {
        result.removeLast()
        content = .paragraph(before + [line])
      } else {
        content = .paragraph([line])
      }
      let boxes = content.lines.flatMap(\.words).compactMap(\.place?.pageBox)
      result.append(ExportBlock(id: number, content, box: BoundingBox(holding: boxes)))
    }
    return result
  }

  /// Returns the lines of a text.
  private func lines(_ block: JIIXBlock) -> [ExportLine] { placedLines(of: block).map(\.line) }

  /// Returns the lines of a text and the cells of its tables, with the places of their first
  /// characters.
  private func placedLines(of block: JIIXBlock) -> [PlacedLine] {
    var result: [PlacedLine] = []
    var words: [ExportWord] = []
    var first = 0
    let looks = block.id.flatMap { typed[$0] } ?? [:]
    // The place among the words without the gaps between them.
    var place = -1
    for (index, word) in (block.words ?? []).enumerated() {
      if ![" ", "\n", "\t"].contains(word.label) { place += 1 }
      if word.label.contains("\n") || word.label.contains("\t") {
        if !words.isEmpty { result.append((ExportLine(words), first)) }
        words = []
        continue
      }
      guard !word.label.allSatisfy(\.isWhitespace) else { continue }
      if words.isEmpty { first = word.firstChar ?? 0 }
      words.append(
        ExportWord(
          word.label, followsSpace: !words.isEmpty,
          place: word.boundingBox.map { ExportPlace(BoundingBox($0)) },
          decorations: decorations(of: word, index, block),
          style: looks[place].map(ExportTextStyle.init), formula: RecognizedFormula(word)))
    }
    if !words.isEmpty { result.append((ExportLine(words), first)) }
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

extension RecognizedFormula {
  /// The formula of a word, without its symbols; nil for words.
  fileprivate init?(_ word: JIIXWord) {
    guard let latex = word.latex else { return nil }
    self.init(text: word.label, latex: latex, mathML: word.mathml ?? "", symbols: [])
  }
}

/// A line and the place of its first character in its text.
private typealias PlacedLine = (line: ExportLine, first: Int)

extension JIIXTable {
  /// Returns true if a character is in a cell.
  fileprivate func holds(_ character: Int) -> Bool { cells.contains { $0.holds(character) } }

  /// Returns the lines of each cell, row by row.
  fileprivate func rows(of lines: [PlacedLine]) -> [[[ExportLine]]] {
    var result: [[[ExportLine]]] = Array(
      repeating: Array(repeating: [], count: max(0, columns)), count: max(0, rows))
    for cell in cells
    where result.indices.contains(cell.row) && result[cell.row].indices.contains(cell.column) {
      result[cell.row][cell.column] += lines.filter { cell.holds($0.first) }.map(\.line)
    }
    return result
  }
}

extension JIIXCell {
  fileprivate func holds(_ character: Int) -> Bool {
    character >= firstChar && character <= lastChar
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

extension ExportTextStyle {
  /// The look of a typed word.
  init(_ look: TypedLook) {
    self.init(
      size: look.size, family: look.family, isBold: look.isBold, isItalic: look.isItalic,
      color: look.color == .black ? nil : look.color)
  }
}

extension BoundingBox {
  /// The box of JIIX.
  init(_ box: JIIXBox) {
    self.init(minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
  }
}
