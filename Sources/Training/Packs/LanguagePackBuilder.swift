import Files
import Foundation
import InkDatasets
import InkSynthesis
import LanguageModels
import Metrics
import Recognition

/// Makes the pack of a language from its text: letters and rules, an n-gram model, a word list, and
/// decoder weights that are tuned on synthesised ink of that language.
///
///     let builder = LanguagePackBuilder(tag: "cs", base: try OpenModel.open(latinLines))
///     let pack = try builder.build(lines: text.split(separator: "\n"))
///     print(pack.missingLetters)
package struct LanguagePackBuilder {
  /// The settings.
  package struct Options: Sendable {
    /// The most bytes of the n-gram model.
    package var maximumBytes = 500_000
    /// The length of the longest n-grams.
    package var order = LanguageModelTrainer.Options().order
    /// The most words of the word list.
    package var maximumWords = 10_000
    /// The letters of the language in any case; nil for those of CLDR, or else of the text.
    package var letters: [String]?
    /// The most lines to tune on; 0 keeps the weights of the line model.
    package var tuningLines = 60
    /// The most lines to measure on.
    package var testLines = 120
    /// Labelled ink of the language instead of synthesised lines: its part `val` is tuned on and its
    /// part `test` measured, unless it names a part.
    package var ink: [DataSpecification] = []

    /// Makes the defaults.
    package init() {}
  }

  /// A step of the work.
  package enum Step: String, CaseIterable, Sendable {
    case reading, training, synthesis, tuning, measuring
  }

  /// The occurrences from which a character is a symbol of the language model.
  private static let minimumCount = 5
  /// A letter below this share of all letters of the text is rare.
  private static let rareShare = 2e-5

  /// The tag of the language.
  package let tag: String
  /// The settings.
  package let options: Options
  /// The processes that divide the lines to read among them; nil for this one alone. All make the same
  /// pack.
  package var ranks: (any TrainingRanks)?
  private let base: OpenModel
  private let table: LanguageTable.Row?

  /// Makes a builder.
  ///
  /// - Parameters:
  ///   - tag: A language tag.
  ///   - base: The line model whose network the pack shares.
  ///   - options: The settings.
  /// - Throws: `RecognitionError.malformedLanguageTag(_:)`, or `DatasetFilesError` if the table of
  ///   letters is missing.
  package init(tag: String, base: OpenModel, options: Options = Options()) throws {
    let parsed = try LanguageTag(parsing: tag)
    self.tag = parsed.description
    self.base = base
    self.options = options
    table = try LanguageTable.cldr().row(for: parsed)
  }

  /// True if CLDR has the letters of the language.
  package var knowsLetters: Bool { table != nil }

  /// Makes a pack.
  ///
  /// - Parameters:
  ///   - lines: Sentences, one per line. Without any, the pack has letters and rules only.
  ///   - report: Called at the beginning of each step.
  /// - Throws: ``LanguagePackError``, or the errors of training, of data and of the models.
  package func build(
    lines: some Sequence<Substring>, report: (Step) -> Void = { _ in }
  ) throws -> LanguagePack {
    report(.reading)
    let model = try base.line()
    let labels = Set(model.labels)
    var rules = try givenRules() ?? LanguageRules(tag: tag, letters: [])
    let text = LanguageText(lines, rules: rules, labels: labels)
    if rules.letters.isEmpty {
      let found = text.letters(rules, atLeast: Self.minimumCount)
      guard !found.isEmpty else { throw LanguagePackError.unknownLetters(tag: tag) }
      rules.letters = rules.letters(withCapitalsOf: found)
    }
    let missing = rules.letters.filter { !labels.contains($0) }
    var pack = LanguagePack(
      tag: tag, name: table?.name ?? tag, rules: rules, missingLetters: missing,
      sentences: text.training.count)
    guard !text.training.isEmpty else { return pack }
    guard !text.testing.isEmpty else {
      throw LanguagePackError.tooLittleText(sentences: text.training.count)
    }
    pack.rules.rareLetters = rareLetters(rules, text)
    report(.training)
    let words = text.words(rules, most: options.maximumWords)
    pack.words = words.map { "\($0.word)\t\($0.count)\n" }.joined()
    pack.languageModel = try trained(text, rules, labels)
    try tune(&pack, text, base: base, report)
    return pack
  }

  /// The rules of the letters that are given or in the table; nil if there are none.
  private func givenRules() throws -> LanguageRules? {
    var rules = table.map { LanguageRules($0, tag: tag) }
    guard let letters = options.letters else { return rules }
    var given = rules ?? LanguageRules(tag: tag, letters: [])
    given.addSpecialRules()
    given.letters = given.letters(withCapitalsOf: letters)
    rules = given
    return rules
  }

  /// The letters that the text hardly has, so that its language model cannot judge them.
  private func rareLetters(_ rules: LanguageRules, _ text: LanguageText) -> [String] {
    let counts = text.counts(rules)
    let total = counts.values.reduce(0, +)
    return rules.letters.filter {
      Double(counts[rules.lowercased($0)] ?? 0) < Self.rareShare * Double(total)
    }
  }

  private func trained(
    _ text: LanguageText, _ rules: LanguageRules, _ labels: Set<String>
  ) throws -> Data {
    var normalized = NormalizedText(linesAreTexts: true)
    normalized.append(text.training.joined(separator: "\n"))
    var settings = LanguageModelTrainer.Options()
    settings.order = options.order
    settings.minimumCount = Self.minimumCount
    settings.maximumBytes = options.maximumBytes
    settings.isPacked = true
    settings.requiredScalars = Set(
      rules.letters.filter(labels.contains).flatMap(\.unicodeScalars))
    // An order that does not fit the number of symbols is shortened.
    while true {
      do {
        return Data(try LanguageModelTrainer.train(normalized, options: settings))
      } catch LanguageModelTrainingError.orderOutOfRange(_, let maximum, _)
        where (2..<settings.order).contains(maximum)
      {
        settings.order = maximum
      }
    }
  }
}

/// A reason why no pack can be made.
public enum LanguagePackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Neither CLDR nor the text has the letters of the language.
  case unknownLetters(tag: String)
  /// The text is too short to hold sentences out.
  case tooLittleText(sentences: Int)

  /// The message: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .unknownLetters(let tag):
      "language \(tag): expected letters in CLDR or in a text, found none; give a text or the letters"
    case .tooLittleText(let sentences):
      "text: expected at least 20 sentences, one per line, found \(sentences); give more text"
    }
  }
}

extension LanguagePackError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
