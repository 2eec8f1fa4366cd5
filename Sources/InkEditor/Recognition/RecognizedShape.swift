import InkCore

/// A drawn shape, with its ideal form in millimetres.
public struct RecognizedShape: Hashable, Sendable {
  /// A point in the document.
  public struct Point: Hashable, Sendable {
    /// Millimetres, growing to the right.
    public var x: Double
    /// Millimetres, growing downward.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The ideal form.
  public enum Form: Hashable, Sendable {
    /// An upright rectangle.
    case rectangle(BoundingBox)
    case circle(center: Point, radius: Double)
    /// An upright ellipse.
    case ellipse(center: Point, radiusX: Double, radiusY: Double)
    /// A closed polygon; `kind` is triangle, rhombus, parallelogram or polygon.
    case polygon(kind: String, [Point])
    /// A straight line, with or without arrow heads at its start and end.
    case line(from: Point, to: Point, startArrow: Bool, endArrow: Bool)
    /// An open polyline.
    case polyline([Point])
  }

  /// The label of the best candidate.
  public var label: String
  /// The labels of the model, best first, with their probabilities.
  public var candidates: [TextCandidate]
  /// The ideal form.
  public var form: Form
  /// The mean distance between ink and form, divided by the larger side of the ink.
  public var deviation: Double

  /// Makes a shape.
  package init(label: String, candidates: [TextCandidate], form: Form, deviation: Double) {
    self.label = label
    self.candidates = candidates
    self.form = form
    self.deviation = deviation
  }

  /// Returns the shape with an arrow head at each end that has one, or at the last end if neither
  /// has.
  func withHead(at hasHead: (Point) -> Bool) -> RecognizedShape {
    var result = self
    result.label = "arrow"
    guard case .line(let from, let to, var start, var end) = form else { return result }
    if hasHead(from) { start = true } else { end = true }
    result.form = .line(from: from, to: to, startArrow: start, endArrow: end)
    if start && end { result.label = "double-arrow" }
    return result
  }

  /// True if the shape is a connection; false if it is closed.
  public var isEdge: Bool {
    switch form {
    case .line, .polyline: true
    case .rectangle, .circle, .ellipse, .polygon: false
    }
  }
}
