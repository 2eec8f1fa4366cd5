import Foundation
import InkCore

/// A stroke as points at equal distances along its path, in heights of the writing.
struct StrokeOutline: Sendable {
  /// The number of points, for any stroke.
  static let count = 16

  /// The points, in the direction in which they were drawn.
  private(set) var x = SIMD16<Float>(repeating: 0)
  private(set) var y = SIMD16<Float>(repeating: 0)
  /// The segments from each point to the next one, and the inverse squares of their lengths; the
  /// last one is a point.
  private var stepX = SIMD16<Float>(repeating: 0)
  private var stepY = SIMD16<Float>(repeating: 0)
  private var inverse = SIMD16<Float>(repeating: 0)
  private(set) var minX: Float = 0
  private(set) var minY: Float = 0
  private(set) var maxX: Float = 0
  private(set) var maxY: Float = 0
  /// The length of the path.
  private(set) var length: Float = 0
  /// The number of turns from right to left and from up to down, and back, larger than a share of
  /// the height of the writing.
  private(set) var turnsX: Float = 0
  private(set) var turnsY: Float = 0
  /// Compressed width and height.
  private(set) var logWidth: Float = 0
  private(set) var logHeight: Float = 0

  /// The least way back, in heights of the writing, that counts as a turn.
  private static let turn: Float = 0.12
  /// The largest coordinate, in heights of the writing.
  private static let limit = 1e9

  var width: Float { maxX - minX }
  var height: Float { maxY - minY }
  var midX: Float { (minX + maxX) / 2 }
  var midY: Float { (minY + maxY) / 2 }
  /// The larger of width and height.
  var size: Float { max(width, height) }
  /// The diagonal of the box.
  var diagonal: Float { (width * width + height * height).squareRoot() }

  /// Samples a stroke with at least one point. O(points).
  ///
  /// - Parameters:
  ///   - origin: The point of the ink that becomes (0, 0).
  ///   - scale: The factor from the unit of the ink to heights of the writing.
  ///   - buffer: Memory for the points, which is used again.
  init(
    _ stroke: Stroke, origin: (x: Double, y: Double), scale: Double,
    buffer: inout [SIMD2<Float>]
  ) {
    buffer.removeAll(keepingCapacity: true)
    for point in stroke.points {
      // Bounded, so that squares are finite on pages of any size.
      let (x, y) = ((point.x - origin.x) * scale, (point.y - origin.y) * scale)
      buffer.append(
        SIMD2(
          Float(max(-Self.limit, min(Self.limit, x))), Float(max(-Self.limit, min(Self.limit, y)))))
    }
    var last = buffer[0]
    (minX, maxX, minY, maxY) = (last.x, last.x, last.y, last.y)
    var (peakX, peakY) = ((low: last.x, high: last.x), (low: last.y, high: last.y))
    var (signX, signY) = (0, 0)
    for point in buffer {
      (minX, maxX) = (min(minX, point.x), max(maxX, point.x))
      (minY, maxY) = (min(minY, point.y), max(maxY, point.y))
      let offset = point - last
      length += (offset * offset).sum().squareRoot()
      last = point
      Self.count(point.x, peak: &peakX, sign: &signX, turns: &turnsX)
      Self.count(point.y, peak: &peakY, sign: &signY, turns: &turnsY)
    }
    sample(buffer)
    for index in 0..<(Self.count - 1) {
      (stepX[index], stepY[index]) = (x[index + 1] - x[index], y[index + 1] - y[index])
    }
    inverse = 1 / (stepX * stepX + stepY * stepY + 1e-9)
    (logWidth, logHeight) = (Self.logarithm(width), Self.logarithm(height))
  }

  /// Counts a turn when a coordinate has gone back from its last extreme.
  private static func count(
    _ value: Float, peak: inout (low: Float, high: Float), sign: inout Int, turns: inout Float
  ) {
    (peak.low, peak.high) = (min(peak.low, value), max(peak.high, value))
    if sign >= 0, value < peak.high - turn {
      if sign > 0 { turns += 1 }
      sign = -1
      peak = (value, value)
    } else if sign <= 0, value > peak.low + turn {
      if sign < 0 { turns += 1 }
      sign = 1
      peak = (value, value)
    }
  }

  private mutating func sample(_ points: [SIMD2<Float>]) {
    x = SIMD16(repeating: points[0].x)
    y = SIMD16(repeating: points[0].y)
    guard length > 0, points.count > 1 else { return }
    let step = length / Float(Self.count - 1)
    var (next, passed) = (1, Float(0))
    var place = 1
    while place < points.count, next < Self.count {
      let (start, end) = (points[place - 1], points[place])
      let offset = end - start
      let part = (offset * offset).sum().squareRoot()
      if part > 0 {
        while next < Self.count, passed + part >= Float(next) * step {
          let share = (Float(next) * step - passed) / part
          (x[next], y[next]) = (start.x + share * offset.x, start.y + share * offset.y)
          next += 1
        }
      }
      passed += part
      place += 1
    }
    // Rounding may leave the last point over.
    while next < Self.count {
      (x[next], y[next]) = (points[points.count - 1].x, points[points.count - 1].y)
      next += 1
    }
  }

  /// The distance of a point from the path.
  func distance(_ pointX: Float, _ pointY: Float) -> Float {
    let (px, py) = (pointX - x, pointY - y)
    // The place on each segment nearest to the point.
    var share = (px * stepX + py * stepY) * inverse
    share.replace(with: 0, where: share .< 0)
    share.replace(with: 1, where: share .> 1)
    let (restX, restY) = (px - share * stepX, py - share * stepY)
    let squares = restX * restX + restY * restY
    var eight = squares.lowHalf
    eight.replace(with: squares.highHalf, where: squares.highHalf .< eight)
    var four = eight.lowHalf
    four.replace(with: eight.highHalf, where: eight.highHalf .< four)
    return min(min(four.x, four.y), min(four.z, four.w)).squareRoot()
  }

