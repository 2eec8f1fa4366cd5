import InkCore

/// The frame in which the text of a line or a block is laid out: x grows in the direction of writing.
///
/// Everything about text that depends on "before" and "behind" asks here, and is written once for both
/// directions. Ink, boxes and what the editor tells are those of the page.
struct ReadingFrame: Hashable, Sendable {
  /// True if the text is read from right to left: the frame is mirrored.
  var isMirrored: Bool

  /// Makes a frame. Text from top to bottom is laid out from left to right.
  init(_ direction: WritingDirection) { isMirrored = direction == .rightToLeft }

  /// The direction of the text.
  var direction: WritingDirection { isMirrored ? .rightToLeft : .leftToRight }

  /// Turns a place, or a way, from the page into the frame, or back.
  func x(_ x: Double) -> Double { isMirrored ? -x : x }

  /// Turns a box from the page into the frame, or back.
  func box(_ box: BoundingBox) -> BoundingBox { isMirrored ? box.turned(.rightToLeft) : box }

  /// The end of a box at which its text begins, in the frame.
  func start(_ box: BoundingBox) -> Double { isMirrored ? -box.maxX : box.minX }

  /// The end of a box at which its text ends, in the frame.
  func end(_ box: BoundingBox) -> Double { isMirrored ? -box.minX : box.maxX }

  /// The middle of a box in the frame.
  func middle(_ box: BoundingBox) -> Double { x(box.midX) }
}

/// The numbers of words by the direction of their letters. Numbers and signs have none.
struct DirectionCounts: Hashable, Sendable {
  private(set) var rightward = 0
  private(set) var leftward = 0

  /// Adds a word.
  mutating func add(_ direction: WritingDirection) {
    switch direction {
    case .leftToRight: rightward += 1
    case .rightToLeft: leftward += 1
    case .topToBottom: break
    }
  }

  /// Adds other counts.
  static func += (counts: inout DirectionCounts, other: DirectionCounts) {
    counts.rightward += other.rightward
    counts.leftward += other.leftward
  }

  /// The direction of most words; nil if both have equally many.
  var direction: WritingDirection? {
    rightward == leftward ? nil : rightward > leftward ? .leftToRight : .rightToLeft
  }

  /// Returns the number of words that are read against a direction.
  func against(_ frame: ReadingFrame) -> Int { frame.isMirrored ? rightward : leftward }
}

/// The words of a line by their direction.
struct LineDirections: Sendable {
  /// The numbers of words.
  private(set) var counts = DirectionCounts()
  /// The words at both ends.
  private var left: (x: Double, direction: WritingDirection)?
  private var right: (x: Double, direction: WritingDirection)?

  /// Adds a word. O(letters).
  mutating func add(_ word: TextWord) {
    guard let own = WritingDirection(of: word.label) else { return }
    counts.add(own)
    if word.box.minX < left?.x ?? .infinity { left = (word.box.minX, own) }
    if word.box.maxX > right?.x ?? -.infinity { right = (word.box.maxX, own) }
  }

  /// The direction of the words at both ends; nil if they differ.
  ///
  /// A text has the direction of its first word (UAX #9, P2). The first word is at one end or the other:
  /// if both have one direction, it is that of the line. If they differ, the line may be read from either
  /// end, and does not tell.
  var own: WritingDirection? {
    left?.direction == right?.direction ? left?.direction : nil
  }
}

extension BlockNode {
  /// The direction of most words in those lines of the block and its descendants that tell their own; nil
  /// if both have equally many, or there are none. O(runs).
  var ownDirection: WritingDirection? {
    texts.lazy.flatMap(\.lines).map(\.directions).filter { $0.own != nil }
      .reduce(into: DirectionCounts()) { $0 += $1.counts }.direction
  }
}

extension TextRun {
  /// The text of its words.
  var text: String { words.map(\.label).joined(separator: " ") }
}

