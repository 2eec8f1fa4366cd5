import Features
import LinearAlgebra
import ModelFormat
import Networks
import SafeTensors

/// A trained line model in memory, with everything that converts an ink to probabilities of its
/// symbols at each time step.
public struct LineModel: Sendable {
  /// The symbols, each one character; symbol k is class k + 1 of the network, class 0 the blank.
  public var labels: [String] { symbols.labels }
  /// The symbols, to write texts with.
  public let symbols: TextSymbols
  /// The conversion from ink to network input.
  public let pipeline: LinePipeline
  /// The network.
  public let network: SequenceNetwork
  /// Its flat parameters, which do not change after training.
  public let parameters: AlignedBuffer
  /// The decoder configurations for language models, by
  /// ``decodingKey(languageModel:recurrentModel:)``.
  public var decoding: [String: DecoderConfiguration]

  /// Makes a model.
  public init(
    labels: [String], pipeline: LinePipeline, network: SequenceNetwork, parameters: AlignedBuffer,
    decoding: [String: DecoderConfiguration] = [:]
  ) {
    symbols = TextSymbols(labels)
    self.pipeline = pipeline
    self.network = network
    self.parameters = parameters
    self.decoding = decoding
  }

  /// The model with every parameter rounded to half precision, as in its file. O(parameters).
  public func roundedToHalfPrecision() -> LineModel {
    LineModel(
      labels: labels, pipeline: pipeline, network: network,
      parameters: HalfPrecision.rounded(parameters), decoding: decoding)
  }

  /// The key of the decoder configuration for language models, from the SHA-256 of their files.
  ///
  /// - Parameters:
  ///   - languageModel: The hash of the language model of the search.
  ///   - recurrentModel: The hash of the recurrent one; nil if there is none.
  public static func decodingKey(languageModel: String, recurrentModel: String? = nil) -> String {
    recurrentModel.map { "\(languageModel)+\($0)" } ?? languageModel
  }

  /// The decoder configuration for language models. If both were not tuned together, the one for
  /// the first; nil if neither was tuned.
  public func decoding(
    languageModel: String, recurrentModel: String? = nil
  ) -> DecoderConfiguration? {
    decoding[Self.decodingKey(languageModel: languageModel, recurrentModel: recurrentModel)]
      ?? decoding[languageModel]
  }
}

extension LineModel: BundledModel {
  /// The kind: line models.
  public static var kind: ModelManifest.Kind { .line }

  /// The network's tensors.
  public var tensors: [Parameter] { network.parameters }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    let manifest = bundle.manifest
    try BundleContent.check(bundle, kind: Self.kind)
    let architecture: SequenceArchitecture = try BundleContent.decode(
      manifest.architecture, "architecture", path)
    let pipeline: LinePipeline = try BundleContent.decode(manifest.features, "features", path)
    let network = try Self.network(architecture, pipeline, labels: manifest.labels, path)
    var decoding: [String: DecoderConfiguration] = [:]
    for (hash, value) in manifest.decoding ?? [:] {
      let configuration: DecoderConfiguration = try BundleContent.decode(value, "decoding", path)
      try BundleContent.check(configuration.fault(classes: architecture.classes), path)
      decoding[hash] = configuration
    }
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

  /// Makes the network of a description; throws if parts of it do not match.
  private static func network(
    _ architecture: SequenceArchitecture, _ pipeline: LinePipeline, labels: [String], _ path: String
  ) throws(ModelError) -> SequenceNetwork {
    let network = try BundleContent.checked(path) { () throws(NetworkError) in
      let network = try SequenceNetwork(architecture)
      try architecture.check(longest: pipeline.maximumSteps)
      return network
    }
    guard architecture.channels == pipeline.channels else {
      throw .malformed(
        path: path, what: "network input",
        expected: "\(pipeline.channels) channels of the features",
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
    return network
  }
}
