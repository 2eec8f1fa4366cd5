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
  /// The parts by which it is found to be a pack; nil if it was described without its manifest.
  package private(set) var sharedReading: SharedReading?

  /// The parts that decide whether a model is a pack of another one.
  package struct SharedReading: Hashable, Sendable {
    /// The hash of the network; nil without one.
    let network: String?
    /// True if it has a language model.
    let hasLanguage: Bool

    init(_ manifest: ModelManifest) {
      network = manifest.part(role: ModelManifest.Part.networkRole)?.sha256
      hasLanguage = manifest.part(role: ModelManifest.Part.languageRole) != nil
    }
  }

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
    sharedReading = SharedReading(manifest)
  }
}

extension ModelDescription {
  /// The model for a name; see ``ModelProvider/model(for:kind:)``.
  public static func best(
    of models: [ModelDescription], for name: String, kind: ModelManifest.Kind? = nil
  ) throws(RecognitionError) -> ModelDescription? {
    let models = models.filter { kind == nil || $0.kind == kind }
    if let exact = models.first(where: { $0.identifier == name }) { return exact }
    let tag: LanguageTag
    do {
      tag = try LanguageTag(parsing: name)
    } catch {
      // The identifier of a missing model need not be a tag.
      guard ModelManifest.isPortableName(name) else { throw error }
      return nil
    }
    let index = LanguageIndex(models, tags: \.languages)
    var matches = index.bestMatches(for: tag)
    // Gestures are the same in every language: `en-x-gesture` is also `x-gesture`.
    if matches.isEmpty, let use = tag.privateUse,
      let anyLanguage = try? LanguageTag(parsing: "x-\(use)")
    {
      matches = index.bestMatches(for: anyLanguage)
    }
    let lines = matches.filter { $0.kind == .line }
    return (lines.isEmpty ? matches : lines).min { left, right in
      left.version != right.version
        ? left.version > right.version : left.identifier < right.identifier
    }
  }
}
