/// The borders of words, sentences, lines and paragraphs in a text, by rules and tables of Unicode
/// that are the same on every platform (UAX 29).
///
///     print(TextBorders("Don't stop. Go!").words)  // [5, 6, 10, 11, 12, 14, 15]
///
/// All positions count UTF-16 units. Each list ends with the length of the text.
public struct TextBorders: Sendable {
  private let scalars: [BorderProperties]
  /// The position of each scalar, then the length.
  private let starts: [Int]
  private let units: [UInt16]

  /// The version of the Unicode Character Database that the tables are made from.
  public static var unicodeVersion: String { BorderTable.version }

  /// Reads a text. O(n).
  public init(_ text: String) { self.init(units: Array(text.utf16)) }

  init(units: [UInt16]) {
    self.units = units
    var scalars: [BorderProperties] = []
    var starts: [Int] = []
    scalars.reserveCapacity(units.count)
    starts.reserveCapacity(units.count + 1)
    var index = 0
    while index < units.count {
      starts.append(index)
      var scalar = UInt32(units[index])
      if UTF16.isLeadSurrogate(units[index]), index + 1 < units.count {
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (UInt32(units[index + 1]) - 0xDC00)
        index += 1
      }
      scalars.append(BorderProperties(scalar))
      index += 1
    }
    starts.append(units.count)
    self.scalars = scalars
    self.starts = starts
  }

  // MARK: - Words

  /// The end of each segment of the word rules: words, runs of spaces, and single other characters.
  /// O(n).
  public var words: [Int] {
    guard !scalars.isEmpty else { return [] }
    var ends: [Int] = []
    // The last two values that are not looked through, and the length of the row of flags.
    var (before, last) = (WordBreak.other, scalars[0].word)
    var flags = last == .regional ? 1 : 0
    for index in scalars.indices.dropFirst() {
      let (previous, current) = (scalars[index - 1].word, scalars[index].word)
      if Self.isIgnored(current, after: previous) { continue }
      let joins: Bool
      if previous.isLineEnd || current.isLineEnd {
        joins = previous == .cr && current == .lf
      } else if previous == .zwj && scalars[index].isPictograph {
        joins = true
      } else if previous == .space && current == .space {
        joins = true
      } else if last == .regional && current == .regional {
        joins = flags % 2 == 1
      } else {
        joins = Self.joins(before, last, current) { nextWord(after: index) }
      }
      if !joins { ends.append(starts[index]) }
      flags = current == .regional ? (joins || last == .regional ? flags + 1 : 1) : 0
      (before, last) = (last, current)
    }
    return ends + [units.count]
  }

  /// WB4: marks belong to the character before them, unless a line ends there.
  private static func isIgnored(_ current: WordBreak, after previous: WordBreak) -> Bool {
    current.isIgnored && !previous.isLineEnd
  }

  private func nextWord(after index: Int) -> WordBreak {
    scalars[(index + 1)...].lazy.map(\.word).first { !$0.isIgnored } ?? .other
  }

  /// WB5 to WB13b.
  private static func joins(
    _ before: WordBreak, _ last: WordBreak, _ current: WordBreak, next: () -> WordBreak
  ) -> Bool {
    let isMiddleOfLetters =
      current == .midLetter || current == .midNumLet || current == .singleQuote
    let isMiddleOfDigits = current == .midNum || current == .midNumLet || current == .singleQuote
    if last.isLetter {
      if current.isLetter || current == .numeric || current == .extendNumLet { return true }
      if last == .hebrew, current == .singleQuote { return true }
      if last == .hebrew, current == .doubleQuote { return next() == .hebrew }
      return isMiddleOfLetters && next().isLetter
    }
    if last == .numeric {
      if current == .numeric || current.isLetter || current == .extendNumLet { return true }
      return isMiddleOfDigits && next() == .numeric
    }
    if last == .katakana { return current == .katakana || current == .extendNumLet }
    if last == .extendNumLet {
      return current.isLetter || current == .numeric || current == .katakana
        || current == .extendNumLet
    }
    let wasMiddle = last == .midNumLet || last == .singleQuote
    if before.isLetter, current.isLetter, wasMiddle || last == .midLetter { return true }
    if before == .hebrew, last == .doubleQuote, current == .hebrew { return true }
    return before == .numeric && current == .numeric && (wasMiddle || last == .midNum)
  }

