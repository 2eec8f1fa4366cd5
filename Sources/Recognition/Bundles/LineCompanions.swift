import Foundation
import LanguageModels
import ModelFormat

/// Options that replace or extend the content of a bundle. All except the defaults, the alphabet and
/// the vocabulary are for line models.
public struct ReadingOptions: Sendable {
  /// The file of a language model that replaces that of the bundle; nil for the bundle's.
  public var languageModel: String?
  /// The file of a recurrent language model that replaces that of the bundle; nil for the bundle's.
  public var recurrentModel: String?
  /// A glyph model of single characters that replaces that of the bundle; nil for the bundle's.
  public var characterModel: GlyphModel?
  /// True to read without language models, even if the bundle has some.
  public var isWithoutLanguage = false
  /// The allowed characters; nil for all.
  public var alphabet: Alphabet?
  /// The allowed or preferred words; nil for none.
  public var vocabulary: Vocabulary?
  /// The precision of the network's products; nil for the fastest of this processor.
  public var precision: ReadingPrecision?

  /// Makes options that use everything in the bundle and nothing else.
  public init() {}

  /// True if nothing replaces the models of the bundle.
  var replacesNothing: Bool {
    languageModel == nil && recurrentModel == nil && characterModel == nil && !isWithoutLanguage
      && precision == nil
  }

  /// The same without alphabet and vocabulary.
  var withoutLimits: ReadingOptions {
    var result = self
    (result.alphabet, result.vocabulary) = (nil, nil)
    return result
  }
}

/// The models that support a line model.
public struct LineCompanions: Sendable {
  /// The language model of the beam search; nil for none.
  public var language: LanguageModelFile?
  /// The model that rescores the best readings; nil for none.
  public var recurrent: RecurrentModelFile?
  /// The model that is consulted if an ink may be one character; nil for none.
  public var characters: GlyphModel?
  /// The letters and rules of the language; nil for none.
  public var rules: LanguageRules?
  /// The tag of the language; nil if the model has none or several.
  public var tag: String?

  /// Makes a value without any models.
  public init() {}

  /// Opens the models of a bundle, or those that options specify instead.
  ///
  /// - Throws: `LanguageModelError`, `SafeTensorsError`, ``ModelError``, or Foundation's error if a
  ///   file cannot be read; all name the file.
  public init(of bundle: ModelBundle, _ options: ReadingOptions = ReadingOptions()) throws {
    try self.init(languagesOf: bundle, options)
    characters = try options.characterModel ?? GlyphModel(companionOf: bundle)
  }

  /// Opens only the language models. The bundle's recurrent model belongs to its n-gram model, so
  /// it is left out if options specify another language model.
  ///
  /// - Throws: The errors of ``init(of:_:)``.
  public init(
    languagesOf bundle: ModelBundle, _ options: ReadingOptions = ReadingOptions()
  ) throws {
    if bundle.manifest.languages.count == 1 { tag = bundle.manifest.languages[0] }
    rules = try LanguageRules(of: bundle)
    guard !options.isWithoutLanguage else { return }
    language =
      try options.languageModel.map { try LanguageModelFile(contentsOf: $0) }
      ?? LanguageModelFile(of: bundle)
    if let path = options.recurrentModel {
      // The second pass needs the first.
      if language != nil { recurrent = try RecurrentModelFile(contentsOf: path) }
    } else if options.languageModel == nil {
      recurrent = try RecurrentModelFile(of: bundle)
    }
  }

  /// The key of the decoder configuration for these language models; nil without a language model.
  public var decodingKey: String? {
    language.map {
      LineModel.decodingKey(languageModel: $0.sha256, recurrentModel: recurrent?.sha256)
    }
  }

  /// The size of the files of all language models in bytes; nil without a language model.
  public var languageBytes: Int? {
    language.map { $0.model.byteCount + (recurrent?.byteCount ?? 0) }
  }

  /// The decoder configuration that a model was tuned to for these language models; nil if it was
  /// not tuned.
  public func configuration(of model: LineModel) -> DecoderConfiguration? {
    language.flatMap {
      model.decoding(languageModel: $0.sha256, recurrentModel: recurrent?.sha256)
    }
  }
}

