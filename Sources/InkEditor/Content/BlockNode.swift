import InkCore

/// What a block holds.
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
  /// From top to bottom, of text.
  var lines: [TextLine] = []
  /// Of drawings and shapes, in the order written.
  var items: [Int] = []
  /// What a shape is.
  var shape: RecognizedShape?
  /// Whether the type was set by hand, so that nothing is sorted anew.
  var isForced = false
  /// The session of the strokes that it was made for.
  var session = 0
  /// The box of the ink.
  var box: BoundingBox?

  init(id: String, type: BlockType, parent: BlockNode?) {
    self.id = id
    self.type = type
    self.parent = parent
  }

  /// Whether a stroke may go into the block by itself.
  func takes(_ stroke: InkStroke, as type: BlockType) -> Bool {
    self.type == type && !isForced && session == stroke.session
  }

  /// All items of the block and those below. O(items).
  var allItems: [Int] {
    lines.flatMap(\.items) + items + children.flatMap(\.allItems)
  }
}
