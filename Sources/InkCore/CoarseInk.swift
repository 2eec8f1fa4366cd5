import Foundation

extension Ink {
  /// Returns the ink with smooth strokes if its coordinates are coarse: rounded to steps that are
  /// large beside the letters, while the samples are dense. Nil if they are not.
  ///
  /// Rounded coordinates make stairs of strokes. The samples that rest on each stair tell where the
  /// pen was between two steps, so a moving average over about the samples of one step brings the
  /// shape back. Every point stays, at most a few steps away. O(points).
  func smoothedIfCoarse() -> Ink? {
    guard let grid = CoarseGrid(self) else { return nil }
    var result = self
    for index in result.strokes.indices { grid.smooth(&result.strokes[index].points) }
    return result
  }
}

/// The grid that coordinates of an ink were rounded to.
private struct CoarseGrid {
  /// Samples for each step of the pen.
  private let dwell: Double

  /// Fewer pairs of samples say nothing.
  private static let fewest = 64
  /// The least share of samples that rest where the one before them is.
  private static let resting = 0.3
  /// The least share of samples that rest or go one step.
  private static let stepping = 0.95
  /// The greatest height of half of the strokes, in steps.
  private static let height = 12.0
  /// How far a difference may be from a number of steps.
  private static let tolerance = 1e-3
  /// Samples of a step for each sample of the standard deviation of the average.
  private static let samplesPerDeviation = 3.0
  /// The range of that deviation.
  private static let deviations = 1.0...4.0

  /// Finds the grid; nil if the ink has none, or one that is fine.
  init?(_ ink: Ink) {
    var step = Double.infinity
    var pairs = 0
    var resting = 0
    Self.forEachStep(of: ink) { x, y in
      pairs += 1
      if x == 0, y == 0 { resting += 1 }
      if x > 0 { step = min(step, x) }
      if y > 0 { step = min(step, y) }
    }
    guard pairs >= Self.fewest, step.isFinite, step > 0,
      Double(resting) >= Self.resting * Double(pairs)
    else { return nil }
    var near = 0
    var isGrid = true
    Self.forEachStep(of: ink) { x, y in
      let (columns, rows) = (x / step, y / step)
      if columns <= 1 + Self.tolerance, rows <= 1 + Self.tolerance { near += 1 }
      if abs(columns - columns.rounded()) > Self.tolerance
        || abs(rows - rows.rounded()) > Self.tolerance
      {
        isGrid = false
      }
    }
    guard isGrid, Double(near) >= Self.stepping * Double(pairs) else { return nil }
    let heights = ink.strokes.compactMap { stroke -> Double? in
      let rows = stroke.points.map(\.y)
      guard let low = rows.min(), let high = rows.max(), high > low else { return nil }
      return (high - low) / step
    }.sorted()
    guard !heights.isEmpty, heights[heights.count / 2] <= Self.height else { return nil }
    dwell = Double(pairs) / Double(max(1, pairs - resting))
  }

  /// Calls a body with the distances between neighbouring samples of each stroke.
  private static func forEachStep(of ink: Ink, _ body: (_ x: Double, _ y: Double) -> Void) {
    for stroke in ink.strokes {
      for (before, after) in zip(stroke.points, stroke.points.dropFirst()) {
        body(abs(after.x - before.x), abs(after.y - before.y))
      }
    }
  }

  /// Averages the places of points. The window shrinks to the ends, which stay where they are.
  func smooth(_ points: inout [StrokePoint]) {
    let deviation = min(
      Self.deviations.upperBound,
      max(Self.deviations.lowerBound, dwell / Self.samplesPerDeviation))
    let reach = Int(3 * deviation)
    let weights = (0...reach).map { exp(-0.5 * pow(Double($0) / deviation, 2)) }
    let original = points
    for index in points.indices {
      let most = min(reach, index, points.count - 1 - index)
      guard most > 0 else { continue }
      var (x, y, sum) = (original[index].x, original[index].y, 1.0)
      for offset in 1...most {
        let (before, after) = (original[index - offset], original[index + offset])
        x += weights[offset] * (before.x + after.x)
        y += weights[offset] * (before.y + after.y)
        sum += 2 * weights[offset]
      }
      (points[index].x, points[index].y) = (x / sum, y / sum)
    }
  }
}
