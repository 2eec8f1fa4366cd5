import Foundation

/// The points of the pen from touching the surface to leaving it, in the order drawn.
public struct Stroke: Hashable, Sendable {
  /// The samples, in the order drawn.
  public var points: [StrokePoint]

  /// Makes a stroke from points in the order drawn.
  public init(points: [StrokePoint]) {
    self.points = points
  }
}

/// Strokes in the order written: the input of a recogniser.
public struct Ink: Hashable, Sendable {
  /// The strokes, in the order written.
  public var strokes: [Stroke]

  /// Makes an ink from strokes in the order written.
  public init(strokes: [Stroke] = []) {
    self.strokes = strokes
  }

  /// The number of points of all strokes. O(strokes).
  public var pointCount: Int {
    strokes.reduce(0) { $0 + $1.points.count }
  }

  /// True if no stroke has a point. O(strokes).
  public var isEmpty: Bool {
    strokes.allSatisfy(\.points.isEmpty)
  }

  /// The smallest box that holds every point, or nil if there is none. O(points).
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
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)`` for the first coordinate that is
  ///   not.
  public func validate() throws(InkError) {
    for (strokeIndex, stroke) in strokes.enumerated() {
      for (pointIndex, point) in stroke.points.enumerated() where !point.hasFinitePosition {
        throw .nonFiniteCoordinate(stroke: strokeIndex, point: pointIndex)
      }
    }
  }
}

/// An error in an ink or a writing area. It carries positions in the data, never the ink.
public enum InkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A coordinate is NaN or infinite; indices count from 0.
  case nonFiniteCoordinate(stroke: Int, point: Int)
  /// The width or height of a writing area is not a finite number above 0, or its origin is not
  /// finite.
  case invalidWritingArea(width: Double, height: Double)
  /// A textual writing area is not of the form `WxH` or `WxH+X+Y`.
  case malformedWritingArea

  /// The message: what happened, where, and what to do.
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

extension InkError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
