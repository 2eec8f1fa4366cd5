import Features
import Foundation
import Networks
import SafeTensors

/// A glyph model as one file, for a bundle of another model that it has a say in: a safetensors file
/// whose metadata says what the tensors are.
extension GlyphModel {
  /// What the metadata holds, as JSON.
  private struct Description: TensorDescription {
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
    let (description, tensors): (Description, SafeTensors) = try BundleContent.described(
      bytes, key: Self.metadataKey, what: "a glyph model", path)
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
    try BundleContent.serialized(
      network.parameters, parameters, key: Self.metadataKey,
      Description(
        labels: labels, temperature: temperature, usesWritingArea: usesWritingArea,
        architecture: network.architecture, features: pipeline))
  }
}
