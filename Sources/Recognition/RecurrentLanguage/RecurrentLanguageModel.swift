import Foundation
import LanguageModels
import LinearAlgebra
import Networks
import SafeTensors

/// A character language model that is a recurrent network: long short-term memory over the previous
/// characters (Sundermeyer et al. 2012), with a longer memory than n-grams.
///
/// The network's input is [N, S], one-hot, and its output [N, S] is ln p of the next symbol, for
/// the S symbols of ``symbols``. A text begins with `SymbolTable.startOfText`, or with
/// `SymbolTable.startOfLine` if the text before it is unknown, and ends with
/// `SymbolTable.endOfText`.
public struct RecurrentLanguageModel: Sendable {
  /// The symbols of the model.
  public let symbols: SymbolTable
  /// The network.
  public let network: SequenceNetwork
  /// Its flat parameters, which do not change after training.
  public let parameters: AlignedBuffer

  /// Makes a model from a unidirectional network with as many channels and classes as symbols. For
  /// trainers and checked files.
  package init(symbols: SymbolTable, network: SequenceNetwork, parameters: AlignedBuffer) {
    precondition(network.architecture.channels == symbols.count)
    precondition(network.architecture.classes == symbols.count)
    precondition(network.looksBackOnly)
    self.symbols = symbols
    self.network = network
    self.parameters = parameters
  }

  /// The model with every parameter rounded to half precision, as in its file. O(parameters).
  public func roundedToHalfPrecision() -> RecurrentLanguageModel {
    RecurrentLanguageModel(
      symbols: symbols, network: network, parameters: HalfPrecision.rounded(parameters))
  }
}

// MARK: - The file: safetensors with a description in the metadata
extension RecurrentLanguageModel {
  /// The content of the metadata, as JSON.
  private struct Description: TensorDescription {
    var version = 1
    /// The scalars of the symbols, ascending.
    var characters: String
    var architecture: SequenceArchitecture
  }

  private static let metadataKey = "ductus.language"

  /// Reads a model from a file, and checks all of it.
  ///
  /// - Throws: `SafeTensorsError`, ``ModelError``, or Foundation's error if the file cannot be
  ///   read.
  public init(contentsOf url: URL) throws {
    try self.init(bytes: Data(contentsOf: url), path: url.path)
  }

  /// Makes a model from the bytes of a file, and checks all of it.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - path: The path of the bytes, for errors.
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
    let network = try BundleContent.checked(path) { () throws(NetworkError) in
      try SequenceNetwork(architecture)
    }
    guard architecture.channels == symbols.count, architecture.classes == symbols.count else {
      throw ModelError.malformed(
        path: path, what: "network", expected: "\(symbols.count) channels and classes",
        found: "\(architecture.channels) and \(architecture.classes)")
    }
    guard network.looksBackOnly else {
      throw ModelError.malformed(
        path: path, what: "network", expected: "unidirectional layers", found: "others")
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
