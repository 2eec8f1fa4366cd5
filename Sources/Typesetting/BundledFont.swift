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
    let composed = String(character).precomposedStringWithCanonicalMapping.unicodeScalars
    var result: GlyphMetrics?
    for scalar in composed {
      if scalar.properties.isVariationSelector || scalar.properties.isJoinControl { continue }
      guard let glyph = table[scalar.value] else { return nil }
      result = result.map { $0.joined(with: glyph) } ?? glyph
    }
    return result
  }

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