  /// The distance between two boxes; 0 if they touch.
  func gap(to other: StrokeOutline) -> Float {
    let dx = max(other.minX - maxX, minX - other.maxX, 0)
    let dy = max(other.minY - maxY, minY - other.maxY, 0)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// The shape of a single stroke as numbers of about -1 to 1.
extension StrokeOutline {
  /// The number of values of ``appendShape(to:)``.
  static let shapeCount = 31

  /// Adds the values of the shape. They do not depend on the direction in which it was drawn.
  func appendShape(to values: inout [Float]) {
    let (width, height, diagonal) = (self.width, self.height, self.diagonal)
    let size = max(diagonal, 1e-6)
    values.append(logWidth)
    values.append(logHeight)
    values.append(Self.logarithm(length))
    values.append((width - height) / max(width + height, 1e-6))
    values.append(min(diagonal, 2) / 2)
    values.append(diagonal < 0.2 ? 1 : 0)
    let chordX = x[15] - x[0]
    let chordY = y[15] - y[0]
    let chord = (chordX * chordX + chordY * chordY).squareRoot()
    values.append(chord / max(length, 1e-6))
    values.append(chord / size)
    values.append(min(length / size, 8) / 4)
    values.append(min(turnsX, 12) / 6)
    values.append(min(turnsY, 12) / 6)
    values.append(min(turnsX / max(width, 0.5), 4) / 2)
    values.append(min(turnsY / max(width, 0.5), 4) / 2)
    appendDirections(to: &values)
    appendMoments(to: &values)
    appendOutline(to: &values)
  }

  /// The logarithm of a length in heights, about -1.5 to 1.5.
  static func logarithm(_ length: Float) -> Float { log(max(length, 0) + 0.1) / 2.5 }

  /// Turning, corners and directions. 13 + 8 = 21.
  private func appendDirections(to values: inout [Float]) {
    var directions = SIMD4<Float>(repeating: 0)
    var (absolute, signed, corners, sharp) = (Float(0), Float(0), Float(0), Float(0))
    var last = SIMD2<Float>(0, 0)
    for index in 1..<Self.count {
      let step = SIMD2(x[index] - x[index - 1], y[index] - y[index - 1])
      let part = (step * step).sum().squareRoot()
      guard part > 0 else { continue }
      let unit = step / part
      // Shares of horizontal, falling, vertical and rising steps.
      let double = SIMD2(unit.x * unit.x - unit.y * unit.y, 2 * unit.x * unit.y)
      directions[0] += max(double.x, 0)
      directions[1] += max(double.y, 0)
      directions[2] += max(-double.x, 0)
      directions[3] += max(-double.y, 0)
      if last != SIMD2(0, 0) {
        let sine = last.x * unit.y - last.y * unit.x
        let cosine = (last * unit).sum()
        let angle = atan2(sine, cosine)
        absolute += abs(angle)
        signed += angle
        if abs(angle) > 0.9 { corners += 1 }
        if abs(angle) > 2 { sharp += 1 }
      }
      last = unit
    }
    values.append(directions[0] / 15)
    values.append(directions[1] / 15)
    values.append(directions[2] / 15)
    values.append(directions[3] / 15)
    values.append(min(absolute, 25) / 12)
    values.append(min(abs(signed), 12) / 6)
    values.append(corners / 6)
    values.append(sharp / 4)
  }

  /// Elongation and direction of the ink. 21 + 4 = 25.
  private func appendMoments(to values: inout [Float]) {
    let (meanX, meanY) = (x.sum() / 16, y.sum() / 16)
    let (dx, dy) = (x - meanX, y - meanY)
    let (xx, yy, xy) = ((dx * dx).sum(), (dy * dy).sum(), (dx * dy).sum())
    let (sum, difference) = (xx + yy, xx - yy)
    let root = (difference * difference + 4 * xy * xy).squareRoot()
    let scale = max(sum, 1e-9)
    values.append(root / scale)
    values.append(root > 1e-9 ? difference / root : 0)
    values.append(root > 1e-9 ? 2 * xy / root : 0)
    // The deviation from a straight line, in heights.
    values.append(min(max((sum - root) / 32, 0).squareRoot(), 2))
  }

  /// The likeness to an outline around something. 25 + 6 = 31.
  private func appendOutline(to values: inout [Float]) {
    let (halfX, halfY) = (max(width / 2, 1e-6), max(height / 2, 1e-6))
    var (atEdge, radius, square) = (Float(0), Float(0), Float(0))
    var quadrants = SIMD4<Float>(repeating: 0)
    for index in 0..<Self.count {
      let (u, v) = ((x[index] - midX) / halfX, (y[index] - midY) / halfY)
      if max(abs(u), abs(v)) > 0.86 { atEdge += 1 }
      let r = (u * u + v * v).squareRoot()
      radius += r
      square += r * r
      quadrants[(u > 0 ? 1 : 0) + (v > 0 ? 2 : 0)] += 1
    }
    let mean = radius / 16
    values.append(atEdge / 16)
    values.append(mean)
    values.append(max(square / 16 - mean * mean, 0).squareRoot())
    values.append(quadrants.min() / 4)
    // Ends of a path that lie at the left and at the right, or above each other.
    values.append(abs(x[15] - x[0]) / max(width, 1e-6))
    values.append(abs(y[15] - y[0]) / max(height, 1e-6))
  }
}
