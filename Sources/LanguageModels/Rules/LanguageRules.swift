import Foundation

/// The letters of a language and its rules for case, quotes, spaces and normalisation.
///
/// Training text, references of scores and readings pass through the same rules, so that they agree
/// in signs that ink does not show: the code point of a quotation mark, the width of a space, a
/// cedilla or a comma under a letter. A value; safe to share between threads.
///
///     var rules = LanguageRules(tag: "de", letters: ["a", "ä", "b", "c"])
///     rules.quotes = QuoteRules(outer: "„“", inner: "‚‘")
///     print(rules.normalized("Er sagt \"ja\""))  // Er sagt „ja“
public struct LanguageRules: Codable, Hashable, Sendable {
  /// The version of the rules' file that this module writes, and the newest that it reads.
  package static let currentFormatVersion = 1
  /// The longest file of rules, in bytes.
  package static let maximumLength = 1 << 20

  /// The change between upper and lower case.
  public enum Casing: String, Codable, Hashable, Sendable, CaseIterable {
    /// That of the Unicode Standard.
    case standard
    /// i and İ, ı and I are pairs: Turkish and Azerbaijani.
    case turkic
  }

  /// The spaces around marks of punctuation.
  package struct Spaces: Codable, Hashable, Sendable {
    /// The marks that have a space before them: `;:!?»` in French.
    package var before: String
    /// The marks that have a space after them: `«` in French.
    package var after: String

    /// Makes spaces.
    package init(before: String, after: String) {
      self.before = before
      self.after = after
    }
  }

  /// Additions to the scores of letters, in natural logarithms.
  @usableFromInline package struct LetterPriors: Codable, Hashable, Sendable {
    /// For each letter that is not one of the language; usually below 0.
    package var foreign: Float
    /// For each letter of the language that its text hardly has; usually above 0.
    package var rare: Float

    /// Makes priors. Both are numbers of -100 to 100.
    @usableFromInline package init(foreign: Float, rare: Float) {
      self.foreign = foreign
      self.rare = rare
    }
  }

  /// The version of the file's format.
  package private(set) var formatVersion: Int
  /// The language tag (BCP 47).
  public var tag: String
  /// The letters with their capitals: one character each, in NFC, ascending.
  public var letters: [String]
  /// The letters that the text of the language model hardly has.
  package var rareLetters: [String]
  /// The additions to the scores of letters.
  package var priors: LetterPriors
  /// The change between upper and lower case.
  package var casing: Casing
  /// The quotation marks; nil to leave them as they are.
  package var quotes: QuoteRules?
  /// The spaces around marks; nil for no rule.
  package var spaces: Spaces?
  /// Characters that are replaced by another one, each one scalar: ş by ș in Romanian.
  package var replacements: [String: String]

  /// Makes rules of letters without rules for quotes, spaces and normalisation.
  ///
  /// - Parameters:
  ///   - tag: The language tag.
  ///   - letters: The letters. Each gets its capital, if that is one character.
  ///   - casing: The change between upper and lower case.
  public init(tag: String, letters: some Sequence<String>, casing: Casing = .standard) {
    formatVersion = Self.currentFormatVersion
    self.tag = tag
    self.casing = casing
    self.letters = []
    rareLetters = []
    priors = LetterPriors(foreign: 0, rare: 0)
    replacements = [:]
    self.letters = self.letters(withCapitalsOf: letters)
  }

  /// Letters with their capitals, ascending, in NFC. Strings of several characters are left out, and
  /// so are capitals of several characters.
  ///
  /// - Parameter letters: Letters in any case.
  package func letters(withCapitalsOf letters: some Sequence<String>) -> [String] {
    let composed = letters.map(\.precomposedStringWithCanonicalMapping).filter { $0.count == 1 }
    let capitals = composed.map(uppercased).filter { $0.count == 1 }
    return Set(composed + capitals).sorted(by: Self.precedes)
  }

  /// Returns whether one letter comes before another one: by their scalars, the same everywhere.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }
}

extension LanguageRules {
  /// The text in upper case.
  package func uppercased(_ text: String) -> String { Self.uppercased(text, casing) }

  /// The text in lower case.
  package func lowercased(_ text: String) -> String {
    switch casing {
    case .standard: text.lowercased()
    // After the replacement no I is left, and i is its own lower case.
    case .turkic:
      text.replacing("İ", with: "i").replacing("I\u{307}", with: "i").replacing("I", with: "ı")
        .lowercased()
    }
  }

  private static func uppercased(_ text: String, _ casing: Casing) -> String {
    switch casing {
    // The capital of ß is ẞ or SS; a letter has at most one capital here.
    case .standard: withoutMtavruli(text.uppercased())
    case .turkic: text.replacing("i", with: "İ").uppercased()
    }
  }

  /// The text with the usual letters of Georgian, which people write without capitals. Those of
  /// Unicode, Mtavruli, are a typeface for headings.
  private static func withoutMtavruli(_ text: String) -> String {
    let mtavruli: ClosedRange<UInt32> = 0x1C90...0x1CBF
    guard text.unicodeScalars.contains(where: { mtavruli.contains($0.value) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      let letter = mtavruli.contains(scalar.value) ? scalar.properties.lowercaseMapping : nil
      result += letter ?? String(scalar)
    }
  }

  /// Returns whether a character is a letter of the language.
  public func contains(letter: String) -> Bool {
    letterSet.contains(letter)
  }

  /// The letters for fast lookups.
  package var letterSet: Set<String> { Set(letters) }
}

extension LanguageRules {
  /// The text as the language writes it: NFC, replaced characters, the language's quotes, `'` as the
  /// apostrophe, single ordinary spaces, and the spaces around marks. For training text and for both
  /// texts of a score. O(characters).
  package func normalized(_ text: String) -> String {
    var result: [Character] = []
    for character in text.precomposedStringWithCanonicalMapping {
      if character.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) {
        if result.last != " " { result.append(" ") }
      } else if character != "\u{FEFF}" {
        result.append(character)
      }
    }
    return String(spaced(written(result)))
  }

