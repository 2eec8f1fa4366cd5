import InkCore

// Finds and makes shapes in raw content.
extension Document {
  // The numbers below were chosen by hand on flow charts and notes of evaluate --through editor.
  /// The length, in heights of letters, above which a straight line beside text is not part of it.
  private static let dashLength = 4.0
  /// The largest share of a closed shape's sides that its text takes.
  private static let shareOfNode = 0.9
  /// Limits for the head of an arrow: the gap to its line in heights of letters, the number of
  /// strokes drawn in between, and its size as a share of the line.
  private static let headReach = 0.2
  /// Strokes.
  private static let headStrokes = 2
  /// Share of the line's extent.
  private static let headShare = 1.2
  /// A line of this many strokes gets no more heads.
  private static let edgeStrokes = 3
  /// The least size of text that a closed shape was drawn around, as a share of the shape's sides.
  private static let enclosedShare = 0.25
  /// The greatest height of text in a closed shape, in heights of letters. Taller ink may be a
  /// shape in a frame.
  private static let contentHeight = 2.6
  /// The greatest distance of a side of a closed shape from the edge of its box, as a share of the
  /// sides.
  private static let edgeOfNode = 0.06
  /// The greatest gap between a connecting line and its shape, in heights of letters.
  private static let connection = 0.7

  /// Returns the context, in addition to form, that decides whether strokes are a shape.
  func shapeContext(of group: [InkStroke]) -> ShapeContext {
    ShapeContext(
      letterHeight: letterHeight, ends: endsAtNodes(group), enclosesText: enclosesText(group))
  }

  /// Returns true if ink is inside a closed shape and small enough to be its text. Ink at the
  /// edge of a shape that was drawn a few strokes ago does not count: it may be part of the shape.
  func isInNode(_ item: Int) -> Bool {
    guard let stroke = strokes[item], stroke.box.height < Self.contentHeight * letterHeight else {
      return false
    }
    return home(of: stroke).children.contains { block in
      guard block.type == .node, !block.items.contains(item), let box = block.box else {
        return false
      }
      let isRecent =
        block.items.last.flatMap { strokes[$0] }
        .map { (1..<ShapeFinder.mostStrokes).contains(stroke.number - $0.number) } ?? false
      return box.contains(x: stroke.box.midX, y: stroke.box.midY, within: 0)
        && stroke.box.height < Self.shareOfNode * box.height
        && stroke.box.width < Self.shareOfNode * box.width
        && !(isRecent && stroke.box.reachesEdge(of: box, within: Self.edgeOfNode))
    }
  }

  /// Returns whether text of some width or height is inside the box of strokes that are not part of
  /// it.
  private func enclosesText(_ group: [InkStroke]) -> Bool {
    guard let box = BoundingBox(holding: group.map(\.box)) else { return false }
    let own = Set(group.map(\.id))
    guard let first = group.first else { return false }
    return texts(for: home(of: first)).contains { block in
      block.box.map { $0.gapX(to: box) == 0 && $0.gapY(to: box) == 0 } ?? false
        && block.lines.contains { line in
          guard line.box.gapX(to: box) == 0, line.box.gapY(to: box) == 0 else { return false }
          let inner = BoundingBox(
            holding: line.shape.members.lazy.filter { !own.contains($0.item) }
              .compactMap { self.strokes[$0.item]?.box }.filter { box.holds($0) })
          guard let inner else { return false }
          return inner.width > Self.enclosedShare * box.width
            || inner.height > Self.enclosedShare * box.height
        }
    }
  }

  /// Returns the number of stroke ends at closed shapes that do not contain the strokes: 0, 1, or 2
  /// if there are two such shapes.
  private func endsAtNodes(_ group: [InkStroke]) -> Int {
    guard let longest = group.max(by: { $0.length < $1.length }),
      let first = longest.points.first, let last = longest.points.last
    else { return 0 }
    let nodes = (node(at: first, of: longest), node(at: last, of: longest))
    if let one = nodes.0, let other = nodes.1 { return one === other ? 1 : 2 }
    return nodes.0 == nil && nodes.1 == nil ? 0 : 1
  }

