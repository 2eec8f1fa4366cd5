import InkCore

/// A stroke as a uniform cubic B-spline through its points, which drawing canvases use for
/// smoothing.
///
/// The value at knot i is (P[i-1] + 4 P[i] + P[i+1]) / 6. The phantom point 2 P[0] - P[1] precedes
/// the first point, and a similar one follows the last, so that the path begins and ends at its end
/// points. Values other than the position are interpolated linearly; a missing value stays missing.
public struct SplinePath: Hashable, Sendable {
  /// The distance between interpolated points.
  public enum Step: Hashable, Sendable {
    /// Distance along the path, above 0, in the unit of the points.
    case distance(Double)
    /// Milliseconds, above 0; without times, the points at the knots are returned.
    case time(Double)
    /// The share of the way from one control point to the next, above 0.
    case parameter(Double)
  }

  /// The control points.
  public var points: [StrokePoint]

  /// Makes a path.
  public init(points: [StrokePoint]) {
    self.points = points
  }

  /// The point at a parameter of 0 ... count - 1, clamped; nil if there are no points. O(1).
  public func point(at parameter: Double) -> StrokePoint? {
    guard let first = points.first, parameter.isFinite else { return nil }
    guard points.count > 1 else { return first }
    let clamped = min(max(parameter, 0), Double(points.count - 1))
    let index = min(Int(clamped), points.count - 2)
    let t = clamped - Double(index)
    let (b0, b1, b2, b3) = (
      (1 - t) * (1 - t) * (1 - t) / 6, (3 * t * t * t - 6 * t * t + 4) / 6,
      (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6, t * t * t / 6
    )
    let (p0, p1, p2, p3) = (
      control(index - 1), control(index), control(index + 1), control(index + 2)
    )
    let (from, to) = (points[index], points[index + 1])
    func mixed(_ path: KeyPath<StrokePoint, Double?>) -> Double? {
      guard let a = from[keyPath: path], let b = to[keyPath: path] else { return nil }
      return a + t * (b - a)
    }
    return StrokePoint(
      x: b0 * p0.x + b1 * p1.x + b2 * p2.x + b3 * p3.x,
      y: b0 * p0.y + b1 * p1.y + b2 * p2.y + b3 * p3.y, t: mixed(\.t), force: mixed(\.force),
      azimuth: mixed(\.azimuth), altitude: mixed(\.altitude))
  }

  /// Points along the path, including the first and the last for any step; none for a step that is
  /// not above 0. At most a million.
  public func interpolated(by step: Step) -> [StrokePoint] {
    guard points.count > 1 else { return points }
    let end = Double(points.count - 1)
    var result: [StrokePoint] = []
    func add(_ parameter: Double) {
      if let point = point(at: parameter) { result.append(point) }
    }
    switch step {
    case .parameter(let step):
      guard step > 0 else { return [] }
      let count = Int(min(end / step, Self.most))
      for index in 0...count where Double(index) * step < end { add(Double(index) * step) }
    case .distance(let step):
      guard step > 0 else { return [] }
      add(0)
      for parameter in parameters(everyDistance: step) { add(parameter) }
    case .time(let step):
      guard step > 0 else { return [] }
      add(0)
      for parameter in parameters(everyTime: step) { add(parameter) }
    }
    add(end)
    return result
  }

  private static let most = 1e6
  private static let samplesPerSegment = 16

  private func control(_ index: Int) -> (x: Double, y: Double) {
    if index < 0 {
      return (2 * points[0].x - points[1].x, 2 * points[0].y - points[1].y)
    }
    if index >= points.count {
      let (last, before) = (points[points.count - 1], points[points.count - 2])
      return (2 * last.x - before.x, 2 * last.y - before.y)
    }
    return (points[index].x, points[index].y)
  }

  private func parameters(everyDistance step: Double) -> [Double] {
    var result: [Double] = []
    var walked = 0.0
    var previous = point(at: 0)
    let count = (points.count - 1) * Self.samplesPerSegment
    for sample in 1...count {
      let parameter = Double(sample) / Double(Self.samplesPerSegment)
      guard let next = point(at: parameter), let last = previous else { break }
      let length = ((next.x - last.x) * (next.x - last.x) + (next.y - last.y) * (next.y - last.y))
        .squareRoot()
      var position = step - walked
      while position < length, Double(result.count) < Self.most {
        result.append(parameter - (1 - position / length) / Double(Self.samplesPerSegment))
        position += step
      }
      walked = length - (position - step)
      previous = next
    }
    return result.filter { $0 < Double(points.count - 1) }
  }

  private func parameters(everyTime step: Double) -> [Double] {
    let times = points.map(\.t)
    guard var due = times[0].map({ $0 + step }) else {
      return (1..<(points.count - 1)).map(Double.init)
    }
    var result: [Double] = []
    for index in 1..<points.count {
      guard let from = times[index - 1], let to = times[index] else {
        return (1..<(points.count - 1)).map(Double.init)
      }
      while due < to, due >= from, Double(result.count) < Self.most {
        result.append(Double(index - 1) + (due - from) / (to - from))
        due += step
      }
    }
    return result
  }
}
