import InkCore
import Recognition

/// The content of a part as values: everything that a package keeps, and nothing that can be
/// derived from it.
package struct PartContent: Sendable {
  /// The ink.
  package var strokes: [InkStroke]
  /// The order of writing; nil if it follows from the strokes' numbers and ids.
  package var order: [Int]?
  /// The blocks, in any order.
  package var blocks: [StoredBlock]
  /// The lines of text of all blocks, in any order.
  package var lines: [StoredLine]
  /// The decorations, in any order.
  package var decorations: [Decoration]
  /// The rest.
  package var state: StoredState

  /// Makes content.
  package init(
    strokes: [InkStroke], order: [Int]?, blocks: [StoredBlock], lines: [StoredLine],
    decorations: [Decoration] = [], state: StoredState
  ) {
    self.strokes = strokes
    self.order = order
    self.blocks = blocks
    self.lines = lines
    self.decorations = decorations
    self.state = state
  }
}

/// A block of a part.
package struct StoredBlock: Hashable, Sendable {
  package var id: String
  package var type: BlockType
  /// The ids of the blocks in it, in order.
  package var children: [String] = []
  /// The ids of its lines, in reading order.
  package var lines: [Int] = []
  /// Its items in the order they were written; nil for all ink of the part.
  package var items: [Int]? = []
  package var shape: RecognizedShape?
  package var isForced = false
  /// The LaTeX that was chosen for a formula.
  package var chosenFormula: String?
  /// The mark that a drawing is.
  package var mark: RecognizedMark.Kind?
  package var session = 0
  package var box: BoundingBox?
  package var frame: BoundingBox?
  /// For an edge, the ids of the nodes at its start and end.
  package var ends: [String?] = [nil, nil]

  /// Makes a block without content.
  package init(id: String, type: BlockType) {
    self.id = id
    self.type = type
  }
}

/// Strokes of a line that are read together, and their words.
package struct StoredRun: Hashable, Sendable {
  package var items: [Int]
  package var words: [TextWord] = []
  /// True if the words match the ink.
  package var isRead = false
  package var isFixed = false
  package var isInserted = false
  /// Items that have moved since the words were read.
  package var moved: [Int] = []

  /// Makes a run that is not read.
  package init(items: [Int]) {
    self.items = items
  }
}

/// A line of text.
package struct StoredLine: Hashable, Sendable {
  package var id: Int
  /// The runs from left to right.
  package var runs: [StoredRun] = []
  /// The index of the run that changed last.
  package var activeRun: Int?
  /// The part that the line has on its page.
  package var role = LineRole()

  /// Makes a line without runs.
  package init(id: Int) {
    self.id = id
  }
}

/// A space between two strokes that was inserted or taken out by hand.
package struct StoredSpacing: Hashable, Sendable {
  /// True if there is a space.
  package var isSpace: Bool
  /// The item to the left.
  package var left: Int
  /// The item to the right.
  package var right: Int

  /// Makes a space, or the place of one that was taken out.
  package init(isSpace: Bool, left: Int, right: Int) {
    (self.isSpace, self.left, self.right) = (isSpace, left, right)
  }
}

/// The state of a part beside its strokes, blocks and lines.
package struct StoredState: Hashable, Sendable {
  /// Items in no block yet, in the order they were written.
  package var unsorted: [Int] = []
  /// Groups of items that are to become one shape each.
  package var forcedShapes: [[Int]] = []
  /// Items that were sorted without a shape model.
  package var provisional: [Int] = []
  /// The heights of the last strokes of text, the oldest first.
  package var heights: [Double] = []
  /// The line that was written last.
  package var lastLine: Int?
  /// The place of the last stroke of text.
  package var lastX = 0.0
  package var activeBlock: String?
  /// The spaces that were set by hand.
  package var spacings: [StoredSpacing] = []
  package var session = 0
  package var nextNumber = 0
  package var nextItem = 1
  package var nextBlock = 1
  package var nextLine = 0
  package var nextWord = 1
  /// The configuration that reads its text, once it was set on an editor.
  package var configuration: TextConfiguration?

  /// Makes the state of an empty part.
  package init() {}
}

/// The changes of a part since they were last taken.
package struct PartChanges: Sendable {
  /// The order of writing.
  package enum Order: Hashable, Sendable {
    case unchanged
    /// It follows from the strokes' numbers and ids.
    case byNumber
    case explicit([Int])
  }

  /// True if the changes are the whole content: everything stored before is to be removed.
  package var isWhole = false
  /// New and changed strokes.
  package var strokes: [InkStroke] = []
  package var removedStrokes: [Int] = []
  package var order = Order.unchanged
  /// New and changed blocks.
  package var blocks: [StoredBlock] = []
  package var removedBlocks: [String] = []
  /// New and changed lines.
  package var lines: [StoredLine] = []
  package var removedLines: [Int] = []
  /// New and changed decorations.
  package var decorations: [Decoration] = []
  package var removedDecorations: [Int] = []
  /// The state, if it has changed.
  package var state: StoredState?

  /// True if nothing has changed.
  package var isEmpty: Bool {
    !isWhole && strokes.isEmpty && removedStrokes.isEmpty && order == .unchanged && blocks.isEmpty
      && removedBlocks.isEmpty && lines.isEmpty && removedLines.isEmpty && decorations.isEmpty
      && removedDecorations.isEmpty && state == nil
  }
}

/// The reason why stored content is not that of a part.
package struct ContentFault: Error, Hashable, Sendable {
  /// The first contradiction that was found, without ink or text.
  package let reason: String

  /// Makes a fault.
  package init(_ reason: String) {
    self.reason = reason
  }
}

/// The place where the parts of a package are kept.
package protocol PartStore: AnyObject, Sendable {
  /// Returns the blocks of a part without its ink.
  func outline(of part: ContentPart) throws -> [StoredBlock]
  /// Returns the content of a part.
  func content(of part: ContentPart) throws -> PartContent
  /// Called after the content of a part has changed, without a lock.
  func partDidChange(_ part: ContentPart)
}
