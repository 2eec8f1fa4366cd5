import InkCore

/// Random pieces of texts, about as long as a line of handwriting.
package struct TextPieces: Sendable {
  /// The parts of text that stay whole.
  package enum Unit: Sendable {
    /// Words, with a space between them.
    case word
    /// Characters of scripts without spaces. Spaces are left out.
    case character
  }

  private let texts: [[[Substring]]]
  private let length: ClosedRange<Int>
  private let unit: Unit

  /// Makes the pieces of texts.
  ///
  /// - Parameters:
  ///   - texts: Texts of one sentence a line. Each text gives the same number of pieces.
  ///   - length: The most characters of a piece; drawn anew for each piece.
  ///   - unit: What stays whole.
  package init(of texts: [String], length: ClosedRange<Int> = 8...44, unit: Unit = .word) {
    (self.length, self.unit) = (length, unit)
    self.texts = texts.map { text in
      text.split(whereSeparator: \.isNewline).map { sentence in
        let words = sentence.split(whereSeparator: \.isWhitespace)
        return unit == .word
          ? words : words.flatMap { word in word.indices.map { word[$0...$0] } }
      }.filter { !$0.isEmpty }
    }.filter { !$0.isEmpty }
  }

  /// Returns a random piece of the text with a number: consecutive whole words or characters of one
  /// sentence, at least one. nil if there is no text.
  package func piece(
    ofText number: Int, using generator: inout SeededGenerator
  ) -> String? {
    guard !texts.isEmpty else { return nil }
    let sentences = texts[number % texts.count]
    let words = sentences[generator.index(below: sentences.count)]
    let longest = length.lowerBound + generator.index(below: length.count)
    let space = unit == .word ? 1 : 0
    // Beginnings and ends of sentences are as frequent as they are in the text.
    var pieces: [[Substring]] = [[]]
    var count = 0
    for word in words {
      if count > 0, count + space + word.count > longest {
        pieces.append([])
        count = 0
      }
      pieces[pieces.count - 1].append(word)
      count += (count > 0 ? space : 0) + word.count
    }
    return pieces[generator.index(below: pieces.count)].joined(
      separator: unit == .word ? " " : "")
  }
}
