import Foundation
import LanguageModels
import LinearAlgebra
import Networks
import SafeTensors

/// A character language model that is a recurrent network: long short-term memory over the characters
/// before (Sundermeyer et al. 2012), which sees further back than n-grams do.
///
/// The network's input is [N, S], one-hot, and its output the natural logarithms of the probabilities
/// [N, S] of the next symbol, for S symbols of ``symbols``. A text begins with
/// ``SymbolTable/startOfText``, or with ``SymbolTable/startOfLine`` where nothing before is known, and
/// ends with ``SymbolTable/endOfText``.
public struct RecurrentLanguageModel: Sendable {
  /// The symbols that the model knows.
  public let symbols: SymbolTable
  /// The network.
  public let network: SequenceNetwork
  /// Its flat parameters; not written to after training.
  public let parameters: AlignedBuffer

  /// Makes a model of a network with as many channels and classes as there are symbols, which looks back
  /// only: trainers do, and files that were checked.
  package init(symbols: SymbolTable, network: SequenceNetwork, parameters: AlignedBuffer) {
    precondition(network.architecture.channels == symbols.count)
    precondition(network.architecture.classes == symbols.count)
    precondition(network.looksBackOnly)
    self.symbols = symbols
    self.network = network
    self.parameters = parameters
  }

  /// The same model with every parameter rounded to half precision, as it is saved. O(parameters).
  public func roundedToHalfPrecision() -> RecurrentLanguageModel {
    RecurrentLanguageModel(
      symbols: symbols, network: network, parameters: HalfPrecision.rounded(parameters))
  }
}

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
