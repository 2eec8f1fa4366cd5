import Foundation
import InkCore

/// The middle, the direction and the spread of ink, weighted by the length of its path.
struct InkMoments {
  /// The length of the path.
  private(set) var weight = 0.0
  private var x = 0.0
  private var y = 0.0
  private var xx = 0.0
  private var xy = 0.0
  private var yy = 0.0

  init() {}

  /// Measures a stroke; at most about 64 of its segments are looked at.
  init(_ stroke: Stroke, scale: Double) {
    let points = stroke.points
    let step = max(1, points.count / 64)
    var last = 0
    for index in Swift.stride(from: step, to: points.count, by: step) {
      let (one, other) = (points[last], points[index])
      let (dx, dy) = ((other.x - one.x) * scale, (other.y - one.y) * scale)
      let (midX, midY) = ((other.x + one.x) / 2 * scale, (other.y + one.y) / 2 * scale)
      let length = (dx * dx + dy * dy).squareRoot()
      weight += length
      x += length * midX
      y += length * midY
      xx += length * (midX * midX + dx * dx / 12)
      xy += length * (midX * midY + dx * dy / 12)
      yy += length * (midY * midY + dy * dy / 12)
      last = index
    }
    if weight == 0, let point = points.first { add(x: point.x * scale, y: point.y * scale) }
  }

  /// Adds a dot, which hardly counts but has a place.
  private mutating func add(x: Double, y: Double) {
    let little = 1e-3
    weight += little
    self.x += little * x
    self.y += little * y
    xx += little * x * x
    xy += little * x * y
    yy += little * y * y
  }

  /// Adds other ink.
  mutating func add(_ other: InkMoments) {
    weight += other.weight
    x += other.x
    y += other.y
    xx += other.xx
    xy += other.xy
    yy += other.yy
  }

  /// The middle of the ink.
  var middle: (x: Double, y: Double) { weight > 0 ? (x / weight, y / weight) : (0, 0) }

  /// The standard deviations across and down.
  var spread: (x: Double, y: Double) {
    guard weight > 0 else { return (0, 0) }
    let (midX, midY) = middle
    return (
      max(0, xx / weight - midX * midX).squareRoot(), max(0, yy / weight - midY * midY).squareRoot()
    )
  }

  /// The straight line that fits the ink best: its direction in radians, and the standard deviations
  /// along it and across it.
  var axis: (angle: Double, along: Double, across: Double) {
    guard weight > 0 else { return (0, 0, 0) }
    let (midX, midY) = middle
    let (a, b, c) = (
      xx / weight - midX * midX, xy / weight - midX * midY, yy / weight - midY * midY
    )
    let root = ((a - c) * (a - c) + 4 * b * b).squareRoot()
    return (
      atan2(2 * b, a - c) / 2, max(0, (a + c + root) / 2).squareRoot(),
      max(0, (a + c - root) / 2).squareRoot()
    )
  }
}
