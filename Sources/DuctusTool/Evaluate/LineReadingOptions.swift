import ArgumentParser
import Evaluation
import Foundation
import LanguageModels
import ModelFormat
import Recognition

/// The options for reading ink.
package struct LineReadingOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Line models: a language model, NAME.ngram, instead of the bundle's.",
      valueName: "file"))
  var languageModel: String?

  @Option(
    help: ArgumentHelp(
      "Line models: a recurrent language model, NAME.safetensors, that rescores the best readings.",
      valueName: "file"))
  var recurrentModel: String?

  @Option(
    help: ArgumentHelp(
      "Line models: a glyph model that rescores single characters; default: the bundle's own.",
      valueName: "model"))
  var characterModel: String?

  @Option(
    help: ArgumentHelp(
      """
      The only characters that may be read. \\p{Nd}, \\p{Lu} or \\p{Letter} means all \
      with that Unicode property, \\p{Hiragana} all of that script, \\P{Nd} all \
      without it, \\d the digits of all scripts, \\\\ a backslash.
      """, valueName: "characters"))
  var alphabet: String?

  @Option(
    help: ArgumentHelp(
      """
      The only words that may be read, one per line. Probabilities account for words \
      that the list lacks.
      """, valueName: "file"))
  var lexicon: String?

  @Option(
    help: ArgumentHelp(
      """
      Prefer the words of --lexicon instead of allowing no others: add this to the score for each \
      of them, as a natural logarithm; 1 to 3 are usual.
      """, valueName: "bonus"))
  var lexiconBonus: Float?

  @Option(
    help: ArgumentHelp(
      """
      Line models: the precision of the network's products: single, mixed on processors with AMX or \
      AVX-512 BF16, or 8-bit on those with AVX2 or NEON; default: the fastest.
      """, valueName: "precision"))
  var precision: ReadingPrecision?

  package func validate() throws {
    try precision?.validate()
    if let lexiconBonus {
      guard lexicon != nil else { throw ValidationError("--lexicon-bonus needs --lexicon") }
      guard lexiconBonus.isFinite else {
        throw ValidationError("--lexicon-bonus: expected a finite number")
      }
    }
  }

  /// Checks that greedy decoding is not combined with options it cannot use.
  func validate(greedy: Bool) throws {
    guard !greedy || isEmpty else {
      throw ValidationError(
        "--greedy reads with the network alone: leave out language models, alphabets and lexicons")
    }
  }

  /// True if no option is given.
  var isEmpty: Bool {
    languageModel == nil && recurrentModel == nil && characterModel == nil && alphabet == nil
      && lexicon == nil
  }

  /// True if an option replaces a model of the bundle.
  var replacesModels: Bool {
    languageModel != nil || recurrentModel != nil || characterModel != nil
  }

  /// The reading options for a recogniser, without alphabet and vocabulary.
  ///
  /// - Parameter labels: The labels of the line model; nil to take any character model.
  func models(for labels: [String]?) throws -> ReadingOptions {
    var options = ReadingOptions()
    options.languageModel = languageModel
    options.recurrentModel = recurrentModel
    options.precision = precision
    options.characterModel = try characterModel.map {
      try OpenModel.characters($0, for: labels).model
    }
    return options
  }

  /// Makes a separate recogniser with these options, and returns its companion models. Prints a
  /// note if the model was not tuned for the language model.
  ///
  /// - Parameters:
  ///   - model: A line model.
  ///   - name: The model, as named on the command line.
  ///   - greedy: True to decode greedily.
  func recognizer(
    _ model: OpenModel, named name: String, greedy: Bool = false
  ) throws -> (recognizer: LineRecognizer, companions: LineCompanions) {
    var options = try models(for: model.line().labels)
    options.isWithoutLanguage = greedy
    options.alphabet = try allowedCharacters()
    options.vocabulary = try vocabulary()
    let reading = try model.lineReading(options)
    if !reading.isTuned { Self.noteUntuned(name) }
    return (reading.recognizer, reading.companions)
  }

  /// Makes the reader of an evaluation with these options; see ``recognizer(_:named:greedy:)``.
  func reader(
    _ model: OpenModel, named name: String, greedy: Bool = false
  ) throws -> (reader: LineReader, lines: LineRecognizer?, companions: LineCompanions) {
    guard case .characterLine(let lines) = model.content else {
      let made = try recognizer(model, named: name, greedy: greedy)
      return (LineReader(made.recognizer), made.recognizer, made.companions)
    }
    var options = try models(for: lines.labels)
    options.isWithoutLanguage = greedy
    options.alphabet = try allowedCharacters()
    options.vocabulary = try vocabulary()
    let made = try model.characterLineReader(lines, options)
    // The network alone reads no words of other models.
    let reader: any Recognizer =
      try greedy ? made.recognizer : ModelLibrary.local.readingLatin(made.recognizer)
    return (LineReader(program: reader, symbols: Set(lines.labels)), nil, made.companions)
  }

  /// Prints that a model was not tuned for the language models it reads with.
  static func noteUntuned(_ name: String) {
    Outcome.writeToStandardError(
      "note: \(name) is not tuned for these language models; 'ductus tune decoder' does it\n")
  }

  /// The characters of `--alphabet`; nil if there is none.
  func allowedCharacters() throws -> Alphabet? { try alphabet.map { try Alphabet(pattern: $0) } }

  /// The words of `--lexicon`, with their bonus if there is one; nil without words.
  func vocabulary() throws -> Vocabulary? {
    try words().map { words in lexiconBonus.map { .boosted(words, bonus: $0) } ?? .closed(words) }
  }

  /// The words of `--lexicon`; nil if there is none.
  func words() throws -> Lexicon? { try lexicon.map { try Lexicon(words: WordList.words(of: $0)) } }
}

extension OpenModel {
  /// Opens a glyph model of single characters for a line model.
  ///
  /// - Parameters:
  ///   - name: A bundle, or an installed or shipped model.
  ///   - labels: The labels of the line model; nil to take any model.
  /// - Returns: The model, and the data that it was trained on.
  /// - Throws: ``ToolError`` if it knows none of the labels, or the errors of opening it.
  static func characters(
    _ name: String, for labels: [String]?
  ) throws -> (model: GlyphModel, data: [ModelManifest.DataSource]) {
    let opened = try ModelLibrary.local.open(name)
    let model = try opened.glyph()
    guard labels.map({ !Set(model.labels).isDisjoint(with: $0) }) ?? true else {
      throw ToolError.strangeCharacters(name)
    }
    return (model, opened.bundle.manifest.data)
  }
}

extension ToolError {
  /// The error for a `--character-model` of something else.
  fileprivate static func strangeCharacters(_ name: String) -> ToolError {
    .badInput(
      "--character-model \(name): it knows none of the line model's characters; "
        + "name a model of single characters, such as latin-characters")
  }
}

extension ReadingPrecision: ExpressibleByArgument {
  /// Checks that this processor has the products.
  func validate() throws {
    guard !Self.available.contains(self) else { return }
    let available = Self.available.map(\.rawValue).joined(separator: ", ")
    throw ValidationError(
      "--precision \(rawValue): this processor has no fast products of that kind; "
        + "choose from: \(available)")
  }
}
