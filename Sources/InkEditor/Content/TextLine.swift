import InkCore

/// Strokes of a line that are recognised together: the line, or what was changed within it.
///
/// Guarded by the editor's lock.
final class TextRun {
  /// Where recognition stands.
  enum State {
    /// The ink has changed.
    case dirty
    /// The words are those of the ink.
    case current
    /// There is no model for the ink, or it was refused.
    case waiting
  }

  let id: Int
  /// The strokes in the order written.
  var items: [Int]
  /// Grows with every change of the ink.
  var version = 0
  var state = State.dirty
  /// What was read of an earlier version or of this one.
  var words: [TextWord] = []
  /// Ink that has moved since the words were read.
  var moved: Set<Int> = []
  /// A candidate was chosen: the run is one word, with those that share its ink, and keeps its label.
  var isFixed = false
  /// The run was written between others.
  var isInserted = false
  var box: BoundingBox

  init(id: Int, items: [Int], box: BoundingBox) {
    self.id = id
    self.items = items
    self.box = box
  }

  /// The ink has changed.
  func touch() {
    version += 1
    state = .dirty
    isFixed = false
  }

  /// Ink of the run has moved.
  func move(_ item: Int) {
    moved.insert(item)
    touch()
  }

  /// The ink was read.
  func take(_ words: [TextWord]) {
    self.words = words
    moved = []
    state = .current
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
  /// A stroke as grouping sees it.
  struct Member {
    let item: Int
    /// Its place among the strokes written.
    let number: Int
    let minX, maxX, meanY, weight: Double
    var midX: Double { (minX + maxX) / 2 }

    init(_ stroke: InkStroke) {
      (item, number) = (stroke.id, stroke.number)
      (minX, maxX, meanY) = (stroke.box.minX, stroke.box.maxX, stroke.meanY)
      weight = stroke.length + 0.1
    }
  }

  let id: Int
  /// In the order written.
  var members: [Member] = []
  var box: BoundingBox
  /// From left to right.
  var runs: [TextRun] = []
  /// The run that changed last.
  weak var activeRun: TextRun?
  unowned let block: BlockNode

  init(id: Int, block: BlockNode, box: BoundingBox) {
    self.id = id
    self.block = block
    self.box = box
  }

  func add(_ stroke: InkStroke) {
    let member = Member(stroke)
    let place = members.lastIndex { ($0.number, $0.item) < (member.number, member.item) }
    members.insert(member, at: place.map { $0 + 1 } ?? 0)
    box.formUnion(stroke.box)
  }

  /// Takes new measures of its strokes, in the order written.
  func measure(_ strokes: [InkStroke]) { members = strokes.map(Member.init) }

  private static let neighbours = 8

  /// Heights of writing: on a line of a few letters a slope cannot be told from their shapes.
  private static let slopePrior = 4.0
  /// Heights of writing that the slope is believed for beyond the ink.
  private static let slopeReach = 10.0

  /// How much the line falls to the right, dy per dx, of writing of a height: the regression of the
  /// strokes' middles, by length.
  private func slope(_ height: Double) -> Double {
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for member in members {
      weight += member.weight
      x += member.weight * member.midX
      y += member.weight * member.meanY
    }
    guard weight > 0 else { return 0 }
    (x, y) = (x / weight, y / weight)
    var (squares, products) = (weight * Self.slopePrior * Self.slopePrior * height * height, 0.0)
    for member in members {
      let dx = member.midX - x
      squares += member.weight * dx * dx
      products += member.weight * dx * (member.meanY - y)
    }
    return squares > 0 ? products / squares : 0
  }

  /// The height of the middle of the writing near a place: the strokes next to it, by length, moved
  /// along the slope of the line. `height` is the height of the writing.
  func centre(at x: Double, height: Double) -> Double {
    var near: [(distance: Double, index: Int)] = []
    for (index, member) in members.enumerated() {
      let distance = max(member.minX - x, x - member.maxX, 0)
      if near.count == Self.neighbours, let last = near.last, distance >= last.distance { continue }
      let place = near.firstIndex { $0.distance > distance } ?? near.count
      near.insert((distance, index), at: place)
      if near.count > Self.neighbours { near.removeLast() }
    }
    let slope = slope(height)
    var (sum, weight) = (0.0, 0.0)
    for entry in near {
      let member = members[entry.index]
      let reach = Self.slopeReach * height
      let dx = min(max(x - member.midX, -reach), reach)
      sum += member.weight * (member.meanY + slope * dx)
      weight += member.weight
    }
    return weight > 0 ? sum / weight : box.midY
  }

  /// The items in the order written.
  var items: [Int] { members.map(\.item) }

  /// Text, words and ink.
  var reading: TextLineReading {
    TextLineReading(words: runs.flatMap(\.words), items: items, box: box)
  }

  /// The words with a space between them. O(words).
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
