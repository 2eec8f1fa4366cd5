/// The quotation marks of a language.
///
/// In ink, quotation marks are pairs of short strokes, low or high: the language decides their code
/// points. The place in the text decides between opening and closing marks. Marks between letters
/// are apostrophes and become `'`.
@usableFromInline package struct QuoteRules: Codable, Hashable, Sendable {
  /// The outer pair: the opening and the closing mark, such as `„“`.
  package var outer: String
  /// The pair within a quotation, such as `‚‘`.
  package var inner: String

  /// Makes quotes of two pairs.
  @usableFromInline package init(outer: String, inner: String) {
    self.outer = outer
    self.inner = inner
  }

  /// True if both pairs have two characters.
  var isUsable: Bool { outer.count == 2 && inner.count == 2 }

  private static let doubles: Set<Character> = ["\"", "“", "”", "„", "‟", "«", "»", "″"]
  private static let singles: Set<Character> = ["‘", "‚", "‛", "‹", "›"]
  /// Signs that are an apostrophe, or a single quotation mark at the ends of words.
  private static let apostrophes: Set<Character> = ["'", "’", "ʼ", "`", "´"]

  /// Returns the characters with the language's quotation marks, each at its place. O(characters).
  func applied(to characters: [Character]) -> [Character] {
    var result = characters
    var (open, openSingles) = (0, 0)
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      if Self.doubles.contains(character) {
        // After a digit and without a quotation it is the sign for inches or seconds.
        if character == "\"" || character == "″", open == 0, before.isNumber { continue }
        let opens = opens(character, before, after, isOpen: open > 0)
        open = max(0, open + (opens ? 1 : -1))
        result[index] = mark(for: character, opens: opens)
      } else if Self.singles.contains(character) {
        if character == "‘", before.isLetter, after.isLetter {
          result[index] = "'"
          continue
        }
        let opens = opens(character, before, after, isOpen: openSingles > 0)
        openSingles = max(0, openSingles + (opens ? 1 : -1))
        result[index] = mark(ofPair: inner, opens: opens)
      } else if Self.apostrophes.contains(character) {
        // At the end of a word it closes a quotation that was opened.
        let closes = openSingles > 0 && !after.isLetter && before != " "
        if closes { openSingles -= 1 }
        result[index] = closes ? mark(ofPair: inner, opens: false) : "'"
      }
    }
    return result
  }

  /// The marks that are written for a sign: the sign itself if it is a mark of the language, otherwise
  /// those of the pair that it becomes.
  func forms(of label: String) -> [String] {
    guard label.count == 1, let sign = label.first else { return [label] }
    // An apostrophe may also close an inner quotation.
    if Self.apostrophes.contains(sign) {
      return inner.contains(sign) && sign != "'" ? ["'", label] : ["'"]
    }
    if (outer + inner).contains(sign) { return [label] }
    if Self.doubles.contains(sign) {
      return Set([mark(for: sign, opens: true), mark(for: sign, opens: false)]).sorted()
        .map(String.init)
    }
    return Self.singles.contains(sign) ? Set(inner).sorted().map(String.init) : [label]
  }

  /// Returns whether a mark at this place begins a quotation. Between two spaces its own direction
  /// decides, or else whether a quotation is open.
  private func opens(
    _ mark: Character, _ before: Character, _ after: Character, isOpen: Bool
  ) -> Bool {
    guard before == " " else {
      let isAfterMark = Self.doubles.contains(before) || Self.singles.contains(before)
      return "([{-–—/".contains(before) || isAfterMark && (after.isLetter || after.isNumber)
    }
    if after != " ", !".,;:!?)]}…".contains(after) { return true }
    if mark == outer.first || mark == inner.first { return mark != outer.last }
    if mark == outer.last || mark == inner.last { return false }
    return !isOpen
  }

  /// The language's mark for a double one that was read.
  private func mark(for character: Character, opens: Bool) -> Character {
    // A mark of the language in its direction stays: it may be the inner pair.
    let pairs = [outer, inner]
    if pairs.contains(where: { (opens ? $0.first : $0.last) == character }) { return character }
    // Angles stay angles where the language has them.
    if "«»".contains(character), let angles = pairs.first(where: { $0.contains("«") }) {
      return mark(ofPair: angles, opens: opens)
    }
    return mark(ofPair: outer, opens: opens)
  }

  private func mark(ofPair pair: String, opens: Bool) -> Character {
    (opens ? pair.first : pair.last) ?? "\""
  }
}
