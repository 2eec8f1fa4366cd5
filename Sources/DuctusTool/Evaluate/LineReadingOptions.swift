import ArgumentParser
import Foundation
import LanguageModels
import ModelFormat
import Recognition

/// What a line model may be told of the text it is to read.
struct LineReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For line models: a language model, NAME.ngram, in place of the bundle's.",
      valueName: "file"))
  var languageModel: String?

  @Option(
    help: ArgumentHelp(
      "For line models: a recurrent language model, NAME.safetensors, that orders the best readings "
        + "anew.",
      valueName: "file"))
  var recurrentModel: String?

  @Option(
    help: ArgumentHelp(
      "For line models: a glyph model of single characters, which has its say where an ink may be one; "
        + "else the bundle's own.", valueName: "model"))
  var characterModel: String?

  @Option(
    help: ArgumentHelp(
      """
      For line models: the only characters that may be read, where \\p{Nd}, \\p{Lu}, \\p{Letter} stand \
      for all with that property of Unicode, \\P{Nd} for all without, and \\\\ for a backslash.
      """, valueName: "characters"))
  var alphabet: String?

  @Option(
    help: ArgumentHelp(
      """
      For line models: the only words that may be read, a word per line. The probability of a \
      candidate counts that another word may have been written.
      """, valueName: "file"))
  var lexicon: String?

  @Option(
    help: ArgumentHelp(
      """
      Do not confine texts to the words of --lexicon: add this to the score, in natural logarithms, for \
      each of them; 1 to 3 are usual.
      """, valueName: "bonus"))
  var lexiconBonus: Float?

  func validate() throws {
    if let lexiconBonus {
      guard lexicon != nil else { throw ValidationError("--lexicon-bonus needs --lexicon") }
      guard lexiconBonus.isFinite else {
        throw ValidationError("--lexicon-bonus: expected a finite number")
      }
    }
  }

  /// Refuses what a reading with the network alone cannot use.
  func validate(greedy: Bool) throws {
    guard !greedy || isEmpty else {
      throw ValidationError(
        "--greedy reads with the network alone: leave out language models, alphabets and lexicons")
    }
  }

  /// Whether nothing was told.
  var isEmpty: Bool {
    languageModel == nil && recurrentModel == nil && characterModel == nil && alphabet == nil
      && lexicon == nil
  }

  /// The language model that was named, or else the bundle's.
  func language(of bundle: ModelBundle) throws -> ChosenLanguageModel? {
    try ChosenLanguageModel(languageModel, recurrent: recurrentModel, of: bundle)
  }

  /// A recogniser that knows what was told. Says so where the model was not tuned for the language
  /// model.
  ///
  /// - Parameter name: The model as it was named.
  func recognizer(
    _ model: LineModel, _ language: ChosenLanguageModel?, of bundle: ModelBundle, named name: String
  ) throws -> LineRecognizer {
    if let language, model.decoding[language.key] == nil {
      Outcome.writeToStandardError(
        "note: \(name) is not tuned for "
          + (language.recurrent == nil ? "this language model" : "these language models")
          + "; 'ductus tune decoder' does it\n")
    }
    return try LineRecognizer(
      model: model, languageModel: language?.model,
      recurrentModel: language?.recurrent, characterModel: try characters(of: bundle),
      configuration: language.flatMap { $0.configuration(of: model) },
      alphabet: try alphabet.map { try Alphabet(pattern: $0) }, vocabulary: try vocabulary())
  }

  /// The glyph model that was named, or else the bundle's.
  private func characters(of bundle: ModelBundle) throws -> GlyphModel? {
    guard let characterModel else { return try BundleRecognizer.characterModel(of: bundle) }
    return try CharacterModel.open(characterModel, for: bundle.manifest.labels).model
  }

  private func vocabulary() throws -> Vocabulary? {
    try lexicon.map { file in
      let words = try Lexicon(words: WordList.words(of: file))
      return lexiconBonus.map { .boosted(words, bonus: $0) } ?? .closed(words)
    }
  }
}

/// The language models to read with: those that were given, or else the bundle's own.
struct ChosenLanguageModel {
  let model: LanguageModel
  /// Orders the best readings anew; nil where there is none.
  let recurrent: RecurrentLanguageModel?
  /// Bytes of all their files.
  let byteCount: Int
  private let sha256: String
  private let recurrentSHA256: String?

  /// Opens what was named.
  ///
  /// - Parameters:
  ///   - path: Of a language model; nil for the bundle's.
  ///   - recurrentPath: Of a recurrent one; nil for the bundle's, which goes with the bundle's other
  ///     one alone.
  /// - Returns: nil where neither the user nor the bundle has a language model.
  init?(_ path: String?, recurrent recurrentPath: String? = nil, of bundle: ModelBundle) throws {
    if let path {
      let file = try LanguageModelFile(contentsOf: path)
      (model, sha256) = (file.model, file.sha256)
    } else {
      let part = BundleRecognizer.part(BundleRecognizer.languageRole, of: bundle)
      guard let part, let own = try BundleRecognizer.languageModel(of: bundle) else { return nil }
      (model, sha256) = (own, part.sha256)
    }
    if let recurrentPath {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: recurrentPath))
      recurrent = try RecurrentLanguageModel(bytes: bytes, path: recurrentPath)
      recurrentSHA256 = ModelBundle.sha256(bytes)
      byteCount = model.byteCount + bytes.count
    } else {
      let part =
        path == nil ? BundleRecognizer.part(BundleRecognizer.recurrentRole, of: bundle) : nil
      recurrent = try part.flatMap { _ in try BundleRecognizer.recurrentModel(of: bundle) }
      recurrentSHA256 = part?.sha256
      byteCount = model.byteCount + (part?.length ?? 0)
    }
  }

  /// The key of a line model's numbers for these language models.
  var key: String {
    LineModel.decodingKey(languageModel: sha256, recurrentModel: recurrentSHA256)
  }

  /// What a model was tuned to for these language models.
  func configuration(of model: LineModel) -> DecoderConfiguration? {
    model.decoding(languageModel: sha256, recurrentModel: recurrentSHA256)
  }
}

/// A glyph model of single characters that is named for a line model.
enum CharacterModel {
  /// Opens a bundle, or an installed model or one that ships.
  ///
  /// - Parameter labels: Of the line model.
  /// - Returns: The model, and the data that it was made of.
  /// - Throws: ``ToolError`` where it knows none of them, or what opening it throws.
  static func open(
    _ name: String, for labels: [String]
  ) throws -> (model: GlyphModel, data: [ModelManifest.DataSource]) {
    let bundle = try ModelBundle.open(ModelLocation.url(of: name))
    let model = try GlyphModel(bundle: bundle)
    guard !Set(model.labels).isDisjoint(with: labels) else {
      throw ToolError.strangeCharacters(name)
    }
    return (model, bundle.manifest.data)
  }
}

extension ToolError {
  /// `--character-model` names a model of other things.
  fileprivate static func strangeCharacters(_ name: String) -> ToolError {
    .badInput(
      "--character-model \(name): expected a model of single characters such as latin-characters, found "
        + "one that knows none of the line model's characters")
  }
}
