import InkCore
import InkEditor
import Recognition

extension ExportPage {
  /// Makes a page of ink and of what was read in it.
  ///
  /// - Parameters:
  ///   - page: The ink.
  ///   - result: The blocks, edges and marks; their strokes and lines are counted in the ink and in
  ///     `lines`.
  ///   - lines: The lines that were read; those of `result` if nil.
  package init(_ page: PageInk, _ result: RecognitionResult, lines: [RecognizedLine]? = nil) {
    let placed = PlacedInk(page)
    let drawing = placed.commands.compactMap { $0 }
    self.init(box: placed.box, drawing: drawing)
    var reading = PageReading(placed, result, lines ?? result.lines)
    blocks = reading.blocks()
    edges = reading.edges()
  }

  /// Makes a page of ink that is not read.
  package init(_ page: PageInk) {
    let placed = PlacedInk(page)
    self.init(box: placed.box, drawing: placed.commands.compactMap { $0 })
  }
}

/// Turns the answer for a page into blocks.
private struct PageReading {
  private let placed: PlacedInk
  private let result: RecognitionResult
  private let read: [RecognizedLine]
  /// The decorations of words by their lines and places.
  private var decorations: [RecognizedMark.Word: Set<DecorationKind>] = [:]
  /// The marks before lines: bullets and boxes.
  private var marks: [Int: ExportItemMark] = [:]
  /// The strokes of the frames around blocks.
  private var frames: [Int: [Int]] = [:]

  init(_ placed: PlacedInk, _ result: RecognitionResult, _ lines: [RecognizedLine]) {
    (self.placed, self.result, read) = (placed, result, lines)
    for mark in result.marks {
      switch mark.kind {
      case .bullet: for word in mark.words { marks[word.line] = .bullet }
      case .tickBox: for word in mark.words { marks[word.line] = .box }
      case .underline, .strikeThrough, .frame:
        guard let kind = DecorationKind(mark.kind) else { continue }
        for word in mark.words { decorations[word, default: []].insert(kind) }
        guard kind == .surround, let line = mark.words.first?.line,
          let block = result.blocks.firstIndex(where: { $0.lines.contains(line) })
        else { continue }
        frames[block, default: []] += mark.strokes
      case .divider: continue
      }
    }
  }

  // MARK: - Blocks

  mutating func blocks() -> [ExportBlock] {
    guard !result.blocks.isEmpty else {
      // One line, or a character.
      let words = read.indices.map { line($0, angle: 0) }.filter { !$0.words.isEmpty }
      if !words.isEmpty {
        return [ExportBlock(id: 0, .paragraph(words), box: placed.ink.boundingBox)]
      }
      if let formula = result.candidates.first?.formula {
        return [
          ExportBlock(
            id: 0, .formula(formula), box: placed.ink.boundingBox,
            drawing: placed.ink.strokes.indices.compactMap { placed.commands[$0] })
        ]
      }
      guard let label = result.candidates.first?.text, !label.isEmpty else { return [] }
      let word = ExportWord(label, place: placed.ink.boundingBox.map { ExportPlace($0) })
      return [ExportBlock(id: 0, .paragraph([ExportLine([word])]), box: placed.ink.boundingBox)]
    }
    return result.blocks.enumerated().flatMap { index, block in blocks(of: block, index) }
  }

  private func blocks(of block: RecognizedBlock, _ index: Int) -> [ExportBlock] {
    let box = Ink(strokes: block.strokes.map { placed.ink.strokes[$0] }).boundingBox
    let strokes = block.strokes + (frames[index] ?? [])
    func whole(_ content: ExportBlock.Content) -> ExportBlock {
      ExportBlock(
        id: index, content, box: box, drawing: strokes.compactMap { placed.commands[$0] },
        language: block.language)
    }
    switch block.kind {
    case .drawing:
      return [whole(.figure(lines(block.lines, block)))]
    case .formula: return [whole(.formula(block.formula))]
    case .table:
      let rows = block.rows.map { row in row.map { lines($0, block) } }
      return rows.isEmpty ? [] : [whole(.table(rows))]
    case .text:
      let texts = lines(block.lines, block)
      guard !texts.isEmpty else { return [] }
      if block.heading > 0 { return [whole(.heading(level: block.heading, texts))] }
      guard block.lines.contains(where: { read[$0].level > 0 }) else {
        return [whole(.paragraph(texts))]
      }
      return items(of: block, index)
    }
  }

