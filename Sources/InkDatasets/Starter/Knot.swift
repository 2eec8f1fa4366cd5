/// A point that a prototype's path goes through.
///
/// In units of a hundredth of the cap height: 0 is the baseline, 50 the x-height, 100 the height of
/// capitals and ascenders, -50 the depth of descenders; x grows to the right, y upward.
struct Knot: Hashable, Sendable {
  /// Horizontal position.
  var x: Double
  /// Height over the baseline.
  var y: Double
  /// Whether the path turns sharply here; else it bends smoothly.
  var isCorner: Bool

  init(_ x: Double, _ y: Double, isCorner: Bool = false) {
    self.x = x
    self.y = y
    self.isCorner = isCorner
  }
}
