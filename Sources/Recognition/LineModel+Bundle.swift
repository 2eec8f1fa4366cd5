import Features
import Foundation
import LinearAlgebra
import ModelFormat
import Networks

extension LineModel {
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
    try BundleContent.check(bundle, kind: .line)
    let architecture: LineArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: LinePipeline = try BundleContent.decode(manifest.features, "features", path)
    try Self.check(architecture, pipeline, labels: manifest.labels, path)
    var decoding: [String: DecoderConfiguration] = [:]
    for (hash, value) in manifest.decoding ?? [:] {
      let configuration: DecoderConfiguration = try BundleContent.decode(value, "decoding", path)
      if let fault = configuration.fault {
        throw ModelError.malformed(
          path: path, what: fault.what, expected: fault.expected, found: fault.found)
      }
      decoding[hash] = configuration
    }
    let network = LineNetwork(architecture)
    self.init(
      labels: manifest.labels, pipeline: pipeline, network: network,
      parameters: try BundleContent.sharedParameters(
        network.parameters, count: network.parameterCount, of: bundle),
      decoding: decoding)
  }

  /// The bundle of this model, its weights in half precision, ready to be written.
  ///
  /// - Parameter manifest: All but labels, decoding, architecture and features, which are the
  ///   model's.
  /// - Throws: `ModelFormatError` or `SafeTensorsError`.
  public func bundle(_ manifest: ModelManifest) throws -> ModelBundleWriter {
    var manifest = manifest
    manifest.labels = labels
    manifest.decoding =
      decoding.isEmpty ? nil : try decoding.mapValues { try JSONValue(encoding: $0) }
    manifest.architecture = try JSONValue(encoding: network.architecture)
    manifest.features = try JSONValue(encoding: pipeline)
    var writer = ModelBundleWriter(manifest: manifest)
    try writer.add(
      part: BundleContent.networkPart, role: "network",
      data: BundleContent.serialized(network.parameters, parameters))
    return writer
  }

  private static func check(
    _ architecture: LineArchitecture, _ pipeline: LinePipeline, labels: [String], _ path: String
  ) throws(ModelError) {
    if let fault = architecture.fault ?? pipeline.fault {
      throw .malformed(
        path: path, what: fault.what, expected: fault.expected, found: fault.found)
    }
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

extension LineArchitecture {
  /// The first member that does not make a network of reasonable size, or nil.
  ///
  /// Making a network of an architecture with a fault may trap: check what comes from a file.
  var fault: DescriptionFault? {
    let sizes = 1...8192
    guard sizes.contains(channels), (2...65536).contains(classes), layers.count <= 64 else {
      return DescriptionFault(
        what: "architecture", expected: "1 to 8192 channels, 2 to 65536 classes, 64 layers",
        found: "\(channels), \(classes) and \(layers.count)")
    }
    var (width, weights) = (channels, 0)
    for (index, layer) in layers.enumerated() {
      let isSound: Bool
      switch layer {
      case .convolution(let outputs, let kernel, let stride):
        isSound =
          sizes.contains(outputs) && (1...255).contains(kernel) && kernel % 2 == 1
          && (1...64).contains(stride)
        if isSound { weights += kernel * width * outputs }
        width = outputs
      case .bidirectionalLSTM(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 8 * hidden * (width + hidden) }
        width = isSound ? 2 * hidden : width
      case .dense(let units):
        isSound = sizes.contains(units)
        if isSound { weights += width * units }
        width = units
      case .dropout(let rate):
        isSound = rate >= 0 && rate < 1
      }
      guard isSound, weights <= GlyphArchitecture.maximumTotal else {
        return DescriptionFault(
          what: "layer \(index)",
          expected: "sizes that make a layer, at most \(GlyphArchitecture.maximumTotal) weights",
          found: "others")
      }
    }
    return nil
  }
}

extension LinePipeline {
  /// The first member that cannot be applied, or nil.
  var fault: DescriptionFault? {
    guard spacing.isFinite, (0.005...2).contains(spacing), (16...65536).contains(maximumSteps)
    else {
      return DescriptionFault(
        what: "features", expected: "a spacing of 0.005 to 2 and 16 to 65536 steps",
        found: "\(spacing) and \(maximumSteps)")
    }
    return nil
  }
}
