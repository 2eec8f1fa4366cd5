import Files
import Foundation

/// A character n-gram model with backoff, mapped from a file.
///
/// Contexts are states of an automaton. A state is four bytes, so that a decoder can keep one in
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
/// Probabilities are natural logarithms. Those of a state sum to one over all symbols except
/// ``SymbolTable/startOfText`` and ``SymbolTable/startOfLine``, to within 5 %, because they are
/// stored in eight bits. A packed file takes half the bytes and is expanded into memory.
public struct LanguageModel: @unchecked Sendable {
  // Unchecked because of the pointers into `bytes`, which live as long as the model and never
  // change.

  /// A symbol's number in ``symbols``.
  package typealias Symbol = SymbolTable.Symbol

  /// A context of the model that returned it. Not valid for other models.
  public struct State: Hashable, Sendable, BitwiseCopyable {
    package let index: UInt32

    package init(index: UInt32) { self.index = index }

    /// The state without context, which is valid for any model.
    public init() { index = 0 }
  }

  /// The symbols of the model.
  package let symbols: SymbolTable
  /// The number of symbols of the longest n-grams.
  package let order: Int
  /// The state at the beginning of a text or paragraph.
  public let start: State
  /// The state at the beginning of a line anywhere in a text, without knowledge of the text before.
  package let startOfLine: State
  /// The words in the file, or nil if it holds none.
  public let lexicon: Lexicon?
  /// The number of n-grams.
  package var ngramCount: Int { layout.arcCount }
  /// The number of contexts.
  package var stateCount: Int { layout.stateCount }
  /// The length of the file in bytes.
  package let byteCount: Int

  package let layout: NGramFileLayout
  /// The file.
  package let file: MappedBytes
  /// The file, or its expanded form if it is packed.
  package let bytes: MappedBytes
  /// The states and arcs in ``bytes``.
  package let automaton: NGramAutomaton

  /// Returns the state after a symbol and the symbol's probability.
  ///
  /// O(order) searches of a few symbols; nothing is allocated. ``SymbolTable/endOfText`` leads to a
  /// state without context: begin the next text at ``start``.
  ///
  /// - Parameters:
  ///   - state: A state of this model.
  ///   - symbol: A symbol of ``symbols``; others count as ``SymbolTable/unknown``.
  /// - Returns: The state after the symbol, and the natural logarithm of the symbol's probability.
  package func advance(_ state: State, _ symbol: Symbol) -> (state: State, logProbability: Float) {
    // Keeps the mapping alive while it is read, even if the caller releases the model.
    withExtendedLifetime(bytes) { automaton.advance(state, symbol) }
  }

  /// The state after a text.
  ///
  /// - Parameters:
  ///   - text: Any text; it is normalised as one text (``NormalizedText``). White space at its end
  ///     counts as a space.
  ///   - state: The state to start from; ``start`` if nil.
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

  /// Writes the natural logarithms of all symbols' probabilities in a state.
  ///
  /// O(S + arcs of the state and its shorter contexts) for S symbols; nothing is allocated.
  ///
  /// - Parameters:
  ///   - state: A state of this model.
  ///   - buffer: At least `symbols.count` values; symbol s is written at index s. The starts of
  ///     text and line, which are never predicted, get minus infinity.
  package func logProbabilities(_ state: State, into buffer: UnsafeMutableBufferPointer<Float>) {
    precondition(buffer.count >= symbols.count, "the buffer is shorter than the symbols")
    withExtendedLifetime(bytes) { fill(buffer, Int(state.index), 0) }
  }

  /// The natural logarithm of the probability that the text ends in a state.
  package func endOfText(_ state: State) -> Float {
    advance(state, SymbolTable.endOfText).logProbability
  }

  /// Fills in the shorter contexts first; longer ones overwrite them.
  private func fill(_ buffer: UnsafeMutableBufferPointer<Float>, _ state: Int, _ score: Float) {
    let record = automaton.record(state)
    if state != 0 { fill(buffer, record.backoff, score + automaton.weights[record.weight]) }
    for arc in record.arcStart..<record.arcStart + record.arcCount {
      buffer[Int(automaton.arcSymbols[arc])] =
        score + automaton.probabilities[Int(automaton.arcCodes[arc])]
    }
  }
}

extension LanguageModel {
  /// Maps a file and checks it completely before use: O(file).
  ///
  /// - Throws: ``LanguageModelError`` if the file cannot be read or is malformed.
  public init(contentsOf path: String) throws(LanguageModelError) {
    let bytes = try MappedBytes.mapping(path)
    do throws(LanguageModelError.Reason) {
      try self.init(bytes)
    } catch {
      throw LanguageModelError(error, file: path)
    }
  }

  /// Copies the bytes of a file and checks them.
  ///
  /// - Throws: ``LanguageModelError`` if they are malformed.
  public init(bytes: [UInt8]) throws(LanguageModelError) {
    do throws(LanguageModelError.Reason) {
      try self.init(MappedBytes(bytes))
    } catch {
      throw LanguageModelError(error)
    }
  }

  /// Checks and shares the bytes of a file in memory.
  ///
  /// - Parameters:
  ///   - bytes: Valid and constant while `owner` lives.
  ///   - path: The path of the file, for errors.
  /// - Throws: ``LanguageModelError`` if they are malformed.
  package init(
    sharing bytes: UnsafeRawBufferPointer, of owner: AnyObject, path: String
  ) throws(LanguageModelError) {
    do throws(LanguageModelError.Reason) {
      try self.init(MappedBytes(bytes, of: owner))
    } catch {
      throw LanguageModelError(error, file: path)
    }
  }

