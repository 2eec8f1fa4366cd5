import InkCore
import Layout

/// Strokes of a line that are recognised together: the whole line, or a changed part of it.
///
/// Guarded by the editor's lock.
final class TextRun {
  /// The state of recognition.
  enum State {
    /// The ink has changed.
    case dirty
    /// The words match the ink.
    case current
    /// There is no model for the ink, or it was refused.
    case waiting
  }

  let id: Int
  /// The strokes in the order written.
  var items: [Int]
  /// The number of changes of the ink.
  var version = 0
  var state = State.dirty
  /// The readings of this version or an earlier one.
  var words: [TextWord] = []
  /// Ink that has moved since the words were read.
  var moved: Set<Int> = []
  /// True if a candidate was chosen: the run is one word, with those that share its ink, and keeps
  /// its label.
  var isFixed = false
  /// The run was written between others.
  var isInserted = false
  /// The run is to be read now, and not only when the trigger says so.
  var isAsked = false
  var box: BoundingBox

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

  /// The ink was read. Words and characters of the same ink keep the ids that they had.
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

  /// The ink cannot be read now.
  func wait() {
    isAsked = false
    state = .waiting
  }

  /// Takes the words that were kept of another run.
  init(id: Int, words: [TextWord], items: [Int], box: BoundingBox) {
    self.id = id
    self.items = items
    self.box = box
    self.words = words
    state = .current
  }
}

/// A line of text of a block. Guarded by the editor's lock.
final class TextLine {
  /// Its strokes in the form for finding lines, in the order written.
  var shape: LineShape
  /// The runs from left to right.
  var runs: [TextRun] = []
  /// The run that changed last.
  weak var activeRun: TextRun?
  unowned let block: BlockNode

  init(id: Int, block: BlockNode, box: BoundingBox) {
    self.block = block
    shape = LineShape(id: id, box: box)
  }

  var id: Int { shape.id }

  var box: BoundingBox {
    get { shape.box }
    set { shape.box = newValue }
  }

  /// The number of strokes.
  var count: Int { shape.members.count }

  /// The items in the order written.
  var items: [Int] { shape.members.map(\.item) }

  /// The reading: text, words and ink.
  var reading: TextLineReading {
    TextLineReading(words: runs.flatMap(\.words), items: items, box: box)
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