  /// The characters of a reading as the language writes them. Each character stays at its place, so
  /// that its ink is still known. O(characters).
  ///
  /// - Parameter characters: The characters of a reading.
  package func written(_ characters: [Character]) -> [Character] {
    var result = characters
    if !replacements.isEmpty {
      for (index, character) in characters.enumerated() {
        if let other = replacements[String(character)]?.first { result[index] = other }
      }
    }
    return quotes?.applied(to: result) ?? result
  }

  /// The characters that the language writes for one: one, or the opening and the closing quotation
  /// mark for a sign that may be either.
  package func forms(of label: String) -> [String] {
    if let other = replacements[label] { return [other] }
    return quotes?.forms(of: label) ?? [label]
  }

  /// True if ``written(_:)`` changes no text.
  package var changesNothing: Bool { replacements.isEmpty && quotes == nil }

  /// Puts one space before and after the marks that have one, at the ends of words only: not in
  /// 12:30 or in an address.
  private func spaced(_ characters: [Character]) -> [Character] {
    guard let spaces, characters.contains(where: { spaces.contains($0) }) else {
      return characters
    }
    var result: [Character] = []
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let ends = next == " " || !(next.isLetter || next.isNumber || next == "/")
      if spaces.before.contains(character), ends, let last = result.last, last != " ",
        !spaces.contains(last), !"([{.…".contains(last)
      {
        result.append(" ")
      }
      result.append(character)
      if spaces.after.contains(character), next != " " { result.append(" ") }
    }
    return result
  }
}

extension LanguageRules.Spaces {
  fileprivate func contains(_ character: Character) -> Bool {
    before.contains(character) || after.contains(character)
  }
}

extension LanguageRules {
  /// The rules that no table of letters has: case, spaces and normalisation of some languages.
  package mutating func addSpecialRules() {
    switch tag.split(separator: "-").first.map(String.init) ?? tag {
    case "tr", "az", "crh", "tt": casing = .turkic
    case "fr", "br": spaces = Spaces(before: ";:!?»", after: "«")
    case "ro":
      // Text of older systems has the cedilla for the comma.
      replacements = ["ş": "ș", "Ş": "Ș", "ţ": "ț", "Ţ": "Ț"]
    // Some sources have the letter eth for the d with stroke.
    case "vi", "hr", "bs", "se": replacements = ["Ð": "Đ"]
    case "sr" where tag.contains("Latn"): replacements = ["Ð": "Đ"]
    default: break
    }
  }
}

extension LanguageRules {
  /// Reads the bytes of a file of rules. O(bytes).
  ///
  /// - Throws: ``LanguageRulesError``.
  public init(parsing bytes: Data) throws(LanguageRulesError) {
    guard bytes.count <= Self.maximumLength else {
      throw .malformed(expected: "at most \(Self.maximumLength) bytes")
    }
    struct Version: Decodable { var formatVersion: Int }
    guard let version = try? JSONDecoder().decode(Version.self, from: bytes).formatVersion else {
      throw .malformed(expected: "a JSON object with the number formatVersion")
    }
    guard version <= Self.currentFormatVersion else {
      throw .newerFormatVersion(found: version, supported: Self.currentFormatVersion)
    }
    guard let rules = try? JSONDecoder().decode(LanguageRules.self, from: bytes) else {
      throw .malformed(expected: "JSON of this version of the format")
    }
    try rules.check()
    self = rules
  }

  /// The bytes of the file: indented, with sorted keys, the same for the same rules.
  ///
  /// - Throws: ``LanguageRulesError`` if a value is not allowed.
  package func serialized() throws(LanguageRulesError) -> Data {
    try check()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(self) else {
      throw .malformed(expected: "values that JSON can hold")
    }
    return bytes + Data("\n".utf8)
  }

  private func check() throws(LanguageRulesError) {
    guard formatVersion >= 1 else { throw .malformed(expected: "formatVersion of 1 or more") }
    for letter in letters + rareLetters where letter.count != 1 {
      throw .malformed(expected: "letters of one character")
    }
    for (key, value) in replacements
    where key.unicodeScalars.count != 1 || value.unicodeScalars.count != 1 {
      throw .malformed(expected: "replacements of one scalar by one scalar")
    }
    guard (-100...100 as ClosedRange<Float>).contains(priors.foreign),
      (-100...100 as ClosedRange<Float>).contains(priors.rare)
    else {
      throw .malformed(expected: "priors of -100 to 100")
    }
    guard quotes?.isUsable ?? true else {
      throw .malformed(expected: "two characters for each pair of quotes")
    }
  }
}

/// An error in a file of language rules.
public enum LanguageRulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file was written by a newer version.
  case newerFormatVersion(found: Int, supported: Int)
  /// The file does not have the expected form.
  case malformed(expected: String)

  /// The message: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .newerFormatVersion(let found, let supported):
      "language rules of version \(found); this program reads up to \(supported): update the program"
    case .malformed(let expected):
      "language rules: expected \(expected), found something else; make or fetch the pack again"
    }
  }
}

extension LanguageRulesError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
