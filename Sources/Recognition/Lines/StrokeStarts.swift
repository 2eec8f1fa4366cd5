import InkCore

/// Finds the strokes of points that are counted over the whole ink, in the order they are read.
struct StrokeStarts {
  /// A stroke with points.
  private struct Start {
    var stroke: Int
    /// Its first point, in the order they are read.
    var first: Int
    /// Its first point, in the order they were drawn.
    var drawn: Int
    var count: Int
    /// How far it begins to the right of all ink before it: less than 0 where it stands over or
    /// under that.
    var gap: Double
  }

  /// In the order they are read.
  private let strokes: [Start]
  /// In the order they were drawn; empty where that is the same.
  private let drawn: [Start]

  /// Points of the whole ink.
  let pointCount: Int

  /// - Parameter order: The places of strokes with points in the order they were drawn, as they are
  ///   read; nil where that is the same (``NormalizedLine/strokeOrder``).
  init(_ ink: Ink, order: [Int]? = nil) {
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

  /// Where a letter begins between the steps that read the letter before and those that read it: the
  /// network reads a letter soon after its beginning. Measured with characters of known ink
  /// (`ductus evaluate --alignment`): from 0.7 to 0.9 models differ by little.
  private static let delay = 0.8

  /// The place of a point in the order they are read, from that in the order they were drawn.
  /// O(log strokes).
  func place(ofDrawn point: Int) -> Int {
    let next = drawn.partitionPoint { $0.drawn > point }
    return next > 0 ? drawn[next - 1].first + point - drawn[next - 1].drawn : point
  }

  /// The place at which each label begins, of labels that are read in ranges of time steps: of the
  /// strokes that begin between the steps that read it and those of the label before, the one nearest
  /// to where letters mostly begin, ``delay``; that place itself where there is none, as in cursive
  /// writing.
  ///
  /// Behind a space it is the stroke that leaves the widest gap: the space itself is read when the
  /// next word has begun. A space begins where the label behind it does, at the end if there is none.
  ///
  /// - Parameters:
  ///   - ranges: the steps of each label, in order.
  ///   - isSpace: for each label whether it is a space.
  ///   - point: the place of the point that a step stands for.
  func begins(of ranges: [Range<Int>], isSpace: [Bool], point: (Int) -> Int) -> [Int] {
    var begins: [Int] = []
    /// The first step behind the last label that has ink.
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
      // The spaces before it begin with it.
      begins.append(contentsOf: repeatElement(begin, count: index + 1 - begins.count))
      written = ranges[index].upperBound
    }
    return begins + repeatElement(pointCount, count: ranges.count - begins.count)
  }

  /// The runs of points from one place to another, both included, in the order drawn.
  func parts(from start: Int, through end: Int) -> [CharacterInk.Part] {
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
  /// The first index whose element satisfies a condition that all behind it satisfy too; `count` where
  /// none does. O(log count).
  fileprivate func partitionPoint(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
