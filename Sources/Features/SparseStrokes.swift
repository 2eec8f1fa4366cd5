import InkCore

// A fast pen or a mouse leaves few points on a letter. Chords between them would make polygons of round
// letters, which a network that has learned from dense points reads badly.

extension NormalizedLine {
  /// Adds points to segments that are long beside the letters, on a curve through their ends. The ends stay.
  /// O(points).
  ///
  /// The curve is a cubic Hermite spline over the chord lengths (Farin 2002, Curves and Surfaces for CAGD,
  /// chapter 8). It keeps corners: where the pen turns by more than 80 degrees, the curve stops and begins
  /// again.
  ///
  /// - Parameter lineHeight: The height of the line in units of the trajectory.
  /// - Returns: False if no segment is long.
  mutating func curveLongSegments(lineHeight: Float) -> Bool {
    let (longest, pieceLength) = (Self.longSegment * lineHeight, Self.piece * lineHeight)
    let isSparse = trajectory.strokeEnds.indices.contains { index in
      let stroke = trajectory.stroke(index)
      return stroke.count > 2
        && stroke.dropFirst().contains { trajectory.distance($0 - 1, $0) > longest }
    }
    guard isSparse else { return false }
    var (dense, origins): (Trajectory, [Int32]) = (Trajectory(), [])
    for index in trajectory.strokeEnds.indices {
      let stroke = trajectory.stroke(index)
      for point in stroke {
        if point > stroke.lowerBound {
          let length = trajectory.distance(point - 1, point)
          let pieces = min(Self.mostPieces, Int((length / pieceLength).rounded(.up)))
          if length > longest, let curve = curve(endingAt: point, of: stroke) {
            for piece in 1..<pieces {
              let (x, y, time) = curve.point(at: Float(piece) / Float(pieces))
              dense.append(x: x, y: y, time: time)
              origins.append(sources[point - 1])
            }
          }
        }
        dense.append(x: trajectory.x[point], y: trajectory.y[point], time: trajectory.time[point])
        origins.append(sources[point])
      }
      dense.endStroke()
    }
    (trajectory, sources) = (dense, origins)
    return true
  }

  /// Leaves the points of a slower or coarser device, with curves between those that are far apart. O(points).
  ///
  /// - Parameters:
  ///   - gap: The least distance between points, in line heights.
  ///   - step: The step of their grid, in line heights; 0 for none.
  package mutating func coarsen(gap: Float, step: Float) {
    sources = trajectory.coarsen(gap: gap, step: step).map { sources[$0] }
    _ = curveLongSegments(lineHeight: 1)
  }

  /// The longest segment that stays a chord, the length of the pieces of a longer one, both in line heights,
  /// and the most pieces.
  private static let (longSegment, piece): (Float, Float) = (0.1, 0.05)
  private static let mostPieces = 16

  /// The curve from the point before to a point; nil if it is a chord.
  private func curve(endingAt end: Int, of stroke: Range<Int>) -> HermiteCurve? {
    let before = slope(at: end - 1, of: stroke)
    let after = slope(at: end, of: stroke)
    guard before != nil || after != nil else { return nil }
    let length = trajectory.distance(end - 1, end)
    let chord = (
      x: (trajectory.x[end] - trajectory.x[end - 1]) / length,
      y: (trajectory.y[end] - trajectory.y[end - 1]) / length
    )
    // At an end or a corner the curve is a parabola.
    func mirrored(_ other: (x: Float, y: Float)?) -> (x: Float, y: Float) {
      other.map { (2 * chord.x - $0.x, 2 * chord.y - $0.y) } ?? chord
    }
    return HermiteCurve(
      start: (trajectory.x[end - 1], trajectory.y[end - 1]),
      end: (trajectory.x[end], trajectory.y[end]),
      slopes: (before ?? mirrored(after), after ?? mirrored(before)), length: length,
      times: (trajectory.time[end - 1], trajectory.time[end]))
  }

  /// The change of place for each unit of length at an inner point of a stroke; nil at corners and ends.
  private func slope(at point: Int, of stroke: Range<Int>) -> (x: Float, y: Float)? {
    guard point > stroke.lowerBound, point + 1 < stroke.upperBound else { return nil }
    let (before, after) = (
      trajectory.distance(point - 1, point), trajectory.distance(point, point + 1)
    )
    guard before > 0, after > 0 else { return nil }
    let first = (
      x: (trajectory.x[point] - trajectory.x[point - 1]) / before,
      y: (trajectory.y[point] - trajectory.y[point - 1]) / before
    )
    let second = (
      x: (trajectory.x[point + 1] - trajectory.x[point]) / after,
      y: (trajectory.y[point + 1] - trajectory.y[point]) / after
    )
    guard first.x * second.x + first.y * second.y > Self.cornerCosine else { return nil }
    let sum = before + after
    return (
      (first.x * after + second.x * before) / sum, (first.y * after + second.y * before) / sum
    )
  }

  /// The cosine of 80 degrees.
  private static let cornerCosine: Float = 0.17365
}

/// A cubic curve between two points of a stroke.
private struct HermiteCurve {
  let start: (x: Float, y: Float)
  let end: (x: Float, y: Float)
  /// The change of place for each unit of length at both ends.
  let slopes: (before: (x: Float, y: Float), after: (x: Float, y: Float))
  /// The length of the chord.
  let length: Float
  let times: (start: Float, end: Float)

  /// The place and the time at a share of the way, 0 ... 1.
  func point(at share: Float) -> (x: Float, y: Float, time: Float) {
    let rest = 1 - share
    let (first, last) = (rest * rest * (1 + 2 * share), share * share * (3 - 2 * share))
    let (leave, arrive) = (length * share * rest * rest, -length * share * share * rest)
    return (
      first * start.x + last * end.x + leave * slopes.before.x + arrive * slopes.after.x,
      first * start.y + last * end.y + leave * slopes.before.y + arrive * slopes.after.y,
      times.start + share * (times.end - times.start)
    )
  }
}
