import InkCore
import Recognition

/// The content of a block.
public enum BlockType: String, Hashable, Sendable, CaseIterable {
  /// Lines of text: the root of a text part, or a child.
  case text = "Text"
  /// The root of mixed content.
  case rawContent = "Raw Content"
  /// Ink that is not read: the root of a drawing, or a child.
  case drawing = "Drawing"
  /// A closed shape.
  case node = "Node"
  /// A line, an arrow, a polyline.
  case edge = "Edge"
  /// A formula: the root of a math part, a child of a text document, or a formula in
  /// mixed content.
  case math = "Math"
  /// Nodes, edges and texts: the root of a diagram, or a child of a text document.
  case diagram = "Diagram"
  /// The root of blocks that are beside and below each other.
  case textDocument = "Text Document"
  /// Blocks of a text document that are side by side; it has no ink of its own.
  case container = "Container"

  /// True if the block is searched for shapes and texts.
  var holdsShapes: Bool { self == .rawContent || self == .diagram }
}

/// A block of a document. Guarded by the editor's lock.
package final class BlockNode {
  package let id: String
  package let type: BlockType
  package weak var parent: BlockNode?
  package var children: [BlockNode] = [] { didSet { changes += 1 } }
  /// The lines of a text, from top to bottom.
  package var lines: [TextLine] = [] { didSet { changes += 1 } }
  /// The items of drawings and shapes, in the order they were written.
  package var items: [Int] = [] {
    didSet {
      changes += 1
      // A choice belongs to the ink that it was made for.
      if items != oldValue { chosenFormula = nil }
    }
  }
  /// The LaTeX that was chosen for a formula, until its ink changes; nil for the best reading.
  var chosenFormula: String? { didSet { changes += 1 } }
  /// The shape, if the block is one.
  var shape: RecognizedShape? { didSet { changes += 1 } }
  /// The mark that a drawing is: an underline, a divider.
  var mark: RecognizedMark.Kind? { didSet { changes += 1 } }
  /// True if the type was set by the user, so that ink is not sorted again.
  var isForced = false { didSet { changes += 1 } }
  /// The session of its strokes.
  var session = 0 { didSet { changes += 1 } }
  /// The box of the ink, and of the frame.
  package var box: BoundingBox? { didSet { changes += 1 } }
  /// The area that the block was made for. It keeps the block there even without ink.
  var frame: BoundingBox? { didSet { changes += 1 } }
  /// For an edge, the ids of the nodes at its start and end.
  package var ends: [String?] = [nil, nil] { didSet { changes += 1 } }

  /// The number of times that a member was set.
  private(set) var changes = 0

  package init(id: String, type: BlockType, parent: BlockNode?) {
    self.id = id
    self.type = type
    self.parent = parent
  }

  /// Returns whether a stroke may be added to the block automatically.
  func takes(_ stroke: InkStroke, as type: BlockType) -> Bool {
    self.type == type && !isForced && mark == nil && session == stroke.session
  }

  /// All items of the block and its descendants. O(items).
  var allItems: [Int] {
    lines.flatMap(\.items) + items + children.flatMap(\.allItems)
  }

  /// The block and all its descendants. O(result).
  package var withDescendants: [BlockNode] { [self] + children.flatMap(\.withDescendants) }

  /// The texts among the block and its descendants, in the order they were made.
  var texts: [BlockNode] { withDescendants.filter { $0.type == .text } }
}

/// The blocks that changed since the last notification.
package struct BlockChanges: Sendable, Equatable {
  package private(set) var added: [String] = []
  package private(set) var removed: [String] = []
  package private(set) var updated: [String] = []

  package init() {}

  /// Makes changes from those that were reported.
  init(added: [String], removed: [String], updated: [String]) {
    (self.added, self.removed, self.updated) = (added, removed, updated)
  }

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

  /// The event that reports the changes.
  var event: EditorEvent { .contentChanged(added: added, removed: removed, updated: updated) }

  package mutating func add(_ block: BlockNode) { add(id: block.id) }
  package mutating func remove(_ block: BlockNode) { remove(id: block.id) }
  package mutating func update(_ block: BlockNode) { update(id: block.id) }

  /// Adds changes that came later. O(blocks of both).
  mutating func merge(_ later: BlockChanges) {
    later.removed.forEach { remove(id: $0) }
    later.added.forEach { add(id: $0) }
    later.updated.forEach { update(id: $0) }
  }

  private mutating func add(id: String) {
    if let place = removed.firstIndex(of: id) {
      // The block came back before its removal was reported.
      removed.remove(at: place)
      update(id: id)
    } else if !added.contains(id) {
      added.append(id)
    }
  }

  private mutating func remove(id: String) {
    updated.removeAll { $0 == id }
    if added.contains(id) {
      added.removeAll { $0 == id }
    } else if !removed.contains(id) {
      removed.append(id)
    }
  }

  private mutating func update(id: String) {
    if !added.contains(id), !updated.contains(id), !removed.contains(id) { updated.append(id) }
  }
}
