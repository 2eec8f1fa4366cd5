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
