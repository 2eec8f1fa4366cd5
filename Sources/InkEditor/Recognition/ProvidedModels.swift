import Foundation
import ModelFormat
import Recognition

/// Provides the models of a `ModelProvider`, such as those installed by an app, to an engine.
///
/// A configuration bundle is the identifier of a line model or a language, such as `en_US`; its
/// only configuration is "text". Call ``Engine/modelsDidChange()`` after installing a model.
///
///     let engine = Engine(models: ProvidedModels(try PretrainedModels()))
public struct ProvidedModels: EditorModels {
  /// The source of models.
  public let provider: any ModelProvider

  /// The name of every bundle's only configuration.
  public static let configurationName = "text"

  /// Makes the models of a provider.
  public init(_ provider: any ModelProvider) {
    self.provider = provider
  }

  /// Returns that every identifier and every language is a bundle, because its model may be
  /// installed later.
  public func configuration(bundle: String, name: String) -> ConfigurationLookup {
    guard provider.models.contains(where: { $0.identifier == bundle }) || Self.isLanguage(bundle)
    else { return .unknownBundle }
    return name == Self.configurationName ? .found : .unknownName
  }

  private static func isLanguage(_ name: String) -> Bool {
    guard let tag = try? LanguageTag(parsing: name) else { return false }
    // A word of four to eight letters has the form of a language and is none.
    return tag.language.utf8.count <= 3
      && (tag.privateUse != nil || Locale.LanguageCode(tag.language).isISOLanguage)
  }

  /// Returns the best line model for the bundle.
  public func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    try recognizer(bundle, kind: .line)
  }

  /// Returns the glyph model with this identifier or language.
  public func shapeRecognizer(name: String) throws -> any Recognizer {
    try recognizer(name, kind: .glyph)
  }

  private func recognizer(_ name: String, kind: ModelManifest.Kind) throws -> any Recognizer {
    guard let model = try provider.model(for: name, kind: kind) else {
      throw MissingModel(name: name)
    }
    return try provider.openRecognizer(identifier: model.identifier)
  }
}
