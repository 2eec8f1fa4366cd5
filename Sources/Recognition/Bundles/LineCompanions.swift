import Foundation
import LanguageModels
import ModelFormat

/// What a recogniser is told besides its bundle. All but the defaults is for models of lines.
public struct ReadingOptions: Sendable {
  /// The file of a language model in place of the bundle's; nil for that.
  public var languageModel: String?
  /// The file of a recurrent language model in place of the bundle's; nil for that.
  public var recurrentModel: String?
  /// A glyph model of single characters in place of the bundle's; nil for that.
  public var characterModel: GlyphModel?
  /// Whether to read without language models, whatever the bundle holds.
  public var isWithoutLanguage = false
  /// The only characters that may be read; nil for all.
  public var alphabet: Alphabet?
  /// The words that may be read or are preferred; nil for none.
  public var vocabulary: Vocabulary?

  /// All that the bundle holds, and nothing besides.
  public init() {}

  /// Whether they are as made.
  var areEmpty: Bool {
    languageModel == nil && recurrentModel == nil && characterModel == nil && !isWithoutLanguage
      && alphabet == nil && vocabulary == nil
  }
}

/// The models that a line model reads with.
public struct LineCompanions: Sendable {
  /// The language model of the search; nil for none.
  public var language: LanguageModelFile?
  /// Orders the best readings anew; nil for none.
  public var recurrent: RecurrentModelFile?
  /// Has its say where an ink may be one character; nil for none.
  public var characters: GlyphModel?

  /// None.
  public init() {}

  /// Those of a bundle, and those that options name in their place.
  ///
  /// - Throws: `LanguageModelError`, `SafeTensorsError`, ``ModelError``, or Foundation's error where
  ///   a file cannot be read; all name the file.
  public init(of bundle: ModelBundle, _ options: ReadingOptions = ReadingOptions()) throws {
    try self.init(languagesOf: bundle, options)
    characters = try options.characterModel ?? GlyphModel(companionOf: bundle)
  }

  /// The language models alone. The bundle's recurrent one goes with its other one: it is left out
  /// where options name a language model.
  ///
  /// - Throws: As ``init(of:_:)``.
  public init(
    languagesOf bundle: ModelBundle, _ options: ReadingOptions = ReadingOptions()
  ) throws {
    guard !options.isWithoutLanguage else { return }
    language =
      try options.languageModel.map { try LanguageModelFile(contentsOf: $0) }
      ?? LanguageModelFile(of: bundle)
    if let path = options.recurrentModel {
      // A second pass needs the first.
      if language != nil { recurrent = try RecurrentModelFile(contentsOf: path) }
    } else if options.languageModel == nil {
      recurrent = try RecurrentModelFile(of: bundle)
    }
  }

  /// The key of a line model's numbers for these language models; nil without a language model.
  public var decodingKey: String? {
    language.map {
      LineModel.decodingKey(languageModel: $0.sha256, recurrentModel: recurrent?.sha256)
    }
  }

  /// Bytes of the files of all language models; nil without a language model.
  public var languageBytes: Int? {
    language.map { $0.model.byteCount + (recurrent?.byteCount ?? 0) }
  }

  /// The numbers that a model was tuned to for these language models; nil where it was not.
  public func configuration(of model: LineModel) -> DecoderConfiguration? {
    language.flatMap {
      model.decoding(languageModel: $0.sha256, recurrentModel: recurrent?.sha256)
    }
  }
}

/// A language model with the hash of its file, by which a line model knows how to decode with it.
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

  /// The language model that a bundle holds, in the mapping that was hashed when the bundle was
  /// opened; nil where it holds none.
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
  /// - Throws: `SafeTensorsError`, ``ModelError``, or Foundation's error where it cannot be read.
  public init(contentsOf path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    model = try RecurrentLanguageModel(bytes: bytes, path: path)
    sha256 = ModelBundle.sha256(bytes)
    byteCount = bytes.count
  }

  /// The recurrent language model that a bundle holds; nil where it holds none.
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
  /// The glyph model of single characters that the bundle of a line model holds, or nil.
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
  /// Makes a recogniser of a model and what it reads with, decoding as the model was tuned to.
  ///
  /// - Throws: As ``init(model:languageModel:recurrentModel:characterModel:configuration:alphabet:vocabulary:)``.
  public convenience init(
    _ model: LineModel, with companions: LineCompanions, alphabet: Alphabet? = nil,
    vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) {
    try self.init(
      model: model, languageModel: companions.language?.model,
      recurrentModel: companions.recurrent?.model, characterModel: companions.characters,
      configuration: companions.configuration(of: model), alphabet: alphabet,
      vocabulary: vocabulary)
  }
}
