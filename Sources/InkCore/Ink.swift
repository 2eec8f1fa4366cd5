/// The points of the pen from its touching the surface to its leaving it, in the order drawn.
public struct Stroke: Hashable, Sendable {
  /// The samples, in the order drawn.
  public var points: [StrokePoint]

  /// Makes a stroke of points in the order drawn.
  public init(points: [StrokePoint]) {
    self.points = points
  }
}

/// Strokes in the order written: what a recogniser reads.
public struct Ink: Hashable, Sendable {
  /// The strokes, in the order written.
  public var strokes: [Stroke]

  /// Makes an ink of strokes in the order written.
  public init(strokes: [Stroke] = []) {
    self.strokes = strokes
  }

  /// The number of points of all strokes. O(strokes).
  public var pointCount: Int {
    strokes.reduce(0) { $0 + $1.points.count }
  }

  /// Whether no stroke has a point. O(strokes).
  public var isEmpty: Bool {
    strokes.allSatisfy(\.points.isEmpty)
  }

  /// The smallest box that holds every point, or nil where there is none. O(points).
  public var boundingBox: BoundingBox? {
    var box: BoundingBox?
    for stroke in strokes {
      for point in stroke.points {
        if box == nil {
          box = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        } else {
          box?.formUnion(x: point.x, y: point.y)
        }
      }
    }
    return box
  }

  /// Checks that every coordinate is a finite number. O(points).
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)`` naming the first that is not.
  public func validate() throws(InkError) {
    for (strokeIndex, stroke) in strokes.enumerated() {
      for (pointIndex, point) in stroke.points.enumerated() where !point.hasFinitePosition {
        throw .nonFiniteCoordinate(stroke: strokeIndex, point: pointIndex)
      }
    }
  }
}

/// What makes an ink or a writing area unusable. Carries positions in the data, never the ink.
public enum InkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A coordinate is NaN or infinite; indices count from 0.
  case nonFiniteCoordinate(stroke: Int, point: Int)
  /// A writing area's width or height is not a finite number above 0, or its origin not finite.
  case invalidWritingArea(width: Double, height: Double)
  /// A textual writing area is not of the form `WxH` or `WxH+X+Y`.
  case malformedWritingArea

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .nonFiniteCoordinate(let stroke, let point):
      "stroke \(stroke), point \(point): expected finite x and y, found NaN or infinity; "
        + "remove the point before recognition"
    case .invalidWritingArea(let width, let height):
      "writing area: expected finite width and height above 0 and a finite origin, "
        + "found \(width) x \(height)"
    case .malformedWritingArea:
      "writing area: expected WIDTHxHEIGHT or WIDTHxHEIGHT+X+Y, for example 300x80+10+20"
    }
  }
}
