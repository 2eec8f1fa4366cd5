import InkCore

/// Selected ink of an editor's part, as a value: whole items, or parts of items.
///
/// A selection stays valid while all of its ink is there and its part is set. Recognition, and
/// changes of other ink, do not matter to it.
public struct Selection: Hashable, Sendable {
  /// The ink, sorted by item and point. The parts do not overlap.
  public let parts: [ItemPart]
  let reference: EditorReference
  let generation: Int

  package init(_ anchor: InkAnchor, _ state: EditorState) {
    parts = anchor.parts
    (reference, generation) = (state.reference, state.generation)
  }

  /// The ink as a set of points.
  var anchor: InkAnchor { InkAnchor(parts) }

  /// Returns true if both have the same ink of the same part.
  public static func == (left: Selection, right: Selection) -> Bool {
    left.parts == right.parts && left.generation == right.generation
      && left.reference === right.reference
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parts)
    hasher.combine(generation)
    hasher.combine(ObjectIdentifier(reference))
  }

  /// True if there is no ink.
  public var isEmpty: Bool { parts.isEmpty }

  /// The items that have ink in it, sorted. O(parts).
  public var items: [Int] {
    var result: [Int] = []
    for part in parts where result.last != part.item { result.append(part.item) }
    return result
  }

  /// True while all of its ink is there and the part is set. An empty selection is valid.
  public var isValid: Bool {
    reference.editor?.read { state in
      state.document.map { state.isValid(self, $0) } ?? false
    } ?? false
  }

  /// The box of the ink in millimetres; nil if it is empty or not valid. O(points).
  public var box: BoundingBox? {
    reference.editor?.read { state in
      guard let document = state.document, state.isValid(self, document) else { return nil }
      return document.box(of: anchor)
    } ?? nil
  }
}

/// A place at which a selection can be scaled.
public enum SelectionHandle: String, Hashable, Sendable, CaseIterable {
  case topLeft, top, topRight, right, bottomRight, bottom, bottomLeft, left

  /// The place in the box, as shares of its width and height.
  var share: (x: Double, y: Double) {
    switch self {
    case .topLeft: (0, 0)
    case .top: (1 / 2, 0)
    case .topRight: (1, 0)
    case .right: (1, 1 / 2)
    case .bottomRight: (1, 1)
    case .bottom: (1 / 2, 1)
    case .bottomLeft: (0, 1)
    case .left: (0, 1 / 2)
    }
  }

  /// The handle on the other side, which stays where it is.
  public var opposite: SelectionHandle {
    switch self {
    case .topLeft: .bottomRight
    case .top: .bottom
    case .topRight: .bottomLeft
    case .right: .left
    case .bottomRight: .topLeft
    case .bottom: .top
    case .bottomLeft: .topRight
    case .left: .right
    }
  }
}

/// The part of a selection's frame at a place.
public enum SelectionHit: Hashable, Sendable {
  /// A handle: dragging it scales the selection.
  case handle(SelectionHandle)
  /// The inside of the frame: dragging it moves the selection.
  case inside
}

extension EditorState {
  /// Returns whether all ink of a selection is in the document.
  func isValid(_ selection: Selection, _ document: Document) -> Bool {
    guard selection.reference === reference, selection.generation == generation else {
      return false
    }
    return selection.parts.allSatisfy { part in
      document.strokes[part.item].map {
        part.points.lowerBound >= 0 && part.points.upperBound <= $0.points.count
      } ?? false
    }
  }

  /// Makes ink the selection of the editor; nil or no ink for none.
  mutating func setSelection(_ anchor: InkAnchor?) {
    let new = anchor.flatMap { $0.isEmpty ? nil : Selection($0, self) }
    guard new != selection else { return }
    selection = new
    pendingEvents.append(.selectionChanged(new))
  }

  /// Drops a selection whose ink is gone.
  mutating func checkSelection() {
    guard let selection else { return }
    if document.map({ !isValid(selection, $0) }) ?? true { setSelection(nil) }
  }
}

extension Document {
  /// Returns the box of a set of points; nil if there are none. O(points).
  func box(of anchor: InkAnchor) -> BoundingBox? {
    BoundingBox(
      holding: anchor.ranges.flatMap { item, ranges in
        ranges.compactMap { box(of: ItemPart(item: item, points: $0)) }
      })
  }
}
