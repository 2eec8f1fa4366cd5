import InkCore
import Layout

/// The content of a document at one time.
package struct DocumentState {
  let root: BlockNode
  /// The items in the order they were written; the document owns their ink.
  let order: [Int]
  let unsorted: [Int]
  let asked: Set<Int>
  let provisional: Set<Int>
  let grouper: LineGrouper
  let forcedShapes: [Document.ForcedShape]
  let activeBlock: String?
  let session: Int
  let nextNumber: Int
  /// The styles that were given to ink after it was drawn.
  let restyled: [Int: StyleChoice]
  let decorations: DecorationTable
  /// The ways of ink that was moved.
  let shifts: [Int: Shift]
  /// The spaces that were inserted or taken out by hand.
  let spacings: SpacingTable
  let page: PageMemory
  /// True if nothing has changed since the structure of the text was found.
  let structureIsCurrent: Bool
}

/// The findings of the last look at the whole page, and its time. They belong to the content: a state
/// that comes back is looked at again only if it had not been looked at.
struct PageMemory: Hashable, Sendable {
  /// The kinds of the strokes were found when the next item had this id.
  var kindsFoundBefore = 0
  /// The items of each formula between words.
  var inlineFormulas: [[Int]] = []
  /// The rules of tables among the items.
  var tableRules: Set<Int> = []
  /// The structure of the text was found when the next item had this id.
  var structureFoundBefore = 0
  /// True if ink may belong to other lines than before: a line has begun, or ink is far beside its
  /// line.
  var structureIsStale = false
}

extension DocumentState {
  /// Marks an item as moved, so that its ink is read again if the state is restored. O(runs).
  func move(_ item: Int) { root.move(item) }
}

extension BlockNode {
  fileprivate func move(_ item: Int) {
    for run in lines.flatMap(\.runs) where run.items.contains(item) { run.move(item) }
    for child in children { child.move(item) }
  }

  /// Returns a copy of the block and its descendants.
  func copy() -> BlockNode { copy(parent: nil) { $0.copy(in: $1) } }

  /// Returns a copy of the block and its descendants for the history, which shares unchanged lines
  /// with earlier ones; see ``restore()``.
  func snapshot() -> BlockNode { copy(parent: nil) { line, _ in line.snapshot() } }

  /// Gives a copy for the history and its descendants lines of their own.
  func restore() {
    lines = lines.map { $0.restored(in: self) }
    for child in children { child.restore() }
  }

  private func copy(
    parent: BlockNode?, _ line: (TextLine, BlockNode) -> TextLine
  ) -> BlockNode {
    let copy = BlockNode(id: id, type: type, parent: parent)
    copy.children = children.map { $0.copy(parent: copy, line) }
    copy.lines = lines.map { line($0, copy) }
    (copy.items, copy.shape, copy.box) = (items, shape, box)
    (copy.isForced, copy.session, copy.mark) = (isForced, session, mark)
    copy.chosenFormula = chosenFormula
    (copy.frame, copy.ends) = (frame, ends)
    return copy
  }

  /// Returns whether a block has the same ink and readings, ignoring its descendants.
  func hasContent(of other: BlockNode) -> Bool {
    type == other.type && items == other.items && shape == other.shape && box == other.box
      && ends == other.ends && mark == other.mark && chosenFormula == other.chosenFormula
      && children.map(\.id) == other.children.map(\.id)
      && lines.map { $0.reading(in: .leftToRight) }
        == other.lines.map { $0.reading(in: .leftToRight) }
  }
}

extension TextLine {
  func copy(in block: BlockNode) -> TextLine {
    let copy = TextLine(id: id, block: block, box: box)
    (copy.shape, copy.role) = (shape, role)
    copy.runs = runs.map { $0.copy() }
    if let active = runs.firstIndex(where: { $0 === activeRun }) {
      copy.activeRun = copy.runs[active]
    }
    return copy
  }
}

extension TextRun {
  fileprivate func copy() -> TextRun {
    let copy = TextRun(id: id, items: items, box: box)
    (copy.version, copy.state, copy.words) = (version, state, words)
    (copy.moved, copy.isFixed, copy.isInserted) = (moved, isFixed, isInserted)
    copy.isAsked = isAsked
    return copy
  }
}
