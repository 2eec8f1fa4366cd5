import Foundation
import InkCore

/// A stroke of Wacom's formats: a curve of Catmull and Rom through points.
///
/// The curve begins at a part of its first piece and ends at a part of its last one; the first and the
/// last point only give its direction there.
struct WacomSpline {
  var x: [Double] = []
  var y: [Double] = []
  var sizes: [Double] = []
  var start = 0.0
  var end = 1.0
  /// The times in milliseconds and the pressures, 0 to 1, at the points, if they are known.
  var times: [Double] = []
  var forces: [Double] = []
  /// The width of the pen where the points have none.
  var size = 0.0
  var color: String?

  /// The points of the curve.
  func stroke() -> Stroke {
    let count = min(x.count, y.count)
    guard count >= 4 else {
      return Stroke(points: (0..<count).map { point($0, x[$0], y[$0]) })
    }
    var points: [StrokePoint] = []
    points.reserveCapacity(count - 1)
    for piece in 0..<(count - 3) {
      let first = piece == 0 && (0...1).contains(start) ? start : 0
      points.append(at(first, piece))
    }
    points.append(at((0...1).contains(end) ? end : 1, count - 4))
    return Stroke(points: points)
  }

  /// The middle width of the pen.
  var width: Double {
    let known = sizes.filter { $0 > 0 && $0.isFinite }.sorted()
    return known.isEmpty ? size : known[known.count / 2]
  }

  private func at(_ part: Double, _ piece: Int) -> StrokePoint {
    func value(_ v: [Double]) -> Double {
      let (p0, p1, p2, p3) = (v[piece], v[piece + 1], v[piece + 2], v[piece + 3])
      let (t, t2, t3) = (part, part * part, part * part * part)
      return 0.5
        * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t2
          + (3 * p1 - p0 - 3 * p2 + p3) * t3)
    }
    return point(part < 0.5 ? piece + 1 : piece + 2, value(x), value(y))
  }

  private func point(_ index: Int, _ x: Double, _ y: Double) -> StrokePoint {
    let time = index < times.count ? times[index] : .nan
    let force = index < forces.count ? forces[index] : .nan
    return StrokePoint(
      x: x, y: y, t: time.isFinite ? time : nil, force: force.isFinite ? force : nil)
  }

  /// The values of steps in units of a power of ten.
  static func values(_ steps: [Int64], digits: Int) -> [Double] {
    let unit = pow(10, Double(max(0, min(15, digits))))
    var sum: Int64 = 0
    return steps.map { step in
      sum &+= step
      return Double(sum) / unit
    }
  }

  /// A colour of four bytes, red first, as `#RRGGBBAA`.
  static func color(_ value: Int64) -> String {
    let text = String(UInt32(truncatingIfNeeded: value), radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 8 - text.count) + text
  }
}
