import InkCore
import Layout

// The content near a stroke that may be a gesture, as values.
extension Document {
  /// Returns the rows and figures near a box. O(lines of the part + ink near the box).
  ///
  /// - Parameters:
  ///   - isUpright: True for an upright line, whose words may be far to the right and left.
  ///   - holdsShapes: True if closed lines can become shapes here.
  func gestureContext(
    near box: BoundingBox, isUpright: Bool, holdsShapes: Bool
  ) -> GestureContext {
    let height = letterHeight
    let reach = Chosen.reach * height
    let aside = isUpright ? Chosen.reachAside * height : reach
    let area = BoundingBox(
      minX: box.minX - aside, minY: box.minY - reach, maxX: box.maxX + aside,
      maxY: box.maxY + reach)
    let items = inOrder(strokes.index.items(in: area).filter { !pending.contains($0) })
    var context = GestureContext(
      rows: [], figures: [], letterHeight: height, holdsText: !type.isPlainInk,
      frames: holdsShapes ? frames : .none)
    guard !items.isEmpty else { return context }
    var lines: [Int: TextLine] = [:]
    var loose: [Int] = []
    var blocks: [String: (block: BlockNode, items: [Int])] = [:]
    for item in items {
      switch places[item] {
      case .line(let line, _)?: lines[line.id] = line
      case .block(let block)? where block.type == .node || block.type == .edge:
        blocks[block.id, default: (block, [])].items.append(item)
      case .block?, nil: loose.append(item)
      }
    }
    // A break is between two lines: those beside are looked at, too.
    for line in Array(lines.values) {
      guard let place = line.block.lines.firstIndex(where: { $0 === line }) else { continue }
      for near in [place - 1, place + 1] where line.block.lines.indices.contains(near) {
        lines[line.block.lines[near].id] = line.block.lines[near]
      }
    }
    context.rows = lines.values.sorted { ($0.box.midY, $0.id) < ($1.box.midY, $1.id) }
      .map { row(of: $0, letterHeight: height) }
    context.figures = symbols(of: loose).compactMap { items in
      let ink = items.compactMap { strokes[$0] }
      guard let box = BoundingBox(holding: ink.map(\.box)) else { return nil }
      return GestureContext.Figure(
        block: nil, items: ink.map(\.id), box: box, paths: ink.map(Self.path))
    }
    for (block, _) in blocks.values.sorted(by: { $0.block.id < $1.block.id }) {
      let ink = block.items.compactMap { strokes[$0] }
      guard let box = BoundingBox(holding: ink.map(\.box)) else { continue }
      context.figures.append(
        GestureContext.Figure(
          block: block.id, isNode: block.type == .node, items: ink.map(\.id), box: box,
          paths: ink.map(Self.path)))
    }
    return context
  }

  /// Groups ink that is in no line: the strokes of a symbol of a formula are one figure, and gestures
  /// act on all of them. Other strokes are figures alone. O(items and symbols of their formulas).
  private func symbols(of items: [Int]) -> [[Int]] {
    var symbols: [Int: [Int]] = [:]
    var known: Set<String> = []
    for item in items {
      guard case .block(let block)? = places[item], block.type == .math,
        known.insert(block.id).inserted
      else { continue }
      for symbol in formulas(of: block).first?.symbols ?? [] where !symbol.strokes.isEmpty {
        for stroke in symbol.strokes { symbols[stroke] = symbol.strokes }
      }
    }
    var seen: Set<Int> = []
    return items.compactMap { item in
      let symbol = symbols[item] ?? [item]
      return seen.insert(symbol[0]).inserted ? symbol : nil
    }
  }

  /// The closed lines around text that are shapes, where ink can become shapes.
  private var frames: GestureContext.Frames {
    guard type == .rawContent else { return .all }
    return blocks.values.contains { $0.type == .node || $0.type == .edge }
      ? .aroundLabels : .cornered
  }

