import InkCore

/// Equidistant points along the strokes, as a sequence for a network.
///
/// Each of `count` steps has eight channels: x and y (in -1 ... 1 for ink normalised by its box),
/// the cosine and sine of the direction to the next point of the stroke, the cosine and sine of the
/// turn at the point, 1 at the first point of a stroke, and 1 at its last. A dot has no direction:
/// cosine and sine are 0.
public struct PointEncoding: Hashable, Codable, Sendable {
  /// T: the number of points of the whole ink.
  package var count: Int

  /// Makes the encoding.
  @usableFromInline package init(count: Int) { self.count = count }

  /// C: the number of channels.
  package static let channels = 8

  /// Writes [T, C]; steps after the trajectory's points are 0. Allocates nothing.
  ///
  /// - Parameter trajectory: at most `count` points, as `Trajectory.resample(total:)` gives.
  package func encode(_ trajectory: Trajectory, into target: UnsafeMutablePointer<Float>) {
    target.update(repeating: 0, count: count * Self.channels)
    for stroke in trajectory.strokeEnds.indices {
      let range = trajectory.stroke(stroke)
      var before: (cosine: Float, sine: Float)?
      for point in range where point < count {
        let row = target + point * Self.channels
        row[0] = 2 * trajectory.x[point]
        row[1] = 2 * trajectory.y[point]
        let isLast = point + 1 == range.upperBound
        let here = isLast ? before : direction(trajectory, point, point + 1)
        if let here {
          row[2] = here.cosine
          row[3] = here.sine
          if let before {
            row[4] = here.cosine * before.cosine + here.sine * before.sine
            row[5] = here.sine * before.cosine - here.cosine * before.sine
          } else {
            row[4] = 1
          }
          before = here
        }
        row[6] = point == range.lowerBound ? 1 : 0
        row[7] = isLast ? 1 : 0
      }
    }
  }

  private func direction(
    _ trajectory: Trajectory, _ from: Int, _ to: Int
  ) -> (cosine: Float, sine: Float)? {
    let length = trajectory.distance(from, to)
    guard length > 1e-6 else { return nil }
    return (
      (trajectory.x[to] - trajectory.x[from]) / length,
      (trajectory.y[to] - trajectory.y[from]) / length
    )
  }
}
