import ModelFormat

/// The properties of a model that are known without opening it.
public struct ModelDescription: Hashable, Sendable {
  /// The model's name for catalogues, such as `latin-lines`.
  public var identifier: String
  /// The display name.
  public var name: String
  /// The output of the model.
  public var kind: ModelManifest.Kind
  /// The version of the model.
  public var version: Int
  /// The languages that the model reads; empty if it has none.
  public var languages: [LanguageTag]

  /// Makes a description.
  public init(
    identifier: String, name: String, kind: ModelManifest.Kind, version: Int,
    languages: [LanguageTag]
  ) {
    self.identifier = identifier
    self.name = name
    self.kind = kind
    self.version = version
    self.languages = languages
  }

  /// Makes the description of a manifest; malformed language tags are left out.
  public init(_ manifest: ModelManifest) {
    self.init(
      identifier: manifest.identifier, name: manifest.name, kind: manifest.kind,
      version: manifest.modelVersion,
      languages: manifest.languages.compactMap { try? LanguageTag(parsing: $0) })
  }
}
