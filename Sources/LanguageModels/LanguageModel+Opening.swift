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
      guard weights[index].isFinite else {
        throw .malformed(part: "weights", index: index, expected: "a finite number")
      }
    }
  }

  /// Checks that indices are in range, that every chain of shorter contexts ends, and that state 0
  /// knows all symbols.
  private func checkStates() throws(LanguageModelError.Reason) {
    let end = record(stateCount - 1)
    guard end.arcStart + end.arcCount == ngramCount,
      end.firstChild + end.internalCount == stateCount, record(0).arcStart == 0,
      record(0).firstChild == 1
    else { throw .malformed(part: "states", index: stateCount, expected: "all arcs and states") }
    // The states of length k end where the children of those of length k - 1 end.
    var lengths = [Int](repeating: 0, count: order + 1)
    var length = 0
    lengths[0] = 1
    for state in 0..<stateCount {
      if state == lengths[length] {
        length += 1
        guard length < order else {
          throw .malformed(part: "states", index: state, expected: "a context below the order")
        }
        lengths[length] = record(state).firstChild
      }
      let record = record(state)
      guard record.arcCount >= record.internalCount, record.internalCount >= 0,
        record.arcCount > 0, record.arcStart + record.arcCount <= ngramCount,
        record.firstChild > state, record.firstChild + record.internalCount <= stateCount
      else { throw .malformed(part: "states", index: state, expected: "ascending indices") }
      let shorter = length == 0 ? 1 : lengths[length - 1]
      guard record.backoff < shorter else {
        throw .malformed(part: "states", index: state, expected: "a shorter context")
      }
      try checkArcs(record)
    }
    guard record(0).arcCount == symbols.count else {
      throw .malformed(part: "states", index: 0, expected: "an arc for every symbol")
    }
  }

  private func checkArcs(_ record: Record) throws(LanguageModelError.Reason) {
    for place in 0..<record.arcCount {
      let arc = record.arcStart + place
      let symbol = arcSymbols[arc]
      let isFirst = place == 0 || place == record.internalCount
      guard Int(symbol) < symbols.count, isFirst || arcSymbols[arc - 1] < symbol else {
        throw .malformed(part: "arcs", index: arc, expected: "a greater symbol")
      }
    }
  }
}
