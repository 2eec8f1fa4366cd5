import InkCore

/// The content of a block.
public enum BlockType: String, Hashable, Sendable, CaseIterable {
  /// Lines of text: the root of such a part, or a child of raw content.
  case text = "Text"
  /// The root of mixed content.
  case rawContent = "Raw Content"
  /// Ink that is not read: the root of such a part, or a child of raw content.
  case drawing = "Drawing"
  /// A closed shape.
  case node = "Node"
  /// A line, an arrow, a polyline.
  case edge = "Edge"
}

/// A block of a document. Guarded by the editor's lock.
final class BlockNode {
  let id: String
  let type: BlockType
  weak var parent: BlockNode?
  var children: [BlockNode] = []
  /// The lines of a text, from top to bottom.
  var lines: [TextLine] = []
  /// The items of drawings and shapes, in the order written.
  var items: [Int] = []
  /// The shape, if the block is one.
  var shape: RecognizedShape?
  /// True if the type was set by the user, so that ink is not sorted again.
  var isForced = false
  /// The session of its strokes.
  var session = 0
  /// The box of the ink.
  var box: BoundingBox?

  init(id: String, type: BlockType, parent: BlockNode?) {
    self.id = id
    self.type = type
    self.parent = parent
  }

  /// Returns whether a stroke may be added to the block automatically.
  func takes(_ stroke: InkStroke, as type: BlockType) -> Bool {
    self.type == type && !isForced && session == stroke.session
  }

  /// All items of the block and its descendants. O(items).
  var allItems: [Int] {
    lines.flatMap(\.items) + items + children.flatMap(\.allItems)
  }
}

/// The blocks that changed since a notification.
struct BlockChanges: Sendable {
  private(set) var added: [String] = []
  private(set) var removed: [String] = []
  private(set) var updated: [String] = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

  mutating func add(_ block: BlockNode) {
    if let place = removed.firstIndex(of: block.id) {
      // It came back before anyone was told that it had gone.
      removed.remove(at: place)
      update(block)
    } else if !added.contains(block.id) {
      added.append(block.id)
    }
  }

  mutating func remove(_ block: BlockNode) {
    updated.removeAll { $0 == block.id }
    if added.contains(block.id) {
      added.removeAll { $0 == block.id }
    } else {
      removed.append(block.id)
    }
  }

  mutating func update(_ block: BlockNode) {
    if !added.contains(block.id), !updated.contains(block.id), !removed.contains(block.id) {
      updated.append(block.id)
    }
  }
}
