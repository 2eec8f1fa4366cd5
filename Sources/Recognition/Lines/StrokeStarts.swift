import InkCore

/// Finds the stroke of a point that is counted over the whole ink.
struct StrokeStarts {
  /// For each stroke with points its number and the index of its first point.
  private let strokes: [(stroke: Int, first: Int, count: Int)]

  /// Points of the whole ink.
  let pointCount: Int

  init(_ ink: Ink) {
    var strokes: [(Int, Int, Int)] = []
    var first = 0
    for (index, stroke) in ink.strokes.enumerated() where !stroke.points.isEmpty {
      strokes.append((index, first, stroke.points.count))
      first += stroke.points.count
    }
    self.strokes = strokes
    pointCount = first
  }

  /// The first points of strokes behind one point and up to another.
  func starts(behind start: Int, through end: Int) -> [Int] {
    strokes.map(\.first).filter { $0 > start && $0 <= end }
  }

  /// The runs of points from one index to another, both included.
  func parts(from start: Int, through end: Int) -> [CharacterInk.Part] {
    strokes.compactMap { stroke, first, count in
      let lower = max(start, first)
      let upper = min(end + 1, first + count)
      return lower < upper
        ? CharacterInk.Part(stroke: stroke, points: (lower - first)..<(upper - first)) : nil
    }
  }
}
