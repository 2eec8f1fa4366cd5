import Features
import Foundation
import ModelFormat
import Networks

extension GlyphModel: BundledModel {
  /// Glyph models.
  public static var kind: ModelManifest.Kind { .glyph }

  /// The network's tensors.
  public var tensors: [Parameter] { network.parameters }

  /// Makes a model of an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    let manifest = bundle.manifest
    try BundleContent.check(bundle, kind: Self.kind)
    let architecture: GlyphArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: FeaturePipeline = try BundleContent.decode(
      manifest.features, "features", path)
    let temperature = manifest.calibration.temperature
    try Self.check(
      architecture, pipeline, labels: manifest.labels.count, temperature: temperature, path)
    let network = GlyphNetwork(architecture)
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

  /// Refuses what does not fit together.
  static func check(
    _ architecture: GlyphArchitecture, _ pipeline: FeaturePipeline, labels: Int,
    temperature: Double, _ path: String
  ) throws(ModelError) {
    guard (1e-6...1e6).contains(temperature) else {
      // Beyond, single precision has no finite scores.
      throw .malformed(
        path: path, what: "temperature", expected: "0.000001 to 1000000", found: "\(temperature)")
    }
    try BundleContent.check(architecture.fault ?? pipeline.fault, path)
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