  /// Returns the bytes of the packed form, a file of half the length that gives the same model. O(file).
  package func packedBytes() -> [UInt8] { PackedNGramFile.packed(self) }

  /// Calls a function with the bytes of the file in the form that is not packed.
  package func withExpandedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(bytes) { body(bytes.bytes) }
  }

  /// Calls a function with the bytes of the file.
  package func withFileBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(file) { body(file.bytes) }
  }

  private init(_ file: MappedBytes) throws(LanguageModelError.Reason) {
    let header = try NGramFileHeader(file.bytes)
    let bytes =
      header.isPacked
      ? MappedBytes(try PackedNGramFile.expanded(file.bytes, header)) : file
    byteCount = header.fileBytes
    self.file = file
    let layout = header.layout
    guard let base = bytes.bytes.baseAddress else {
      throw .tooShort(bytes: 0, expected: NGramFileLayout.headerBytes)
    }
    symbols = try SymbolTable(of: bytes.bytes, layout)
    order = header.order
    start = State(index: UInt32(header.start))
    startOfLine = State(index: UInt32(header.startOfLine))
    lexicon =
      layout.lexiconBytes == 0
      ? nil : try Lexicon(bytes, at: layout.lexicon, count: layout.lexiconBytes)
    self.layout = layout
    self.bytes = bytes
    automaton = NGramAutomaton(base, layout)
    try checkCodebooks()
    try checkStates()
  }

  private func checkCodebooks() throws(LanguageModelError.Reason) {
    guard automaton.probabilities[0] == -.infinity else {
      throw .malformed(part: "probabilities", index: 0, expected: "minus infinity")
    }
    for index in 0..<256 {
      guard
        index == 0
          || (automaton.probabilities[index].isFinite && automaton.probabilities[index] <= 0)
      else {
        throw .malformed(part: "probabilities", index: index, expected: "a finite number <= 0")
      }
      guard abs(automaton.weights[index]) <= 10_000 else {
        throw .malformed(part: "weights", index: index, expected: "a number of -10000 to 10000")
      }
    }
  }

  /// Checks that indices are in range, that every chain of shorter contexts ends, that state 0 has
  /// all symbols, and that the symbols of a state ascend.
  private func checkStates() throws(LanguageModelError.Reason) {
    let end = automaton.record(stateCount - 1)
    guard end.arcStart + end.arcCount == ngramCount,
      end.firstChild + end.internalCount == stateCount, automaton.record(0).arcStart == 0,
      automaton.record(0).firstChild == 1
    else { throw .malformed(part: "states", index: stateCount, expected: "all arcs and states") }
    // The states of length k end at the children of the last state of length k - 1.
    var length = 0
    var lengthEnd = 1
    var shorter = 1
    // Arcs are consecutive, so a symbol that is not above the previous one must begin a run.
    var descents = 0
    let (arcs, arcsEnd, statesEnd) = (automaton.arcSymbols, ngramCount, stateCount)
    for state in 0..<statesEnd {
      let record = automaton.record(state)
      if state == lengthEnd {
        length += 1
        guard length < order else {
          throw .malformed(part: "states", index: state, expected: "a context below the order")
        }
        shorter = lengthEnd
        lengthEnd = record.firstChild
      }
      let inner = record.arcStart &+ record.internalCount
      let end = record.arcStart &+ record.arcCount
      guard record.arcStart <= inner, inner <= end, record.arcStart < end, end <= arcsEnd,
        record.firstChild > state, record.firstChild &+ record.internalCount <= statesEnd
      else { throw .malformed(part: "states", index: state, expected: "ascending indices") }
      guard record.backoff < shorter else {
        throw .malformed(part: "states", index: state, expected: "a shorter context")
      }
      if state > 0, arcs[record.arcStart] <= arcs[record.arcStart &- 1] { descents &+= 1 }
      if record.arcStart < inner, inner < end, arcs[inner] <= arcs[inner &- 1] { descents &+= 1 }
    }
    guard automaton.record(0).arcCount == symbols.count else {
      throw .malformed(part: "states", index: 0, expected: "an arc for every symbol")
    }
    var known = [Bool](repeating: false, count: symbols.count)
    for arc in 0..<symbols.count {
      guard Int(arcs[arc]) < known.count, !known[Int(arcs[arc])] else {
        throw .malformed(part: "arcs", index: arc, expected: "each symbol once")
      }
      known[Int(arcs[arc])] = true
    }
    try checkArcs(descents)
  }

  /// Checks that symbols are known and that they ascend except in `runs` places, all of them at the
  /// beginnings of runs.
  private func checkArcs(_ runs: Int) throws(LanguageModelError.Reason) {
    // A simple loop, so that it vectorises.
    let (arcs, count) = (automaton.arcSymbols, ngramCount)
    var greatest = arcs[0]
    var descents = 0
    var arc = 1
    while arc < count {
      greatest = max(greatest, arcs[arc])
      descents &+= arcs[arc] <= arcs[arc &- 1] ? 1 : 0
      arc &+= 1
    }
    if descents == runs, Int(greatest) < symbols.count { return }
    for state in 0..<stateCount {
      let record = automaton.record(state)
      for place in 0..<record.arcCount {
        let arc = record.arcStart + place
        let isFirst = place == 0 || place == record.internalCount
        guard Int(automaton.arcSymbols[arc]) < symbols.count,
          isFirst || automaton.arcSymbols[arc - 1] < automaton.arcSymbols[arc]
        else {
          throw .malformed(part: "arcs", index: arc, expected: "a greater symbol")
        }
      }
    }
  }
}
