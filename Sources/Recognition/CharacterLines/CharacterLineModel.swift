import LinearAlgebra
import ModelFormat
import Networks

/// A model of lines whose characters do not touch, as in Japanese and Chinese: a glyph model of single
/// characters, and the weights with which a ``CharacterLineRecognizer`` puts them together.
///
/// Its bundle is of the kind `line` with the network of a glyph model, which it may share.
public struct CharacterLineModel: Sendable {
  /// The model of single characters.
  public let glyphs: GlyphModel
  /// The weights by the SHA-256 of the language model's file; those for no language model have the key
  /// ``DecoderConfiguration/withoutModel``.
  public var decoding: [String: CharacterLineConfiguration]

  /// Makes a model.
  public init(glyphs: GlyphModel, decoding: [String: CharacterLineConfiguration] = [:]) {
    self.glyphs = glyphs
    self.decoding = decoding
  }

  /// Returns whether a manifest of the kind `line` describes such a model.
  static func isDescribed(by manifest: ModelManifest) -> Bool {
    (try? manifest.architecture.decoded(as: GlyphArchitecture.self)) != nil
  }

  /// The weights for a language model by the SHA-256 of its file; nil if none were tuned.
  func configuration(languageModel: String?) -> CharacterLineConfiguration? {
    decoding[languageModel ?? DecoderConfiguration.withoutModel]
  }
}

extension CharacterLineModel: BundledModel {
  /// The kind: line models.
  public static var kind: ModelManifest.Kind { .line }

  /// The characters.
  public var labels: [String] { glyphs.labels }

  /// The tensors of the glyph model.
  public var tensors: [Parameter] { glyphs.tensors }

  /// The parameters of the glyph model.
  public var parameters: AlignedBuffer { glyphs.parameters }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    var decoding: [String: CharacterLineConfiguration] = [:]
    for (key, value) in bundle.manifest.decoding ?? [:] {
      let configuration: CharacterLineConfiguration = try BundleContent.decode(
        value, "decoding", path)
      try BundleContent.check(configuration.fault, path)
      decoding[key] = configuration
    }
    self.init(glyphs: try GlyphModel(bundle: bundle, kind: Self.kind), decoding: decoding)
  }

  /// Writes the description of the glyph model and the weights.
  public func describe(in manifest: inout ModelManifest) throws {
    try glyphs.describe(in: &manifest)
    manifest.decoding =
      decoding.isEmpty ? nil : try decoding.mapValues { try JSONValue(encoding: $0) }
  }
}
