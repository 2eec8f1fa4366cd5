import Foundation

/// A character n-gram model with backoff, mapped from a file.
///
/// Contexts are states of an automaton. A state is four bytes, so that a decoder can hold one in
/// each hypothesis; ``advance(_:_:)`` gives the next one. A model is immutable and may be used by
/// any number of threads at once.
///
///     let model = try LanguageModel(contentsOf: "english.ngram")
///     var state = model.start
///     for scalar in "The quick".unicodeScalars {
///       let step = model.advance(state, model.symbols.symbol(of: scalar))
///       print(scalar, step.logProbability)
///       state = step.state
///     }
///
/// Probabilities are natural logarithms. Those of a state sum to one over all symbols but
/// ``SymbolTable/startOfText`` and ``SymbolTable/startOfLine``, to within 5 % because they are stored
/// in eight bits.
public struct LanguageModel: @unchecked Sendable {
  // Unchecked because of the pointers: they lead into `bytes`, which lives as long as the model
  // and never changes.

  /// A symbol's number in ``symbols``.
  public typealias Symbol = SymbolTable.Symbol

  /// A context of the model that gave it; no other model's.
  public struct State: Hashable, Sendable, BitwiseCopyable {
    let index: UInt32

    init(index: UInt32) { self.index = index }

    /// The state without context: any model's.
    public init() { index = 0 }
  }

  /// The symbols that the model knows.
  public let symbols: SymbolTable
  /// The number of symbols of the longest n-grams.
  public let order: Int
  /// The state at the beginning of a text or paragraph.
  public let start: State
  /// The state at the beginning of a line that may stand anywhere in its text, of which nothing
  /// before is known.
  public let startOfLine: State
  /// The words in the file, or nil where it holds none.
  public let lexicon: Lexicon?
  /// The number of n-grams.
  public var ngramCount: Int { layout.arcCount }
  /// The number of contexts.
  public var stateCount: Int { layout.stateCount }
  /// The length of the file in bytes.
  public var byteCount: Int { layout.fileBytes }

  let layout: NGramFileLayout
  let bytes: MappedBytes
  let arcSymbols: UnsafePointer<Symbol>
  let arcCodes: UnsafePointer<UInt8>
  let probabilities: UnsafePointer<Float>
  let weights: UnsafePointer<Float>
  let states: UnsafeRawPointer

  /// The state behind a symbol and the symbol's probability.
  ///
  /// O(order) searches of a few symbols; nothing is allocated. ``SymbolTable/endOfText`` leads to
  /// a state without context: begin the next text at ``start``.
  ///
  /// - Parameters:
  ///   - state: A state of this model.
  ///   - symbol: A symbol of ``symbols``; others count as ``SymbolTable/unknown``.
  /// - Returns: The state that has seen the symbol, and the natural logarithm of its probability.
  public func advance(_ state: State, _ symbol: Symbol) -> (state: State, logProbability: Float) {
    // The mapping must not end while it is read, whatever becomes of the caller's model.
    defer { withExtendedLifetime(bytes) {} }
    let symbol = Int(symbol) < layout.symbolCount ? symbol : SymbolTable.unknown
    var current = Int(state.index)
    var score: Float = 0
    var isScored = false
    while true {
      let record = record(current)
      // Once the probability is known, only an arc to a state is of interest.
      let limit = isScored ? record.internalCount : record.arcCount
      if let place = find(symbol, from: record.arcStart, count: limit) {
        if !isScored {
          score += probabilities[Int(arcCodes[record.arcStart + place])]
          isScored = true
        }
        if place < record.internalCount {
          return (State(index: UInt32(record.firstChild + place)), score)
        }
      }
      if current == 0 { return (State(index: 0), score) }
      if !isScored { score += weights[record.weight] }
      current = record.backoff
    }
  }

  /// The state behind a text.
  ///
  /// - Parameters:
  ///   - text: Any text; it is taken as ``NormalizedText`` does, as one text. White space at its
  ///     end counts as a space.
  ///   - state: Where it begins; ``start`` if nil.
  public func state(after text: String, from state: State? = nil) -> State {
    var current = state ?? start
    var isAfterSpace = true
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if isSpace, isAfterSpace { continue }
      isAfterSpace = isSpace
      current = advance(current, symbols.symbol(of: isSpace ? " " : scalar)).state
    }
    return current
  }

  /// The natural logarithms of all symbols' probabilities in a state.
  ///
  /// O(S + arcs of the state and its shorter contexts) for S symbols; nothing is allocated.
  ///
  /// - Parameters:
  ///   - state: A state of this model.
  ///   - buffer: At least `symbols.count` values, the one of symbol s at s. The starts of text
  ///     and line, which are never predicted, have minus infinity.
  public func logProbabilities(_ state: State, into buffer: UnsafeMutableBufferPointer<Float>) {
    precondition(buffer.count >= symbols.count, "the buffer is shorter than the symbols")
    withExtendedLifetime(bytes) { fill(buffer, Int(state.index), 0) }
  }

  /// The natural logarithm of the probability that the text ends in a state.
  public func endOfText(_ state: State) -> Float {
    advance(state, SymbolTable.endOfText).logProbability
  }

  /// Fills in the shorter contexts first; longer ones write over them.
  private func fill(_ buffer: UnsafeMutableBufferPointer<Float>, _ state: Int, _ score: Float) {
    let record = record(state)
    if state != 0 { fill(buffer, record.backoff, score + weights[record.weight]) }
    for arc in record.arcStart..<record.arcStart + record.arcCount {
      buffer[Int(arcSymbols[arc])] = score + probabilities[Int(arcCodes[arc])]
    }
  }
}