  /// Returns the items of a list and the paragraphs between them.
  private func items(of block: RecognizedBlock, _ index: Int) -> [ExportBlock] {
    var result: [ExportBlock] = []
    let texts = block.lines.map { line($0, angle: block.angle) }
    let isMirrored = texts.isRightToLeft
    let end = texts.compactMap { LineExtent($0, isMirrored: isMirrored)?.end }.max() ?? 0
    var extent: ItemExtent?
    for (number, line) in zip(block.lines, texts) {
      var text = line
      guard !text.words.isEmpty else { continue }
      let level = read[number].level
      var content: ExportBlock.Content
      if level > 0 {
        let mark = marks[number] ?? text.takeItemMark() ?? .bullet
        extent = ItemExtent(
          text, mark: text.words.count < line.words.count ? line.words.first : nil,
          isMirrored: isMirrored)
        content = .item(level: level, mark: mark, [text])
      } else if let last = result.popLast() {
        switch last.content {
        case .item(let level, let mark, let before)
        where extent?.takes(text, end: end) ?? true:
          content = .item(level: level, mark: mark, before + [text])
        case .paragraph(let before): content = .paragraph(before + [text])
        case .item, .heading, .table, .figure, .formula, .picture:
          result.append(last)
          content = .paragraph([text])
        }
      } else {
        content = .paragraph([text])
      }
      let boxes = content.lines.flatMap(\.words).compactMap(\.place?.pageBox)
      result.append(
        ExportBlock(
          id: index, content, box: BoundingBox(holding: boxes), language: block.language))
    }
    return result
  }

  private func lines(_ numbers: [Int], _ block: RecognizedBlock) -> [ExportLine] {
    numbers.map { line($0, angle: block.angle) }.filter { !$0.words.isEmpty }
  }

  /// Returns a line with the places of its words.
  ///
  /// - Parameter angle: The direction of the line, degrees.
  private func line(_ number: Int, angle: Double) -> ExportLine {
    guard read.indices.contains(number), let best = read[number].candidates.first else {
      return ExportLine([])
    }
    guard !best.words.isEmpty else {
      let box = Ink(strokes: read[number].strokes.map { placed.ink.strokes[$0] }).boundingBox
      let text = best.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return text.isEmpty
        ? ExportLine([]) : ExportLine([ExportWord(text, place: box.map { ExportPlace($0) })])
    }
    var last = 0
    return ExportLine(
      best.words.enumerated().map { index, word in
        defer { last = word.characters.upperBound }
        let mark = RecognizedMark.Word(line: number, word: index)
        return ExportWord(
          word.text, followsSpace: word.characters.lowerBound > last,
          place: place(of: word, best, angle: angle), decorations: decorations[mark] ?? [],
          formula: word.formula)
      })
  }

  /// Returns the box of the points of a word; nil if it has none.
  private func place(
    of word: RecognizedWord, _ candidate: RecognitionCandidate, angle: Double
  ) -> ExportPlace? {
    let range = word.characters.clamped(to: candidate.characters.indices)
    let back = PlaneTransform.rotation(-angle * .pi / 180)
    var box: BoundingBox?
    for part in candidate.characters[range].lazy.flatMap(\.parts)
    where placed.ink.strokes.indices.contains(part.stroke) {
      let points = placed.ink.strokes[part.stroke].points
      for point in points[part.points.clamped(to: points.indices)] {
        let place = back.applied(x: point.x, y: point.y)
        if box == nil {
          box = BoundingBox(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
        } else {
          box?.formUnion(x: place.x, y: place.y)
        }
      }
    }
    return box.map { ExportPlace($0, angle: angle) }
  }

  // MARK: - Edges

  func edges() -> [ExportEdge] {
    result.edges.map { edge in
      ExportEdge(
        from: edge.from, to: edge.to, startArrow: edge.arrow == .both,
        endArrow: edge.arrow != .none,
        drawing: edge.strokes.compactMap { placed.commands[$0] })
    }
  }
}

extension DecorationKind {
  /// The decoration that a mark is; nil for marks that are none.
  init?(_ mark: RecognizedMark.Kind) {
    switch mark {
    case .underline: self = .underline
    case .strikeThrough: self = .strikeThrough
    case .frame: self = .surround
    case .divider, .bullet, .tickBox: return nil
    }
  }
}
