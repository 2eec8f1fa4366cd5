import InkCore

// Raw content: shapes, drawings, and the classification of ink.
extension Document {
  // The numbers below were chosen by hand on flow charts and notes of evaluate --through editor.
  /// The number of strokes that makes a line certainly text: its strokes are not taken for shapes
  /// later.
  static let certainText = 4
  /// The greatest height of writing, in heights of letters.
  private static let textHeight = 4.0
  /// The expected height of letters in millimetres before there are any.
  private static let expectedHeight = 3.6
  /// The greatest gap between strokes of one drawing, in heights of letters.
  private static let drawingGap = 1.0

  /// The height of letters in millimetres.
  var letterHeight: Double { grouper.height(expecting: Self.expectedHeight) }

  /// Returns the last strokes up to an item that may form one shape with it. Strokes in blocks that
  /// the user set are left out.
  func recentStrokes(upTo item: Int) -> [InkStroke] {
    guard let place = order.lastIndex(of: item) else { return [] }
    let first = max(0, place - ShapeFinder.mostStrokes + 1)
    var result: [InkStroke] = []
    for id in order[first...place] {
      guard let stroke = strokes[id], !pending.contains(id) else { continue }
      guard stroke.isInk else {
        result = []
        continue
      }
      if let last = result.last,
        last.session != stroke.session || home(of: last) !== home(of: stroke)
      {
        result = []
      }
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
    let home = home(of: stroke)
    let near = home.children.first { block in
      guard block.takes(stroke, as: .drawing), let box = block.box else { return false }
      return box.gapX(to: stroke.box) < reach && box.gapY(to: stroke.box) < reach
    }
    put([item], into: near ?? addBlock(.drawing, in: home, session: stroke.session))
  }

  /// Changes the type of items.
  func force(_ type: SelectionType, items: Set<Int>, asOneBlock: Bool) {
    markEdited()
    detach(items)
    removeUnsorted(items)
    forgetForcedShapes(of: items)
    let ordered = order.filter { items.contains($0) }
    let groups = asOneBlock ? [ordered] : neighbours(ordered)
    for group in groups {
      guard let first = group.first.flatMap({ strokes[$0] }) else { continue }
      let home = home(of: first)
      // A shape is a drawing until the shape model has seen it. A text, a drawing or math has no
      // blocks in it.
      let block = addBlock(
        type == .text ? .text : type == .math ? .math : .drawing,
        in: home.type.holdsShapes ? home : root)
      block.isForced = true
      switch type {
      case .text: for item in group { placeText(item, in: block) }
      case .drawing, .math: put(group, into: block)
      case .shape:
        put(group, into: block)
        forcedShapes.append(ForcedShape(items: group))
      }
    }
  }

  /// The next group of items to turn into a shape now.
  var nextForcedShape: [Int]? { forcedShapes.first { $0.isAsked && !$0.waits }?.items }

  /// Finishes a request of ``force(_:items:asOneBlock:)`` for a shape. Without a shape, the ink
  /// stays a drawing.
  func finishForcedShape(_ shape: RecognizedShape?, items: [Int], allowsText: Bool) {
    // Otherwise the items have become something else in the meantime.
    guard let place = forcedShapes.firstIndex(where: { $0.items == items }) else { return }
    forcedShapes.remove(at: place)
    guard let shape else { return }
    makeShape(shape, items: items, allowsText: allowsText)
    if case .block(let block)? = places[items[0]] { block.isForced = true }
  }

  /// Keeps the request for a shape until models change: the model is missing, or it failed.
  func postponeForcedShape(items: [Int]) {
    guard let place = forcedShapes.firstIndex(where: { $0.items == items }) else { return }
    forcedShapes[place].waits = true
  }

  /// Drops the requests to turn these items into shapes.
  func forgetForcedShapes(of items: Set<Int>) {
    guard !forcedShapes.isEmpty else { return }
    for index in forcedShapes.indices {
      forcedShapes[index].items.removeAll { items.contains($0) }
    }
    forcedShapes.removeAll(where: \.items.isEmpty)
  }

  /// Groups items that are close to each other.
  private func neighbours(_ items: [Int]) -> [[Int]] {
    let reach = Chosen.groupGap * letterHeight
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
  /// A formula.
  case math
}

extension SelectionType {
  /// The types of the ink of a diagram.
  static let ofDiagrams: [SelectionType] = [.text, .shape, .drawing]
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Heights of letters.
  static let groupGap = 2.0
}
