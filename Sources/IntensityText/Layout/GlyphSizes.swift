/// The sizes of characters in the fonts of a host. A length is in points.
public protocol GlyphSizes: Sendable {
  /// Returns the width of each character of a text.
  func widths(of text: String, font: TextFont) -> [Double]
  /// Returns the height above and the depth below the baseline.
  func extent(of font: TextFont) -> (ascent: Double, descent: Double)
}

/// Sizes of no particular font: widths by classes of characters, wider for heavy fonts.
public struct DefaultGlyphSizes: GlyphSizes, Hashable {
  /// Makes the sizes.
  public init() {}

  // Shares of the font size, as in common sans-serif fonts.
  private static let narrow = 0.28
  private static let slim = 0.36
  private static let small = 0.55
  private static let capital = 0.68
  private static let wide = 1.0
  /// The part by which each step of weight is wider.
  private static let weightStep = 0.015

  /// Returns widths by the class of each character.
  public func widths(of text: String, font: TextFont) -> [Double] {
    let steps = font.weight.rawValue - FontWeight.regular.rawValue
    let factor = font.size * (1 + Self.weightStep * Double(steps))
    return text.map { factor * Self.width(of: $0) }
  }

  /// Returns 0.8 and 0.22 of the size.
  public func extent(of font: TextFont) -> (ascent: Double, descent: Double) {
    (0.8 * font.size, 0.22 * font.size)
  }

  private static func width(of character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": return narrow
    case " ", "f", "t", "r", "-", "(", ")", "\"", "/": return slim
    case "m", "M", "w", "W", "@", "%": return wide
    case "A"..."Z": return capital
    default:
      if scalar.value < 0x80 { return scalar.value < 0x20 ? 0 : small }
      let isWide =
        scalar.value >= 0x1100
        && (scalar.properties.isIdeographic || scalar.properties.isEmojiPresentation
          || (0x3040...0x30FF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value))
      return isWide ? wide : small
    }
  }
}
