import InkCore

/// Ink as a device records it, and what the pen was doing meanwhile.
struct RecordedInk: Sendable {
  /// The strokes.
  var ink = Ink()
  /// For each stroke, for each point, the movement of the stroke's plan that it was made in, from 0.
  var movements: [[Int]] = []
}