// The direction of lines and blocks: it follows from the words, and before they are read from the
// model of the part.
extension Document {
  /// The frame of a line: that of the words at its ends, or else of its block. A line of a Hebrew page
  /// that begins with a Latin name keeps the direction of the page. O(runs), and O(words) after a change.
  func frame(of line: TextLine) -> ReadingFrame {
    line.directions.own.map(ReadingFrame.init) ?? frame(of: line.block)
  }

  /// The frame of a block: that of most of its lines, or else of the document. O(runs).
  func frame(of block: BlockNode) -> ReadingFrame { ReadingFrame(self.direction(of: block)) }

  /// The direction of a block: that of most of its lines, or else of the document; typed text has that of
  /// most of its letters. O(runs), and O(letters) for typed text.
  func direction(of block: BlockNode) -> WritingDirection {
    if let own = block.ownDirection { return own }
    guard block.type == .text, let run = block.lines.first?.runs.first, isTyped(run) else {
      return direction
    }
    return WritingDirection(of: block.lines.map(\.text).joined()) ?? direction
  }

  /// Takes over the direction of the model that has read a line, and puts the runs of the line into
  /// the order of its words. O(runs of the line), and O(lines log lines) if the direction is new.
  func read(_ line: TextLine, by model: WritingDirection) {
    take(model)
    orderRuns(of: line)
  }

  /// Lays the text out that no words tell the direction of. O(lines log lines).
  func take(_ direction: WritingDirection) {
    let direction = ReadingFrame(direction).direction
    guard direction != self.direction else { return }
    self.direction = direction
    for block in root.texts {
      for line in block.lines { orderRuns(of: line) }
      orderLines(of: block)
    }
  }

  // MARK: - The order of runs

  /// Sorts the runs of a line into logical order. An order that fits the places of the runs stays: a
  /// number beside a word of the other direction may be before or behind it. O(runs log runs), and
  /// O(words) in a line of two directions.
  func orderRuns(of line: TextLine) {
    let frame = frame(of: line)
    let placed = Self.placed(line.runs, frame)
    let order =
      line.directions.counts.against(frame) == 0
      ? placed : Self.inReadingOrder(placed, line.runs, frame)
    // Setting the runs counts as a change of the line.
    if !order.elementsEqual(line.runs, by: ===) { line.runs = order }
  }

  /// Inserts a run at its position in its line.
  func place(_ run: TextRun, in line: TextLine) {
    let frame = frame(of: line)
    let middle = frame.middle(run.box)
    guard line.directions.counts.against(frame) > 0 else {
      let place = line.runs.firstIndex { frame.middle($0.box) > middle } ?? line.runs.count
      return line.runs.insert(run, at: place)
    }
    // The places of the others stay as they are, if there is one for the run.
    let ids = Self.placed(line.runs + [run], frame).map(\.id)
    let texts = line.runs.map(\.text)
    let place = (0...line.runs.count).first { place in
      var (runs, texts) = (line.runs.map(\.id), texts)
      runs.insert(run.id, at: place)
      texts.insert(run.text, at: place)
      return BidirectionalOrder.places(of: texts, in: frame.direction).map { runs[$0] } == ids
    }
    line.runs.insert(run, at: place ?? line.runs.count)
    if place == nil { orderRuns(of: line) }
  }

  /// Returns runs by their places, from where the line begins.
  private static func placed(_ runs: [TextRun], _ frame: ReadingFrame) -> [TextRun] {
    runs.enumerated().sorted { one, other in
      let (a, b) = (frame.middle(one.element.box), frame.middle(other.element.box))
      return a == b ? one.offset < other.offset : a < b
    }.map(\.element)
  }

  /// Returns runs in logical order, which is the present one if it fits.
  private static func inReadingOrder(
    _ placed: [TextRun], _ present: [TextRun], _ frame: ReadingFrame
  ) -> [TextRun] {
    let shown = BidirectionalOrder.places(of: present.map(\.text), in: frame.direction)
    if shown.map({ present[$0].id }) == placed.map(\.id) { return present }
    return BidirectionalOrder.reading(of: placed.map(\.text), in: frame.direction)
      .map { placed[$0] }
  }
}
