import Files
import Foundation
import LanguageModels
import ModelFormat

/// The models that a program can read with, and the one place that turns names into recognisers.
///
/// The command line, the HTTP interface, the C interface, the studio, the editor and
/// ``DigitalInkRecognizer`` use it, so that a name means the same everywhere. A name is the
/// identifier of a model (`latin-lines`), a language (`de`, `pt-BR`, `zxx-Zsym-x-shapes`), two
/// languages with a comma between them (`de,en`), or a path if the library takes paths.
///
/// Opening reads and hashes only the bundle that is used. Open models share their memory. A value;
/// safe to share between threads.
///
///     let library = ModelLibrary([manager, try PretrainedModels()])
///     let recognizer = try library.reader(for: ReadingSpecification(language: "de"))
public struct ModelLibrary: ModelProvider {
  /// The name of the model that reads where nothing is named.
  public var defaultModel: String
  /// True if ink for which neither a model nor a language is named is read in the best of the
  /// languages whose packs are there, by their text. False to read it with the default model alone.
  public var choosesLanguage: Bool
  /// True if a name may be the path of a bundle: `/`, or `.ductus` at the end, or a bundle in the
  /// working folder. False for programs that answer requests of others.
  public var takesPaths: Bool
  /// The keys of which one must have signed a model; nil to open unsigned models, too.
  public var trustedKeys: [VerifyingKey]?
  private let sources: CombinedModels

  /// The default model of all programs of this project.
  public static let usualModel = ScriptNetworks.latin

  /// The model of this project with the network of a script, such as `Cyrl`; nil if there is none.
  public static func network(ofScript script: String) -> String? {
    ScriptNetworks.network(ofScript: script)
  }

  /// Makes a library.
  ///
  /// - Parameters:
  ///   - providers: The sources of models, the preferred one first.
  ///   - defaultModel: The name of the model that reads where nothing is named.
  ///   - choosesLanguage: True if ink for which nothing is named is read in the best language.
  ///   - takesPaths: True if a name may be the path of a bundle.
  public init(
    _ providers: [any ModelProvider], defaultModel: String = ModelLibrary.usualModel,
    choosesLanguage: Bool = true, takesPaths: Bool = false
  ) {
    sources = CombinedModels(providers)
    self.defaultModel = defaultModel
    self.choosesLanguage = choosesLanguage
    self.takesPaths = takesPaths
  }

  /// Returns the library of a provider; a library is its own.
  package init(of provider: any ModelProvider) {
    self = provider as? ModelLibrary ?? ModelLibrary([provider])
  }

  // MARK: - Names

  /// The models of all providers, without duplicate identifiers.
  public var models: [ModelDescription] { sources.models }

  /// The bundle of the first provider that has the model.
  public func bundleURL(of identifier: String) -> URL? { sources.bundleURL(of: identifier) }

