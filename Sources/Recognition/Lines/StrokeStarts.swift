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

  /// The point at which each label begins, of labels that are read in ranges of time steps: of the
  /// strokes that begin between the steps that read it and those of the label before, the one nearest
  /// the middle; the middle itself where there is none, as in cursive writing. The network reads a
  /// letter late in its ink.
  ///
  /// Behind a space it is the stroke that leaves the widest gap: the space itself is read when the
  /// next word has begun. A space begins where the label behind it does, at the end if there is none.
  ///
  /// - Parameters:
  ///   - ranges: the steps of each label, in order.
  ///   - isSpace: for each label whether it is a space.
  ///   - point: the point that a step stands for.
  func begins(of ranges: [Range<Int>], isSpace: [Bool], point: (Int) -> Int) -> [Int] {
    var begins: [Int] = []
    /// The first step behind the last label that has ink.
    var written = 0
    for index in ranges.indices where !isSpace[index] {
      let first = ranges[index].lowerBound
      var begin = 0
      if written > 0 {
        let middle = point((written + first + 1) / 2)
        let between = strokes.filter { $0.first > point(written - 1) && $0.first <= point(first) }
        let stroke =
          isSpace[index - 1]
          ? between.max { $0.gap < $1.gap }
          : between.min { abs($0.first - middle) < abs($1.first - middle) }
        begin = stroke?.first ?? middle
      }
      // The spaces before it begin with it.
      begins.append(contentsOf: repeatElement(begin, count: index + 1 - begins.count))
      written = ranges[index].upperBound
    }
    return begins + repeatElement(pointCount, count: ranges.count - begins.count)
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
