import Foundation
import InkCore
import Typesetting

/// The size and the baseline of a font in which a line of handwriting is set.
struct LineSetting: Hashable, Sendable {
  /// The size of the font in millimetres.
  var size: Double
  /// The height of the baseline in millimetres.
  var baseline: Double

  /// Measures the letters of a line: the size at which the glyphs are as high as the letters, and the
  /// baseline on which both stand; medians over the letters. O(letters).
  ///
  /// - Parameters:
  ///   - words: Words that were read from ink.
  ///   - box: The box of the line, for words whose letters have no ink of their own.
  init(of words: [TextWord], within box: BoundingBox, face: FontFace, fonts: any FontProvider) {
    var letters: [(box: BoundingBox, glyph: GlyphMetrics)] = []
    for word in words {
      // A label of another length has the ink of the whole word in each letter.
      let first = word.characters.first?.parts
      guard word.characters.count < 2 || !word.characters.allSatisfy({ $0.parts == first }) else {
        continue
      }
      let glyphs = fonts.glyphs(of: word.characters.map(\.label).joined(), in: face)
      guard glyphs.count == word.characters.count else { continue }
      for (character, glyph) in zip(word.characters, glyphs) {
        if let box = character.box, let glyph, !glyph.isEmpty { letters.append((box, glyph)) }
      }
    }
    let tall = letters.filter { $0.glyph.top - $0.glyph.bottom > Chosen.leastGlyph }
    let sizes = tall.map { $0.box.height / ($0.glyph.top - $0.glyph.bottom) }.filter { $0 > 0 }
    let metrics = fonts.metrics(of: face)
    size = Self.median(sizes) ?? box.height / (metrics.capitalHeight + metrics.descent)
    size = min(max(size, Chosen.sizes.lowerBound), Chosen.sizes.upperBound)
    let size = size
    let standing = tall.map { $0.box.maxY + size * $0.glyph.bottom }
    baseline = Self.median(standing) ?? box.maxY
  }

  /// Makes a setting.
  init(size: Double, baseline: Double) { (self.size, self.baseline) = (size, baseline) }

  /// Returns where the words of a line begin in its frame, in logical order. O(characters).
  ///
  /// - Parameters:
  ///   - words: The words in logical order.
  ///   - widths: Their widths.
  ///   - gaps: The gaps between words, from the beginning of the line.
  static func starts(
    of words: [String], widths: [Double], gaps: [Double], _ frame: ReadingFrame
  ) -> [Double] {
    var result = [Double](repeating: 0, count: words.count)
    var x = 0.0
    let order = BidirectionalOrder.places(of: words, in: frame.direction)
    for (index, gap) in zip(order, gaps + [0]) {
      result[index] = x
      x += widths[index] + gap
    }
    return result
  }

  /// Returns the middle value; nil for none.
  static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The height of the smallest glyph that tells the size of writing, in sizes of the font: below that
  /// of a small letter, above that of a comma.
  static let leastGlyph = 0.4
  /// The sizes of fonts, millimetres.
  static let sizes = 0.5...500.0
}
