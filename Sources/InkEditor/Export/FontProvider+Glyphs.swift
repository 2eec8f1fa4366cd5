import IntensityText
import Typesetting

/// The fonts of an editor as the sizes of characters for layouts of intensity text.
///
///     let layout = TextLayout(rendered, width: 300, sizes: FontGlyphSizes(editor.fonts))
public struct FontGlyphSizes: GlyphSizes {
  private let fonts: any FontProvider
  private let family: String

  /// Makes the sizes of a family of fonts. Weights from semibold on have those of the bold face.
  public init(_ fonts: any FontProvider, family: String = FontFace.standardFamily) {
    self.fonts = fonts
    self.family = family
  }

  /// Returns the width of each character; one that the fonts lack is as wide as the font is high.
  public func widths(of text: String, font: TextFont) -> [Double] {
    fonts.glyphs(of: text, in: face(font)).map { font.size * ($0?.advance ?? 1) }
  }

  /// Returns the heights of the face.
  public func extent(of font: TextFont) -> (ascent: Double, descent: Double) {
    let metrics = fonts.metrics(of: face(font))
    return (font.size * metrics.ascent, font.size * metrics.descent)
  }

  private func face(_ font: TextFont) -> FontFace {
    FontFace(family: family, isBold: font.weight >= .semibold, isItalic: font.isItalic)
  }
}

extension BundledFont: GlyphSizes {
  /// Returns the width of each character.
  public func widths(of text: String, font: TextFont) -> [Double] {
    FontGlyphSizes(self).widths(of: text, font: font)
  }

  /// Returns the heights of the face.
  public func extent(of font: TextFont) -> (ascent: Double, descent: Double) {
    FontGlyphSizes(self).extent(of: font)
  }
}
