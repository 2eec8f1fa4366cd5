import Foundation

/// The metrics of Liberation Sans, regular and bold, for the Latin, Greek and Cyrillic scripts and
/// common signs: 1,900 characters of a free font whose widths are those of Arial and Helvetica.
///
/// Every family gets these metrics. An italic face has those of the upright one. Marks that are
/// separate characters of Unicode take no room of their own.
public struct BundledFont: FontProvider {
  /// Makes the provider. O(1); the table is unpacked once.
  public init() {}

  /// Returns the heights of Liberation Sans.
  public func metrics(of face: FontFace) -> FaceMetrics {
    typealias Table = LiberationSansTable
    return FaceMetrics(
      ascent: Table.ascent, descent: Table.descent, lineGap: Table.lineGap,
      capitalHeight: Table.capitalHeight, xHeight: Table.xHeight)
  }

  /// Returns the glyph of each character; nil where the font lacks it. O(characters).
  public func glyphs(of text: String, in face: FontFace) -> [GlyphMetrics?] {
    let table = face.isBold ? Self.bold : Self.regular
    return text.map { Self.glyph(of: $0, table) }
  }

  private static let regular = unpacked(LiberationSansTable.regular)
  private static let bold = unpacked(LiberationSansTable.bold)

  /// Returns the box of all scalars of a character at one place, and the advance of the widest.
  private static func glyph(
    of character: Character, _ table: [UInt32: GlyphMetrics]
  ) -> GlyphMetrics? {
    let text = String(character)
    // A letter that the table lacks as one character may be there with its marks.
    return glyph(of: text.precomposedStringWithCanonicalMapping.unicodeScalars, table)
      ?? glyph(of: text.decomposedStringWithCanonicalMapping.unicodeScalars, table)
  }

  private static func glyph(
    of scalars: String.UnicodeScalarView, _ table: [UInt32: GlyphMetrics]
  ) -> GlyphMetrics? {
    var result: GlyphMetrics?
    for scalar in scalars {
      if scalar.properties.isVariationSelector || scalar.properties.isJoinControl { continue }
      if let glyph = table[scalar.value] {
        result = result.map { $0.joined(with: glyph) } ?? glyph
      } else if scalar.properties.generalCategory == .nonspacingMark, let base = result {
        // The place of a mark above or below, whatever its form.
        result = base.withMark(isBelow: belowClasses.contains(combiningClass(of: scalar)))
      } else {
        return nil
      }
    }
    return result
  }

  private static func combiningClass(of scalar: Unicode.Scalar) -> UInt8 {
    scalar.properties.canonicalCombiningClass.rawValue
  }

  /// The canonical combining classes of marks below a letter; UAX 44.
  private static let belowClasses: Set<UInt8> = [202, 218, 220, 222, 233]

  private static func unpacked(_ text: String) -> [UInt32: GlyphMetrics] {
    let bytes = [UInt8](Data(base64Encoded: text) ?? Data())
    var result: [UInt32: GlyphMetrics] = [:]
    result.reserveCapacity(bytes.count / rowSize)
    for start in stride(from: 0, to: bytes.count - rowSize + 1, by: rowSize) {
      func number(_ place: Int) -> UInt16 {
        UInt16(bytes[start + 2 * place]) | UInt16(bytes[start + 2 * place + 1]) << 8
      }
      func em(_ place: Int) -> Double { Double(Int16(bitPattern: number(place))) / unitsPerEm }
      result[UInt32(number(0))] = GlyphMetrics(
        advance: em(1), left: em(2), bottom: em(3), right: em(4), top: em(5))
    }
    return result
  }

  private static let rowSize = 12
  private static let unitsPerEm = 2048.0
}

extension GlyphMetrics {
  /// Returns the glyph with room for a mark.
  fileprivate func withMark(isBelow: Bool) -> GlyphMetrics {
    var result = self
    if isBelow { result.bottom -= Self.markHeight } else { result.top += Self.markHeight }
    return result
  }

  /// The height of a mark and its gap in sizes of the font.
  private static let markHeight = 0.2

  /// Returns the glyph with a mark that is drawn at the same place.
  fileprivate func joined(with mark: GlyphMetrics) -> GlyphMetrics {
    // The outline of a mark is left of the pen, over the letter before it.
    let shift = mark.advance == 0 ? advance : 0
    return GlyphMetrics(
      advance: max(advance, mark.advance), left: min(left, mark.left + shift),
      bottom: min(bottom, mark.bottom), right: max(right, mark.right + shift),
      top: max(top, mark.top))
  }
}
