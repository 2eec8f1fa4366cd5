import Features
import Foundation
import LinearAlgebra
import ModelFormat
import Networks
import SafeTensors

/// A trained glyph model in memory, with everything that converts an ink to scores of its labels.
public struct GlyphModel: Sendable {
  /// The classes, in the order of the logits.
  public let labels: [String]
  /// The conversion from ink to network input.
  public let pipeline: FeaturePipeline
  /// The network.
  public let network: GlyphNetwork
  /// Its flat parameters, which do not change after training.
  public let parameters: AlignedBuffer
  /// The divisor of logits before the softmax (Guo et al. 2017); above 0.
  public let temperature: Double

  /// True if the writing area is used. False for shapes and drawings, whose size has no meaning.
  public let usesWritingArea: Bool

  /// Makes a model.
  public init(
    labels: [String], pipeline: FeaturePipeline, network: GlyphNetwork, parameters: AlignedBuffer,
    temperature: Double, usesWritingArea: Bool = true
  ) {
    self.usesWritingArea = usesWritingArea
    self.labels = labels
    self.pipeline = pipeline
    self.network = network
    self.parameters = parameters
    self.temperature = temperature
  }
}

extension GlyphModel {
  /// The model with every parameter rounded to half precision, as in its file. O(parameters).
  public func roundedToHalfPrecision() -> GlyphModel {
    return GlyphModel(
      labels: labels, pipeline: pipeline, network: network,
      parameters: HalfPrecision.rounded(parameters),
      temperature: temperature, usesWritingArea: usesWritingArea)
  }
}

extension GlyphModel: BundledModel {
  /// The kind: glyph models.
  public static var kind: ModelManifest.Kind { .glyph }

  /// The network's tensors.
  public var tensors: [Parameter] { network.parameters }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    try self.init(bundle: bundle, kind: Self.kind)
  }

  /// Makes a model from a bundle of this kind, whose network is a glyph model.
  init(bundle: ModelBundle, kind: ModelManifest.Kind) throws {
    let path = bundle.url.path
    let manifest = bundle.manifest
    try BundleContent.check(bundle, kind: kind)
    let architecture: GlyphArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: FeaturePipeline = try BundleContent.decode(
      manifest.features, "features", path)
    let temperature = manifest.calibration.temperature
    let network = try Self.network(
      architecture, pipeline, labels: manifest.labels.count, temperature: temperature, path)
    self.init(
      labels: manifest.labels, pipeline: pipeline, network: network,
      parameters: try BundleContent.sharedParameters(
        network.parameters, count: network.parameterCount, of: bundle),
      temperature: temperature, usesWritingArea: !manifest.isWithoutLanguage)
  }

  /// Writes temperature, architecture and features.
  public func describe(in manifest: inout ModelManifest) throws {
    manifest.calibration = ModelManifest.Calibration(temperature: temperature)
    manifest.architecture = try JSONValue(encoding: network.architecture)
    manifest.features = try JSONValue(encoding: pipeline)
  }

  /// Makes the network of a description; throws if parts of it do not match.
  static func network(
    _ architecture: GlyphArchitecture, _ pipeline: FeaturePipeline, labels: Int,
    temperature: Double, _ path: String
  ) throws(ModelError) -> GlyphNetwork {
    guard (1e-6...1e6).contains(temperature) else {
      // Outside of this range single precision has no finite scores.
      throw .malformed(
        path: path, what: "temperature", expected: "0.000001 to 1000000", found: "\(temperature)")
    }
    let network = try BundleContent.checked(path) { () throws(NetworkError) in
      try GlyphNetwork(architecture)
    }
    let sequence = Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels)
    guard architecture.sequence == sequence, architecture.maps == pipeline.mapCount,
      architecture.globals == pipeline.globalCount
    else {
      throw .malformed(
        path: path, what: "network input",
        expected: "\(sequence.steps) x \(sequence.channels), \(pipeline.mapCount) and "
          + "\(pipeline.globalCount) numbers of the features",
        found: "\(architecture.sequence.steps) x \(architecture.sequence.channels), "
          + "\(architecture.maps) and \(architecture.globals)")
    }
    guard architecture.classes == labels else {
      throw .malformed(
        path: path, what: "network output", expected: "\(labels) classes, one per label",
        found: "\(architecture.classes.map(String.init) ?? "none")")
    }
    return network
  }
}

extension GlyphClassifier {
  /// Opens a bundle folder and makes a classifier.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public convenience init(contentsOf url: URL) throws {
    try self.init(model: GlyphModel(contentsOf: url))
  }
}

/// The file of a glyph model inside the bundle of another model: a safetensors file whose metadata
/// describes the tensors.
extension GlyphModel {
  /// The content of the metadata, as JSON.
  private struct Description: TensorDescription {
    var version = 1
    var labels: [String]
    var temperature: Double
    var usesWritingArea: Bool
    var architecture: GlyphArchitecture
    var features: FeaturePipeline
  }

  private static let metadataKey = "ductus.glyphs"

  /// Makes a model from the bytes of a file, and checks all of it.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - path: The path of the bytes, for errors.
  /// - Throws: `SafeTensorsError` or ``ModelError``.
  public init(bytes: Data, path: String) throws {
    let (description, tensors): (Description, SafeTensors) = try BundleContent.described(
      bytes, key: Self.metadataKey, what: "a glyph model", path)
    guard Set(description.labels).count == description.labels.count else {
      throw ModelError.malformed(
        path: path, what: "labels", expected: "each once", found: "one twice")
    }
    let network = try Self.network(
      description.architecture, description.features, labels: description.labels.count,
      temperature: description.temperature, path)
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
