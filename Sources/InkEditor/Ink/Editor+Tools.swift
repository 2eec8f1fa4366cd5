import InkCore
import PenInput

// The effects of tools on the document.

extension EditorState {
  /// Handles new points of a tool that is down, from an index on.
  mutating func use(_ stroke: inout ActiveStroke, from index: Int, _ document: Document) {
    guard stroke.generation == generation, !stroke.isPalm else { return }
    switch stroke.tool {
    case .eraser: erase(&stroke, from: index, document)
    case .hand:
      if index == 0 {
        grasp(&stroke, document)
      } else if !stroke.movesBlock, !stroke.movesSelection {
        scroll(stroke, from: index)
      }
    case .pen, .selector, .highlighter: break
    }
  }

  /// Handles a tool that leaves the view: a pen leaves its ink.
  ///
  /// - Parameter isLong: True for a long press, which selects more than a tap.
  mutating func finish(_ stroke: inout ActiveStroke, _ document: Document, isLong: Bool) {
    guard stroke.generation == generation, !stroke.isPalm else { return }
    switch stroke.tool {
    case .pen:
      defer { votes[stroke.item] = nil }
      var ink = InkStroke(id: stroke.item, pointer: stroke.type, points: stroke.inkPoints)
      ink.style = stroke.style
      stroke.isInDocument = write(ink, to: document)
    case .hand:
      if stroke.distance > Chosen.tapDistance {
        drop(stroke, document)
      } else if !isLong, let place = stroke.points.first {
        select(topBlock(x: place.x, y: place.y, document))
        setSelection(document.word(atX: place.x, y: place.y))
      }
    case .highlighter: highlight(stroke, document)
    case .selector: if !isLong { select(inLasso: stroke, document) }
    case .eraser: break
    }
  }

  /// Selects the ink inside of a lasso, or the word under a tap; nothing if there is none.
  private mutating func select(inLasso stroke: ActiveStroke, _ document: Document) {
    guard let place = stroke.points.first else { return }
    // The ends of a lasso are close to each other.
    let isTap = stroke.points.allSatisfy {
      max(abs($0.x - place.x), abs($0.y - place.y)) <= Chosen.tapDistance
    }
    if isTap {
      setSelection(document.word(atX: place.x, y: place.y))
    } else {
      let path = stroke.points.map { PlanePoint(x: $0.x, y: $0.y) }
      setSelection(LassoArea(path).map(document.ink))
    }
  }

  /// Highlights the words under a stroke, which leaves no ink.
  private mutating func highlight(_ stroke: ActiveStroke, _ document: Document) {
    let style = stroke.style.map { DecorationStyle($0.inkColor) }
    change(document) { _ in
      _ = document.decorate(
        document.textInk(under: stroke.points), with: .highlight, style: style)
    }
  }

  /// Reverts what a tool did since its beginning, unless something else happened in between.
  mutating func revert(_ stroke: ActiveStroke, _ document: Document) {
    guard stroke.generation == generation, let step = stroke.erasedAt,
      document.history.index == step, let state = document.history.withdraw()
    else { return }
    document.install(state)
    discardReadings()
    schedule()
  }

  /// Adds a finished stroke that is no gesture. All ways of writing end here.
  mutating func append(_ stroke: InkStroke, to document: Document) {
    let pause = document.type.rootType.holdsShapes ? number("raw-content.session-time") : 0
    change(document) { _ in document.append(stroke, pause: pause) }
    tellOfPlace(stroke, document)
    schedule()
  }

  mutating func erase(_ stroke: inout ActiveStroke, from index: Int, _ document: Document) {
    let path = Array(stroke.points[max(0, index - 1)...])
    let radius = number("text.eraser.radius")
    guard document.isInk(near: path, within: radius) else { return }
    let isPrecise = boolean("text.eraser.erase-precisely")
    func take(_: inout EditorState) {
      if isPrecise {
        document.erasePrecisely(along: path, within: radius)
      } else {
        document.erase(along: path, within: radius)
      }
    }
    let edits = document.edits
    if let step = stroke.erasedAt, document.history.index == step {
      continueChange(document, take)
    } else {
      change(document, take)
    }
    guard document.edits != edits else { return }
    stroke.erasedAt = document.history.index
    schedule()
  }

  mutating func scroll(_ stroke: ActiveStroke, from index: Int) {
    guard stroke.distance > Chosen.tapDistance else { return }
    let (from, to) = (stroke.points[index - 1], stroke.points[stroke.points.count - 1])
    let (a, b) = (
      stroke.transform.view(x: from.x, y: from.y), stroke.transform.view(x: to.x, y: to.y)
    )
    pendingEvents.append(.scrolled(dx: b.x - a.x, dy: b.y - a.y))
  }

  /// Selects the block that the hand moves.
  mutating func select(_ block: BlockNode?) {
    let id = block === document?.root ? nil : block?.id
    guard id != selectedBlock else { return }
    selectedBlock = id
    pendingEvents.append(.selectedBlockChanged(id))
  }

  /// Returns the top-most block at a place in millimetres: of the blocks there, the one drawn in
  /// last. A block lies above its parent.
  func topBlock(x: Double, y: Double, _ document: Document) -> BlockNode? {
    let hits = document.blocks.values.filter { block in
      block.type != .container && (block !== document.root || block.type == .text)
        && block.box?.contains(x: x, y: y, within: Chosen.hitDistance) ?? false
    }
    func last(_ block: BlockNode) -> Int {
      (block.items + block.lines.flatMap(\.items)).compactMap { document.strokes[$0]?.number }
        .max() ?? -1
    }
    func depth(_ block: BlockNode) -> Int { block.parent.map { depth($0) + 1 } ?? 0 }
    return hits.max { (depth($0), last($0), $0.id) < (depth($1), last($1), $1.id) }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The margin around a block's box in which it is hit, in millimetres. Chosen by hand.
  static let hitDistance = 2.0
  /// The greatest movement of a tap, in millimetres. Chosen by hand.
  static let tapDistance = 2.0
}
