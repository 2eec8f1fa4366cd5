import Foundation
import LanguageModels
import Networks
import SafeTensors

/// The file of a recurrent language model: a safetensors file whose metadata says what the tensors are.
extension RecurrentLanguageModel {
  /// What the metadata holds, as JSON.
  private struct Description: TensorDescription {
    var version = 1
    /// The scalars of the symbols, ascending.
    var characters: String
    var architecture: SequenceArchitecture
  }

  private static let metadataKey = "ductus.language"

  /// Reads a model from a file, checking all of it.
  ///
  /// - Throws: `SafeTensorsError`, ``ModelError``, or Foundation's error where the file cannot be read.
  public init(contentsOf url: URL) throws {
    try self.init(bytes: Data(contentsOf: url), path: url.path)
  }

  /// Makes a model of the bytes of a file, checking all of it.
  ///
  /// - Parameter path: Where they are from, for errors.
  /// - Throws: `SafeTensorsError` or ``ModelError``.
  public init(bytes: Data, path: String) throws {
    let (description, tensors): (Description, SafeTensors) = try BundleContent.described(
      bytes, key: Self.metadataKey, what: "a recurrent language model", path)
    guard let symbols = SymbolTable(scalars: Array(description.characters.unicodeScalars)) else {
      throw ModelError.malformed(
        path: path, what: "characters",
        expected: "at most \(SymbolTable.maximumScalarCount) rising Unicode scalars",
        found: "others")
    }
    let architecture = description.architecture
    try BundleContent.check(architecture.fault, path)
    guard architecture.channels == symbols.count, architecture.classes == symbols.count else {
      throw ModelError.malformed(
        path: path, what: "network", expected: "\(symbols.count) channels and classes",
        found: "\(architecture.channels) and \(architecture.classes)")
    }
    let network = SequenceNetwork(architecture)
    guard network.looksBackOnly else {
      throw ModelError.malformed(
        path: path, what: "network", expected: "layers that look back only", found: "others")
    }
    self.init(
      symbols: symbols, network: network,
      parameters: try BundleContent.parameters(
        network.parameters, count: network.parameterCount, tensors, path))
  }

  /// The bytes of the model's file, weights in half precision.
  ///
  /// - Throws: `SafeTensorsError`.
  public func serialized() throws -> Data {
    var characters = ""
    characters.unicodeScalars.append(contentsOf: symbols.scalars)
    return try BundleContent.serialized(
      network.parameters, parameters, key: Self.metadataKey,
      Description(characters: characters, architecture: network.architecture))
  }
}
