/// A word that was set: the places of its characters as multiples of the unit of its size.
public struct TypesetWord: Hashable, Sendable {
  /// The text, without spaces at its ends.
  public var text: String
  /// The face.
  public var face: FontFace
  /// The size of the font, above 0.
  public var size: Double
  /// The glyph of each character as shares of the size. A character that the fonts lack has an empty
  /// box of some width.
  public var glyphs: [GlyphMetrics]
  /// The characters that the fonts lack.
  public var missing: [Character]

  /// The way of the pen from the beginning of the word to its end.
  public var width: Double { size * glyphs.reduce(0) { $0 + $1.advance } }

  /// The ways of the pen before each character, and after the last.
  public var stops: [Double] {
    glyphs.reduce(into: [0]) { $0.append(($0.last ?? 0) + size * $1.advance) }
  }
}

/// A piece of a text in one style.
public struct TextSpan: Hashable, Sendable {
  /// The text; a line feed begins a new line.
  public var text: String
  /// The face.
  public var face: FontFace

  /// Makes a piece of a text.
  ///
  /// - Parameters:
  ///   - text: The text; a line feed begins a new line.
  ///   - face: The face.
  public init(_ text: String, face: FontFace = FontFace()) {
    (self.text, self.face) = (text, face)
  }
}

/// A word of a line that was set.
public struct PlacedWord: Hashable, Sendable {
  /// A piece of the word in one style.
  public struct Piece: Hashable, Sendable {
    /// The characters.
    public var word: TypesetWord
    /// The index of the span that they are from.
    public var span: Int

    /// The characters that the fonts lack.
    public var missing: [Character] { word.missing }
  }

  /// The word, which may be made of pieces in several styles without a space between them.
  public var pieces: [Piece]
  /// The way from the left edge of the text.
  public var x: Double

  /// The characters of all pieces.
  public var text: String { pieces.map(\.word.text).joined() }

  /// The width of all pieces.
  public var width: Double { pieces.reduce(0) { $0 + $1.word.width } }
}

/// Sets texts: measures words and breaks lines.
public struct Typesetter: Sendable {
  /// The fonts.
  public let fonts: any FontProvider

  /// Makes a typesetter.
  ///
  /// - Parameter fonts: The fonts.
  public init(fonts: any FontProvider = BundledFont()) { self.fonts = fonts }

  /// Sets one word. O(characters).
  ///
  /// - Parameters:
  ///   - text: The word.
  ///   - face: The face.
  ///   - size: The size of the font, above 0.
  public func word(_ text: String, face: FontFace = FontFace(), size: Double) -> TypesetWord {
    let found = fonts.glyphs(of: text, in: face)
    var (glyphs, missing): ([GlyphMetrics], [Character]) = ([], [])
    for (index, character) in text.enumerated() {
      if let glyph = found.indices.contains(index) ? found[index] : nil {
        glyphs.append(glyph)
      } else {
        glyphs.append(Self.box)
        if !missing.contains(character) { missing.append(character) }
      }
    }
    return TypesetWord(text: text, face: face, size: size, glyphs: glyphs, missing: missing)
  }

  /// Returns the width of a space in a face.
  public func space(_ face: FontFace = FontFace(), size: Double) -> Double {
    word(" ", face: face, size: size).width
  }

  /// Breaks a text into lines at its spaces, and at its line feeds. A word that is wider than the
  /// line has a line of its own, and is not broken. O(characters).
  ///
  /// - Parameters:
  ///   - spans: The pieces of the text.
  ///   - size: The size of the font, above 0.
  ///   - width: The width of the lines; nil to break at line feeds only.
  /// - Returns: The words of each line; an empty line has none.
  public func lines(of spans: [TextSpan], size: Double, width: Double? = nil) -> [[PlacedWord]] {
    var lines: [[PlacedWord]] = [[]]
    var (x, gap) = (0.0, 0.0)
    var pieces: [PlacedWord.Piece] = []
    func end() {
      guard !pieces.isEmpty else { return }
      let word = pieces.reduce(0) { $0 + $1.word.width }
      var start = (lines.last ?? []).isEmpty ? 0 : x + gap
      if let width, start > 0, start + word > width {
        lines.append([])
        start = 0
      }
      lines[lines.count - 1].append(PlacedWord(pieces: pieces, x: start))
      (x, gap, pieces) = (start + word, 0, [])
    }
    for (index, span) in spans.enumerated() {
      var letters = ""
      func endPiece() {
        if !letters.isEmpty {
          pieces.append(
            PlacedWord.Piece(word: word(letters, face: span.face, size: size), span: index))
        }
        letters = ""
      }
      for character in span.text {
        if character.isNewline {
          endPiece()
          end()
          lines.append([])
          (x, gap) = (0, 0)
        } else if character.isWhitespace && character != "\u{A0}" {
          endPiece()
          end()
          gap += space(span.face, size: size)
        } else {
          letters.append(character)
        }
      }
      endPiece()
    }
    end()
    return lines
  }

  /// The glyph of a character that the fonts lack: a box, as wide as a figure.
  private static let box = GlyphMetrics(
    advance: 0.6, left: 0.05, bottom: 0, right: 0.55, top: 0.7)
}
