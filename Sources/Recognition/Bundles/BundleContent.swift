import Features
import Foundation
import LinearAlgebra
import ModelFormat
import Networks
import SafeTensors

/// The common parts of bundles of all kinds of model. Everything is checked, because a network
/// whose description does not match its weights would trap.
enum BundleContent {
  /// The part of a bundle with the weights.
  static let networkPart = "network.safetensors"

  /// Checks that a bundle is of a kind and has weights.
  static func check(_ bundle: ModelBundle, kind: ModelManifest.Kind) throws(ModelError) {
    let path = bundle.url.path
    guard bundle.manifest.kind == kind else {
      throw .unsupportedKind(
        path: path, expected: kind.rawValue, found: bundle.manifest.kind.rawValue)
    }
    guard bundle.manifest.parts.contains(where: { $0.name == networkPart }) else {
      throw .missingPart(path: path, part: networkPart)
    }
  }

  /// Throws if a decoder hyperparameter is out of its range.
  static func check(_ fault: DecoderConfiguration.Fault?, _ path: String) throws(ModelError) {
    if let fault {
      throw .malformed(path: path, what: fault.what, expected: fault.expected, found: fault.found)
    }
  }

  /// Calls `body` and converts the errors of an invalid architecture to errors of the file.
  static func checked<Value>(
    _ path: String, _ make: () throws(NetworkError) -> Value
  ) throws(ModelError) -> Value {
    do throws(NetworkError) {
      return try make()
    } catch {
      throw .malformed(path: path, what: error.what, expected: error.expected, found: error.found)
    }
  }

  /// Returns the error for an invalid description: the problem of its features, or `other`.
  static func refusal(_ error: any Error, _ path: String, or other: ModelError) -> ModelError {
    guard let error = error as? FeatureError else { return other }
    return .malformed(path: path, what: error.what, expected: error.expected, found: error.found)
  }

  /// The weights of a bundle.
  ///
  /// - Throws: `ModelFormatError`, or `SafeTensorsError` naming the part.
  static func tensors(_ bundle: ModelBundle) throws -> SafeTensors {
    let bytes = try bundle.data(for: networkPart)
    do {
      return try SafeTensors(bytes: bytes)
    } catch {
      throw SafeTensorsError(
        error.reason, file: bundle.url.appendingPathComponent(networkPart).path)
    }
  }

  /// Reads a file of tensors whose metadata describes them as JSON. Returns the description and the
  /// tensors.
  ///
  /// - Parameters:
  ///   - key: The key of the description in the metadata.
  ///   - what: The name of the described thing, for errors.
  ///   - path: The path of the bytes, for errors.
  /// - Throws: `SafeTensorsError` or ``ModelError``.
  static func described<Description: TensorDescription>(
    _ bytes: Data, key: String, what: String, _ path: String
  ) throws -> (Description, SafeTensors) {
    let tensors: SafeTensors
    do {
      tensors = try SafeTensors(bytes: bytes)
    } catch {
      throw SafeTensorsError(error.reason, file: path)
    }
    let other = ModelError.malformed(
      path: path, what: "metadata", expected: "\(what) of this version", found: "something else")
    guard let text = tensors.metadata[key] else { throw other }
    let description: Description
    do {
      description = try JSONDecoder().decode(Description.self, from: Data(text.utf8))
    } catch {
      throw refusal(error, path, or: other)
    }
    guard description.version == 1 else { throw other }
    return (description, tensors)
  }

  /// Writes a file for ``described(_:key:what:_:)``, with weights in half precision.
  ///
  /// - Throws: `SafeTensorsError`.
  static func serialized(
    _ layout: [Parameter], _ parameters: AlignedBuffer, key: String,
    _ description: some TensorDescription
  ) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(description), as: UTF8.self)
    return try SafeTensors(tensors: halfTensors(layout, parameters), metadata: [key: text])
      .serialized()
  }

  /// Decodes a description in the manifest.
  static func decode<Value: Decodable>(
    _ json: JSONValue, _ what: String, _ path: String
  ) throws(ModelError) -> Value {
    do {
      return try json.decoded(as: Value.self)
    } catch {
      throw refusal(
        error, path,
        or: .malformed(
          path: path, what: what, expected: "a description this version knows",
          found: "one it does not know"))
    }
  }

  /// The weights as safetensors in half precision.
  ///
  /// - Throws: `SafeTensorsError`.
  static func serialized(_ layout: [Parameter], _ parameters: AlignedBuffer) throws -> Data {
    try SafeTensors(tensors: halfTensors(layout, parameters)).serialized()
  }

  /// Converts a flat buffer to tensors in half precision.
  static func halfTensors(
    _ layout: [Parameter], _ parameters: AlignedBuffer
  ) -> [SafeTensors.Tensor] {
    layout.map { parameter in
      SafeTensors.Tensor(
        name: parameter.name, dataType: .float16, shape: parameter.shape,
        values: Array(
          UnsafeBufferPointer(
            start: parameters.pointer + parameter.offset, count: parameter.count)))
    }
  }

  /// The flat buffer of a bundle's weights, shared with open models of the same network.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  static func sharedParameters(
    _ layout: [Parameter], count: Int, of bundle: ModelBundle
  ) throws -> AlignedBuffer {
    let part = bundle.manifest.parts.first { $0.name == networkPart }
    // The key includes the layout, because another architecture may lay out the same bytes
    // differently.
    let shapes = layout.map { "\($0.name) \($0.offset) \($0.shape)" }.joined(separator: "\n")
    return try OpenModels.shared.buffer("\(part?.sha256 ?? "") \(count)\n\(shapes)") {
      try parameters(layout, count: count, tensors(bundle), bundle.url.path)
    }
  }

  /// Makes the flat buffer of the tensors, which must match the layout exactly.
  static func parameters(
    _ layout: [Parameter], count: Int, _ tensors: SafeTensors, _ path: String
  ) throws(ModelError) -> AlignedBuffer {
    var found: [String: SafeTensors.Tensor] = [:]
    for tensor in tensors.tensors { found[tensor.name] = tensor }
    for parameter in layout where found[parameter.name]?.shape != parameter.shape {
      throw .tensorMismatch(
        path: path, tensor: parameter.name, expected: parameter.shape,
        found: found[parameter.name]?.shape)
    }
    let names = Set(layout.map(\.name))
    if let extra = tensors.tensors.filter({ !names.contains($0.name) }).min(by: {
      $0.name < $1.name
    }) {
      throw .tensorMismatch(path: path, tensor: extra.name, expected: [], found: extra.shape)
    }
    // Allocate only now, when the size is known to be limited by the existing bytes.
    let buffer = AlignedBuffer(count: count)
    for parameter in layout {
      found[parameter.name]?.values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress {
          (buffer.pointer + parameter.offset).update(from: base, count: values.count)
        }
      }
    }
    return buffer
  }
}

/// The description of tensors in the metadata of a file.
protocol TensorDescription: Codable {
  /// The version of the description: 1.
  var version: Int { get }
}

extension HalfPrecision {
  /// A copy of a buffer with every value rounded to half precision. O(count).
  package static func rounded(_ buffer: AlignedBuffer) -> AlignedBuffer {
    let result = AlignedBuffer(count: buffer.count)
    for index in 0..<buffer.count {
      result.pointer[index] = value(of: bits(of: buffer.pointer[index]))
    }
    return result
  }
}
