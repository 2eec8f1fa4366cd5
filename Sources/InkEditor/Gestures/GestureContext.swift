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
    /// The words from left to right.
    var words: [Word]
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
  /// The letters from left to right, with the place of each word.
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

  /// Returns the band of small letters near a place, by the letters within a distance of it.
  func band(near x: Double, within reach: Double, letterHeight: Double) -> Band? {
    let near = words.flatMap(\.letters).filter { letter in
      letter.box.maxX > x - reach && letter.box.minX < x + reach
    }
    guard !near.isEmpty else { return band(beside: x, letterHeight: letterHeight) }
    func median(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
    let standing = near.filter { $0.label.map { !Self.hanging.contains($0) } ?? false }
    let small = near.filter { $0.label.map { Self.small.contains($0) } ?? false }
    let tall = near.filter { $0.label.map { Self.tall.contains($0) } ?? false }
    if let baseline = median(standing.map(\.box.maxY)) {
      if let top = median(small.map(\.box.minY)), baseline > top {
        return Band(baseline: baseline, top: top)
      }
      if let top = median(tall.map(\.box.minY)), baseline > top {
        return Band(
          baseline: baseline, top: baseline - Self.smallShare * (baseline - top))
      }
    }
    // Unread ink, or marks alone: the turns of the path at the top and at the bottom.
    var (tops, bottoms): ([Double], [Double]) = ([], [])
    for letter in near {
      let turns = Self.turns(letter.points.map(\.y), least: Self.leastTurn * letterHeight)
      tops += turns.tops
      bottoms += turns.bottoms
    }
    guard let baseline = median(bottoms), let top = median(tops) else { return nil }
    guard baseline - top > Self.leastBand * letterHeight else { return nil }
    return Band(baseline: baseline, top: top)
  }

  /// Returns the band of the letters next to a gap.
  private func band(beside x: Double, letterHeight: Double) -> Band? {
    let boxes = words.flatMap(\.letters).map(\.box)
    let nearest = boxes.map { max($0.minX - x, x - $0.maxX) }.min()
    guard let nearest, nearest.isFinite else { return nil }
    return band(near: x, within: nearest + 2 * letterHeight, letterHeight: letterHeight)
  }

  private static let hanging: Set<String> = [
    "g", "j", "p", "q", "y", ",", ";", "_", "'", "\"", "-", "–", "*", "^", "~", "=", "+",
  ]
  private static let small = Set("acemnorsuvwxz".map(String.init))
  private static let tall = Set("bdhklABCDEFGHIKLMNOPRSTUVWXYZ0123456789".map(String.init))
  /// The height of small letters as a share of tall ones. Chosen by hand.
  private static let smallShare = 0.55
  /// The least way between two turns, in heights of letters. Chosen by hand.
  private static let leastTurn = 0.15
  /// The least height of small letters, in heights of letters. Chosen by hand.
  private static let leastBand = 0.15

  /// Returns the local extremes of a path in y that differ by more than a way.
  private static func turns(
    _ heights: [Double], least: Double
  ) -> (tops: [Double], bottoms: [Double]) {
    guard let first = heights.first else { return ([], []) }
    var (tops, bottoms): ([Double], [Double]) = ([], [])
    var (low, high) = (first, first)
    var direction = 0
    for y in heights {
      (low, high) = (min(low, y), max(high, y))
      if direction >= 0, y < high - least {
        bottoms.append(high)
        (direction, low) = (-1, y)
        high = y
      } else if direction <= 0, y > low + least {
        tops.append(low)
        (direction, high) = (1, y)
        low = y
      }
    }
    if direction > 0 { bottoms.append(high) }
    if direction < 0 { tops.append(low) }
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
  /// - Parameter gap: The least gap between words in millimetres.
  static func words(of letters: [Letter], gap: Double) -> [Word] {
    var result: [Word] = []
    for letter in letters.sorted(by: { $0.box.minX < $1.box.minX }) {
      if let last = result.indices.last, letter.box.minX - result[last].box.maxX < gap {
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
