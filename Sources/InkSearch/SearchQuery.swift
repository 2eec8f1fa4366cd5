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
  private(set) var languages: [String] = []
  private(set) var places: [String] = []
  /// The files that were changed at or after, and before these times.
  private(set) var after: Date?
  private(set) var before: Date?

  private static let mostTerms = 32
  private static let longest = 4096

  /// Parses a query.
  ///
  /// - Throws: ``InkSearchError/badQuery(reason:)``.
  public init(_ text: String) throws(InkSearchError) {
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
        if try takeCondition(piece.text) { continue }
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
    guard !terms.isEmpty else {
      throw .badQuery(reason: "expected a word to look for, found none")
    }
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

  /// Takes `name:value`.
  private mutating func takeCondition(_ text: String) throws(InkSearchError) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let value = String(text[text.index(after: colon)...])
    switch text[..<colon].lowercased() {
    case "lang", "language":
      languages.append(value.lowercased())
    case "in":
      places.append(value)
    case "after", "since":
      after = try Self.date(value).start
    case "before", "until":
      before = try Self.date(value).start
    case "date", "on":
      let range = try Self.date(value)
      (after, before) = (range.start, range.end)
    default: return false
    }
    guard !value.isEmpty else {
      throw .badQuery(reason: "expected a value after \(text[...colon])")
    }
    return true
  }

  /// The day, month or year of `2026-01-31`, `2026-01` or `2026`.
  private static func date(
    _ text: String
  ) throws(InkSearchError) -> (start: Date, end: Date) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let calendar = Calendar(identifier: .gregorian)
    if (1...3).contains(parts.count), let year = parts[0], (1900...9999).contains(year),
      parts.allSatisfy({ $0 != nil })
    {
      let month = parts.count > 1 ? parts[1] ?? 0 : 1
      let day = parts.count > 2 ? parts[2] ?? 0 : 1
      let unit: Calendar.Component = parts.count == 1 ? .year : parts.count == 2 ? .month : .day
      if (1...12).contains(month), (1...31).contains(day),
        let start = calendar.date(from: DateComponents(year: year, month: month, day: day)),
        let end = calendar.date(byAdding: unit, value: 1, to: start)
      {
        return (start, end)
      }
    }
    throw .badQuery(reason: "expected a date such as 2026-01-31, 2026-01 or 2026")
  }
}
