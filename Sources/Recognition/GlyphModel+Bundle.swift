import Features
import Foundation
import LinearAlgebra
import ModelFormat
import Networks

extension GlyphModel {
  /// The part of a bundle that holds the weights.
  static let networkPart = "network.safetensors"

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
    guard manifest.kind == .glyph else {
      throw ModelError.unsupportedKind(
        path: path, expected: ModelManifest.Kind.glyph.rawValue, found: manifest.kind.rawValue)
    }
    guard manifest.parts.contains(where: { $0.name == Self.networkPart }) else {
      throw ModelError.missingPart(path: path, part: Self.networkPart)
    }
    let architecture: GlyphArchitecture = try Self.decode(
      manifest.architecture, "architecture", path)
    let pipeline: FeaturePipeline = try Self.decode(manifest.features, "features", path)
    try Self.check(architecture, pipeline, labels: manifest.labels.count, path)
    let temperature = manifest.calibration.temperature
    guard (1e-6...1e6).contains(temperature) else {
      // Beyond, single precision has no finite scores.
      throw ModelError.malformed(
        path: path, what: "temperature", expected: "0.000001 to 1000000", found: "\(temperature)")
    }
    let network = GlyphNetwork(architecture)
    let tensors = try SafeTensors(bytes: bundle.data(for: Self.networkPart))
    self.init(
      labels: manifest.labels, pipeline: pipeline, network: network,
      parameters: try Self.parameters(network, tensors, path),
      temperature: temperature)
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
    let tensors = network.parameters.map { parameter in
      SafeTensors.Tensor(
        name: parameter.name, dataType: .float16, shape: parameter.shape,
        values: Array(
          UnsafeBufferPointer(
            start: parameters.pointer + parameter.offset, count: parameter.count)))
    }
    var writer = ModelBundleWriter(manifest: manifest)
    try writer.add(
      part: Self.networkPart, role: "network", data: SafeTensors(tensors: tensors).serialized())
    return writer
  }

  private static func decode<Value: Decodable>(
    _ json: JSONValue, _ what: String, _ path: String
  ) throws(ModelError) -> Value {
    do {
      return try json.decoded(as: Value.self)
    } catch {
      throw .malformed(
        path: path, what: what, expected: "a description this version knows",
        found: "one it cannot read")
    }
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

  private static func parameters(
    _ network: GlyphNetwork, _ tensors: SafeTensors, _ path: String
  ) throws(ModelError) -> AlignedBuffer {
    let buffer = AlignedBuffer(count: network.parameterCount)
    var found: [String: SafeTensors.Tensor] = [:]
    for tensor in tensors.tensors { found[tensor.name] = tensor }
    for parameter in network.parameters {
      guard let tensor = found.removeValue(forKey: parameter.name),
        tensor.shape == parameter.shape
      else {
        throw .tensorMismatch(
          path: path, tensor: parameter.name, expected: parameter.shape,
          found: tensors[parameter.name]?.shape)
      }
      tensor.values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress {
          (buffer.pointer + parameter.offset).update(from: base, count: values.count)
        }
      }
    }
    if let extra = found.values.min(by: { $0.name < $1.name }) {
      throw .tensorMismatch(path: path, tensor: extra.name, expected: [], found: extra.shape)
    }
    return buffer
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
