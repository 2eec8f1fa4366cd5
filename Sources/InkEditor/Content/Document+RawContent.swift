import InkCore

// Raw content: shapes, drawings, and the classification of ink.
extension Document {
  /// The number of strokes from which a line is certainly text, so that none of them can become a
  /// shape.
  private static let certainText = 4
  /// The greatest height of writing, in heights of letters.
  private static let textHeight = 4.0
  /// The expected height of letters in millimetres before there are any.
  private static let expectedHeight = 3.6
  /// The greatest distance between strokes of one drawing, in heights of letters.
  private static let drawingGap = 1.0

  /// The height of letters in millimetres.
  var letterHeight: Double { grouper.height(expecting: Self.expectedHeight) }

  /// The last strokes up to an item that may form one shape with it, except those in blocks that
  /// were set by the user.
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
        || (line.count >= Self.certainText
          && !ShapeFinder.mayBeShape(stroke.box, ShapeContext(letterHeight: letterHeight))):
        result = []
      default: result.append(stroke)
      }
    }
    return result
  }

  /// Returns whether ink has the size of writing.
  func looksLikeText(_ item: Int) -> Bool {
    guard let stroke = strokes[item] else { return false }
    return stroke.box.height < Self.textHeight * letterHeight
  }

  /// Adds ink to the nearest drawing, or to a new one.
  func placeDrawing(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    let reach = Self.drawingGap * letterHeight
    let near = root.children.first { block in
      guard block.takes(stroke, as: .drawing), let box = block.box else { return false }
      return box.gapX(to: stroke.box) < reach && box.gapY(to: stroke.box) < reach
    }
    put([item], into: near ?? addBlock(.drawing, session: stroke.session))
  }

  /// Changes items to a given type.
  func force(_ type: SelectionType, items: Set<Int>, asOneBlock: Bool) {
    markEdited()
    detach(items)
    removeUnsorted(items)
    forgetForcedShapes(of: items)
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
    // Else something else was made of them meanwhile.
    guard forcedShapes.first == items else { return }
    forcedShapes.removeFirst()
    guard let shape else { return }
    makeShape(shape, items: items, allowsText: allowsText)
    if case .block(let block)? = places[items[0]] { block.isForced = true }
  }

  /// Lets items become no shape that they were to become.
  func forgetForcedShapes(of items: Set<Int>) {
    guard !forcedShapes.isEmpty else { return }
    forcedShapes = forcedShapes.map { group in group.filter { !items.contains($0) } }
    forcedShapes.removeAll(where: \.isEmpty)
  }

  /// Groups items that are close to each other.
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
    return groups.map { inOrder($0.items) }
  }
}

/// The types that selected ink can be changed to.
public enum SelectionType: String, Hashable, Sendable, CaseIterable {
  case text
  case shape
  case drawing
}
