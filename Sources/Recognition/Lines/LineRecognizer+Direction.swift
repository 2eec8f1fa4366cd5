import InkCore
import Layout

/// Ink whose strokes were drawn, or are stored, from their ends to their beginnings.
extension LineRecognizer {
  /// Backward ink must be read forward with less than this share of the doubt about its characters.
  private static let less: Float = 0.85

  /// The ink upright, with all strokes turned round if they seem to be drawn backward and are read
  /// with more certainty so. Nearly all ink costs O(points).
  ///
  /// - Parameters:
  ///   - arranged: The ink as it was given.
  ///   - upright: Turns ink so that its lines run in the direction of writing.
  func ahead(
    _ arranged: ArrangedInk, upright: (ArrangedInk) throws -> ArrangedInk
  ) throws -> ArrangedInk {
    let turned = try upright(arranged)
    guard model.pipeline.direction == .leftToRight else { return turned }
    // Backward ink that is upright looks like a page that is upside down, and both are tried; ink that
    // was turned is seen as it stands now.
    let reversed: ArrangedInk
    if StrokeDirection.isBackward(arranged.ink) {
      reversed = try upright(arranged.reversed())
    } else if StrokeDirection.isBackward(turned.ink) {
      reversed = turned.reversed()
    } else {
      return turned
    }
    let doubt = 1 - (try certainty(of: turned))
    return 1 - (try certainty(of: reversed)) < Self.less * doubt ? reversed : turned
  }
}
