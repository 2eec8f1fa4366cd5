import Foundation

extension LanguageModel {
  /// Maps a file and checks all of it before it is used: O(file).
  ///
  /// - Throws: ``LanguageModelError`` where the file cannot be read or is not as the format says.
  public init(contentsOf path: String) throws(LanguageModelError) {
    let bytes = try MappedBytes(path: path)
    do throws(LanguageModelError.Reason) {
      try self.init(bytes)
    } catch {
      throw LanguageModelError(error, file: path)
    }
  }

  /// Copies the bytes of a file and checks them.
  ///
  /// - Throws: ``LanguageModelError`` where they are not as the format says.
  public init(bytes: [UInt8]) throws(LanguageModelError) {
    do throws(LanguageModelError.Reason) {
      try self.init(MappedBytes(bytes))
    } catch {
      throw LanguageModelError(error)
    }
  }

  private init(_ bytes: MappedBytes) throws(LanguageModelError.Reason) {
    let header = try NGramFileHeader(bytes.bytes)
    let layout = header.layout
    guard let base = bytes.bytes.baseAddress else {
      throw .tooShort(bytes: 0, expected: NGramFileLayout.headerBytes)
    }
    symbols = try Self.table(bytes.bytes, layout)
    order = header.order
    start = State(index: UInt32(header.start))
    startOfLine = State(index: UInt32(header.startOfLine))
    lexicon =
      layout.lexiconBytes == 0
      ? nil : try Lexicon(bytes, at: layout.lexicon, count: layout.lexiconBytes)
    self.layout = layout
    self.bytes = bytes
    arcSymbols = (base + layout.arcSymbols).assumingMemoryBound(to: UInt8.self)
    arcCodes = (base + layout.arcCodes).assumingMemoryBound(to: UInt8.self)
    probabilities = (base + layout.probabilities).assumingMemoryBound(to: Float.self)
    weights = (base + layout.weights).assumingMemoryBound(to: Float.self)
    states = base + layout.states
    try checkCodebooks()
    try checkStates()
  }

  private static func table(
    _ bytes: UnsafeRawBufferPointer, _ layout: NGramFileLayout
  ) throws(LanguageModelError.Reason) -> SymbolTable {
    var scalars: [Unicode.Scalar] = []
    for index in 0..<layout.symbolCount {
      let value = UInt32(
        littleEndian: bytes.loadUnaligned(
          fromByteOffset: layout.scalars + 4 * index, as: UInt32.self))
      if index < SymbolTable.specialCount {
        guard value == 0 else { throw .malformed(part: "symbols", index: index, expected: "0") }
        continue
      }
      guard let scalar = Unicode.Scalar(value), scalars.last.map({ $0 < scalar }) ?? true else {
        throw .malformed(part: "symbols", index: index, expected: "a greater Unicode scalar")
      }
      scalars.append(scalar)
    }
    guard let table = SymbolTable(scalars: scalars) else {
      throw .malformed(part: "symbols", index: 0, expected: "ascending Unicode scalars")
    }
    return table
  }

  private func checkCodebooks() throws(LanguageModelError.Reason) {
    guard probabilities[0] == -.infinity else {
      throw .malformed(part: "probabilities", index: 0, expected: "minus infinity")
    }
    for index in 0..<256 {
      guard index == 0 || (probabilities[index].isFinite && probabilities[index] <= 0) else {
        throw .malformed(part: "probabilities", index: index, expected: "a finite number <= 0")
      }
      guard abs(weights[index]) <= 10_000 else {
        throw .malformed(part: "weights", index: index, expected: "a number of -10000 to 10000")
      }
    }
  }

  /// Checks that indices are in range, that every chain of shorter contexts ends, that state 0
  /// knows all symbols, and that the symbols of a state ascend.
  private func checkStates() throws(LanguageModelError.Reason) {
    let end = record(stateCount - 1)
    guard end.arcStart + end.arcCount == ngramCount,
      end.firstChild + end.internalCount == stateCount, record(0).arcStart == 0,
      record(0).firstChild == 1
    else { throw .malformed(part: "states", index: stateCount, expected: "all arcs and states") }
    // The states of length k end where the children of those of length k - 1 end.
    var length = 0
    var lengthEnd = 1
    var shorter = 1
    // Arcs lie side by side, so that a symbol not above the one before it must begin a run.
    var descents = 0
    let (arcs, arcsEnd, statesEnd) = (arcSymbols, ngramCount, stateCount)
    for state in 0..<statesEnd {
      let record = record(state)
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
    guard record(0).arcCount == symbols.count else {
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

  /// Checks that symbols are known and that they ascend but in `runs` places, all of them at the
  /// beginnings of runs.
  private func checkArcs(_ runs: Int) throws(LanguageModelError.Reason) {
    // Plain enough for vector instructions.
    let (arcs, count) = (arcSymbols, ngramCount)
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
      let record = record(state)
      for place in 0..<record.arcCount {
        let arc = record.arcStart + place
        let isFirst = place == 0 || place == record.internalCount
        guard Int(arcSymbols[arc]) < symbols.count, isFirst || arcSymbols[arc - 1] < arcSymbols[arc]
        else {
          throw .malformed(part: "arcs", index: arc, expected: "a greater symbol")
        }
      }
    }
  }
}
