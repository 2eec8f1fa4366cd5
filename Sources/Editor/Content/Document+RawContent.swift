import InkCore

// Raw content: shapes, drawings, and what ink looks like.
extension Document {
  /// Strokes of a line that make it text for good: none of them is taken for a shape later.
  private static let certainText = 4
  /// Heights of letters that writing is at most tall.
  private static let textHeight = 4.0
  /// Millimetres that letters are expected to be tall before there are any.
  private static let expectedHeight = 3.6
  /// Heights of letters between strokes of one drawing.
  private static let drawingGap = 1.0
  /// Heights of letters that a straight line beside text must be long to be none of it.
  private static let dashLength = 4.0
  /// How much of the sides of a closed shape its text has at most.
  private static let shareOfNode = 0.9
  /// Heights of letters between a line and the strokes of its head, how many strokes later those are
  /// drawn, and how large the head is as a share of the line.
  private static let headReach = 0.2
  private static let headStrokes = 2
  private static let headShare = 0.5
  /// As a share of the sides of a closed shape, text that it is drawn around.
  private static let enclosedShare = 0.25
  /// Heights of letters that the text of a closed shape is at most tall; what is taller may be a
  /// shape in a frame.
  private static let contentHeight = 2.6
  /// A side of a closed shape comes so near to its box, as a share of its sides.
  private static let edgeOfNode = 0.06
  /// Heights of letters between a connecting line and its shape.
  private static let connection = 0.7

  /// The height of letters in millimetres.
  var letterHeight: Double { grouper.height(expecting: Self.expectedHeight) }

  /// The last strokes up to an item that may be one shape with it; not those of blocks that were
  /// made by hand.
  func recentStrokes(upTo item: Int) -> [InkStroke] {
    guard let place = order.lastIndex(of: item) else { return [] }
    let first = max(0, place - ShapeFinder.mostStrokes + 1)
    var result: [InkStroke] = []
    for id in order[first...place] {
      guard let stroke = strokes[id] else { continue }
      if let last = result.last, last.session != stroke.session { result = [] }
      switch places[id] {
      case .block(let block)? where block.isForced: result = []
      case .line(let line, _)?
      where line.block.isForced
        || (line.members.count >= Self.certainText
          && !ShapeFinder.mayBeShape(stroke.box, height: letterHeight)):
        result = []
      default: result.append(stroke)
      }
    }
    return result
  }

  /// Whether ink is of the size of writing.
  func looksLikeText(_ item: Int) -> Bool {
    guard let stroke = strokes[item] else { return false }
    return stroke.box.height < Self.textHeight * letterHeight
  }

  /// Whether ink stands in a closed shape and is small enough to be its text. What was just drawn
  /// may still get another side.
  func isInNode(_ item: Int) -> Bool {
    guard let stroke = strokes[item], stroke.box.height < Self.contentHeight * letterHeight else {
      return false
    }
    return root.children.contains { block in
      guard block.type == .node, !block.items.contains(item), let box = block.box else {
        return false
      }
      let isRecent = (1..<ShapeFinder.mostStrokes).contains(item - (block.items.last ?? 0))
      return box.contains(x: stroke.box.midX, y: stroke.box.midY, within: 0)
        && stroke.box.height < Self.shareOfNode * box.height
        && stroke.box.width < Self.shareOfNode * box.width
        && !(isRecent && stroke.box.reachesEdge(of: box, within: Self.edgeOfNode))
    }
  }

  /// Whether text of some width or height stands in the box of strokes that are not its own.
  func enclosesText(_ group: [InkStroke]) -> Bool {
    guard let box = BoundingBox(holding: group.map(\.box)) else { return false }
    let own = Set(group.map(\.id))
    return root.children.contains { block in
      block.type == .text
        && block.box.map { $0.gapX(to: box) == 0 && $0.gapY(to: box) == 0 } ?? false
        && block.lines.contains { line in
          guard line.box.gapX(to: box) == 0, line.box.gapY(to: box) == 0 else { return false }
          let inner = BoundingBox(
            holding: line.members.lazy.filter { !own.contains($0.item) }
              .compactMap { self.strokes[$0.item]?.box }.filter { box.holds($0) })
          guard let inner else { return false }
          return inner.width > Self.enclosedShare * box.width
            || inner.height > Self.enclosedShare * box.height
        }
    }
  }

