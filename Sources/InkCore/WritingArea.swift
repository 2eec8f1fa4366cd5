/// The area intended for one line of text, in the units of the ink.
///
/// It reaches from the bottom of descenders to the top of capitals. The size and position of ink
/// relative to it separate o from O, c from C, and a comma from an apostrophe.
public struct WritingArea: Hashable, Sendable {
  /// Left edge.
  public let x: Double
  /// Upper edge (y grows downward).
  public let y: Double
  /// Width, above 0.
  public let width: Double
  /// Height of one line, above 0.
  public let height: Double

  /// Makes an area.
  ///
  /// - Throws: ``InkError/invalidWritingArea(width:height:)`` if a size is not a finite number
  ///   above 0 or the origin is not finite.
  public init(x: Double = 0, y: Double = 0, width: Double, height: Double) throws(InkError) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else {
      throw .invalidWritingArea(width: width, height: height)
    }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Parses `WxH` or `WxH+X+Y` (X and Y may be negative: `300x80+-5+0`).
  ///
  /// - Throws: ``InkError/malformedWritingArea`` or ``InkError/invalidWritingArea(width:height:)``.
  public init(parsing text: String) throws(InkError) {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 3, size.count == 2,
      let width = Double(size[0]), let height = Double(size[1])
    else { throw .malformedWritingArea }
    guard parts.count == 3 else {
      try self.init(width: width, height: height)
      return
    }
    guard let x = Double(parts[1]), let y = Double(parts[2]) else { throw .malformedWritingArea }
    try self.init(x: x, y: y, width: width, height: height)
  }
}
