import InkCore

/// The smooth line through a stroke: a uniform cubic B-spline of its samples, as cubic Bézier
/// curves.
///
/// It begins and ends at the end points and stays in the box of the samples. A new sample changes
/// the last curve and adds one, so that a stroke can be drawn while it grows.
public struct InkCurve: Hashable, Sendable {
  /// A cubic Bézier curve from one sample to the next.
  public struct Segment: Hashable, Sendable {
    /// The start.
    public var from: PlanePoint
    /// The first control.
    public var control1: PlanePoint
    /// The second control.
    public var control2: PlanePoint
    /// The end.
    public var to: PlanePoint

    package init(from: PlanePoint, control1: PlanePoint, control2: PlanePoint, to: PlanePoint) {
      self.from = from
      self.control1 = control1
      self.control2 = control2
      self.to = to
    }

    /// Returns the point at a parameter of 0 ... 1.
    public func point(at t: Double) -> PlanePoint {
      let s = 1 - t
      let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      return PlanePoint(
        x: a * from.x + b * control1.x + c * control2.x + d * to.x,
        y: a * from.y + b * control1.y + c * control2.y + d * to.y)
    }

    /// Returns the direction at a parameter of 0 ... 1 as a vector of length 1; nil where the curve
    /// stands still.
    func direction(at t: Double) -> PlanePoint? {
      let s = 1 - t
      let (a, b, c) = (s * s, 2 * s * t, t * t)
      let x =
        a * (control1.x - from.x) + b * (control2.x - control1.x) + c * (to.x - control2.x)
      let y =
        a * (control1.y - from.y) + b * (control2.y - control1.y) + c * (to.y - control2.y)
      let length = (x * x + y * y).squareRoot()
      return length > 0 ? PlanePoint(x: x / length, y: y / length) : nil
    }

    /// The number of straight pieces that differ from the curve by at most a distance.
    func pieces(within tolerance: Double) -> Int {
      func bend(_ p: PlanePoint, _ q: PlanePoint, _ r: PlanePoint) -> Double {
        let (x, y) = (p.x - 2 * q.x + r.x, p.y - 2 * q.y + r.y)
        return (x * x + y * y).squareRoot()
      }
      let most = max(bend(from, control1, control2), bend(control1, control2, to))
      // The bound for cubic curves: 6/8 of the largest second difference, over the square.
      let count = (0.75 * most / tolerance).squareRoot().rounded(.up)
      return count < 64 ? max(1, Int(count)) : (count.isFinite ? 64 : 1)
    }
  }

  private var samples: [PlanePoint] = []
  /// The curves between neighbouring samples.
  public private(set) var segments: [Segment] = []

  /// Makes a curve through samples. O(samples).
  public init(_ samples: some Sequence<PlanePoint> = []) {
    for sample in samples { append(sample) }
  }

  /// Makes the curve through the points of a stroke. O(points).
  public init(_ points: [StrokePoint]) {
    samples.reserveCapacity(points.count)
    segments.reserveCapacity(points.count)
    for point in points { append(PlanePoint(x: point.x, y: point.y)) }
  }

  /// Adds a sample. O(1).
  ///
  /// - Returns: The segments that changed or are new.
  @discardableResult
  public mutating func append(_ sample: PlanePoint) -> Range<Int> {
    samples.append(sample)
    let count = samples.count
    guard count > 1 else { return 0..<0 }
    if count > 2 { segments[count - 3] = segment(count - 3) }
    segments.append(segment(count - 2))
    return max(0, count - 3)..<count - 1
  }

  /// The first sample, or nil.
  public var start: PlanePoint? { samples.first }

  /// The curve as a path; a single sample is a part without length.
  public var path: DrawPath {
    guard let start else { return DrawPath() }
    var path = DrawPath()
    path.append(.move(start))
    if segments.isEmpty { path.append(.line(start)) }
    for segment in segments {
      path.append(
        .cubic(control1: segment.control1, control2: segment.control2, to: segment.to))
    }
    return path
  }

  /// Returns the curve between two samples. A sample before the first, and after the last, goes on
  /// straight.
  private func segment(_ index: Int) -> Segment {
    let (from, to) = (samples[index], samples[index + 1])
    let before = index > 0 ? samples[index - 1] : Self.mirrored(to, at: from)
    let after = index + 2 < samples.count ? samples[index + 2] : Self.mirrored(from, at: to)
    func mix(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> PlanePoint {
      PlanePoint(x: (a.x + 4 * b.x + c.x) / 6, y: (a.y + 4 * b.y + c.y) / 6)
    }
    func third(_ a: PlanePoint, _ b: PlanePoint) -> PlanePoint {
      PlanePoint(x: (2 * a.x + b.x) / 3, y: (2 * a.y + b.y) / 3)
    }
    return Segment(
      from: index == 0 ? from : mix(before, from, to), control1: third(from, to),
      control2: third(to, from), to: index + 2 < samples.count ? mix(from, to, after) : to)
  }

  private static func mirrored(_ point: PlanePoint, at center: PlanePoint) -> PlanePoint {
    PlanePoint(x: 2 * center.x - point.x, y: 2 * center.y - point.y)
  }
}
