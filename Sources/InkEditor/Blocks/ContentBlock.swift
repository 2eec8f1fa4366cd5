import InkCore
import Recognition

/// A block of an editor's part: a handle that stays valid until the block is removed or the part
/// changes.
public struct ContentBlock: Hashable, Sendable, Identifiable {
  /// The id, unique in the part.
  public let id: String
  /// The content of the block.
  public let type: BlockType
  let reference: EditorReference
  let generation: Int

  /// The editor, or nil after it was released: a handle does not keep it alive.
  var editor: Editor? { reference.editor }

  /// Returns true if both handles refer to the same block, while one part is set.
  public static func == (left: ContentBlock, right: ContentBlock) -> Bool {
    left.id == right.id && left.generation == right.generation && left.reference === right.reference
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(generation)
    hasher.combine(ObjectIdentifier(reference))
  }

  /// True if the block still exists.
  public var isValid: Bool { read { _, _ in true } ?? false }

  /// The box of the ink in millimetres; nil if there is none, or the block is invalid.
  public var box: BoundingBox? { read { _, node in node.box } ?? nil }

  /// The child blocks; empty if the block is invalid.
  public var children: [ContentBlock] {
    read { state, node in node.children.map { state.handle($0) } } ?? []
  }

  /// The parent block, or nil for the root.
  public var parent: ContentBlock? {
    read { state, node in node.parent.map { state.handle($0) } } ?? nil
  }

  /// The ids of the items of ink, including those of descendants, in the order they were written.
  public var items: [Int] {
    read { state, node in state.document?.items(of: node) ?? [] } ?? []
  }

  /// The lines of a text in reading order, with the headings, items of lists and cells of tables that
  /// they are. O(lines² of the part). See ``passages``.
  public var lines: [TextLineReading] {
    read { state, node in state.document?.readings(of: node) ?? [] } ?? []
  }

  /// The direction of most of the letters in a block; before any are read, that of the model of text. A
  /// line may have another one, see ``TextLineReading/direction``.
  public var direction: WritingDirection {
    read { state, node in state.document?.direction(of: node) ?? .leftToRight } ?? .leftToRight
  }

  /// The words of a text in reading order.
  public var words: [TextWord] {
    read { _, node in node.lines.flatMap { $0.runs.flatMap(\.words) } } ?? []
  }

  /// The readings of a formula, best first; none of other blocks. The strokes of symbols
  /// are items. A formula of numbers has its result, with the settings of the keys `math.solver`.
  public var formulas: [RecognizedFormula] {
    read { state, node in state.document?.formulas(of: node) ?? [] } ?? []
  }

  /// The shape of a node or an edge.
  public var shape: RecognizedShape? { read { _, node in node.shape } ?? nil }

  /// The mark that a drawing is, such as an underline; nil for all other blocks.
  public var mark: RecognizedMark.Kind? { read { _, node in node.mark } ?? nil }

  /// The ids of the nodes at the start and the end of an edge; nil at an end without one.
  public var ends: [String?] { read { _, node in node.type == .edge ? node.ends : [] } ?? [] }

  /// The number of strokes and runs of the block that are still to be sorted or read; 0 if all is
  /// read.
  public var pendingCount: Int {
    read { state, node in state.document?.pendingCount(of: node) ?? 0 } ?? 0
  }

  func read<Value: Sendable>(_ body: (inout EditorState, BlockNode) -> Value) -> Value? {
    editor?.read { state in
      guard state.generation == generation, let node = state.document?.blocks[id] else {
        return nil
      }
      return body(&state, node)
    }
  }
}
