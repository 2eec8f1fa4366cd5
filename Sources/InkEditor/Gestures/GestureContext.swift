import InkCore

/// The content near a stroke that may be a gesture: rows of words with their characters, and other
/// ink. A value that needs no document.
struct GestureContext: Sendable {
  typealias Point = GestureShape.Point

  /// A character, or a stroke that is not read.
  struct Letter: Sendable {
    /// The character; nil if the ink is not read.
    var label: String?
    var parts: [ItemPart]
    var box: BoundingBox
    /// Some points of its ink.
    var points: [Point]
    /// True if it is a part of a stroke that goes on.
    var isPartOfStroke = false
    /// True for a symbol of a formula, which has no place between letters.
    var isSymbol = false
  }

  /// A word, or strokes side by side that are not read.
  struct Word: Sendable {
    /// The id of the word in its part; 0 if it is not read.
    var id = 0
    /// The reading; nil if it is not read.
    var label: String?
    var items: [Int]
    var letters: [Letter]
    var box: BoundingBox
    /// True if a line below it underlines it already.
    var isUnderlined = false
  }

  /// A line of text.
  struct Row: Sendable {
    /// The id of the line.
    var line: Int
    /// The id of its block.
    var block: String
    /// The words in the order of their places, from where the line begins.
    var words: [Word]
    /// The frame of the line.
    var frame = ReadingFrame(.leftToRight)
    /// True if there is a line of the same block above, or below.
    var hasRowAbove = false
    var hasRowBelow = false
  }

  /// Ink that is not text: a node, an edge, a drawing, or a stroke that is in no block.
  struct Figure: Sendable {
    /// The block whose ink goes as a whole; nil for single strokes.
    var block: String?
    var isNode = false
    var items: [Int]
    var box: BoundingBox
    /// Some points of each stroke.
    var paths: [[Point]]
  }

  /// The rows near the stroke, from top to bottom.
  var rows: [Row]
  var figures: [Figure]
  /// The height of a letter with an ascender in millimetres.
  var letterHeight: Double
  /// True in parts that hold text: only scratch-out and surround work elsewhere.
  var holdsText = true
  /// The closed lines around text alone that are shapes.
  var frames = Frames.none

  /// Closed lines around text alone that are shapes, and no gestures.
  enum Frames: Hashable, Sendable {
    case none
    /// Those with corners around a label: the page has no shapes yet.
    case cornered
    /// Those around a label: the page has shapes.
    case aroundLabels
    case all
  }

  /// True if there is nothing near.
  var isEmpty: Bool { rows.isEmpty && figures.isEmpty }
}

extension GestureContext.Row {
  /// The letters from where the line begins, with the place of each word.
  var letters: [(word: Int, place: Int, letter: GestureContext.Letter)] {
    words.enumerated().flatMap { word, content in
      content.letters.enumerated().map { (word, $0, $1) }
    }
  }

  /// The place of small letters: where they stand, and where they end.
  struct Band: Sendable {
    var baseline: Double
    /// The upper end of small letters.
    var top: Double
    var height: Double { baseline - top }

    /// The place of a height: 0 on the baseline, 1 at the upper end of small letters.
    func level(_ y: Double) -> Double { (baseline - y) / height }
  }

  /// A height at a place.
  private struct Mark {
    var x: Double
    var y: Double
  }

