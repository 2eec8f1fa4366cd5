import InkCore

// The hand: it selects words by a tap and blocks by a long press, and moves what is selected.

extension EditorState {
  /// Decides whether a hand that comes down holds the selected ink, or the selected block.
  mutating func grasp(_ stroke: inout ActiveStroke, _ document: Document) {
    guard let place = stroke.points.first else { return }
    func isHit(_ box: BoundingBox?) -> Bool {
      box?.contains(x: place.x, y: place.y, within: Chosen.hitDistance) ?? false
    }
    if let selection, isValid(selection, document), isHit(document.box(of: selection.anchor)) {
      stroke.movesSelection = true
    } else if let selectedBlock {
      stroke.movesBlock = isHit(document.blocks[selectedBlock]?.box)
    }
  }

  /// Moves what a hand holds, as one step. Nothing changes if the part does not accept ink at its
  /// new place.
  mutating func drop(_ stroke: ActiveStroke, _ document: Document) {
    guard let first = stroke.points.first, let last = stroke.points.last else { return }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    if stroke.movesSelection {
      guard let selection, isValid(selection, document) else { return }
      let moved = change(document) { _ in document.move(selection.anchor, dx: dx, dy: dy) }
      guard let moved else { return }
      setSelection(moved)
    } else if stroke.movesBlock {
      guard let selectedBlock, let node = document.blocks[selectedBlock] else { return }
      change(document) { _ in
        if document.move(node, dx: dx, dy: dy) { document.markEdited() }
      }
    } else {
      return
    }
    schedule()
  }

  /// Selects the block under a long press with all of its ink; nothing if there is none. A contact
  /// that is still down holds it.
  mutating func selectBlock(under place: StrokePoint, _ document: Document) {
    let block = topBlock(x: place.x, y: place.y, document)
    select(block)
    setSelection(block.map { document.anchor(ofWhole: document.items(of: $0)) })
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The margin around selected ink in which it is hit, in millimetres. Chosen by hand.
  static let hitDistance = 2.0
}
