import InkCore

/// Piecewise cubic Bézier curves, as a sequence for a network (Carbune et al. 2020).
///
/// Each curve has fifteen channels: x and y of its start, the vector to its end (all times 2, so
/// that ink in its own box spans -1 ... 1), the distances of the inner control points from their
/// ends over that vector's length (bounded to 3), the cosine and sine of the angles between those
/// arms and the vector, three coefficients of the share of its time as a cubic of its parameter
/// (1, 0, 0 where time is missing), 1 at the first curve of a stroke, 1 at its last.
public struct CurveEncoding: Hashable, Codable, Sendable {
  /// T: room for this many curves.
  public var limit: Int
  /// The farthest a point may lie from its curve, as a share of the ink's larger side. Ink that
  /// needs more than `limit` curves is fitted again with twice the bound, up to 16 times the
  /// bound; what is still too long is cut.
  public var maximumError: Double

  /// Makes the encoding.
  public init(limit: Int, maximumError: Double) {
    self.limit = limit
    self.maximumError = maximumError
  }

  /// C: numbers per curve.
  public static let channels = 15

  /// Writes [T, C]; steps beyond the ink's curves are 0.
  func encode(
    _ trajectory: Trajectory, into target: UnsafeMutablePointer<Float>, fitter: inout CurveFitter
  ) {
    target.update(repeating: 0, count: limit * Self.channels)
    var bound = maximumError
    repeat {
      fitter.reset(count: trajectory.count)
      for stroke in trajectory.strokeEnds.indices {
        fitter.fit(trajectory, trajectory.stroke(stroke), maximumError: bound)
      }
      bound *= 2
    } while fitter.curves.count > limit && bound <= 16 * maximumError
    for (index, curve) in fitter.curves.prefix(limit).enumerated() {
      encode(curve, trajectory, into: target + index * Self.channels)
    }
    markStrokes(trajectory, fitter.curves, in: target)
  }

  private func encode(
    _ curve: FittedCurve, _ trajectory: Trajectory, into row: UnsafeMutablePointer<Float>
  ) {
    let (x0, y0) = (trajectory.x[curve.first], trajectory.y[curve.first])
    let (x3, y3) = (trajectory.x[curve.last], trajectory.y[curve.last])
    (row[0], row[1], row[2], row[3]) = (2 * x0, 2 * y0, 2 * (x3 - x0), 2 * (y3 - y0))
    curve.encodeArms(trajectory, into: row + 4)
    let (g1, g2, g3) = timeCoefficients(curve, trajectory)
    (row[10], row[11], row[12]) = (g1, g2, g3)
  }

  /// t(s) = g1 s + g2 s² + g3 s³ through (0, 0), (1, 1) and the shares of time at the points a
  /// third and two thirds of the way along the curve's points.
  private func timeCoefficients(
    _ curve: FittedCurve, _ trajectory: Trajectory
  ) -> (Float, Float, Float) {
    let count = curve.last - curve.first
    let start = trajectory.time[curve.first]
    let span = trajectory.time[curve.last] - start
    guard count >= 3, span > 0 else { return (1, 0, 0) }
    let a = (trajectory.time[curve.first + count / 3] - start) / span
    let b = (trajectory.time[curve.first + 2 * count / 3] - start) / span
    guard a >= 0, b >= a, b <= 1 else { return (1, 0, 0) }
    // The cubic through (1/3, a), (2/3, b), (1, 1) and the origin.
    let g3 = 13.5 * (a - b) + 4.5
    let g2 = -22.5 * a + 18 * b - 4.5
    return (1 - g2 - g3, g2, g3)
  }

  private func markStrokes(
    _ trajectory: Trajectory, _ curves: [FittedCurve], in target: UnsafeMutablePointer<Float>
  ) {
    var stroke = 0
    for (index, curve) in curves.prefix(limit).enumerated() {
      while trajectory.strokeEnds[stroke] <= curve.first { stroke += 1 }
      let range = trajectory.stroke(stroke)
      let row = target + index * Self.channels
      row[13] = curve.first == range.lowerBound ? 1 : 0
      row[14] = curve.last == range.upperBound - 1 ? 1 : 0
    }
  }
}
