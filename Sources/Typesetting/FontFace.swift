/// A face of a font: a family in a weight and a slant.
public struct FontFace: Hashable, Sendable, Codable {
  /// The name of the family, such as "Liberation Sans".
  public var family: String
  /// True for the bold face.
  public var isBold: Bool
  /// True for the italic face.
  public var isItalic: Bool

  /// Makes a face.
  ///
  /// - Parameters:
  ///   - family: The name of the family.
  ///   - isBold: True for the bold face.
  ///   - isItalic: True for the italic face.
  public init(family: String = Self.standardFamily, isBold: Bool = false, isItalic: Bool = false) {
    (self.family, self.isBold, self.isItalic) = (family, isBold, isItalic)
  }

  /// The family whose metrics ``BundledFont`` holds.
  public static let standardFamily = "Liberation Sans"
}

/// The heights of a face as shares of the size of the font.
public struct FaceMetrics: Hashable, Sendable {
  /// The room above the baseline, above 0.
  public var ascent: Double
  /// The room below the baseline, at least 0.
  public var descent: Double
  /// The room between two lines beside ascent and descent.
  public var lineGap: Double
  /// The height of a flat capital letter.
  public var capitalHeight: Double
  /// The height of a small x.
  public var xHeight: Double

  /// Makes the heights of a face, as shares of the size of the font.
  ///
  /// - Parameters:
  ///   - ascent: The room above the baseline.
  ///   - descent: The room below the baseline.
  ///   - lineGap: The room between two lines beside both.
  ///   - capitalHeight: The height of a flat capital letter.
  ///   - xHeight: The height of a small x.
  public init(
    ascent: Double, descent: Double, lineGap: Double, capitalHeight: Double, xHeight: Double
  ) {
    (self.ascent, self.descent, self.lineGap) = (ascent, descent, lineGap)
    (self.capitalHeight, self.xHeight) = (capitalHeight, xHeight)
  }

  /// The distance of two baselines.
  public var lineHeight: Double { ascent + descent + lineGap }
}

/// The size of a glyph as shares of the size of the font: x to the right of the pen, y up from the
/// baseline.
public struct GlyphMetrics: Hashable, Sendable {
  /// The way of the pen to the next glyph, at least 0.
  public var advance: Double
  /// The left edge of what is drawn.
  public var left: Double
  /// The lower edge of what is drawn.
  public var bottom: Double
  /// The right edge of what is drawn.
  public var right: Double
  /// The upper edge of what is drawn.
  public var top: Double

  /// Makes the size of a glyph.
  ///
  /// - Parameters:
  ///   - advance: The way of the pen to the next glyph.
  ///   - left: The left edge of what is drawn.
  ///   - bottom: The lower edge, up from the baseline.
  ///   - right: The right edge.
  ///   - top: The upper edge.
  public init(advance: Double, left: Double, bottom: Double, right: Double, top: Double) {
    (self.advance, self.left, self.bottom) = (advance, left, bottom)
    (self.right, self.top) = (right, top)
  }

  /// True if nothing is drawn, as for a space.
  public var isEmpty: Bool { right <= left || top <= bottom }
}

/// Knows the sizes of the glyphs of fonts. An app gives the editor one for the fonts that it draws
/// with; ``BundledFont`` is the standard, and `SystemFonts` asks the fonts of the system.
public protocol FontProvider: Sendable {
  /// Returns the heights of a face. An unknown family gets those of another that it is replaced by.
  func metrics(of face: FontFace) -> FaceMetrics

  /// Returns the glyph of each character of a text, in the order of the text; nil where the fonts
  /// lack the character.
  ///
  /// - Parameters:
  ///   - text: A word, or a text without line breaks.
  ///   - face: The face.
  /// - Returns: As many values as the text has characters.
  func glyphs(of text: String, in face: FontFace) -> [GlyphMetrics?]
}
