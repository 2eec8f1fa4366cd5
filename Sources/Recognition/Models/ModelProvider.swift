import Foundation
import ModelFormat

/// A source of models, such as those installed by a manager or shipped with an app.
///
/// Implementations are thread-safe and answer from the current state: a model may appear or
/// disappear at any moment.
///
///     let model = try provider.model(for: "en-US", kind: .line)
///     let recognizer = try provider.recognizer(for: "en-US", kind: .line)
public protocol ModelProvider: Sendable {
  /// The models that can be opened now. O(models), without opening them.
  var models: [ModelDescription] { get }

  /// The reason why models cannot be listed now, such as a folder that cannot be read; nil if they
  /// can. Shown instead of the statement that a model is missing.
  var fault: (any Error)? { get }

  /// The bundle folder of a model by its identifier; nil if there is none. Does not list the models.
  func bundleURL(of identifier: String) -> URL?

  /// Opens a model by its identifier. The recogniser stays usable even if the model is updated or
  /// removed.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` if there is no such model, and the
  ///   errors of a damaged bundle: `ModelFormatError`, `SafeTensorsError`, ``ModelError`` or
  ///   `LanguageModelError`.
  func openRecognizer(identifier: String) throws -> any Recognizer
}

extension ModelProvider {
  /// Nil.
  public var fault: (any Error)? { nil }

  /// Opens the model for a name; see ``ModelLibrary``. Two languages with a comma between them,
  /// such as `de,en`, give a recogniser of texts in both; see ``LineRecognizer/paired(with:)``.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` if there is no such model, and the
  ///   errors of ``model(for:kind:)`` and ``openRecognizer(identifier:)``.
  public func recognizer(
    for name: String, kind: ModelManifest.Kind? = nil
  ) throws -> any Recognizer {
    try ModelLibrary(of: self).reader(for: ReadingSpecification(model: name, kind: kind))
  }

  /// The model for a name, or nil if there is none.
  ///
  /// - Parameters:
  ///   - name: The identifier of a model, or a language: `latin-lines`, `en-US`, `en_US`,
  ///     `zxx-Zsym-x-shapes`. Languages match by the rules of ``LanguageIndex/bestMatches(for:)``.
  ///     A tag of private use without a model of its language finds the model for any language:
  ///     `en-x-gesture` finds `x-gesture`.
  ///   - kind: The kind of model, or nil for any. For a language, line models are preferred.
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)`` if the name is neither an identifier
  ///   of a model nor a language tag.
  public func model(
    for name: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> ModelDescription? {
    try ModelDescription.best(of: models, for: name, kind: kind)
  }

  /// The model of exactly a language, or nil if there is none; ``model(for:kind:)`` finds the best
  /// match.
  ///
  /// - Parameters:
  ///   - tag: A language tag: `en-GB` does not match `en`.
  ///   - kind: The kind of model, or nil for any. Line models are preferred.
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)``.
  public func model(
    exactly tag: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> ModelDescription? {
    let tag = try LanguageTag(parsing: tag)
    let found = models.filter { (kind == nil || $0.kind == kind) && $0.languages.contains(tag) }
    return found.first { $0.kind == .line } ?? found.first
  }
}

/// Combines several providers: the first that has a model provides it.
///
///     let models = CombinedModels([manager, try PretrainedModels()])
///     let recognizer = DigitalInkRecognizer(model: "en-US", provider: models)
public struct CombinedModels: ModelProvider {
  private let providers: [any ModelProvider]

  /// Combines providers, the preferred one first.
  public init(_ providers: [any ModelProvider]) {
    self.providers = providers
  }

  /// The models of all providers, without duplicate identifiers.
  public var models: [ModelDescription] {
    var seen: Set<String> = []
    return providers.flatMap(\.models).filter { seen.insert($0.identifier).inserted }
  }

  /// The first reason why one of the providers cannot list its models.
  public var fault: (any Error)? { providers.lazy.compactMap(\.fault).first }

  /// The bundle of the first provider that has it.
  public func bundleURL(of identifier: String) -> URL? {
    providers.lazy.compactMap { $0.bundleURL(of: identifier) }.first
  }

  /// Opens a model of the first provider that has it.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    let found = providers.first { provider in
      provider.bundleURL(of: identifier) != nil
        || provider.models.contains { $0.identifier == identifier }
    }
    if let found { return try found.openRecognizer(identifier: identifier) }
    throw RecognitionError.modelNotDownloaded(identifier)
  }
}

/// The models in given bundles, by the identifiers of their manifests.
public struct BundleModels: ModelProvider {
  /// The models, in the order of their bundles.
  public let models: [ModelDescription]
  private let urls: [String: URL]

  /// Reads the manifests of bundles.
  ///
  /// - Throws: `ModelFormatError`, and ``RecognitionError/duplicateIdentifier(_:)``.
  public init(_ bundles: [URL]) throws {
    var models: [ModelDescription] = []
    var urls: [String: URL] = [:]
    for url in bundles {
      let description = ModelDescription(try ModelBundle.manifest(of: url))
      guard urls.updateValue(url, forKey: description.identifier) == nil else {
        throw RecognitionError.duplicateIdentifier(description.identifier)
      }
      models.append(description)
    }
    self.models = models
    self.urls = urls
  }

  /// The bundle with an identifier.
  public func bundleURL(of identifier: String) -> URL? { urls[identifier] }
}
