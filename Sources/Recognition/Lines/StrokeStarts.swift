import InkCore

/// Finds the stroke of a point that is counted over the whole ink.
struct StrokeStarts {
  /// For each stroke with points its number, the index of its first point, and how far it begins to
  /// the right of all ink before it: less than 0 where it stands over or under that.
  private let strokes: [(stroke: Int, first: Int, count: Int, gap: Double)]

  /// Points of the whole ink.
  let pointCount: Int

  init(_ ink: Ink) {
    var strokes: [(Int, Int, Int, Double)] = []
    var first = 0
    var right: Double?
    for (index, stroke) in ink.strokes.enumerated() {
      let xs = stroke.points.map(\.x)
      guard let low = xs.min(), let high = xs.max() else { continue }
      strokes.append((index, first, xs.count, right.map { low - $0 } ?? 0))
      right = max(right ?? high, high)
      first += xs.count
    }
    self.strokes = strokes
    pointCount = first
  }

  /// The first points of strokes behind one point and up to another.
  func starts(behind start: Int, through end: Int) -> [Int] {
    strokes.map(\.first).filter { $0 > start && $0 <= end }
  }

  /// The first point of the stroke that leaves the widest gap to the ink before it, of those that
  /// begin behind one point and up to another; nil where none begins there.
  func widestGap(behind start: Int, through end: Int) -> Int? {
    strokes.filter { $0.first > start && $0.first <= end }.max { $0.gap < $1.gap }?.first
  }

  /// The runs of points from one index to another, both included.
  func parts(from start: Int, through end: Int) -> [CharacterInk.Part] {
    strokes.compactMap { stroke, first, count, _ in
      let lower = max(start, first)
      let upper = min(end + 1, first + count)
      return lower < upper
        ? CharacterInk.Part(stroke: stroke, points: (lower - first)..<(upper - first)) : nil
    }
  }
}