/// A language model with the hash of its file, which identifies the decoder configuration of a line
/// model.
public struct LanguageModelFile: Sendable {
  /// The model, mapped from the file.
  public let model: LanguageModel
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String

  /// Opens and checks a file. O(bytes).
  ///
  /// - Throws: `LanguageModelError`.
  public init(contentsOf path: String) throws {
    model = try LanguageModel(contentsOf: path)
    sha256 = model.withFileBytes { ModelBundle.sha256($0) }
  }

  /// Opens the language model of a bundle, in the mapping that was hashed when the bundle was
  /// opened; nil if it has none.
  ///
  /// - Throws: `LanguageModelError`, naming the part.
  init?(of bundle: ModelBundle) throws {
    guard let part = bundle.manifest.part(role: ModelManifest.Part.languageRole),
      let mapping = bundle.mapping(of: part.name)
    else { return nil }
    model = try LanguageModel(
      sharing: mapping.bytes, of: mapping,
      path: bundle.url.appendingPathComponent(part.name).path)
    sha256 = part.sha256
  }
}

extension LanguageRules {
  /// Reads the rules of a bundle; nil if it has none.
  ///
  /// - Throws: `ModelFormatError` or ``ModelError``.
  public init?(of bundle: ModelBundle) throws {
    guard let part = bundle.manifest.part(role: ModelManifest.Part.rulesRole) else { return nil }
    do throws(LanguageRulesError) {
      try self.init(parsing: bundle.contents(of: part))
    } catch {
      throw ModelError.unusableRules(
        path: bundle.url.appendingPathComponent(part.name).path, error)
    }
  }
}

extension ModelBundle {
  /// The bytes of a part of the manifest; empty if there is no such part.
  fileprivate func contents(of part: ModelManifest.Part) -> Data {
    (try? data(for: part.name)) ?? Data()
  }
}

/// A recurrent language model with the hash and the length of its file.
public struct RecurrentModelFile: Sendable {
  /// The model.
  public let model: RecurrentLanguageModel
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String
  /// The length of the file in bytes.
  public let byteCount: Int

  /// Opens and checks a file. O(bytes).
  ///
  /// - Throws: `SafeTensorsError`, ``ModelError``, or Foundation's error if it cannot be read.
  public init(contentsOf path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    model = try RecurrentLanguageModel(bytes: bytes, path: path)
    sha256 = ModelBundle.sha256(bytes)
    byteCount = bytes.count
  }

  /// Opens the recurrent language model of a bundle; nil if it has none.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  init?(of bundle: ModelBundle) throws {
    guard let part = bundle.manifest.part(role: ModelManifest.Part.recurrentRole) else {
      return nil
    }
    model = try RecurrentLanguageModel(
      bytes: bundle.data(for: part.name),
      path: bundle.url.appendingPathComponent(part.name).path)
    sha256 = part.sha256
    byteCount = part.length
  }
}

extension GlyphModel {
  /// Opens the glyph model of single characters in the bundle of a line model; nil if it has none.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init?(companionOf bundle: ModelBundle) throws {
    guard let part = bundle.manifest.part(role: ModelManifest.Part.characterRole) else {
      return nil
    }
    try self.init(
      bytes: bundle.data(for: part.name),
      path: bundle.url.appendingPathComponent(part.name).path)
  }
}

extension LineRecognizer {
  /// Makes a recogniser from a model and its companions, with the decoder configuration that the
  /// model was tuned to.
  ///
  /// - Throws: The errors of the initialiser with single models.
  public convenience init(
    _ model: LineModel, with companions: LineCompanions, alphabet: Alphabet? = nil,
    vocabulary: Vocabulary? = nil, precision: ReadingPrecision? = nil
  ) throws(RecognitionError) {
    try self.init(
      model: model, languageModel: companions.language?.model,
      recurrentModel: companions.recurrent?.model, characterModel: companions.characters,
      rules: companions.rules, language: companions.tag,
      configuration: companions.configuration(of: model), alphabet: alphabet,
      vocabulary: vocabulary, precision: precision)
  }
}
