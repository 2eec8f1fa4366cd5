import ModelFormat

/// What is known of a model without opening it.
public struct ModelDescription: Hashable, Sendable {
  /// The model's name for catalogues, as `latin-lines`.
  public var identifier: String
  /// A name for people.
  public var name: String
  /// What the model recognises.
  public var kind: ModelManifest.Kind
  /// The version of the model.
  public var version: Int
  /// The languages that the model reads; empty where it has none.
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

  /// The description in a manifest; tags that are no language tags are left out.
  public init(_ manifest: ModelManifest) {
    self.init(
      identifier: manifest.identifier, name: manifest.name, kind: manifest.kind,
      version: manifest.modelVersion,
      languages: manifest.languages.compactMap { try? LanguageTag(parsing: $0) })
  }
}
