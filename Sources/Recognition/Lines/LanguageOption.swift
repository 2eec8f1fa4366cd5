import Files
import LanguageModels

/// A language in which a text may be: how probable the text is in it, and its reader, which is made
/// when the language is chosen. Thread-safe.
package final class LanguageOption: Sendable {
  /// The tag of the language; nil if its model has none.
  package let language: String?
  /// The evidence before the first character; nil without a language model.
  private let start: TextEvidence?
  private let make: @Sendable () throws -> LineRecognizer
  private let made: Guarded<LineRecognizer?>

  /// Makes the option of a language whose reader is there.
  package init(_ reader: LineRecognizer) {
    language = reader.language
    start = reader.languageModel.map { TextEvidence(LineLikelihood($0), reader.rules) }
    make = { reader }
    made = Guarded(reader)
  }

  /// Makes the option of a language.
  ///
  /// - Parameters:
  ///   - language: Its tag.
  ///   - model: Its language model at the beginning of a line.
  ///   - rules: Its letters; nil if they are not known.
  ///   - reader: Makes the reader; called once, or more often if it fails or threads compete.
  package init(
    _ language: String?, _ model: LineLikelihood, _ rules: LanguageRules?,
    reader: @escaping @Sendable () throws -> LineRecognizer
  ) {
    self.language = language
    start = TextEvidence(model, rules)
    make = reader
    made = Guarded(nil)
  }

  /// The reader of the language.
  ///
  /// - Throws: The errors of making it.
  package func reader() throws -> LineRecognizer {
    if let known = made.withLock({ $0 }) { return known }
    let reader = try make()
    return made.withLock { made in
      if let made { return made }
      made = reader
      return reader
    }
  }

  /// The evidence of an empty text; nil without a language model.
  func evidence() -> TextEvidence? { start }

  /// ln p of a text; see ``TextEvidence``. nil without a language model. O(characters).
  func evidence(for text: String) -> Float? {
    guard var evidence = start else { return nil }
    evidence.append(text)
    return evidence.sum
  }
}

/// ln p of a text that grows. Letters that the language does not have count as improbable.
struct TextEvidence: Sendable {
  /// The least ln p of a character.
  static let floor: Float = -8

  /// ln p of all characters so far.
  private(set) var sum: Float = 0
  private var likelihood: LineLikelihood
  private let letters: Set<String>?

  /// The evidence of an empty text.
  ///
  /// - Parameters:
  ///   - likelihood: The language model at the beginning of a line.
  ///   - rules: The letters of the language; nil if they are not known.
  init(_ likelihood: LineLikelihood, _ rules: LanguageRules?) {
    self.likelihood = likelihood
    letters = rules?.letterSet
  }

  /// Adds the end of the text, which is split between characters. O(characters).
  mutating func append(_ text: some StringProtocol) {
    for character in text {
      let isForeign = letters.map { character.isLetter && !$0.contains(String(character)) } ?? false
      for scalar in character.unicodeScalars {
        let logProbability = likelihood.advance(scalar)
        sum += isForeign ? Self.floor : max(logProbability, Self.floor)
      }
    }
  }
}

extension LineRecognizer {
  /// ln p of a text by the language model of the search; see ``TextEvidence``. nil without a language
  /// model. O(characters).
  func evidence(for text: String) -> Float? { LanguageOption(self).evidence(for: text) }
}
