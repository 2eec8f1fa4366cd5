import Foundation
import InkCore

/// The groups of strokes of a line that may be characters (over-segmentation: Fujisawa, Nakano and
/// Kurino, Proceedings of the IEEE 80(7), 1992).
///
/// Characters follow each other along the line, to the right or, in columns, down. Strokes are taken in
/// the order written; one that was added later goes to the character where it is. Between two
/// strokes a character may end if what is before and what is after hardly overlap along the line.
package struct CharacterGroups: Sendable {
  /// Strokes that may be a character.
  package struct Group: Sendable {
    /// The gaps where it begins and ends.
    package var start, end: Int
    /// Its strokes, ascending.
    package var strokes: [Int]
    /// The box of its character.
    package var area: WritingArea?
    /// Its extent along the line, in character sizes.
    package var extent: Float
    /// True for the whole ink as one character, which its shape allows.
    package var isWhole = false
    /// The characters that it may be, best first; empty before it is read.
    var options: [Option] = []
    /// True for a run of strokes that is read as a Latin word.
    var isWord: Bool { options.first?.word != nil }
  }

  /// A character that a group may be: its label, and its log-probability.
  struct Option: Sendable {
    /// The index of a label of the model; beyond them, of a text of ``CharacterGroups/words``.
    var label: Int
    var score: Float
    /// The reading as a Latin word; nil for a character.
    var word: Word?
  }

  /// A reading of a run of strokes as a Latin word, or as several with spaces between them.
  struct Word: Sendable {
    /// The reading. Its strokes are those of the line.
    var candidate: RecognitionCandidate
    /// ln p of its text by its language.
    var language: Float
  }

  /// The groups, by the gap where they begin.
  package private(set) var groups: [[Group]] = []
  /// For each gap between characters, its width in character sizes; below 0 if they overlap. The first is
  /// before the line and the last after it.
  package private(set) var gaps: [Float] = []
  /// The texts of Latin words that groups may be.
  private(set) var words: [String] = []
  /// The side of the box of a character in units of the ink.
  private(set) var size = 1.0
  /// The strokes in their order along the line, those of each gap up to the next.
  private(set) var strokes: [ArraySlice<Int>] = []
  /// For each gap, true if a small stroke follows where a full stop or a comma would be.
  package private(set) var isBeforeSign: [Bool] = []

  /// Neighbours overlap by less than this along the line, in character sizes.
  private static let mostOverlap = 0.3
  /// A group is no longer than this along the line, in character sizes, or is one piece.
  private static let longest = 1.4
  /// The most pieces of a character.
  private static let mostPieces = 8
  /// A gap wider than this ends a character, in character sizes.
  private static let widest = 0.55
  /// An ink may be one character if it has no more strokes and is no longer than wide by this factor.
  static let (mostStrokes, longestCharacter) = (32, 2.0)
  /// A full stop or comma is smaller than this, in character sizes, and this far below the middle of a
  /// row, or to the right of that of a column.
  private static let (signSize, signPlace) = (0.4, 0.15)
  /// A full stop is this far from the edges of its box, in character sizes.
  private static let signInset = 0.06
  /// The ink of tall characters fills this share of their box.
  private static let filled = 0.86
  /// The share of pieces that are not as tall as a character.
  private static let quantile = 0.8
  /// Ink taller than this, in character sizes, tells the middle of the line.
  private static let tall = 0.55
  /// The tall ink this near counts most, in character sizes.
  private static let near = 3.0
  /// Ink farther away than so many times that distance does not count.
  private static let farthest = 4.0

  /// The strokes of a line.
  private struct Span {
    /// The extent along the line.
    var low, high: Double
    /// The extent across it.
    var top, bottom: Double
    var stroke: Int
    var middle: Double { (low + high) / 2 }
    var across: Double { bottom - top }
  }

  private let isColumn: Bool

  /// Finds the groups of a line. O(strokes²) at most, and O(strokes) for usual lines.
  ///
  /// - Parameters:
  ///   - ink: The strokes of one line, finite.
  ///   - isColumn: True if the line runs down.
  ///   - size: The side of the box of a character in units of the ink; nil to estimate it.
  ///   The whole ink may then be one character.
  package init(_ ink: Ink, isColumn: Bool, size given: Double? = nil) {
    self.isColumn = isColumn
    let spans = Self.ordered(Self.spans(of: ink, isColumn: isColumn))
    guard !spans.isEmpty else { return }
    let size = given ?? Self.size(of: spans)
    let ends = Self.ends(of: spans, size: size)
    self.size = size
    gaps = ends.map { Float($0.gap) }
    let order = spans.map(\.stroke)
    strokes = zip(ends, ends.dropFirst()).map { order[$0.place..<$1.place] }
    let middles = spans.filter { $0.across > Self.tall * size }.map {
      (place: $0.middle, middle: ($0.top + $0.bottom) / 2)
    }.sorted { $0.place < $1.place }
    var highest: [Double] = []
    for span in spans { highest.append(max(highest.last ?? -.infinity, span.high)) }
    let box = spans.reduce(spans[0]) { Self.union($0, $1) }
    func middle(of span: Span) -> Double {
      Self.middle(at: span.middle, of: middles, size: size) ?? (box.top + box.bottom) / 2
    }
    isBeforeSign = ends.indices.map { index in
      guard index > 0, index + 1 < ends.count else { return false }
      let piece = spans[ends[index].place..<ends[index + 1].place]
      let next = piece.reduce(piece[piece.startIndex]) { Self.union($0, $1) }
      return max(next.high - next.low, next.across) < Self.signSize * size
        && (next.top + next.bottom) / 2 > middle(of: next) + Self.signPlace * size
    }
    groups = ends.indices.dropLast().map { start in
      var found: [Group] = []
      var union: Span?
      for end in (start + 1)..<min(ends.count, start + 1 + Self.mostPieces) {
        if end > start + 1, ends[end - 1].gap > Self.widest { break }
        for span in spans[ends[end - 1].place..<ends[end].place] {
          union = union.map { Self.union($0, span) } ?? span
        }
        guard let union else { continue }
        let extent = (union.high - union.low) / size
        if extent > Self.longest, end > start + 1 { break }
        let before = start > 0 ? highest[ends[start].place - 1] : nil
        found.append(
          Group(
            start: start, end: end,
            strokes: spans[ends[start].place..<ends[end].place].map(\.stroke).sorted(),
            area: area(
              of: union, size: size, after: before, middle: middle(of: union),
              isSign: isBeforeSign[start] && end == start + 1),
            extent: Float(extent)))
      }
      return found
    }
    if let whole = Self.whole(spans, size: given, end: ends.count - 1) {
      groups[0].removeAll { $0.end == whole.end }
      groups[0].append(whole)
    }
  }

  /// The whole ink as one character; nil if its shape is that of a line.
  private static func whole(_ spans: [Span], size: Double?, end: Int) -> Group? {
    guard spans.count <= mostStrokes else { return nil }
    let box = spans.reduce(spans[0]) { union($0, $1) }
    let (length, across) = (box.high - box.low, box.across)
    guard length <= longestCharacter * across || spans.count == 1 else { return nil }
    let side = size ?? max(length, across) / filled
    guard length <= longest * side else { return nil }
    // The place of the character in its box is not known.
    return Group(
      start: 0, end: end, strokes: spans.map(\.stroke).sorted(), area: nil,
      extent: Float(across > 0 ? length / across : longestCharacter), isWhole: true)
  }

  /// Sets the characters that each group may be.
  ///
  /// - Parameter options: Returns the options of groups, in their order.
  mutating func read(_ options: ([Group]) throws -> [[Option]]) rethrows {
    let found = try options(groups.flatMap { $0 })
    var place = 0
    for start in groups.indices {
      for index in groups[start].indices {
        groups[start][index].options = found[place]
        place += 1
      }
    }
  }

  /// Adds a run of strokes between two gaps that may be a Latin word.
  ///
  /// - Parameters:
  ///   - readings: Its readings with their scores.
  ///   - labels: The number of labels of the model.
  mutating func add(
    _ run: Range<Int>, _ readings: [(word: Word, score: Float)], labels: Int
  ) {
    var group = Group(
      start: run.lowerBound, end: run.upperBound, strokes: strokes[run].joined().sorted(),
      area: nil, extent: 0)
    group.options = readings.map { word, score in
      let place = words.firstIndex(of: word.candidate.text) ?? words.count
      if place == words.count { words.append(word.candidate.text) }
      return Option(label: labels + place, score: score, word: word)
    }
    groups[run.lowerBound].append(group)
  }

  private static func spans(of ink: Ink, isColumn: Bool) -> [Span] {
    ink.strokes.enumerated().compactMap { index, stroke in
      guard let box = Ink(strokes: [stroke]).boundingBox else { return nil }
      return isColumn
        ? Span(low: box.minY, high: box.maxY, top: box.minX, bottom: box.maxX, stroke: index)
        : Span(low: box.minX, high: box.maxX, top: box.minY, bottom: box.maxY, stroke: index)
    }
  }

  private static func union(_ one: Span, _ other: Span) -> Span {
    Span(
      low: min(one.low, other.low), high: max(one.high, other.high), top: min(one.top, other.top),
      bottom: max(one.bottom, other.bottom), stroke: one.stroke)
  }

  /// The strokes in the order of their places as far as characters do not overlap: a stroke goes before
  /// all that begin after its end.
  private static func ordered(_ spans: [Span]) -> [Span] {
    var result: [Span] = []
    for span in spans {
      var place = result.count
      while place > 0, result[place - 1].low > span.high { place -= 1 }
      result.insert(span, at: place)
    }
    return result
  }

  /// The side of the box of a character, from the pieces that are as tall as one.
  private static func size(of spans: [Span]) -> Double {
    var pieces: [Span] = []
    for span in spans.sorted(by: { $0.low < $1.low }) {
      if let last = pieces.last, span.low < last.high - 0.2 * min(last.across, span.across) {
        pieces[pieces.count - 1] = union(last, span)
      } else {
        pieces.append(span)
      }
    }
    let heights = pieces.map(\.across).sorted()
    let height = heights[min(heights.count - 1, Int(quantile * Double(heights.count)))]
    // A line of flat signs such as 一 is as tall as they are wide.
    let widths = pieces.map { $0.high - $0.low }.sorted()
    let width = widths[widths.count / 2]
    let size = max(height, 0.6 * width) / filled
    return size > 0 ? size : 1
  }

  /// The places where a character may end, and the widths of the gaps there. The first is before all
  /// strokes and the last after them.
  private static func ends(of spans: [Span], size: Double) -> [(place: Int, gap: Double)] {
    var low = [Double](repeating: .infinity, count: spans.count + 1)
    for place in spans.indices.reversed() { low[place] = min(low[place + 1], spans[place].low) }
    var result: [(place: Int, gap: Double)] = [(0, 1)]
    var high = -Double.infinity
    for place in spans.indices.dropLast() {
      high = max(high, spans[place].high)
      let gap = (low[place + 1] - high) / size
      if gap > -mostOverlap, spans[place + 1].middle > spans[place].low {
        result.append((place + 1, min(gap, 2)))
      }
    }
    result.append((spans.count, 1))
    return result
  }

  /// The middle of the line at a place, from the tall ink around; nil if there is none.
  private static func middle(
    at place: Double, of tall: [(place: Double, middle: Double)], size: Double
  ) -> Double? {
    let reach = farthest * near * size
    var (low, high) = (0, tall.count)
    while low < high {
      let half = (low + high) / 2
      if tall[half].place < place - reach { low = half + 1 } else { high = half }
    }
    var (sum, total) = (0.0, 0.0)
    for ink in tall[low...] {
      guard ink.place <= place + reach else { break }
      let distance = (ink.place - place) / (near * size)
      let weight = exp(-distance * distance)
      sum += weight * ink.middle
      total += weight
    }
    return total > 1e-6 ? sum / total : nil
  }

  /// The box of a character. In a column small characters stand below the one before.
  private func area(
    of span: Span, size: Double, after before: Double?, middle: Double, isSign: Bool
  ) -> WritingArea? {
    let center = (span.low + span.high) / 2
    guard isColumn else {
      return try? WritingArea(
        x: center - size / 2, y: middle - size / 2, width: size, height: size)
    }
    // The model knows full stops as they are in rows: at the lower left of their box.
    if isSign {
      return try? WritingArea(
        x: span.top - Self.signInset * size, y: span.high + Self.signInset * size - size,
        width: size, height: size)
    }
    let isSmall = max(span.high - span.low, span.across) < Self.tall * size
    let top = before.map { isSmall ? min($0, span.low) : center - size / 2 } ?? center - size / 2
    return try? WritingArea(x: middle - size / 2, y: top, width: size, height: size)
  }
}
