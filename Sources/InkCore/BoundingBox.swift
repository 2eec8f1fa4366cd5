/// An axis-aligned box in ink coordinates, edges included.
public struct BoundingBox: Hashable, Sendable {
  /// The left edge.
  public var minX: Double
  /// The upper edge (y grows downward).
  public var minY: Double
  /// The right edge.
  public var maxX: Double
  /// The lower edge (y grows downward).
  public var maxY: Double

  /// Makes a box from its edges. The caller ensures `minX <= maxX` and `minY <= maxY`.
  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Width, at least 0.
  public var width: Double { maxX - minX }
  /// Height, at least 0.
  public var height: Double { maxY - minY }
  /// Horizontal centre.
  public var midX: Double { minX + (maxX - minX) / 2 }
  /// Vertical centre.
  public var midY: Double { minY + (maxY - minY) / 2 }

  /// Returns true if a point is in the box, at its edge, or at most a distance away from it in x
  /// and in y.
  public func contains(x: Double, y: Double, within distance: Double = 0) -> Bool {
    x >= minX - distance && x <= maxX + distance && y >= minY - distance && y <= maxY + distance
  }

  /// Grows the box to hold a point.
  public mutating func formUnion(x: Double, y: Double) {
    minX = Swift.min(minX, x)
    maxX = Swift.max(maxX, x)
    minY = Swift.min(minY, y)
    maxY = Swift.max(maxY, y)
  }

  /// Grows the box to hold another box.
  public mutating func formUnion(_ other: BoundingBox) {
    formUnion(x: other.minX, y: other.minY)
    formUnion(x: other.maxX, y: other.maxY)
  }
}