  /// Returns the closed shape at a point of a stroke, unless the shape contains the stroke.
  func node(at point: StrokePoint, of stroke: InkStroke) -> BlockNode? {
    let reach = Self.connection * letterHeight
    return home(of: stroke).children.first { block in
      guard block.type == .node, let box = block.box else { return false }
      return box.contains(x: point.x, y: point.y, within: reach)
        && !box.contains(x: stroke.box.midX, y: stroke.box.midY, within: 0)
    }
  }

  /// Returns true if a possible edge is in a line of text: the bar of a t, a dash, an l, an i with
  /// its dot. A small arrow that lies is none of it, nor is one of a diagram.
  func isPartOfText(_ items: [Int], _ shape: RecognizedShape) -> Bool {
    let group = items.compactMap { strokes[$0] }
    guard shape.isEdge, let box = BoundingBox(holding: group.map(\.box)),
      max(box.width, box.height) < Self.dashLength * letterHeight, endsAtNodes(group) == 0
    else { return false }
    let isPlain = if case .line(_, _, false, false) = shape.form { group.count == 1 } else { false }
    guard isPlain || box.height > box.width && !group.contains(where: hasNodes) else {
      return false
    }
    let least = isPlain ? 1 : Self.certainText
    return group.allSatisfy { textLine(beside: $0).map { $0.count >= least } ?? false }
  }

  /// Returns true if there are closed shapes where a stroke is, which lines may connect.
  private func hasNodes(beside stroke: InkStroke) -> Bool {
    home(of: stroke).children.contains { $0.type == .node }
  }

  /// Returns the line of text that a stroke is in, or next to.
  ///
  /// - Parameter gap: The greatest gap between them, in heights of letters.
  private func textLine(
    beside stroke: InkStroke, within gap: Double = Chosen.dashGap
  ) -> TextLine? {
    let lines = texts(for: home(of: stroke)).filter { !$0.isForced }.flatMap(\.lines)
    guard let line = line(of: stroke.measure, among: lines),
      line.box.gapX(to: stroke.box) < gap * letterHeight
    else { return nil }
    return line
  }

  /// Makes text of recent shapes that are letters, now that there is text beside them: the stem of
  /// a t that begins a line, or the first letters of large writing. They would not be shapes if the
  /// text had come first.
  ///
  /// - Parameter item: The ink that was added to a text. O(recent strokes).
  func takeBackLetters(after item: Int) {
    guard let place = order.lastIndex(of: item) else { return }
    let recent = order[max(0, place - Chosen.recentStrokes)..<place]
    // A letter that was taken back may be what the one before it is beside.
    while let block = recent.reversed().lazy.compactMap({ self.letter(of: $0) }).first {
      let items = inOrder(block.items)
      detach(Set(items))
      for item in items {
        guard let stroke = strokes[item] else { continue }
        if let line = textLine(beside: stroke) {
          join(stroke, to: line)
        } else {
          placeText(item)
        }
      }
    }
  }

  /// Returns the shape that an item is in if it is a letter beside text.
  private func letter(of item: Int) -> BlockNode? {
    guard case .block(let block)? = places[item], let shape = block.shape, let box = block.box,
      !block.isForced, block.children.isEmpty, block.ends == [nil, nil]
    else { return nil }
    let group = block.items.compactMap { strokes[$0] }
    // A line that lies beside text is more often a connection than a dash; one over it is a bar.
    let isUpright = block.type == .node || box.height > box.width
    guard block.type == .node || !group.contains(where: hasNodes) else { return nil }
    let gap = isUpright ? Chosen.letterGap : Chosen.barGap
    guard !ShapeFinder.mayBeShape(box, shapeContext(of: group)) || isPartOfText(block.items, shape),
      group.allSatisfy({ textLine(beside: $0, within: gap) != nil }),
      !blocks.values.contains(where: { $0.type == .edge && $0.ends.contains(block.id) })
    else { return nil }
    return block
  }

