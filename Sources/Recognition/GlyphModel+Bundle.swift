import Features
import Foundation
import LinearAlgebra
import ModelFormat
import Networks

extension GlyphModel {
  /// Reads a model from a bundle folder, checking every part.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(contentsOf url: URL) throws {
    try self.init(bundle: ModelBundle.open(url))
  }

  /// Makes a model of an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    let manifest = bundle.manifest
    try BundleContent.check(bundle, kind: .glyph)
    let architecture: GlyphArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: FeaturePipeline = try BundleContent.decode(
      manifest.features, "features", path)
    try Self.check(architecture, pipeline, labels: manifest.labels.count, path)
    let temperature = manifest.calibration.temperature
    guard (1e-6...1e6).contains(temperature) else {
      // Beyond, single precision has no finite scores.
      throw ModelError.malformed(
        path: path, what: "temperature", expected: "0.000001 to 1000000", found: "\(temperature)")
    }
    let network = GlyphNetwork(architecture)
    self.init(
      labels: manifest.labels, pipeline: pipeline, network: network,
      parameters: try BundleContent.sharedParameters(
        network.parameters, count: network.parameterCount, of: bundle),
      temperature: temperature, usesWritingArea: !manifest.isWithoutLanguage)
  }

  /// The bundle of this model, its weights in half precision, ready to be written.
  ///
  /// - Parameter manifest: All but labels, calibration, architecture and features, which are the
  ///   model's.
  /// - Throws: `ModelFormatError` or `SafeTensorsError`.
  public func bundle(_ manifest: ModelManifest) throws -> ModelBundleWriter {
    var manifest = manifest
    manifest.labels = labels
    manifest.calibration = ModelManifest.Calibration(temperature: temperature)
    manifest.architecture = try JSONValue(encoding: network.architecture)
    manifest.features = try JSONValue(encoding: pipeline)
    var writer = ModelBundleWriter(manifest: manifest)
    try writer.add(
      part: BundleContent.networkPart, role: "network",
      data: BundleContent.serialized(network.parameters, parameters))
    return writer
  }

  private static func check(
    _ architecture: GlyphArchitecture, _ pipeline: FeaturePipeline, labels: Int, _ path: String
  ) throws(ModelError) {
    if let fault = architecture.fault ?? pipeline.fault {
      throw .malformed(
        path: path, what: fault.what, expected: fault.expected, found: fault.found)
    }
    let sequence = Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels)
    guard architecture.sequence == sequence, architecture.maps == pipeline.mapCount,
      architecture.globals == pipeline.globalCount
    else {
      throw .malformed(
        path: path, what: "network input",
        expected: "\(sequence.steps) x \(sequence.channels), \(pipeline.mapCount) and "
          + "\(pipeline.globalCount) numbers as the features give",
        found: "\(architecture.sequence.steps) x \(architecture.sequence.channels), "
          + "\(architecture.maps) and \(architecture.globals)")
    }
    guard architecture.classes == labels else {
      throw .malformed(
        path: path, what: "network output", expected: "\(labels) classes as there are labels",
        found: "\(architecture.classes.map(String.init) ?? "none")")
    }
  }
}

extension GlyphClassifier {
  /// Opens a bundle folder and makes a classifier of it.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public convenience init(contentsOf url: URL) throws {
    try self.init(model: GlyphModel(contentsOf: url))
  }
}
