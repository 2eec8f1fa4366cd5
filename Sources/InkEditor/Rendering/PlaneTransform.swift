import Foundation
import InkCore

/// A position, in millimetres of the document or pixels of the view.
public struct PlanePoint: Hashable, Sendable {
  /// Grows to the right.
  public var x: Double
  /// Grows downward.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }
}

/// An affine map of the plane: `x' = a x + c y + tx`, `y' = b x + d y + ty`, as in SVG.
///
/// - Complexity: Every member is O(1), except that of polygons.
public struct PlaneTransform: Hashable, Sendable {
  /// The share of x in x'.
  public var a: Double
  /// The share of x in y'.
  public var b: Double
  /// The share of y in x'.
  public var c: Double
  /// The share of y in y'.
  public var d: Double
  /// The shift of x.
  public var tx: Double
  /// The shift of y.
  public var ty: Double

  /// Makes a map; the default is the identity.
  public init(
    a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 1, tx: Double = 0, ty: Double = 0
  ) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The map that changes nothing.
  public static let identity = PlaneTransform()

  /// Returns a shift.
  public static func translation(x: Double, y: Double) -> PlaneTransform {
    PlaneTransform(tx: x, ty: y)
  }

  /// Returns a change of size about the origin. A negative factor mirrors.
  public static func scale(x: Double, y: Double) -> PlaneTransform { PlaneTransform(a: x, d: y) }

  /// Returns a clockwise rotation about the origin, because y grows downward.
  ///
  /// - Parameter radians: The angle. Multiples of a right angle are exact.
  public static func rotation(_ radians: Double) -> PlaneTransform {
    let quarters = radians / (.pi / 2)
    if quarters == quarters.rounded(), abs(quarters) < 1e9 {
      let table: [(Double, Double)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
      let (cosine, sine) = table[((Int(quarters) % 4) + 4) % 4]
      return PlaneTransform(a: cosine, b: sine, c: -sine, d: cosine)
    }
    return PlaneTransform(a: cos(radians), b: sin(radians), c: -sin(radians), d: cos(radians))
  }

  /// Returns the map that applies this one and then another.
  public func then(_ next: PlaneTransform) -> PlaneTransform {
    PlaneTransform(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b, c: next.a * c + next.c * d,
      d: next.b * c + next.d * d, tx: next.a * tx + next.c * ty + next.tx,
      ty: next.b * tx + next.d * ty + next.ty)
  }

  /// The determinant: the change of areas, negative if the map mirrors.
  public var determinant: Double { a * d - b * c }

  /// The map back, or nil if the map flattens the plane or has numbers that are not finite.
  public var inverse: PlaneTransform? {
    let determinant = determinant
    guard determinant.isFinite, determinant != 0, tx.isFinite, ty.isFinite else { return nil }
    return PlaneTransform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }

  /// Returns where a point goes.
  @inline(__always)
  public func applied(x: Double, y: Double) -> PlanePoint {
    PlanePoint(x: a * x + c * y + tx, y: b * x + d * y + ty)
  }

  /// Returns where a point goes.
  public func applied(_ point: PlanePoint) -> PlanePoint { applied(x: point.x, y: point.y) }

  /// Returns where the corners of a polygon go. O(corners).
  public func applied(_ polygon: [PlanePoint]) -> [PlanePoint] { polygon.map(applied) }

  /// Returns the smallest upright box around a box that was mapped.
  public func applied(_ box: BoundingBox) -> BoundingBox {
    let first = applied(x: box.minX, y: box.minY)
    var result = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for (x, y) in [(box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)] {
      let corner = applied(x: x, y: y)
      result.formUnion(x: corner.x, y: corner.y)
    }
    return result
  }

  /// Returns the length that a length becomes on average over all directions: the root of the
  /// change of areas.
  public func applied(length: Double) -> Double { length * abs(determinant).squareRoot() }
}

extension BoundingBox {
  /// Returns the box with more on every side.
  package func grown(by margin: Double) -> BoundingBox {
    BoundingBox(
      minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
  }

  /// Returns whether two boxes share a point.
  package func overlaps(_ other: BoundingBox) -> Bool {
    minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
  }

  /// The corners, clockwise from the upper left one.
  public var corners: [PlanePoint] {
    [
      PlanePoint(x: minX, y: minY), PlanePoint(x: maxX, y: minY), PlanePoint(x: maxX, y: maxY),
      PlanePoint(x: minX, y: maxY),
    ]
  }
}