  private func row(of line: TextLine, letterHeight: Double) -> GestureContext.Row {
    var words: [GestureContext.Word] = []
    var known: Set<Int> = []
    for word in line.runs.flatMap(\.words) {
      guard word.items.allSatisfy({ strokes[$0] != nil }), !word.items.isEmpty else { continue }
      let letters = letters(of: word)
      guard !letters.isEmpty else { continue }
      known.formUnion(word.items)
      words.append(
        GestureContext.Word(
          id: word.id, label: word.label, items: word.items, letters: letters, box: word.box,
          isUnderlined: isUnderlined(word)))
    }
    let unread = line.items.filter { !known.contains($0) }.compactMap { strokes[$0] }.map {
      stroke in
      GestureContext.Letter(
        label: nil, parts: [ItemPart(item: stroke.id, points: 0..<stroke.points.count)],
        box: stroke.box, points: Self.path(of: stroke))
    }
    let frame = frame(of: line)
    words += GestureContext.words(of: unread, gap: Chosen.wordGap * letterHeight, in: frame)
    words.sort { frame.middle($0.box) < frame.middle($1.box) }
    let lines = line.block.lines
    return GestureContext.Row(
      line: line.id, block: line.block.id, words: words, frame: frame,
      hasRowAbove: lines.first.map { $0 !== line } ?? false,
      hasRowBelow: lines.last.map { $0 !== line } ?? false)
  }

  /// Returns the characters of a word. Characters that share all ink, as those of a chosen text of
  /// another length, are one.
  private func letters(of word: TextWord) -> [GestureContext.Letter] {
    let symbols = symbols(of: word)
    guard symbols.isEmpty else { return symbols }
    var result: [GestureContext.Letter] = []
    for character in word.characters {
      if let last = result.last, last.parts == character.parts {
        result[result.count - 1].label = nil
        continue
      }
      let points = character.parts.flatMap { part -> [GestureContext.Point] in
        guard let stroke = strokes[part.item] else { return [] }
        return GestureShape.dense(
          GestureShape.points(
            of: stroke.points[part.points.clamped(to: stroke.points.indices)],
            most: Chosen.mostPoints))
      }
      guard let box = GestureShape.box(of: points) else { continue }
      result.append(
        GestureContext.Letter(
          label: character.label, parts: character.parts, box: box, points: points,
          isPartOfStroke: character.parts.contains { part in
            strokes[part.item].map { part.points.count < $0.points.count } ?? false
          }))
    }
    return result
  }

  /// Returns the symbols of a formula between words: gestures act on all strokes of one. Other ink of
  /// the word is alone. Empty for plain words and typed formulas.
  private func symbols(of word: TextWord) -> [GestureContext.Letter] {
    var rest = Set(word.items)
    let symbols = (word.formula?.symbols ?? []).map { $0.strokes.filter { rest.remove($0) != nil } }
    guard symbols.contains(where: { !$0.isEmpty }) else { return [] }
    return (symbols + inOrder(rest).map { [$0] }).compactMap { items in
      let ink = items.compactMap { strokes[$0] }
      guard let box = BoundingBox(holding: ink.map(\.box)) else { return nil }
      // Without labels: those of scripts are on no baseline.
      return GestureContext.Letter(
        label: nil, parts: ink.map { ItemPart(item: $0.id, points: 0..<$0.points.count) }, box: box,
        points: ink.flatMap(Self.path), isSymbol: true)
    }
  }

  private static func path(of stroke: InkStroke) -> [GestureContext.Point] {
    GestureShape.dense(GestureShape.points(of: stroke.points, most: Chosen.mostPoints))
  }

  /// Returns whether a word is underlined.
  private func isUnderlined(_ word: TextWord) -> Bool {
    decorations.touching(word.items).contains { decoration in
      let anchor = InkAnchor(decoration.parts)
      return decoration.kind == .underline
        && word.characters.contains { anchor.holdsMost(of: $0.parts) }
    }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The distance of content from a gesture on it, in heights of letters. Chosen by hand: an
  /// underline is below its words.
  static let reach = 1.5
  /// The distance of words from an upright line in a gap, in heights of letters. Chosen by hand.
  static let reachAside = 12.0
  /// The least gap between words that are not read, in heights of letters. Chosen by hand on lines
  /// of evaluate --through editor.
  static let wordGap = 0.5
  /// The most points of a stroke or a character that are looked at.
  static let mostPoints = 64
}
