import Foundation
import ModelFormat

/// Where models come from: those that a manager installed, those that an app carries.
///
/// Implementations are thread-safe and answer from what is there now: a model may appear or go at
/// any moment.
public protocol ModelProvider: Sendable {
  /// The models that can be opened now. O(models), without opening them.
  var models: [ModelDescription] { get }

  /// The bundle folder of a model by its identifier; nil where it is not there.
  func bundleURL(of identifier: String) -> URL?

  /// Opens one of the models by its identifier. The recogniser stays usable whatever becomes of
  /// the model.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` where it is not there, and the errors of
  ///   a damaged bundle: `ModelFormatError`, `SafeTensorsError`, ``ModelError`` or
  ///   `LanguageModelError`.
  func openRecognizer(identifier: String) throws -> any Recognizer
}

extension ModelProvider {
  /// The model that goes with a name, or nil where none does.
  ///
  /// - Parameters:
  ///   - name: The identifier of a model, or else a language: `latin-lines`, `en-US`, `en_US`,
  ///     `zxx-Zsym-x-shapes`. Languages match as ``LanguageIndex/bestMatches(for:)`` says.
  ///   - kind: The kind of model, or nil for any; of a language's models those of lines come first.
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)`` where the name is neither an identifier
  ///   of a model nor a language tag.
  public func model(
    for name: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> ModelDescription? {
    try ModelDescription.best(of: models, for: name, kind: kind)
  }

  /// Opens the model that goes with a name; see ``model(for:kind:)``.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` where no model goes with it, and what
  ///   ``model(for:kind:)`` and ``openRecognizer(identifier:)`` throw.
  public func recognizer(
    for name: String, kind: ModelManifest.Kind? = nil
  ) throws -> any Recognizer {
    guard let model = try model(for: name, kind: kind) else {
      throw RecognitionError.modelNotDownloaded(name)
    }
    return try openRecognizer(identifier: model.identifier)
  }
}

extension ModelDescription {
  /// The model that goes with a name; see ``ModelProvider/model(for:kind:)``.
  public static func best(
    of models: [ModelDescription], for name: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> ModelDescription? {
    let models = models.filter { kind == nil || $0.kind == kind }
    if let exact = models.first(where: { $0.identifier == name }) { return exact }
    let tag: LanguageTag
    do {
      tag = try LanguageTag(parsing: name)
    } catch {
      // An identifier of a model that is not there need not be a tag.
      guard ModelManifest.isPortableName(name) else { throw error }
      return nil
    }
    let matches = LanguageIndex(models, tags: \.languages).bestMatches(for: tag)
    let lines = matches.filter { $0.kind == .line }
    return (lines.isEmpty ? matches : lines).min { left, right in
      left.version != right.version
        ? left.version > right.version : left.identifier < right.identifier
    }
  }
}

/// Several providers as one: the first that has a model gives it.
public struct CombinedModels: ModelProvider {
  private let providers: [any ModelProvider]

  /// Makes a provider of providers, the preferred first.
  public init(_ providers: [any ModelProvider]) {
    self.providers = providers
  }

  /// The models of all providers, each identifier once.
  public var models: [ModelDescription] {
    var seen: Set<String> = []
    return providers.flatMap(\.models).filter { seen.insert($0.identifier).inserted }
  }

  /// The bundle of the first provider that has it.
  public func bundleURL(of identifier: String) -> URL? {
    providers.lazy.compactMap { $0.bundleURL(of: identifier) }.first
  }

  /// Opens a model of the first provider that has it.
  public func openRecognizer(identifier: String) throws -> any Recognizer {
    for provider in providers
    where provider.models.contains(where: { $0.identifier == identifier }) {
      return try provider.openRecognizer(identifier: identifier)
    }
    throw RecognitionError.modelNotDownloaded(identifier)
  }
}
