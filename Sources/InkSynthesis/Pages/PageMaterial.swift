import InkCore

/// Ink of one part of the data, from which pages are composed: words and characters by writer,
/// symbols and drawings.
package struct PageMaterial: Sendable {
  /// A piece of ink: strokes with y down, in any unit.
  package typealias Piece = [[PagePoint]]

  /// The ink of one writer.
  package struct Writer: Sendable {
    /// Words and short lines, with their labels.
    package var words: [(label: String, ink: Piece)] = []
    /// Single characters.
    package var characters: [Character: [Piece]] = [:]
    /// The middle height of the words in their unit; 0 if there are none.
    package private(set) var wordHeight = 0.0

    /// Sorts out words that do not look like one line, and measures the rest.
    mutating func measure() {
      words.removeAll { word in
        let box = PagePiece(word.ink, kind: .text).box
        return box.height <= 0 || box.width < 0.2 * Double(word.label.count) * box.height
      }
      let heights = words.map { PagePiece($0.ink, kind: .text).box.height }.sorted()
      wordHeight = heights.isEmpty ? 0 : heights[heights.count * 6 / 10]
      words.removeAll { word in
        let height = PagePiece(word.ink, kind: .text).box.height
        return height > 2.2 * wordHeight || height < 0.25 * wordHeight
      }
      if words.count < Self.leastWords { words = [] }
    }

    /// The least number of words from which a writer's size is certain.
    private static let leastWords = 4
  }

  /// The writers with enough words.
  package private(set) var wordWriters: [Writer] = []
  /// The writers with most small letters.
  package private(set) var letterWriters: [Writer] = []
  /// Characters of any writer, for those that a writer lacks.
  package private(set) var anyCharacter: [Character: [Piece]] = [:]
  /// Mathematical symbols by name.
  package private(set) var symbols: [String: [Piece]] = [:]
  /// The names of the symbols, sorted.
  private(set) var symbolNames: [String] = []
  /// Drawings.
  package private(set) var drawings: [Piece] = []
  /// Words to write in letters.
  private(set) var vocabulary: [String] = []

  /// The most inks that are kept of each writer and label, so that memory is bounded.
  private static let wordsOfWriter = 60
  private static let formsOfLetter = 4
  private static let formsOfAny = 400

  /// Sorts ink by writer.
  ///
  /// - Parameters:
  ///   - words: Words and short lines of text.
  ///   - characters: Letters, digits and punctuation; labels of one character.
  ///   - symbols: Mathematical symbols.
  ///   - drawings: Drawings.
  package init(
    words: [LabeledInk], characters: [LabeledInk], symbols: [LabeledInk], drawings: [LabeledInk]
  ) {
    var writers: [String: Writer] = [:]
    for word in words {
      guard let writer = word.writer, word.quality != .bad, !word.label.contains("\\"),
        word.label.count > 1, writers[writer]?.words.count ?? 0 < Self.wordsOfWriter
      else { continue }
      writers[writer, default: Writer()].words.append((word.label, Self.piece(word.ink)))
    }
    for character in characters {
      guard let label = character.label.first, character.label.count == 1,
        character.quality != .bad
      else { continue }
      let piece = Self.piece(character.ink)
      if anyCharacter[label, default: []].count < Self.formsOfAny {
        anyCharacter[label, default: []].append(piece)
      }
      guard let writer = character.writer,
        writers[writer]?.characters[label]?.count ?? 0 < Self.formsOfLetter
      else { continue }
      writers[writer, default: Writer()].characters[label, default: []].append(piece)
    }
    for name in writers.keys.sorted() {
      guard var writer = writers[name] else { continue }
      writer.measure()
      if !writer.words.isEmpty { wordWriters.append(writer) }
      let small = writer.characters.keys.count { $0.isLetter && $0.isLowercase }
      if small >= 20 { letterWriters.append(writer) }
    }
    for symbol in symbols {
      self.symbols[symbol.label, default: []].append(Self.piece(symbol.ink))
    }
    symbolNames = self.symbols.keys.sorted()
    self.drawings = drawings.map { Self.piece($0.ink) }.filter { !$0.isEmpty }
    vocabulary = Set(wordWriters.flatMap { $0.words.map(\.label) })
      .filter { word in word.count < 14 && word.allSatisfy { $0.isASCII } }.sorted()
  }

  private static func piece(_ ink: Ink) -> Piece {
    ink.strokes.filter { !$0.points.isEmpty }.map { stroke in
      stroke.points.map { PagePoint($0.x, $0.y) }
    }
  }
}
