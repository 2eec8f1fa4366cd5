import InkCore

// Strokes that may be gestures and about which nobody has decided yet. They are ink of the part,
// but belong to no block, are not read, and are in no state of the history.
extension Document {
  /// Adds a stroke that waits for a decision.
  func hold(_ stroke: InkStroke) {
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    strokes[stroke.id]?.number = makeNumber()
    order.append(stroke.id)
    pending.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
  }

  /// Removes a stroke that waits, and returns it; nil if it was erased.
  func release(_ item: Int) -> InkStroke? {
    guard let place = pending.firstIndex(of: item) else { return nil }
    pending.remove(at: place)
    let stroke = strokes.removeValue(forKey: item)
    order.removeAll { $0 == item }
    root.box = box(of: order)
    changes.update(root)
    return stroke
  }

  /// Adds a stroke that was released at its place in the order of writing.
  func bringBack(_ stroke: InkStroke) {
    markEdited()
    strokes[stroke.id] = stroke
    let place = order.firstIndex { item in
      (strokes[item]?.number ?? 0, item) > (stroke.number, stroke.id)
    }
    order.insert(stroke.id, at: place ?? order.count)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
    placeNew(stroke.id)
    unsorted = inOrder(unsorted)
    if type.isPlainInk { root.items = order.filter { !pending.contains($0) } }
  }
}