  /// Opens a model of the first provider that has it.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    try sources.openRecognizer(identifier: identifier)
  }

  /// The reason why a provider cannot list its models; nil if all can.
  public var fault: (any Error)? { sources.fault }

  /// The place of a model.
  private enum Place {
    case bundle(URL)
    /// A model of a provider that keeps no bundle folders.
    case provided(identifier: String)
  }

  /// Finds the bundle of one name. Lists the models only if no model has the name as its identifier.
  ///
  /// - Parameters:
  ///   - name: An identifier, a language, or a path if the library takes paths.
  ///   - kind: The kind of model, or nil for any. It is not checked for a path or an identifier.
  /// - Throws: ``RecognitionError``, or the error of a provider that cannot list its models.
  public func url(of name: String, kind: ModelManifest.Kind? = nil) throws -> URL {
    switch try place(of: name, kind) {
    case .bundle(let url): return url
    case .provided(let identifier): throw RecognitionError.modelNotDownloaded(identifier)
    }
  }

  private func place(of name: String, _ kind: ModelManifest.Kind?) throws -> Place {
    if let url = try path(name) { return .bundle(url) }
    // A model of another kind may have the name of a language.
    let exact = bundleURL(of: name)
    if let exact, kind == nil { return .bundle(exact) }
    if let model = try model(for: name, kind: kind) {
      return bundleURL(of: model.identifier).map { .bundle($0) }
        ?? .provided(identifier: model.identifier)
    }
    if let exact { return .bundle(exact) }
    throw fault ?? RecognitionError.modelNotDownloaded(name)
  }

  /// The bundle at a path; nil if the name is not a path.
  private func path(_ name: String) throws(RecognitionError) -> URL? {
    let isPath = name.contains("/") || name.hasSuffix(".ductus")
    guard takesPaths else {
      if isPath { throw .pathNotAllowed }
      return nil
    }
    let url = URL(fileURLWithPath: name)
    // A folder that is no bundle does not hide the model of its name.
    let manifest = url.appendingPathComponent(ModelBundle.manifestName).path
    return isPath || FileManager.default.fileExists(atPath: manifest) ? url : nil
  }

  // MARK: - Opening

  /// Opens the model of one name.
  ///
  /// - Parameters:
  ///   - name: An identifier, a language, or a path if the library takes paths.
  ///   - kind: The kind of model, or nil for any.
  /// - Throws: ``RecognitionError``, and the errors of a damaged bundle: `ModelFormatError`,
  ///   `SafeTensorsError`, ``ModelError`` or `LanguageModelError`.
  public func open(_ name: String, kind: ModelManifest.Kind? = nil) throws -> OpenModel {
    let url = try url(of: name, kind: kind)
    do {
      return try open(url, kind, named: name)
    } catch let error as ModelFormatError {
      // The model may have been updated in the meantime.
      guard let other = try? self.url(of: name, kind: kind), other != url else { throw error }
      return try open(other, kind, named: name)
    }
  }

  private func open(
    _ url: URL, _ kind: ModelManifest.Kind?, named name: String
  ) throws -> OpenModel {
    let bundle = try ModelBundle.open(url)
    if let trustedKeys { try bundle.requireSigner(among: trustedKeys) }
    if let kind, bundle.manifest.kind != kind {
      throw RecognitionError.wrongKind(
        model: name, expected: kind.rawValue, found: bundle.manifest.kind.rawValue)
    }
    return try OpenModel(bundle)
  }

  // MARK: - Reading

  /// Makes the recogniser of a specification. Plain recognisers of one model are shared while
  /// anyone keeps them.
  ///
  /// - Throws: The errors of ``open(_:kind:)``; ``RecognitionError`` for two languages that cannot
  ///   be read together, for limits within which nothing can be read, and for language models with
  ///   a glyph model.
  public func reader(for specification: ReadingSpecification) throws -> any Recognizer {
    try modelReader(for: specification).recognizer
  }

  /// The same, with the identifier of the model.
  package func modelReader(for specification: ReadingSpecification) throws -> ModelReader {
    var reader = try unconfinedReader(for: specification)
    let options = specification.options
    reader.recognizer = try reader.recognizer.confined(
      to: options.alphabet, vocabulary: options.vocabulary)
    return reader
  }

  private func unconfinedReader(for specification: ReadingSpecification) throws -> ModelReader {
    let (kind, options) = (specification.kind, specification.options)
    guard let name = specification.model ?? specification.language else {
      return try choosesLanguage && options.replacesNothing
        ? multilingualReader(kind) : reader(defaultModel, kind, options)
    }
    return try reader(name, kind, options)
  }

  /// The recogniser of one name, or of two with a comma between them.
  private func reader(
    _ name: String, _ kind: ModelManifest.Kind?, _ options: ReadingOptions
  ) throws -> ModelReader {
    // A path may contain a comma.
    if let url = try? path(name) { return try singleReader(url.path, kind, options) }
    let names = name.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1 else { return try singleReader(name, kind, options) }
    guard names.count == 2 else { throw RecognitionError.malformedLanguageTag(name) }
    var (first, second) = (
      try singleReader(names[0], kind, options), try singleReader(names[1], kind, options)
    )
    if let one = first.recognizer as? LineRecognizer,
      let other = second.recognizer as? LineRecognizer,
      one.model.sharesNetwork(with: other.model)
    {
      first.recognizer = try one.paired(with: other)
    } else if var one = first.recognizer as? any ScriptReader,
      var other = second.recognizer as? any ScriptReader
    {
      // Words of the other language also occur in lines of characters.
      if let lines = one as? CharacterLineRecognizer, let latin = Self.latin(other) {
        one = try lines.readingWords { latin }
      } else if let lines = other as? CharacterLineRecognizer, let latin = Self.latin(one) {
        other = try lines.readingWords { latin }
      }
      first.recognizer = ScriptRecognizer(one, always: [other])
    } else {
      throw RecognitionError.unlikeLanguages(names[0], names[1])
    }
    first.model += "," + second.model
    first.isTuned = first.isTuned && second.isTuned
    return first
  }

  private func singleReader(
    _ name: String, _ kind: ModelManifest.Kind?, _ options: ReadingOptions
  ) throws -> ModelReader {
    if case .provided(let identifier) = try place(of: name, kind) {
      guard options.replacesNothing else { throw RecognitionError.notOfLines(model: name) }
      return ModelReader(
        model: identifier, recognizer: try openRecognizer(identifier: identifier))
    }
    let model = try open(name, kind: kind)
    let identifier = model.bundle.manifest.identifier
    if case .characterLine = model.content {
      let recognizer =
        try options.replacesNothing
        ? model.recognizer() : model.recognizer(options.withoutLimits)
      return ModelReader(model: identifier, recognizer: try readingLatin(recognizer))
    }
    if options.replacesNothing {
      return ModelReader(model: identifier, recognizer: try model.recognizer())
    }
    guard case .line = model.content else { throw RecognitionError.notOfLines(model: name) }
    let reading = try model.lineReading(options.withoutLimits)
    return ModelReader(
      model: identifier, recognizer: reading.recognizer, isTuned: reading.isTuned)
  }

  /// The recogniser that finds the language of each text, if the default model reads lines.
  private func multilingualReader(_ kind: ModelManifest.Kind?) throws -> ModelReader {
    guard !defaultModel.contains(","), case .bundle = try place(of: defaultModel, kind) else {
      return try reader(defaultModel, kind, ReadingOptions())
    }
    let base = try open(defaultModel, kind: kind)
    let identifier = base.bundle.manifest.identifier
    guard case .line = base.content else {
      return ModelReader(model: identifier, recognizer: try base.recognizer())
    }
    let usual = try MultilingualRecognizer(base) {
      self.packs(sharing: base.bundle).filter(isTrusted)
    }
    return ModelReader(
      model: identifier,
      recognizer: ScriptRecognizer(
        usual,
        inDoubt: {
          let scripts = ScriptNetworks.others.map(\.language)
          let languages = scripts + ScriptNetworks.languagesOfCharacters
          let workers = min(languages.count, ProcessInfo.processInfo.activeProcessorCount)
          return try WorkerPool(count: workers).map(languages.count) { index in
            try index < scripts.count
              ? self.reader(ofScriptOf: languages[index])
              : self.reader(ofCharactersOf: languages[index])
          }.compactMap(\.self)
        }))
  }

  /// The recogniser of all languages that share the network of one; nil if that is not here.
  private func reader(ofScriptOf language: String) throws -> (any ScriptReader)? {
    guard let model = try? model(exactly: language, kind: .line),
      let url = bundleURL(of: model.identifier), isTrusted(url)
    else { return nil }
    let base = try OpenModel(ModelBundle.open(url))
    return try MultilingualRecognizer(base) {
      self.packs(sharing: base.bundle).filter(isTrusted)
    }
  }

  /// The recogniser of a language of such characters; nil if its model is not here.
  private func reader(ofCharactersOf language: String) throws -> (any ScriptReader)? {
    guard let model = try? model(exactly: language, kind: .line),
      let url = bundleURL(of: model.identifier), isTrusted(url)
    else { return nil }
    return try readingLatin(OpenModel(ModelBundle.open(url)).recognizer()) as? any ScriptReader
  }

  /// A recogniser that also reads Latin words in lines of characters, with the usual model if that is here;
  /// a recogniser of another kind stays as it is.
  package func readingLatin(_ recognizer: any Recognizer) throws -> any Recognizer {
    guard let lines = recognizer as? CharacterLineRecognizer else { return recognizer }
    return try lines.readingWords {
      guard let url = self.bundleURL(of: Self.usualModel), self.isTrusted(url) else { return nil }
      return try OpenModel(ModelBundle.open(url)).recognizer() as? LineRecognizer
    }
  }

  /// The reader of lines in Latin letters; nil for one of another script.
  private static func latin(_ reader: any ScriptReader) -> LineRecognizer? {
    (reader as? LineRecognizer).flatMap { $0.model.labels.contains("a") ? $0 : nil }
  }

  private func isTrusted(_ bundle: URL) -> Bool {
    guard let trustedKeys else { return true }
    let signature = (try? ModelBundle.signature(of: bundle)) ?? nil
    return signature.map { trustedKeys.contains($0.key) } ?? false
  }
}
