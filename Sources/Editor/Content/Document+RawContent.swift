import InkCore

// Raw content: shapes, drawings, and what ink looks like.
extension Document {
  /// Strokes of a line that make it text for good: none of them is taken for a shape later.
  private static let certainText = 4
  /// Heights of letters that writing is at most tall.
  private static let textHeight = 4.0
  /// Millimetres that writing is at most tall before there is any.
  private static let firstTextHeight = 20.0
  /// Heights of letters between strokes of one drawing.
  private static let drawingGap = 1.0
  /// Heights of letters that a straight line beside text must be long to be none of it.
  private static let dashLength = 4.0

  /// The last strokes up to an item that may be one shape with it; not those of blocks that were
  /// made by hand.
  func recentStrokes(upTo item: Int) -> [InkStroke] {
    guard let place = order.lastIndex(of: item) else { return [] }
    let first = max(0, place - ShapeFinder.mostStrokes + 1)
    var result: [InkStroke] = []
    for id in order[first...place] {
      guard let stroke = strokes[id] else { continue }
      switch places[id] {
      case .block(let block)? where block.isForced: result = []
      case .line(let line, _)? where line.block.isForced || line.members.count >= Self.certainText:
        result = []
      default: result.append(stroke)
      }
    }
    return result
  }

  /// Whether ink is of the size of writing.
  func looksLikeText(_ item: Int) -> Bool {
    guard let stroke = strokes[item] else { return false }
    guard let height = grouper.height else { return stroke.box.height < Self.firstTextHeight }
    return stroke.box.height < Self.textHeight * height
  }

  /// Whether what may be a line stands in a line of text: a bar of a t, a dash, an l.
  func isPartOfText(_ items: [Int], _ shape: RecognizedShape) -> Bool {
    guard items.count == 1, let stroke = strokes[items[0]], let height = grouper.height,
      case .line(_, _, false, false) = shape.form, stroke.extent < Self.dashLength * height
    else { return false }
    let lines = root.children.filter { $0.type == .text }.flatMap(\.lines)
    guard let line = grouper.line(of: stroke, among: lines) else { return false }
    return line.box.gapX(to: stroke.box) < 2 * height
  }

  /// Makes ink a shape; it leaves the blocks it is in.
  func makeShape(_ shape: RecognizedShape, items: [Int]) {
    detach(Set(items))
    let block = addBlock(shape.isEdge ? .edge : .node)
    block.shape = shape
    put(items, into: block)
  }

  /// Puts ink into the drawing next to it, or a new one.
  func placeDrawing(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    let reach = Self.drawingGap * (grouper.height ?? 3)
    let near = root.children.first { block in
      guard block.type == .drawing, !block.isForced, let box = block.box else { return false }
      return box.gapX(to: stroke.box) < reach && box.gapY(to: stroke.box) < reach
    }
    put([item], into: near ?? addBlock(.drawing))
  }

  /// Makes items what they are said to be.
  func force(_ type: SelectionType, items: Set<Int>, asOneBlock: Bool) {
    detach(items)
    removeUnsorted(items)
    let ordered = order.filter { items.contains($0) }
    let groups = asOneBlock ? [ordered] : neighbours(ordered)
    for group in groups {
      switch type {
      case .text:
        let block = addBlock(.text)
        block.isForced = true
        for item in group { placeText(item, in: block) }
      case .drawing:
        let block = addBlock(.drawing)
        block.isForced = true
        put(group, into: block)
      case .shape:
        // A drawing until the model of shapes has seen it.
        let block = addBlock(.drawing)
        block.isForced = true
        put(group, into: block)
        forcedShapes.append(group)
      }
    }
  }

  /// Ends what ``force(_:items:asOneBlock:)`` began for a shape; without one it stays a drawing.
  func finishForcedShape(_ shape: RecognizedShape?, items: [Int]) {
    if !forcedShapes.isEmpty { forcedShapes.removeFirst() }
    let items = items.filter { strokes[$0] != nil }
    guard let shape, !items.isEmpty else { return }
    makeShape(shape, items: items)
    if case .block(let block)? = places[items[0]] { block.isForced = true }
  }

  /// Items in groups that lie together.
  private func neighbours(_ items: [Int]) -> [[Int]] {
    let reach = 2 * (grouper.height ?? 3)
    var groups: [(items: [Int], box: BoundingBox)] = []
    for item in items {
      guard let box = strokes[item]?.box else { continue }
      var joined = (items: [item], box: box)
      groups.removeAll { group in
        guard group.box.gapX(to: box) < reach, group.box.gapY(to: box) < reach else { return false }
        joined.items = group.items + joined.items
        joined.box.formUnion(group.box)
        return true
      }
      groups.append(joined)
    }
    return groups.map { $0.items.sorted() }
  }

  // MARK: - Context of text

  /// The characters that are told of what stands before ink.
  private static let contextLength = 20

  /// The text before a run: the line's before it, and as much of the lines above as counts. Ends in
  /// a space, where there is any.
  func text(before run: TextRun, in line: TextLine) -> String {
    var parts: [String] = []
    var length = 0
    func add(_ words: [TextWord]) {
      for word in words.reversed() where length < Self.contextLength {
        parts.append(word.label)
        length += word.label.count + 1
      }
    }
    let place = line.runs.firstIndex { $0 === run } ?? 0
    for earlier in line.runs[..<place].reversed() { add(earlier.words) }
    var above = line.block.lines.firstIndex { $0 === line } ?? 0
    while length < Self.contextLength, above > 0 {
      above -= 1
      for earlier in line.block.lines[above].runs.reversed() { add(earlier.words) }
    }
    return parts.isEmpty ? "" : parts.reversed().joined(separator: " ") + " "
  }
}

/// What a selection of ink can be made.
public enum SelectionType: String, Hashable, Sendable, CaseIterable {
  case text
  case shape
  case drawing
}