  /// True if a segment of ``words`` is a word, a number or a picture, and no separator.
  func isWord(_ range: Range<Int>) -> Bool {
    let text = String(decoding: units[range], as: UTF16.self)
    return text.unicodeScalars.contains { scalar in
      if BorderProperties(scalar.value).word.isWord { return true }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .privateUse:
        return true
      default: return false
      }
    }
  }

  // MARK: - Sentences

  /// The end of each sentence, with the spaces and line ends after it. O(n).
  public var sentences: [Int] {
    guard !scalars.isEmpty else { return [] }
    var ends: [Int] = []
    var state = SentenceState(scalars[0].sentence)
    for index in scalars.indices.dropFirst() {
      let (previous, current) = (scalars[index - 1].sentence, scalars[index].sentence)
      if previous.isParagraphEnd {
        if !(previous == .cr && current == .lf) { ends.append(starts[index]) }
        state.see(current)
        continue
      }
      if current.isIgnored { continue }
      if state.ends(before: current, isLowerNext: { isLower(from: index) }) {
        ends.append(starts[index])
      }
      state.see(current)
    }
    return ends + [units.count]
  }

  /// SB8: true if the next letter, end of sentence or end of paragraph is a small letter.
  private func isLower(from index: Int) -> Bool {
    for scalar in scalars[index...] {
      let value = scalar.sentence
      if value == .lower { return true }
      if value == .oLetter || value == .upper || value.isParagraphEnd || value.isTerm {
        return false
      }
    }
    return false
  }

  // MARK: - Lines and paragraphs

  /// The end of each line as the text breaks it, with the characters that end it: the mandatory
  /// breaks of UAX 14. O(n).
  public var lines: [Int] {
    ends { (0x0A...0x0D).contains($0) || $0 == 0x85 || $0 == 0x2028 || $0 == 0x2029 }
  }

  /// The end of each paragraph, with the characters that end it: CR, LF, both, or U+2029. O(n).
  public var paragraphs: [Int] { ends { $0 == 0x0A || $0 == 0x0D || $0 == 0x2029 } }

  private func ends(_ isEnd: (UInt16) -> Bool) -> [Int] {
    var result: [Int] = []
    for (index, unit) in units.enumerated() where isEnd(unit) {
      if unit == 0x0D, index + 1 < units.count, units[index + 1] == 0x0A { continue }
      result.append(index + 1)
    }
    if result.last != units.count, !units.isEmpty { result.append(units.count) }
    return result
  }
}

/// The part of a sentence that its end depends on.
private struct SentenceState {
  private enum Phase { case text, term, close, space }

  private var phase = Phase.text
  private var term = SentenceBreak.other
  /// The letter before the term.
  private var letter = SentenceBreak.other
  private var last: SentenceBreak

  init(_ first: SentenceBreak) {
    last = .other
    see(first)
  }

  /// Goes past a value that is not looked through.
  mutating func see(_ value: SentenceBreak) {
    defer { last = value }
    if value.isTerm {
      (letter, term, phase) = (last, value, .term)
    } else if value == .close, phase == .term || phase == .close {
      phase = .close
    } else if value == .space, phase != .text {
      phase = .space
    } else {
      phase = .text
    }
  }

  /// SB6 to SB11: true if a sentence ends before a value.
  func ends(before value: SentenceBreak, isLowerNext: () -> Bool) -> Bool {
    guard phase != .text else { return false }
    if term == .aTerm {
      if phase == .term, value == .numeric { return false }
      if phase == .term, value == .upper, letter == .upper || letter == .lower { return false }
    }
    if value == .continuation || value.isTerm { return false }
    if value == .close, phase != .space { return false }
    if value == .space || value.isParagraphEnd { return false }
    return !(term == .aTerm && isLowerNext())
  }
}
