import InkCore
import LinearAlgebra

/// Piecewise cubic Bézier curves, as a sequence for a network (Carbune et al. 2020).
///
/// Each curve has fifteen channels:
///
/// - x and y of its start, and the vector to its end, all times 2, so that ink normalised by its
///   box spans -1 ... 1;
/// - the distances of the inner control points from their ends (the arms), divided by the length of
///   that vector, at most 3;
/// - the cosine and sine of the angles between the arms and the vector;
/// - three coefficients of the share of its time as a cubic of its parameter (1, 0, 0 if time is
///   missing);
/// - 1 at the first curve of a stroke, and 1 at its last.
@usableFromInline package struct CurveEncoding: Hashable, Codable, Sendable {
  /// T: the most curves.
  package var limit: Int
  /// The largest distance of a point from its curve, as a share of the ink's larger side. Ink that
  /// needs more than `limit` curves is fitted again with twice the bound, up to 16 times the bound.
  /// Curves above the limit are then cut off.
  package var maximumError: Double

  /// Makes the encoding.
  @usableFromInline package init(limit: Int, maximumError: Double) {
    self.limit = limit
    self.maximumError = maximumError
  }

  /// C: the number of channels.
  package static let channels = 15

  /// Writes [T, C]; steps after the ink's curves are 0.
  package func encode(
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

  /// Fits t(s) = g1 s + g2 s² + g3 s³ through (0, 0), (1, 1) and the shares of time at one third
  /// and two thirds of the curve's points.
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

/// A cubic Bézier curve over consecutive points of a stroke.
package struct FittedCurve: Sendable {
  /// The indices of its first and last point.
  package var first, last: Int
  /// The two inner control points. The outer ones are the first and last point.
  package var x1, y1, x2, y2: Double
}

/// Fits chains of cubic Bézier curves to strokes by least squares.
///
/// The ends of each curve are points of the ink. Its inner control points minimise the squared
/// distances at the points' parameters, which start as shares of the arc length and are improved by
/// Gauss-Newton steps (Plass and Stone 1983). A curve with a point farther than the bound is split
/// at its worst point. Two neighbouring points make a straight curve, which is exact, so every
/// point ends up within the bound of its curve at its parameter.
package struct CurveFitter: Sendable {
  package init() {}

  package private(set) var curves: [FittedCurve] = []
  /// The parameter in 0 ... 1 of each point on the last curve that was fitted to it.
  package private(set) var parameters: [Double] = []
  private var pending: [Range<Int>] = []
  private var basis: [Double] = []
  private var sides: [Double] = []
  private var solver = LeastSquares()

  private static let refinements = 3

  /// Fits one stroke with the points `range` and appends to `curves`.
  package mutating func fit(_ trajectory: Trajectory, _ range: Range<Int>, maximumError: Double) {
    pending.removeAll(keepingCapacity: true)
    pending.append(range)
    while let part = pending.popLast() {
      let (curve, worst, error) = fitOne(trajectory, part)
      if error <= maximumError || part.count <= 2 {
        curves.append(curve)
      } else {
        let split = max(part.lowerBound + 1, min(part.upperBound - 2, worst))
        pending.append(split..<part.upperBound)
        pending.append(part.lowerBound..<(split + 1))
      }
    }
  }

  /// Removes the curves and makes room for the parameters of `count` points.
  package mutating func reset(count: Int) {
    curves.removeAll(keepingCapacity: true)
    parameters.removeAll(keepingCapacity: true)
    parameters.append(contentsOf: repeatElement(0, count: count))
  }

  private mutating func fitOne(
    _ trajectory: Trajectory, _ range: Range<Int>
  ) -> (curve: FittedCurve, worst: Int, error: Double) {
    let first = range.lowerBound
    let last = range.upperBound - 1
    var curve = line(trajectory, first, last)
    guard range.count > 2 else { return (curve, first, 0) }
    guard parameterize(trajectory, range) else {
      let (worst, error) = worstPoint(trajectory, range, curve)
      return (curve, worst, error)
    }
    // `solve` rejects a system with too few rows: the line stays.
    for pass in 0...Self.refinements {
      guard let solved = solve(trajectory, range) else { break }
      curve = solved
      if pass < Self.refinements { refine(trajectory, range, curve) }
    }
    let (worst, error) = worstPoint(trajectory, range, curve)
    return (curve, worst, error)
  }

  /// Returns the straight curve between two points.
  func line(_ trajectory: Trajectory, _ first: Int, _ last: Int) -> FittedCurve {
    let (ax, ay) = (Double(trajectory.x[first]), Double(trajectory.y[first]))
    let (bx, by) = (Double(trajectory.x[last]), Double(trajectory.y[last]))
    return FittedCurve(
      first: first, last: last, x1: ax + (bx - ax) / 3, y1: ay + (by - ay) / 3,
      x2: ax + (bx - ax) * 2 / 3, y2: ay + (by - ay) * 2 / 3)
  }

  /// Sets the parameters to shares of the arc length; false if the length is 0.
  private mutating func parameterize(_ trajectory: Trajectory, _ range: Range<Int>) -> Bool {
    var length = 0.0
    parameters[range.lowerBound] = 0
    for point in range.dropFirst() {
      length += Double(trajectory.distance(point - 1, point))
      parameters[point] = length
    }
    guard length > 0 else { return false }
    for point in range { parameters[point] /= length }
    return true
  }

  /// Returns the inner control points for the current parameters; nil if they are not determined.
  private mutating func solve(_ trajectory: Trajectory, _ range: Range<Int>) -> FittedCurve? {
    let rows = range.count - 2
    guard rows >= 2 else { return nil }
    let first = range.lowerBound
    let last = range.upperBound - 1
    let (ax, ay) = (Double(trajectory.x[first]), Double(trajectory.y[first]))
    let (bx, by) = (Double(trajectory.x[last]), Double(trajectory.y[last]))
    basis.removeAll(keepingCapacity: true)
    sides.removeAll(keepingCapacity: true)
    basis.append(contentsOf: repeatElement(0, count: 2 * rows))
    sides.append(contentsOf: repeatElement(0, count: 2 * rows))
    for row in 0..<rows {
      let point = first + 1 + row
      let s = parameters[point]
      let r = 1 - s
      basis[row] = 3 * r * r * s
      basis[rows + row] = 3 * r * s * s
      sides[row] = Double(trajectory.x[point]) - r * r * r * ax - s * s * s * bx
      sides[rows + row] = Double(trajectory.y[point]) - r * r * r * ay - s * s * s * by
    }
    guard solver.solve(&basis, &sides, rows: rows, columns: 2, sides: 2) else { return nil }
    return FittedCurve(
      first: first, last: last, x1: sides[0], y1: sides[rows], x2: sides[1], y2: sides[rows + 1])
  }

  /// Moves every inner point's parameter by one Gauss-Newton step towards the nearest point of the
  /// curve.
  private mutating func refine(
    _ trajectory: Trajectory, _ range: Range<Int>, _ curve: FittedCurve
  ) {
    for point in (range.lowerBound + 1)..<(range.upperBound - 1) {
      let s = parameters[point]
      let (px, py) = curve.position(trajectory, s)
      let (vx, vy) = curve.velocity(trajectory, s)
      let ex = Double(trajectory.x[point]) - px
      let ey = Double(trajectory.y[point]) - py
      let speed = vx * vx + vy * vy
      guard speed > 1e-18 else { continue }
      let moved = s + (ex * vx + ey * vy) / speed
      // Parameters stay in order, so the curve does not run backwards.
      parameters[point] = min(1, max(parameters[point - 1], moved))
    }
  }

  private func worstPoint(
    _ trajectory: Trajectory, _ range: Range<Int>, _ curve: FittedCurve
  ) -> (point: Int, error: Double) {
    var worst = (point: range.lowerBound, error: 0.0)
    for point in range {
      let (px, py) = curve.position(trajectory, parameters[point])
      let ex = Double(trajectory.x[point]) - px
      let ey = Double(trajectory.y[point]) - py
      let error = (ex * ex + ey * ey).squareRoot()
      if !(error <= worst.error) { worst = (point, error) }
    }
    return worst
  }
}

extension FittedCurve {
  /// Writes six numbers: the lengths of the arms, from each end to its inner control point, divided
  /// by that of the chord, at most 3; then the cosine and sine of each arm's angle to the chord.
  func encodeArms(_ trajectory: Trajectory, into target: UnsafeMutablePointer<Float>) {
    let (x0, y0) = (trajectory.x[first], trajectory.y[first])
    let (x3, y3) = (trajectory.x[last], trajectory.y[last])
    let (dx, dy) = (x3 - x0, y3 - y0)
    let chord = max((dx * dx + dy * dy).squareRoot(), 1e-3)
    func encode(
      _ ax: Float, _ ay: Float, _ ratio: UnsafeMutablePointer<Float>,
      _ angle: UnsafeMutablePointer<Float>
    ) {
      let length = (ax * ax + ay * ay).squareRoot()
      ratio[0] = min(3, length / chord)
      guard length > 1e-6 else { return }
      angle[0] = (ax * dx + ay * dy) / (length * chord)
      angle[1] = (ay * dx - ax * dy) / (length * chord)
    }
    encode(Float(x1) - x0, Float(y1) - y0, target, target + 2)
    encode(x3 - Float(x2), y3 - Float(y2), target + 1, target + 4)
  }

  func position(_ trajectory: Trajectory, _ s: Double) -> (x: Double, y: Double) {
    let r = 1 - s
    let (a, b, c, d) = (r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s)
    return (
      a * Double(trajectory.x[first]) + b * x1 + c * x2 + d * Double(trajectory.x[last]),
      a * Double(trajectory.y[first]) + b * y1 + c * y2 + d * Double(trajectory.y[last])
    )
  }

  func velocity(_ trajectory: Trajectory, _ s: Double) -> (x: Double, y: Double) {
    let r = 1 - s
    let (a, b, c) = (3 * r * r, 6 * r * s, 3 * s * s)
    let (x0, y0) = (Double(trajectory.x[first]), Double(trajectory.y[first]))
    let (x3, y3) = (Double(trajectory.x[last]), Double(trajectory.y[last]))
    return (
      a * (x1 - x0) + b * (x2 - x1) + c * (x3 - x2), a * (y1 - y0) + b * (y2 - y1) + c * (y3 - y2)
    )
  }
}
