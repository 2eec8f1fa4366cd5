import InkCore

/// Finds the strokes of points that are counted over the whole ink, in reading order.
package struct StrokeStarts {
  /// A stroke with points.
  private struct Start {
    var stroke: Int
    /// Its first point, in reading order.
    var first: Int
    /// Its first point, in drawing order.
    var drawn: Int
    var count: Int
    /// The distance from the right edge of all previous ink to its beginning; negative if it is
    /// above or below that ink.
    var gap: Double
  }

  /// The strokes in reading order.
  private let strokes: [Start]
  /// The strokes in drawing order; empty if that is the same.
  private let drawn: [Start]

  /// The number of points of the whole ink.
  let pointCount: Int

  /// - Parameter order: The drawing indices of the non-empty strokes, in reading order; nil if both
  ///   orders are the same (``NormalizedLine/strokeOrder``).
  package init(_ ink: Ink, order: [Int]? = nil) {
    var starts: [Start] = []
    var first = 0
    for (index, stroke) in ink.strokes.enumerated() where !stroke.points.isEmpty {
      starts.append(
        Start(stroke: index, first: first, drawn: first, count: stroke.points.count, gap: 0))
      first += stroke.points.count
    }
    pointCount = first
    if let order { starts = order.map { starts[$0] } }
    first = 0
    var right: Double?
    for index in starts.indices {
      let xs = ink.strokes[starts[index].stroke].points.map(\.x)
      let (low, high) = (xs.min() ?? 0, xs.max() ?? 0)
      starts[index].first = first
      starts[index].gap = right.map { low - $0 } ?? 0
      right = max(right ?? high, high)
      first += starts[index].count
    }
    strokes = starts
    drawn = order == nil ? [] : starts.sorted { $0.drawn < $1.drawn }
  }

  /// The beginning of a letter, as a share of the way from the steps of the previous letter to its
  /// own: the network reads a letter soon after its beginning. Measured with known characters of
  /// ink (`ductus evaluate --alignment`); models hardly differ between 0.7 and 0.9.
  private static let delay = 0.8

  /// Converts the index of a point from drawing order to reading order. O(log strokes).
  package func place(ofDrawn point: Int) -> Int {
    let next = drawn.partitionPoint { $0.drawn > point }
    return next > 0 ? drawn[next - 1].first + point - drawn[next - 1].drawn : point
  }

  /// The beginnings of labels that are read in ranges of time steps. If strokes begin between the
  /// steps of the previous label and its own, it is the stroke that is nearest to the usual
  /// beginning of a letter, ``delay``. If none does, as in cursive writing, it is that point
  /// itself.
  ///
  /// After a space it is the stroke with the widest gap, because the space is read when the next
  /// word has begun. A space begins where the label after it does, or at the end if there is none.
  ///
  /// - Parameters:
  ///   - ranges: The steps of each label, in order.
  ///   - isSpace: For each label, true if it is a space.
  ///   - point: Returns the index of the point of a step.
  package func begins(of ranges: [Range<Int>], isSpace: [Bool], point: (Int) -> Int) -> [Int] {
    var begins: [Int] = []
    /// The first step after the last label with ink.
    var written = 0
    for index in ranges.indices where !isSpace[index] {
      let first = ranges[index].lowerBound
      var begin = 0
      if written > 0 {
        let likely = point(written + Int((Self.delay * Double(first - written)).rounded()))
        let (low, high) = (point(written - 1), point(first))
        let from = strokes.partitionPoint { $0.first > low }
        let between = strokes[from..<max(from, strokes.partitionPoint { $0.first > high })]
        let stroke =
          isSpace[index - 1]
          ? between.max { $0.gap < $1.gap }
          : between.min { abs($0.first - likely) < abs($1.first - likely) }
        begin = stroke?.first ?? likely
      }
      // The spaces before it begin at the same point.
      begins.append(contentsOf: repeatElement(begin, count: index + 1 - begins.count))
      written = ranges[index].upperBound
    }
    return begins + repeatElement(pointCount, count: ranges.count - begins.count)
  }

  /// The runs of points from one index to another, inclusive, in drawing order.
  package func parts(from start: Int, through end: Int) -> [CharacterInk.Part] {
    let from = strokes.partitionPoint { $0.first + $0.count > start }
    let through = strokes.partitionPoint { $0.first > end }
    let parts = strokes[from..<max(from, through)].map { stroke in
      let lower = max(start, stroke.first)
      let upper = min(end + 1, stroke.first + stroke.count)
      return CharacterInk.Part(
        stroke: stroke.stroke, points: (lower - stroke.first)..<(upper - stroke.first))
    }
    return drawn.isEmpty ? parts : parts.sorted { $0.stroke < $1.stroke }
  }
}

extension Array {
  /// The first index whose element satisfies a condition that all later elements also satisfy;
  /// `count` if there is none. O(log count).
  fileprivate func partitionPoint(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