  /// Turns ink into a shape and removes it from its blocks.
  ///
  /// If a shape loses ink, the rest becomes text if it has the size of text. So do shapes and
  /// drawings inside a closed shape.
  func makeShape(_ shape: RecognizedShape, items: [Int], allowsText: Bool) {
    let taken = Set(items)
    var others: [Int] = []
    for item in items {
      if case .block(let old)? = places[item], old.shape != nil { others += old.items }
    }
    for item in items {
      if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke.measure) }
    }
    guard let home = items.first.flatMap({ strokes[$0] }).map({ self.home(of: $0) }) else { return }
    detach(taken)
    // Parts that a precise eraser left may be in the group before they were sorted themselves.
    removeUnsorted(taken)
    let block = addBlock(shape.isEdge ? .edge : .node, in: home)
    block.shape = shape
    put(items, into: block)
    connect(block, in: home)
    if block.type == .node, let box = block.box {
      for other in home.children where other !== block && !other.isForced && other.type != .text {
        if let inner = other.box, box.holds(inner), other.items.allSatisfy(isInNode) {
          others += other.items
        }
      }
    }
    defer { if block.type == .node { texts(for: home).forEach(adopt) } }
    guard allowsText else { return }
    let texts = Set(others).filter { places[$0] != nil && !taken.contains($0) && isInNode($0) }
    detach(texts)
    for item in inOrder(texts) { placeText(item) }
  }

  /// Adds ink as the head of the line that was just drawn.
  ///
  /// - Returns: true if there is such a line.
  func placeHead(_ item: Int) -> Bool {
    guard let stroke = strokes[item], stroke.isPlain else { return false }
    let reach = Self.headReach * letterHeight
    let edge = home(of: stroke).children.first { block in
      guard block.type == .edge, !block.isForced, block.items.count < Self.edgeStrokes,
        let last = block.items.last.flatMap({ strokes[$0] }),
        (1...Self.headStrokes).contains(stroke.number - last.number),
        let shaft = block.items.first.flatMap({ strokes[$0] }),
        stroke.extent < Self.headShare * shaft.extent,
        let start = shaft.points.first, let end = shaft.points.last
      else { return false }
      let isConnection = block.ends != [nil, nil]
      return [start, end].contains { end in
        stroke.box.contains(x: end.x, y: end.y, within: reach)
          && (isConnection || !stroke.isBar(across: end))
      }
    }
    guard let edge, let shape = edge.shape else { return false }
    edge.shape = shape.withHead { stroke.box.contains(x: $0.x, y: $0.y, within: reach) }
    put([item], into: edge)
    return true
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Heights of letters.
  static let dashGap = 2.0
  /// The greatest gap between a letter and its text, in heights of letters. Chosen by hand on the
  /// same data.
  static let letterGap = 1.0
  /// The same for the bar of a T, which is over its text.
  static let barGap = 0.01
  /// The strokes before a text that are looked at again. Twice the strokes after which the height
  /// of the letters is that of the writing.
  static let recentStrokes = 24
  /// The greatest length of a straight stroke, as a share of the distance of its ends. Chosen by
  /// hand: below that of an open arrow head.
  static let straight = 1.1
  /// The least distance of a bar's middle part from its ends, as a share of its length. Chosen by
  /// hand.
  static let middle = 0.25
}

extension InkStroke {
  /// Returns true if it is a straight stroke whose middle part is at a point: the bar of a T.
  fileprivate func isBar(across point: StrokePoint) -> Bool {
    guard let first = points.first, let last = points.last else { return false }
    func distance(_ a: StrokePoint, _ b: StrokePoint) -> Double {
      ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
    let chord = distance(first, last)
    return length < Chosen.straight * chord
      && min(distance(first, point), distance(last, point)) > Chosen.middle * chord
  }
}