  /// Returns the band of small letters near a place, by the letters within a distance of it. Lines
  /// that rise or fall are followed.
  ///
  /// The marks of the letters are looked at in the frame of the row: of an even number of slopes, the
  /// median is not the same from both sides.
  func band(near x: Double, within reach: Double, letterHeight: Double) -> Band? {
    guard !frame.isMirrored else {
      var row = turned
      row.frame = ReadingFrame(.leftToRight)
      return row.band(near: frame.x(x), within: reach, letterHeight: letterHeight)
    }
    let near = words.flatMap(\.letters).filter { letter in
      letter.box.maxX > x - reach && letter.box.minX < x + reach
    }
    guard !near.isEmpty else { return band(beside: x, letterHeight: letterHeight) }
    func bottoms(_ letters: [GestureContext.Letter]) -> [Mark] {
      letters.map { Mark(x: $0.box.midX, y: $0.box.maxY) }
    }
    func tops(_ letters: [GestureContext.Letter]) -> [Mark] {
      letters.map { Mark(x: $0.box.midX, y: $0.box.minY) }
    }
    let standing = near.filter { $0.label.map { !Self.hanging.contains($0) } ?? false }
    let small = near.filter { $0.label.map { Self.small.contains($0) } ?? false }
    let tall = near.filter { $0.label.map { Self.tall.contains($0) } ?? false }
    var slope = Self.slope([bottoms(standing), tops(small)], at: letterHeight)
    if let baseline = Self.level(bottoms(standing), at: x, slope) {
      if let top = Self.level(tops(small), at: x, slope), baseline > top {
        return Band(baseline: baseline, top: top)
      }
      if let top = Self.level(tops(tall), at: x, slope), baseline > top {
        return Band(baseline: baseline, top: baseline - Self.smallShare * (baseline - top))
      }
    }
    // Unread ink, or marks alone: the turns of the path at the top and at the bottom.
    var turns: (tops: [Mark], bottoms: [Mark]) = ([], [])
    for letter in near {
      let found = Self.turns(letter.points, least: Self.leastTurn * letterHeight)
      turns.tops += found.tops
      turns.bottoms += found.bottoms
    }
    slope = Self.slope([turns.bottoms], at: letterHeight)
    guard let baseline = Self.level(turns.bottoms, at: x, slope),
      let top = Self.level(turns.tops, at: x, slope)
    else { return nil }
    guard baseline - top > Self.leastBand * letterHeight else { return nil }
    return Band(baseline: baseline, top: top)
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// Returns the median height of the marks nearest to a place, on lines of a slope.
  private static func level(_ marks: [Mark], at x: Double, _ slope: Double) -> Double? {
    let near = marks.sorted { abs($0.x - x) < abs($1.x - x) }.prefix(nearestMarks)
    return median(near.map { $0.y - slope * ($0.x - x) })
  }

  /// Returns the median slope between marks that are some letters apart; 0 if there are few.
  /// O(marks²); the marks are limited.
  private static func slope(_ groups: [[Mark]], at letterHeight: Double) -> Double {
    var slopes: [Double] = []
    for marks in groups {
      for (place, mark) in marks.prefix(mostMarks).enumerated() {
        for other in marks.prefix(place) where abs(mark.x - other.x) > letterHeight {
          slopes.append((mark.y - other.y) / (mark.x - other.x))
        }
      }
    }
    guard slopes.count >= leastSlopes, let slope = median(slopes), abs(slope) < mostSlope else {
      return 0
    }
    return slope
  }

  /// Returns the band of the letters next to a gap.
  private func band(beside x: Double, letterHeight: Double) -> Band? {
    let boxes = words.flatMap(\.letters).map(\.box)
    let nearest = boxes.map { max($0.minX - x, x - $0.maxX) }.min()
    guard let nearest, nearest.isFinite else { return nil }
    return band(near: x, within: nearest + 2 * letterHeight, letterHeight: letterHeight)
  }

  private static let hanging = Set(
    #"gjpqy,;_'"-–*^~=+קךןףץجحخچرزژسشصضعغقلمنويیى،؛"#.map(String.init))
  /// Most letters of Hebrew are as high as the line.
  private static let small = Set("acemnorsuvwxzאבגדהוזחטכמנסעפצרשתםדذھه".map(String.init))
  private static let tall = Set(
    "bdhklABCDEFGHIKLMNOPRSTUVWXYZ0123456789לاآأإكکطظ".map(String.init))
  /// The height of small letters as a share of tall ones. Chosen by hand.
  private static let smallShare = 0.55
  /// The least way between two turns, in heights of letters. Chosen by hand.
  private static let leastTurn = 0.15
  /// The least height of small letters, in heights of letters. Chosen by hand.
  private static let leastBand = 0.15

  /// The number of marks next to a place that tell the height there. Chosen by hand.
  private static let nearestMarks = 9
  /// The most marks that tell the slope of a line. Chosen by hand.
  private static let mostMarks = 24
  /// The least number of pairs of marks that tell the slope of a line. Chosen by hand.
  private static let leastSlopes = 6
  /// The steepest line. Chosen by hand.
  private static let mostSlope = 0.3

  /// Returns the local extremes of a path in y that differ by more than a way.
  private static func turns(
    _ points: [GestureContext.Point], least: Double
  ) -> (tops: [Mark], bottoms: [Mark]) {
    guard let first = points.first else { return ([], []) }
    var (tops, bottoms): ([Mark], [Mark]) = ([], [])
    var (low, high) = (first, first)
    var direction = 0
    for point in points {
      if point.y < low.y { low = point }
      if point.y > high.y { high = point }
      if direction >= 0, point.y < high.y - least {
        bottoms.append(Mark(x: high.x, y: high.y))
        direction = -1
        (low, high) = (point, point)
      } else if direction <= 0, point.y > low.y + least {
        tops.append(Mark(x: low.x, y: low.y))
        direction = 1
        (low, high) = (point, point)
      }
    }
    if direction > 0 { bottoms.append(Mark(x: high.x, y: high.y)) }
    if direction < 0 { tops.append(Mark(x: low.x, y: low.y)) }
    return (tops, bottoms)
  }
}

extension GestureContext.Letter {
  /// The share of its points for which a condition holds.
  func share(_ condition: (GestureShape.Point) -> Bool) -> Double {
    guard !points.isEmpty else { return 0 }
    return Double(points.count(where: condition)) / Double(points.count)
  }
}

extension GestureContext.Row {
  /// The row in its frame.
  var turned: GestureContext.Row {
    guard frame.isMirrored else { return self }
    var row = self
    row.words = words.map { word in
      var word = word
      word.box = frame.box(word.box)
      word.letters = word.letters.map { letter in
        var letter = letter
        letter.box = frame.box(letter.box)
        letter.points = letter.points.map { GestureContext.Point(x: frame.x($0.x), y: $0.y) }
        return letter
      }
      return word
    }
    return row
  }
}

extension GestureContext.Word {
  /// Adds a stroke to its last character, or as a character of its own.
  fileprivate mutating func add(_ letter: GestureContext.Letter) {
    guard var last = letters.last else { return letters.append(letter) }
    let shared = min(last.box.maxX, letter.box.maxX) - max(last.box.minX, letter.box.minX)
    let width = max(last.box.width, letter.box.width)
    guard shared > Self.sharedWidth * width else { return letters.append(letter) }
    last.parts += letter.parts
    last.points += letter.points
    last.box.formUnion(letter.box)
    letters[letters.count - 1] = last
  }

  /// The least shared width of strokes of one character, as a share of the wider one. Chosen by
  /// hand.
  private static let sharedWidth = 0.5
}

extension GestureContext {
  /// Returns words of strokes that are not read: strokes whose gap is small are one word, and
  /// strokes above each other are one character, such as the bars of an E.
  ///
  /// - Parameters:
  ///   - gap: The least gap between words in millimetres.
  ///   - frame: The frame of the line.
  static func words(of letters: [Letter], gap: Double, in frame: ReadingFrame) -> [Word] {
    var result: [Word] = []
    for letter in letters.sorted(by: { frame.start($0.box) < frame.start($1.box) }) {
      if let last = result.indices.last,
        frame.start(letter.box) - frame.end(result[last].box) < gap
      {
        result[last].add(letter)
        result[last].items += letter.parts.map(\.item)
        result[last].box.formUnion(letter.box)
      } else {
        result.append(
          Word(items: letter.parts.map(\.item), letters: [letter], box: letter.box))
      }
    }
    return result
  }
}
