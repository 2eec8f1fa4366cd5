import Features
import ModelFormat
import Networks

extension LineModel: BundledModel {
  /// Line models.
  public static var kind: ModelManifest.Kind { .line }

  /// The network's tensors.
  public var tensors: [Parameter] { network.parameters }

  /// Makes a model of an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    let manifest = bundle.manifest
    try BundleContent.check(bundle, kind: Self.kind)
    let architecture: SequenceArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: LinePipeline = try BundleContent.decode(manifest.features, "features", path)
    try Self.check(architecture, pipeline, labels: manifest.labels, path)
    var decoding: [String: DecoderConfiguration] = [:]
    for (hash, value) in manifest.decoding ?? [:] {
      let configuration: DecoderConfiguration = try BundleContent.decode(value, "decoding", path)
      try BundleContent.check(configuration.fault(classes: architecture.classes), path)
      decoding[hash] = configuration
    }
    let network = SequenceNetwork(architecture)
    self.init(
      labels: manifest.labels, pipeline: pipeline, network: network,
      parameters: try BundleContent.sharedParameters(
        network.parameters, count: network.parameterCount, of: bundle),
      decoding: decoding)
  }

  /// Writes decoding, architecture and features.
  public func describe(in manifest: inout ModelManifest) throws {
    manifest.decoding =
      decoding.isEmpty ? nil : try decoding.mapValues { try JSONValue(encoding: $0) }
    manifest.architecture = try JSONValue(encoding: network.architecture)
    manifest.features = try JSONValue(encoding: pipeline)
  }

  private static func check(
    _ architecture: SequenceArchitecture, _ pipeline: LinePipeline, labels: [String], _ path: String
  ) throws(ModelError) {
    try BundleContent.check(
      architecture.fault ?? pipeline.fault ?? architecture.fault(longest: pipeline.maximumSteps),
      path)
    guard architecture.channels == pipeline.channels else {
      throw .malformed(
        path: path, what: "network input",
        expected: "\(pipeline.channels) channels as the features give",
        found: "\(architecture.channels)")
    }
    guard architecture.classes == labels.count + 1 else {
      throw .malformed(
        path: path, what: "network output",
        expected: "\(labels.count + 1) classes, a blank and one for each label",
        found: "\(architecture.classes)")
    }
    for label in labels where label.count != 1 {
      throw .malformed(
        path: path, what: "labels", expected: "one character each", found: "\(label.count)")
    }
  }
}
