import Foundation
import InkCore

/// The groups of strokes of a line that may be characters (over-segmentation: Fujisawa, Nakano and
/// Kurino, Proceedings of the IEEE 80(7), 1992).
///
/// Characters follow each other along the line, to the right or, in columns, down. Strokes are taken in
/// the order written; one that was added later goes to the character that it stands at. Between two
/// strokes a character may end if what is before and what is after hardly overlap along the line.
package struct CharacterGroups: Sendable {
  /// Strokes that may be a character.
  struct Group: Sendable {
    /// The gaps where it begins and ends.
    var start, end: Int
    /// Its strokes, ascending.
    var strokes: [Int]
    /// The box of its character.
    var area: WritingArea?
    /// Its extent along the line, in character sizes.
    var extent: Float
    /// The characters that it may be, best first; empty before it is read.
    var options: [Option] = []
  }

  /// A character that a group may be: its label, and its log-probability.
  struct Option: Sendable {
    var label: Int
    var score: Float
  }

  /// The groups, by the gap where they begin.
  private(set) var groups: [[Group]] = []
  /// For each gap between characters, its width in character sizes; below 0 if they overlap. The first is
  /// before the line and the last after it.
  private(set) var gaps: [Float] = []

  /// Neighbours overlap by less than this along the line, in character sizes.
  private static let mostOverlap = 0.3
  /// A group is no longer than this along the line, in character sizes, or is one piece.
  private static let longest = 1.4
  /// The most pieces of a character.
  private static let mostPieces = 8
  /// The ink of tall characters fills this share of their box.
  private static let filled = 0.86
  /// The share of pieces that are not as tall as a character.
  private static let quantile = 0.8
  /// Ink taller than this, in character sizes, tells the middle of the line.
  private static let tall = 0.55
  /// The tall ink this near counts most, in character sizes.
  private static let near = 3.0

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
  init(_ ink: Ink, isColumn: Bool, size: Double? = nil) {
    self.isColumn = isColumn
    let spans = Self.ordered(Self.spans(of: ink, isColumn: isColumn))
    guard !spans.isEmpty else { return }
    let size = size ?? Self.size(of: spans)
    let ends = Self.ends(of: spans, size: size)
    gaps = ends.map { Float($0.gap) }
    let middles = spans.filter { $0.across > Self.tall * size }.map {
      (place: $0.middle, middle: ($0.top + $0.bottom) / 2)
    }
    let box = spans.reduce(spans[0]) { Self.union($0, $1) }
    groups = ends.indices.dropLast().map { start in
      var found: [Group] = []
      var union: Span?
      for end in (start + 1)..<min(ends.count, start + 1 + Self.mostPieces) {
        for span in spans[ends[end - 1].place..<ends[end].place] {
          union = union.map { Self.union($0, span) } ?? span
        }
        guard let union else { continue }
        let extent = (union.high - union.low) / size
        if extent > Self.longest, end > start + 1 { break }
        let before = start > 0 ? spans[..<ends[start].place].map(\.high).max() : nil
        found.append(
          Group(
            start: start, end: end,
            strokes: spans[ends[start].place..<ends[end].place].map(\.stroke).sorted(),
            area: area(
              of: union, size: size, after: before,
              middle: Self.middle(at: union.middle, of: middles, size: size)
                ?? (box.top + box.bottom) / 2),
            extent: Float(extent)))
      }
      return found
    }
  }

  /// Sets the characters that each group may be.
  mutating func read(_ options: (Group) throws -> [Option]) throws {
    for start in groups.indices {
      try Task.checkCancellation()
      for index in groups[start].indices {
        groups[start][index].options = try options(groups[start][index])
      }
    }
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
    var (sum, total) = (0.0, 0.0)
    for ink in tall {
      let distance = (ink.place - place) / (near * size)
      let weight = exp(-distance * distance)
      sum += weight * ink.middle
      total += weight
    }
    return total > 1e-6 ? sum / total : nil
  }

  /// The box of a character. In a column small characters stand below the one before.
  private func area(
    of span: Span, size: Double, after before: Double?, middle: Double
  ) -> WritingArea? {
    let center = (span.low + span.high) / 2
    guard isColumn else {
      return try? WritingArea(
        x: center - size / 2, y: middle - size / 2, width: size, height: size)
    }
    let isSmall = max(span.high - span.low, span.across) < Self.tall * size
    let top = before.map { isSmall ? min($0, span.low) : center - size / 2 } ?? center - size / 2
    return try? WritingArea(x: middle - size / 2, y: top, width: size, height: size)
  }
}
