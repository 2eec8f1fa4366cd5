import InkCore
import Layout

/// Strokes of a line that are recognised together: the whole line, or a changed part of it.
///
/// Guarded by the editor's lock.
package final class TextRun {
  /// The state of recognition.
  package enum State {
    /// The ink has changed.
    case dirty
    /// The words match the ink.
    case current
    /// There is no model for the ink, or it was refused.
    case waiting
    /// The settings ask for no text.
    case unwanted
  }

  package let id: Int
  /// The strokes in the order they were written.
  package var items: [Int] { didSet { changes += 1 } }
  /// The number of times the ink has changed.
  var version = 0 { didSet { changes += 1 } }
  package var state = State.dirty { didSet { changes += 1 } }
  /// The reading of this version or an earlier one.
  var words: [TextWord] = [] { didSet { changes += 1 } }
  /// Ink that has moved since the words were read.
  var moved: Set<Int> = [] { didSet { changes += 1 } }
  /// True if a candidate was chosen: the run is one word, with those that share its ink, and keeps
  /// its label.
  var isFixed = false { didSet { changes += 1 } }
  /// True if the run was written between others.
  var isInserted = false { didSet { changes += 1 } }
  /// True if the run is to be read now, whatever the trigger.
  var isAsked = false { didSet { changes += 1 } }
  package var box: BoundingBox { didSet { changes += 1 } }
  /// The number of times that a member was set.
  private(set) var changes = 0

  init(id: Int, items: [Int], box: BoundingBox) {
    self.id = id
    self.items = items
    self.box = box
  }

  /// Records a change of the ink.
  func touch() {
    version += 1
    state = .dirty
    isFixed = false
  }

  /// Records a move of ink.
  func move(_ item: Int) {
    moved.insert(item)
    touch()
  }

  /// Stores the words of a reading. Words and characters of the same ink keep their ids.
  func take(_ words: [TextWord], makeID: () -> Int) {
    var words = words
    var taken: Set<Int> = []
    for index in words.indices {
      words[index].takeIDs(from: self.words, taken: &taken, makeID: makeID)
    }
    self.words = words
    moved = []
    isAsked = false
    state = .current
  }

  /// Records that the ink cannot be read now.
  package func wait() {
    isAsked = false
    state = .waiting
  }

  /// Records that the ink is not to be read.
  func skip() {
    isAsked = false
    state = .unwanted
  }

  /// Makes a run from words that were kept from another run.
  init(id: Int, words: [TextWord], items: [Int], box: BoundingBox) {
    self.id = id
    self.items = items
    self.box = box
    self.words = words
    state = .current
  }
}

/// A line of text of a block. Guarded by the editor's lock.
package final class TextLine {
  /// The strokes in the form for finding lines, in the order they were written.
  var shape: LineShape { didSet { changes += 1 } }
  /// The runs in logical order.
  package var runs: [TextRun] = [] { didSet { changes += 1 } }
  /// The run that changed last.
  weak var activeRun: TextRun? { didSet { changes += 1 } }
  /// The part that the line has on its page.
  package var role = LineRole() { didSet { changes += 1 } }
  package unowned let block: BlockNode
  /// The number of times that a member was set.
  private var changes = 0
  /// A copy for the history, and the numbers of changes of the line and of its runs at its time.
  private var saved: (copy: TextLine, changes: Int, runChanges: Int)?

  /// The directions at the time of a number of changes.
  private var counted: (directions: LineDirections, changes: Int, runChanges: Int)?

  init(id: Int, block: BlockNode, box: BoundingBox) {
    self.block = block
    shape = LineShape(id: id, box: box)
  }

  /// Returns a copy for the history. States share it as long as the line does not change: its
  /// block is not used. O(runs), and O(line) after a change.
  func snapshot() -> TextLine {
    // An unchanged line has the same runs. Their counts only grow: the sum is the same if all are.
    let now = runChanges
    if let saved, saved.changes == changes, saved.runChanges == now { return saved.copy }
    let copy = copy(in: block)
    saved = (copy, changes, now)
    return copy
  }

  /// Returns a line with the content of a copy for the history.
  func restored(in block: BlockNode) -> TextLine {
    let line = copy(in: block)
    line.saved = (self, line.changes, line.runChanges)
    return line
  }

  private var runChanges: Int { runs.reduce(0) { $0 + $1.changes } }

  package var id: Int { shape.id }

  package var box: BoundingBox {
    get { shape.box }
    set { shape.box = newValue }
  }

  /// Its words by their direction. O(runs), and O(words) after a change.
  var directions: LineDirections {
    let now = runChanges
    if let counted, counted.changes == changes, counted.runChanges == now {
      return counted.directions
    }
    var directions = LineDirections()
    for run in runs {
      for word in run.words { directions.add(word) }
    }
    counted = (directions, changes, now)
    return directions
  }

  /// The number of strokes.
  var count: Int { shape.members.count }

  /// The items in the order they were written.
  package var items: [Int] { shape.members.map(\.item) }

  /// The reading: text, words and ink.
  ///
  /// - Parameter direction: The direction of its block, for a line that does not tell its own.
  func reading(in direction: WritingDirection) -> TextLineReading {
    TextLineReading(
      words: runs.flatMap(\.words), items: items, box: box, heading: role.heading, cell: role.cell,
      direction: directions.own ?? direction)
  }

  /// The words joined by spaces. O(words).
  var text: String {
    var result = ""
    for run in runs {
      for word in run.words {
        if !result.isEmpty { result += " " }
        result += word.label
      }
    }
    return result
  }
}
