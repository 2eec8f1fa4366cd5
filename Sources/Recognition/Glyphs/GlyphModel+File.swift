import Features
import Foundation
import Networks

/// A glyph model as one file, for a bundle of another model that it has a say in: a safetensors file
/// whose metadata says what the tensors are.
extension GlyphModel {
  /// What the metadata holds, as JSON.
  private struct Description: Codable {
    var version = 1
    var labels: [String]
    var temperature: Double
    var usesWritingArea: Bool
    var architecture: GlyphArchitecture
    var features: FeaturePipeline
  }

  private static let metadataKey = "ductus.glyphs"

  /// Makes a model of the bytes of a file, checking all of it.
  ///
  /// - Parameter path: Where they are from, for errors.
  /// - Throws: `SafeTensorsError` or ``ModelError``.
  public init(bytes: Data, path: String) throws {
    let tensors: SafeTensors
    do {
      tensors = try SafeTensors(bytes: bytes)
    } catch {
      throw SafeTensorsError(error.reason, file: path)
    }
    guard let text = tensors.metadata[Self.metadataKey],
      let description = try? JSONDecoder().decode(Description.self, from: Data(text.utf8)),
      description.version == 1
    else {
      throw ModelError.malformed(
        path: path, what: "metadata", expected: "a glyph model of this version",
        found: "something else")
    }
    guard Set(description.labels).count == description.labels.count else {
      throw ModelError.malformed(
        path: path, what: "labels", expected: "each once", found: "one twice")
    }
    try Self.check(
      description.architecture, description.features, labels: description.labels.count,
      temperature: description.temperature, path)
    let network = GlyphNetwork(description.architecture)
    self.init(
      labels: description.labels, pipeline: description.features, network: network,
      parameters: try BundleContent.parameters(
        network.parameters, count: network.parameterCount, tensors, path),
      temperature: description.temperature, usesWritingArea: description.usesWritingArea)
  }

  /// The bytes of the model's file, weights in half precision.
  ///
  /// - Throws: `SafeTensorsError`.
  public func serialized() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let description = try encoder.encode(
      Description(
        labels: labels, temperature: temperature, usesWritingArea: usesWritingArea,
        architecture: network.architecture, features: pipeline))
    return try SafeTensors(
      tensors: BundleContent.halfTensors(network.parameters, parameters),
      metadata: [Self.metadataKey: String(decoding: description, as: UTF8.self)]
    ).serialized()
  }
}
