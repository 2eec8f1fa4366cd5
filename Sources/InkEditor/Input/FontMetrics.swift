import InkCore

/// How large text would be in print: what an editor needs to know of a host's fonts.
public protocol FontMetrics: Sendable {
  /// The box of each character of a text on a baseline at y = 0 that begins at x = 0, in
  /// millimetres, y down.
  ///
  /// - Parameter size: The font size in millimetres.
  func characterBoxes(of text: String, size: Double) -> [BoundingBox]
}

/// Metrics of no particular font: widths by classes of characters, as in common sans serifs.
public struct DefaultFontMetrics: FontMetrics {
  /// Makes the metrics.
  public init() {}

  /// Boxes from the ascender, 0.75 sizes above the baseline, to the descender, 0.22 below.
  public func characterBoxes(of text: String, size: Double) -> [BoundingBox] {
    var x = 0.0
    return text.map { character in
      let width = size * Self.width(of: character)
      defer { x += width }
      return BoundingBox(minX: x, minY: -0.75 * size, maxX: x + width, maxY: 0.22 * size)
    }
  }

  /// Width in sizes.
  private static func width(of character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 0.25
    case " ", "f", "t", "r", "-", "(", ")", "\"", "/": 0.32
    case "m", "M", "w", "W", "@", "%": 0.85
    default: character.isUppercase ? 0.68 : 0.53
    }
  }
}