  /// How many ends of strokes lie at closed shapes that do not hold the strokes: 0, 1, or 2 where
  /// there are two such shapes.
  func endsAtNodes(_ group: [InkStroke]) -> Int {
    guard let longest = group.max(by: { $0.length < $1.length }),
      let first = longest.points.first, let last = longest.points.last
    else { return 0 }
    let reach = Self.connection * letterHeight
    func node(at point: StrokePoint) -> BlockNode? {
      root.children.first { block in
        guard block.type == .node, let box = block.box else { return false }
        return box.contains(x: point.x, y: point.y, within: reach)
          && !box.contains(x: longest.box.midX, y: longest.box.midY, within: 0)
      }
    }
    let nodes = (node(at: first), node(at: last))
    if let one = nodes.0, let other = nodes.1 { return one === other ? 1 : 2 }
    return nodes.0 == nil && nodes.1 == nil ? 0 : 1
  }

  /// Whether what may be a line stands in a line of text: a bar of a t, a dash, an l.
  func isPartOfText(_ items: [Int], _ shape: RecognizedShape) -> Bool {
    let height = letterHeight
    guard items.count == 1, let stroke = strokes[items[0]],
      case .line(_, _, false, false) = shape.form, stroke.extent < Self.dashLength * height,
      endsAtNodes([stroke]) == 0
    else { return false }
    let lines = root.children.filter { $0.type == .text }.flatMap(\.lines)
    guard let line = grouper.line(of: stroke, among: lines) else { return false }
    return line.box.gapX(to: stroke.box) < 2 * height
  }

  /// Makes ink a shape; it leaves the blocks it is in.
  ///
  /// What is left of a shape that ink is taken from, and what was taken for shapes or drawings
  /// within a closed one, becomes text where it has the size of text.
  func makeShape(_ shape: RecognizedShape, items: [Int], allowsText: Bool) {
    let taken = Set(items)
    var others: [Int] = []
    for item in items {
      if case .block(let old)? = places[item], old.shape != nil { others += old.items }
    }
    for item in items {
      if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke) }
    }
    detach(taken)
    let block = addBlock(shape.isEdge ? .edge : .node)
    block.shape = shape
    put(items, into: block)
    if block.type == .node, let box = block.box {
      for other in root.children where other !== block && !other.isForced && other.type != .text {
        if let inner = other.box, box.holds(inner), other.items.allSatisfy(isInNode) {
          others += other.items
        }
      }
    }
    guard allowsText else { return }
    let texts = Set(others).filter { places[$0] != nil && !taken.contains($0) && isInNode($0) }
    detach(texts)
    for item in texts.sorted() { placeText(item) }
  }

  /// Puts ink into the line that was just drawn and that it is the head of.
  ///
  /// - Returns: whether there is one.
  func placeHead(_ item: Int) -> Bool {
    guard let stroke = strokes[item] else { return false }
    let reach = Self.headReach * letterHeight
    let edge = root.children.first { block in
      guard block.type == .edge, !block.isForced, let last = block.items.last,
        (1...Self.headStrokes).contains(item - last), let first = block.items.first,
        let shaft = strokes[first],
        stroke.extent < Self.headShare * shaft.extent,
        let start = shaft.points.first, let end = shaft.points.last
      else { return false }
      return stroke.box.contains(x: start.x, y: start.y, within: reach)
        || stroke.box.contains(x: end.x, y: end.y, within: reach)
    }
    guard let edge, let shape = edge.shape else { return false }
    edge.shape = shape.withHead { stroke.box.contains(x: $0.x, y: $0.y, within: reach) }
    put([item], into: edge)
    return true
  }

  /// Puts ink into the drawing next to it, or a new one.
  func placeDrawing(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    let reach = Self.drawingGap * letterHeight
    let near = root.children.first { block in
      guard block.takes(stroke, as: .drawing), let box = block.box else { return false }
      return box.gapX(to: stroke.box) < reach && box.gapY(to: stroke.box) < reach
    }
    put([item], into: near ?? addBlock(.drawing, session: stroke.session))
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
  func finishForcedShape(_ shape: RecognizedShape?, items: [Int], allowsText: Bool) {
    if !forcedShapes.isEmpty { forcedShapes.removeFirst() }
    let items = items.filter { strokes[$0] != nil }
    guard let shape, !items.isEmpty else { return }
    makeShape(shape, items: items, allowsText: allowsText)
    if case .block(let block)? = places[items[0]] { block.isForced = true }
  }

  /// Items in groups that lie together.
  private func neighbours(_ items: [Int]) -> [[Int]] {
    let reach = 2 * letterHeight
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
