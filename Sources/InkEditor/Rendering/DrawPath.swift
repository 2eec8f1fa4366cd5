import InkCore

/// A path of lines and curves, in one or more parts.
///
/// It is filled by the nonzero rule. Storage is 17 bytes for each point.
public struct DrawPath: Hashable, Sendable {
  /// A step of a path.
  public enum Step: Hashable, Sendable {
    /// Begins a part.
    case move(PlanePoint)
    /// A straight line.
    case line(PlanePoint)
    /// A quadratic Bézier curve.
    case quadratic(control: PlanePoint, to: PlanePoint)
    /// A cubic Bézier curve.
    case cubic(control1: PlanePoint, control2: PlanePoint, to: PlanePoint)
    /// A line back to the beginning of the part.
    case close
  }

  private enum Verb: UInt8 {
    case move, line, quadratic, cubic, close
  }

  private var verbs: [UInt8] = []
  /// The ends and controls of all steps, in order.
  public private(set) var points: [PlanePoint] = []

  /// Makes a path without steps.
  public init() {}

  /// Makes a path of steps.
  public init(_ steps: some Sequence<Step>) {
    for step in steps { append(step) }
  }

  /// Makes a path through points.
  ///
  /// - Parameters:
  ///   - polygon: The corners.
  ///   - isClosed: If true, the last corner is connected to the first.
  public init(_ polygon: [PlanePoint], isClosed: Bool = true) {
    guard !polygon.isEmpty else { return }
    points = polygon
    verbs = Array(repeating: Verb.line.rawValue, count: polygon.count)
    verbs[0] = Verb.move.rawValue
    if isClosed { verbs.append(Verb.close.rawValue) }
  }

  /// Makes the path of a box.
  public init(_ box: BoundingBox) { self.init(box.corners) }

  /// Makes an ellipse of four cubic curves, which differ from it by less than 0.03 % of the radius.
  ///
  /// - Parameters:
  ///   - center: The centre.
  ///   - radiusX: Half the width.
  ///   - radiusY: Half the height.
  public init(ellipse center: PlanePoint, radiusX: Double, radiusY: Double) {
    let share = 0.5522847498
    func point(_ x: Double, _ y: Double) -> PlanePoint {
      PlanePoint(x: center.x + x * radiusX, y: center.y + y * radiusY)
    }
    append(.move(point(1, 0)))
    var (x, y) = (1.0, 0.0)
    for _ in 0..<4 {
      let (nextX, nextY) = (-y, x)
      append(
        .cubic(
          control1: point(x + share * nextX, y + share * nextY),
          control2: point(nextX + share * x, nextY + share * y), to: point(nextX, nextY)))
      (x, y) = (nextX, nextY)
    }
    append(.close)
  }

  /// True if there are no steps.
  public var isEmpty: Bool { verbs.isEmpty }

  /// Adds a step.
  public mutating func append(_ step: Step) {
    switch step {
    case .move(let point): add(.move, point)
    case .line(let point): add(.line, point)
    case .quadratic(let control, let end): add(.quadratic, control, end)
    case .cubic(let first, let second, let end): add(.cubic, first, second, end)
    case .close: add(.close)
    }
  }

  private mutating func add(_ verb: Verb, _ points: PlanePoint...) {
    verbs.append(verb.rawValue)
    self.points += points
  }

  /// Calls a body with each step in order. O(steps).
  public func forEach(_ body: (Step) -> Void) {
    var index = 0
    for verb in verbs {
      switch verb {
      case Verb.move.rawValue: body(.move(points[index]))
      case Verb.line.rawValue: body(.line(points[index]))
      case Verb.quadratic.rawValue:
        body(.quadratic(control: points[index], to: points[index + 1]))
        index += 1
      case Verb.cubic.rawValue:
        body(
          .cubic(control1: points[index], control2: points[index + 1], to: points[index + 2]))
        index += 2
      default:
        body(.close)
        index -= 1
      }
      index += 1
    }
  }

  /// The steps. O(steps).
  public var steps: [Step] {
    var result: [Step] = []
    forEach { result.append($0) }
    return result
  }

  /// The box of all points and controls, which holds the path; nil if there are none. O(points).
  public var box: BoundingBox? {
    guard let first = points.first else { return nil }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for point in points { box.formUnion(x: point.x, y: point.y) }
    return box
  }

  /// Returns the path after a map. O(points).
  public func applying(_ transform: PlaneTransform) -> DrawPath {
    var result = self
    result.points = transform.applied(points)
    return result
  }
}
