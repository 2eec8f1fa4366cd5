import InkCore
import Typesetting

/// The content of an item that is not ink of a pen: typed text, an exact line, or a picture.
///
/// Such an item has points as ink has, so that everything that moves, selects, erases, copies and
/// stores ink applies to it. Where it is and how large follows from the points alone.
package enum DigitalContent: Hashable, Sendable {
  /// A word, or a piece of one in another style. Each character has four points: the place of the pen
  /// before it, the upper left and the lower right corner of its glyph, and the place of the pen
  /// behind it.
  case text(TypedGlyphs)
  /// A line that is drawn straight from point to point, as an exact shape is.
  case outline
  /// A picture in the box of the points.
  case picture(DocumentPicture)

  /// True if the item cannot be cut into parts.
  var isWhole: Bool { if case .picture = self { true } else { false } }
}

/// Typed characters of one style.
package struct TypedGlyphs: Hashable, Sendable {
  /// The characters, without spaces.
  package var text: String
  /// The face of the font.
  package var face: FontFace
  /// The size of the font in millimetres at the length below.
  package var size: Double
  /// The way of the pen from the first point to the last, in millimetres. Points that are farther
  /// apart, because they were scaled, mean a larger font.
  package var length: Double

  /// Makes typed characters.
  package init(text: String, face: FontFace, size: Double, length: Double) {
    (self.text, self.face, self.size, self.length) = (text, face, size, length)
  }

  /// The points of a character.
  static let pointsPerCharacter = 4

  /// Returns the number of points of a text.
  package static func count(of text: String) -> Int { pointsPerCharacter * text.count }
}

/// A picture of a document. Its bytes are never decoded here.
package struct DocumentPicture: Hashable, Sendable {
  /// The media type: `image/png`, `image/jpeg` or `image/svg+xml`.
  package let type: String
  /// The bytes of the file.
  package let bytes: [UInt8]

  /// Makes a picture whose bytes were checked.
  package init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
}

extension InkStroke {
  /// True if the item is ink of a pen.
  package var isInk: Bool { digital == nil }

  /// The typed characters, if the item is text.
  package var typed: TypedGlyphs? {
    if case .text(let typed)? = digital { typed } else { nil }
  }

  /// The picture, if the item is one.
  package var picture: DocumentPicture? {
    if case .picture(let picture)? = digital { picture } else { nil }
  }

  /// The size of the font of typed characters in millimetres; 0 for other items.
  package var fontSize: Double {
    guard let typed, let first = points.first, let last = points.last else { return 0 }
    guard typed.length > 0 else { return typed.size }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    let scale = (dx * dx + dy * dy).squareRoot() / typed.length
    // Places are rounded: a word that was not scaled has exactly its size.
    return abs(scale - 1) * typed.length < Self.rounding ? typed.size : typed.size * scale
  }

  /// Millimetres, above the error of two rounded places.
  private static let rounding = 0.0003

  /// Makes typed characters of one style.
  ///
  /// - Parameters:
  ///   - word: The characters with their metrics.
  ///   - x: The left end of the baseline, millimetres, also of a word from right to left.
  ///   - baseline: Its height.
  init(id: Int, typed word: TypesetWord, x: Double, baseline: Double) {
    var points: [StrokePoint] = []
    points.reserveCapacity(TypedGlyphs.pointsPerCharacter * word.glyphs.count)
    let stops = word.stops
    // From right to left the pen begins at the right end.
    let isLeftward = TypedGlyphs.isLeftward(word.text)
    // The place of each glyph as drawn: numbers run from left to right in any word.
    var drawn = [Double](repeating: x, count: word.glyphs.count)
    var left = x
    for index in BidirectionalOrder.signs(of: word.text) where drawn.indices.contains(index) {
      drawn[index] = left
      left += word.size * word.glyphs[index].advance
    }
    for (index, glyph) in word.glyphs.enumerated() {
      let start = isLeftward ? x + word.width - stops[index + 1] : x + stops[index]
      let end = isLeftward ? x + word.width - stops[index] : x + stops[index + 1]
      // What a space draws is a point on the baseline.
      let (top, bottom) = glyph.isEmpty ? (0, 0) : (glyph.top, glyph.bottom)
      points += [
        StrokePoint(x: isLeftward ? end : start, y: baseline),
        StrokePoint(x: drawn[index] + word.size * glyph.left, y: baseline - word.size * top),
        StrokePoint(
          x: drawn[index] + word.size * (glyph.isEmpty ? glyph.advance : glyph.right),
          y: baseline - word.size * bottom),
        StrokePoint(x: isLeftward ? start : end, y: baseline),
      ]
    }
    self.init(id: id, pointer: .pen, points: points.map(\.rounded))
    digital = .text(
      TypedGlyphs(text: word.text, face: word.face, size: word.size, length: word.width))
  }

  /// Makes an exact line from point to point.
  init(id: Int, outline: [StrokePoint]) {
    self.init(id: id, pointer: .pen, points: outline.map(\.rounded))
    digital = .outline
  }

  /// Makes a picture in a box.
  init(id: Int, picture: DocumentPicture, in box: BoundingBox) {
    self.init(
      id: id, pointer: .pen,
      points: [
        StrokePoint(x: box.minX, y: box.minY), StrokePoint(x: box.maxX, y: box.minY),
        StrokePoint(x: box.maxX, y: box.maxY), StrokePoint(x: box.minX, y: box.maxY),
        StrokePoint(x: box.minX, y: box.minY),
      ])
    digital = .picture(picture)
  }

  /// Returns a part of the item as an item of its own, with the look of the whole. Of typed text, the
  /// characters of which most points are in the range; a picture stays whole.
  ///
  /// - Parameters:
  ///   - range: The points; not empty.
  ///   - id: The id of the part.
  /// - Returns: Nil if no character is in the range.
  func piece(_ range: Range<Int>, id: Int) -> InkStroke? {
    let range = whole(range)
    guard !range.isEmpty else { return nil }
    var piece = InkStroke(id: id, pointer: pointer, points: Array(points[range]))
    (piece.session, piece.style, piece.number) = (session, style, number)
    piece.digital = digital
    if let typed, range.count < points.count {
      let count = TypedGlyphs.pointsPerCharacter
      let first = range.lowerBound / count
      let text = String(Array(typed.text)[first..<range.upperBound / count])
      let (from, to) = (piece.points[0], piece.points[piece.points.count - 1])
      let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y))
        .squareRoot()
      piece.digital = .text(
        TypedGlyphs(text: text, face: typed.face, size: fontSize, length: length))
    }
    return piece
  }

  /// Returns a range of points without parts of characters and pictures.
  func whole(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: points.indices)
    switch digital {
    case .picture?: return range.isEmpty ? range : points.indices
    case .text?:
      let count = TypedGlyphs.pointsPerCharacter
      // A character belongs to the range if half of its points do, the first half or the last.
      let first = (range.lowerBound + count / 2 - 1) / count * count
      let end = (range.upperBound + count / 2) / count * count
      return first..<max(first, min(end, points.count))
    case .outline?, nil: return range
    }
  }
}

extension StrokePoint {
  /// The point in steps of a tenth of a micrometre, as files have it.
  fileprivate var rounded: StrokePoint {
    StrokePoint(x: (x * 10_000).rounded() / 10_000, y: (y * 10_000).rounded() / 10_000)
  }
}
