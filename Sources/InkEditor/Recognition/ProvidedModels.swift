import Foundation
import InkCore
import ModelFormat
import Recognition

/// Provides the models of a `ModelProvider`, such as those installed by an app, to an engine.
///
/// A configuration bundle is the identifier of a line model, a language such as `en_US`, or two such
/// as `de,en`; its
/// only configuration is "text". A language is known if a model of the provider reads it, if it is one
/// of `KnownLanguages`, or if the app declares it. The editor waits for the model of a known language
/// that is not installed. Call ``Engine/modelsDidChange()`` after installing a model.
///
///     let engine = Engine(models: ProvidedModels(try PretrainedModels()))
public struct ProvidedModels: EditorModels {
  /// The source of models.
  public let provider: any ModelProvider

  /// The name of every bundle's only configuration.
  public static let configurationName = "text"

  /// The bundles that the app installs later.
  public let declared: Set<String>

  /// Makes the models of a provider.
  ///
  /// - Parameters:
  ///   - provider: The source of models.
  ///   - declared: Identifiers and languages of models that the app installs later.
  public init(_ provider: any ModelProvider, declared: Set<String> = []) {
    self.provider = provider
    self.declared = declared
  }

  /// Returns whether the bundle is a model of the provider or a known language.
  public func configuration(bundle: String, name: String) -> ConfigurationLookup {
    guard isKnown(bundle) else { return .unknownBundle }
    return name == Self.configurationName ? .found : .unknownName
  }

  private func isKnown(_ bundle: String) -> Bool {
    if declared.contains(bundle) || provider.models.contains(where: { $0.identifier == bundle }) {
      return true
    }
    // Two languages in one text.
    let names = bundle.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return names.allSatisfy { name in
      let model = (try? provider.model(for: name, kind: .line)) ?? nil
      let language = (try? KnownLanguages.bestMatch(for: name)) ?? nil
      return model != nil || language != nil
    }
  }

  /// Returns the direction of the language of the model, of the first of several.
  public func direction(bundle: String, name: String) -> WritingDirection {
    let first = bundle.split(separator: ",").first.map(String.init) ?? bundle
    let model = provider.models.first { $0.identifier == first }
    return (model?.languages.first ?? (try? LanguageTag(parsing: first)))?.direction ?? .leftToRight
  }

  /// Returns the best line model for the bundle.
  public func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    try recognizer(bundle, kind: .line)
  }

  /// Returns the glyph model with this identifier or language.
  public func shapeRecognizer(name: String) throws -> any Recognizer {
    try recognizer(name, kind: .glyph)
  }

  /// Returns the glyph model with this identifier or language.
  public func gestureRecognizer(name: String) throws -> any Recognizer {
    try recognizer(name, kind: .glyph)
  }

  /// Returns the formula model with this identifier.
  public func formulaRecognizer(name: String) throws -> any Recognizer {
    try recognizer(name, kind: .formula)
  }

  private func recognizer(_ name: String, kind: ModelManifest.Kind) throws -> any Recognizer {
    do {
      return try ModelLibrary(of: provider).reader(
        for: ReadingSpecification(model: name, kind: kind))
    } catch let error as RecognitionError {
      guard case .modelNotDownloaded(let missing) = error else { throw error }
      throw MissingModel(name: missing, reason: error.description)
    }
  }
}
