import Foundation

/// A query: words and conditions.
///
/// | Part | Finds |
/// |---|---|
/// | `word` | pages with the word; several words: pages with all of them |
/// | `wor*` | words that begin so |
/// | `"two words"` | the words one after the other |
/// | `"word"` | the word as it is, not one that is spelled nearly so |
/// | `-word`, `NOT word` | no pages on which the word is probable |
/// | `lang:de` | pages in a language |
/// | `in:text` | files whose path contains the text |
/// | `program:xopp` | files of a format |
/// | `after:2026-01-31`, `before:2026-02` | files that were changed then |
///
/// `AND` between words may be left out. Upper and lower case are equal.
public struct SearchQuery: Hashable, Sendable {
  /// Words that stand one after the other, as a rule one.
  struct Term: Hashable, Sendable {
    var words: [Word]
  }

  /// A word of the query.
  struct Word: Hashable, Sendable {
    /// As it was written.
    var text: String
    /// As the index has it.
    var form: String
    var isPrefix: Bool
    /// True if words that are spelled nearly so do not count.
    var isExact = false

    /// The letters in which a word may differ.
    var reach: Int { isPrefix || isExact ? 0 : NearWords.reach(of: form) }
  }

  /// The terms that a page must have.
  private(set) var terms: [Term] = []
  /// The terms that a page must not have.
  private(set) var excluded: [Term] = []
  /// The pages that count.
  private(set) var filter = PageFilter()

  private static let mostTerms = 32
  private static let longest = 4096

  /// Parses a query.
  ///
  /// - Throws: ``InkSearchError/badQuery(reason:)``.
  public init(_ text: String) throws(InkSearchError) {
    try self.init(parsing: text)
    guard !terms.isEmpty else {
      throw .badQuery(reason: "expected a word to look for, found none")
    }
  }

  /// Parses a query that may have conditions alone.
  init(parsing text: String) throws(InkSearchError) {
    guard text.utf8.count <= Self.longest else {
      throw .badQuery(reason: "expected at most \(Self.longest) bytes, found more")
    }
    var rest = Substring(text)
    var isExcluded = false
    while let piece = Self.next(&rest) {
      if !piece.isQuoted {
        if piece.text == "AND" { continue }
        if piece.text == "NOT" {
          isExcluded = true
          continue
        }
        if try filter.take(piece.text) { continue }
      }
      var text = piece.text[...]
      if !piece.isQuoted, text.first == "-", text.count > 1 {
        isExcluded = true
        text = text.dropFirst()
      }
      var words = text.split(whereSeparator: \.isWhitespace).flatMap(Self.words)
      if piece.isQuoted || words.count > 1 || isExcluded {
        for index in words.indices { words[index].isExact = true }
      }
      if !words.isEmpty {
        if isExcluded {
          excluded.append(Term(words: words))
        } else {
          terms.append(Term(words: words))
        }
      }
      isExcluded = false
    }
    guard !isExcluded else { throw .badQuery(reason: "expected a word after NOT") }
    guard terms.count + excluded.count <= Self.mostTerms else {
      throw .badQuery(reason: "expected at most \(Self.mostTerms) words, found more")
    }
  }

  /// Takes the next piece: up to a blank, or between quotation marks.
  private static func next(_ rest: inout Substring) -> (text: String, isQuoted: Bool)? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    if first == "\"" {
      rest = rest.dropFirst()
      let text = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(text.count + 1)
      return (String(text), true)
    }
    let text = rest.prefix { !$0.isWhitespace && $0 != "\"" }
    // in:"a b" is one piece.
    if text.last == ":", rest.dropFirst(text.count).first == "\"" {
      rest = rest.dropFirst(text.count + 1)
      let value = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(value.count + 1)
      return (String(text) + String(value), false)
    }
    rest = rest.dropFirst(text.count)
    return (String(text), false)
  }

  /// The words of a piece without blanks: a word with a hyphen is a row of words, and a row of
  /// characters of a script without blanks too.
  private static func words(_ text: Substring) -> [Word] {
    let isPrefix = text.last == "*"
    let bare = isPrefix ? String(text.dropLast()) : String(text)
    let form = FoldedText.form(of: bare)
    return form.isEmpty ? [] : [Word(text: bare, form: form, isPrefix: isPrefix)]
  }
}
