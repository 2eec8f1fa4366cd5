/// A box in points; y grows downward.
public struct TextBox: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Makes a box.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
