import LanguageModels

/// The choice between languages while an ink is read.
///
/// The evidence for a language is ln p, by its n-gram model, of the text that the network alone
/// reads, of the lines read so far and of the text before the ink. A language other than the first
/// needs clearly more of it. The other languages are only looked at if the text is improbable in the
/// first one, and only the reader of the chosen one is made. One object per ink; not thread-safe.
package final class LanguageChoice {
  /// The recogniser of the language that is most probable so far.
  package private(set) var reader: LineRecognizer
  private let first: LanguageOption
  /// The language of ``reader``.
  private var chosen: LanguageOption
  private let others: () throws -> [LanguageOption]
  /// The evidence of the text so far, and the bytes that it counts. The options are kept, so that
  /// their identifiers stay theirs.
  private var heard:
    [ObjectIdentifier: (option: LanguageOption, evidence: TextEvidence, length: Int)] = [:]
  private let leastCharacters: Int
  /// The text so far: that before the ink, and the lines.
  private var text: String
  /// The words of the text before the ink.
  private let before: String
  /// True if the text before the ink has decided.
  private var isDecided = false
  /// The words of the line that was added last, empty if it has none.
  private(set) var lastLine = ""
  /// The words of all lines.
  private var lines = ""
  /// The certainty of the network about the characters of all lines.
  private(set) var peaks = NetworkPeaks()

  /// True if the text tells nothing: it is too short, or no language explains it. The first language
  /// is the default then. O(characters).
  package var isDefault: Bool {
    guard !isDecided, chosen === first else { return false }
    return !isExplained
  }

  /// The mean ln p of a character of the lines by the language that they are read in, and the number
  /// of characters; nil without words or without a language model. O(characters).
  package var explanation: (mean: Double, characters: Int)? {
    guard !lines.isEmpty, let score = chosen.evidence(for: lines) else {
      return nil
    }
    return (Double(score) / Double(lines.count), lines.count)
  }

  /// The evidence that another language needs more than the first one, in natural logarithms: single
  /// words are rarely enough.
  static let margin: Float = 4
  /// The same for each letter of the text: a long text shows its language clearly.
  static let letterMargin: Float = 0.05
  /// The mean ln p of a character below which no language explains a text: formulas and sketches that
  /// were read as letters are below, texts in their own language above.
  static let explained: Float = -3.3
  /// The languages of at least ten million readers. A short text of one of them is easily about as
  /// probable in a small language like it: German in Welsh, Polish in Slovak.
  static let widelyRead: Set<String> = [
    "cs", "de", "el", "en", "es", "fr", "hu", "id", "it", "kk", "nl", "pl", "pt", "ro", "ru", "sv",
    "tr", "uk", "vi",
  ]
  /// The evidence that any other language needs in addition: readers are twenty times fewer.
  static let rarity: Float = 3
  /// The mean ln p of a character above which a text is taken for one of the first language. English
  /// that the network alone has read is between the values -3 and -1.5, other languages are below.
  static let plain: Float = -2.4
  /// The letters of the text before the ink that can decide alone, and the evidence that they need.
  private static let (clearLetters, clearMargin): (Int, Float) = (20, 8)
  /// The fewest letters that show the language of a text.
  private static let leastLetters = 4
  /// The fewest letters that show the language of a part of a page.
  static let leastPartLetters = 40
  /// The evidence that the language of a part needs more than that of its page: a label of a few names
  /// is easily about as probable in a language like it.
  static let partMargin: Float = 8
  /// The most characters that are judged.
  private static let longest = 2000

  /// Makes a choice.
  ///
  /// - Parameters:
  ///   - first: The recogniser of the preferred language.
  ///   - others: Returns the other languages.
  ///   - preContext: The text before the ink.
  ///   - leastCharacters: The fewest characters of the lines for which other languages are opened.
  package init(
    _ first: LineRecognizer, others: @escaping () throws -> [LanguageOption], preContext: String,
    leastCharacters: Int = 0
  ) throws {
    self.leastCharacters = leastCharacters
    let option = LanguageOption(first)
    (self.first, chosen, self.others, reader) = (option, option, others, first)
    before = Self.letters(of: preContext)
    text = before
    guard text.count >= Self.clearLetters else { return }
    let scores = try scores(expecting: option, letters: text.count, evidence: heardEvidence)
    let order = scores.indices.sorted { scores[$0].score > scores[$1].score }
    guard let best = order.first, order.count > 1,
      scores[best].score - scores[order[1]].score >= Self.clearMargin
    else { return }
    try choose(scores[best].option)
    isDecided = true
  }

  /// Forgets the lines: they are read again, with other strokes. The language stays until then.
  package func restart() {
    (text, lines, lastLine) = (before, "", "")
    heard = [:]
    peaks = NetworkPeaks()
  }

  private func choose(_ option: LanguageOption) throws {
    guard option !== chosen else { return }
    reader = try option.reader()
    chosen = option
  }

  /// Adds the text of a line as the network alone reads it. O(characters of the line · languages).
  ///
  /// - Parameter peaks: The certainty of the network about its characters.
  /// - Throws: The errors of opening the other languages.
  package func add(_ line: String, peaks: NetworkPeaks = NetworkPeaks()) throws {
    self.peaks += peaks
    let more = Self.letters(of: line)
    lastLine = more
    if !more.isEmpty, lines.count < Self.longest { lines += lines.isEmpty ? more : " " + more }
    guard !isDecided else { return }
    guard !more.isEmpty, text.count < Self.longest else { return }
    text += text.isEmpty ? more : " " + more
    guard lines.count >= leastCharacters else { return }
    try choose(
      best(instead: first, letters: text.count, margin: Self.margin, evidence: heardEvidence))
  }

  /// The language of a part of a page: that of the page, unless another one explains the part clearly
  /// better. O(characters · languages) if the part is not plainly in the language of the page.
  ///
  /// - Parameter words: The words of its lines, as ``lastLine`` has them.
  /// - Throws: The errors of opening the other languages.
  package func reader(ofPart words: String) throws -> LineRecognizer {
    let words = String(words.suffix(Self.longest))
    guard words.count >= Self.leastPartLetters else { return reader }
    return try best(instead: chosen, letters: words.count, margin: Self.partMargin) {
      $0.evidence(for: words)
    }.reader()
  }

  /// The language that explains a text clearly better than an expected one, or that one.
  private func best(
    instead expected: LanguageOption, letters: Int, margin: Float,
    evidence: (LanguageOption) -> Float?
  ) throws -> LanguageOption {
    let scores = try scores(expecting: expected, letters: letters, evidence: evidence)
    guard let known = scores.first, let best = scores.max(by: { $0.score < $1.score }) else {
      return expected
    }
    let letters = Float(letters)
    return best.score > known.score + margin + Self.letterMargin * letters
      && best.score > Self.explained * letters ? best.option : expected
  }

  /// True if the text so far is long enough, and likely enough in the first language.
  private var isExplained: Bool {
    guard text.count >= Self.leastLetters, let score = heardEvidence(first) else { return false }
    return score > Self.explained * Float(text.count)
  }

  /// The evidence for a language in the text so far. O(characters since the last call).
  private func heardEvidence(_ option: LanguageOption) -> Float? {
    let id = ObjectIdentifier(option)
    let known = heard.removeValue(forKey: id) ?? option.evidence().map { (option, $0, 0) }
    guard var known else { return nil }
    let bytes = text.utf8
    known.evidence.append(text[bytes.index(bytes.startIndex, offsetBy: known.length)...])
    known.length = bytes.count
    heard[id] = known
    return known.evidence.sum
  }

  /// The evidence for each language in a text, the expected language first. Only that one if the text
  /// is plainly in it.
  private func scores(
    expecting expected: LanguageOption, letters: Int, evidence: (LanguageOption) -> Float?
  ) throws -> [(option: LanguageOption, score: Float)] {
    guard let own = evidence(expected) else { return [] }
    if own >= Self.plain * Float(letters) { return [(expected, own)] }
    return [(expected, own)]
      + (try [first] + others()).filter { $0 !== expected }.compactMap { option in
        evidence(option).map {
          (option, $0 - (Self.widelyRead.contains(option.language ?? "") ? 0 : Self.rarity))
        }
      }
  }

  /// The words of a text, with single spaces between them: pieces of at least two letters, without
  /// the punctuation around them. Pieces with digits or signs in them, and lone letters, are of
  /// formulas, names and numbers, and say nothing about the language.
  private static func letters(of text: String) -> String {
    text.suffix(longest).split(whereSeparator: \.isWhitespace).compactMap { piece -> String? in
      func isLetter(_ character: Character) -> Bool { character.isLetter || character == "'" }
      let end = piece.lastIndex(where: isLetter).map(piece.index(after:)) ?? piece.startIndex
      let word = piece[..<end].drop { !isLetter($0) }
      let isWord =
        word.count { $0.isLetter } >= 2 && word.allSatisfy { isLetter($0) || "-’".contains($0) }
      return isWord ? word.split(separator: "-").joined(separator: " ") : nil
    }.joined(separator: " ")
  }
}
