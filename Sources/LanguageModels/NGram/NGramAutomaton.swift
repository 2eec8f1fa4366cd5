/// The states and arcs of a character n-gram model in the memory of its file.
///
/// A view: whoever uses it keeps the ``LanguageModel`` alive.
package struct NGramAutomaton: @unchecked Sendable, BitwiseCopyable {
  // Unchecked because of the pointers into memory that never changes.

  package let arcSymbols: UnsafePointer<LanguageModel.Symbol>
  package let arcCodes: UnsafePointer<UInt8>
  package let probabilities: UnsafePointer<Float>
  package let weights: UnsafePointer<Float>
  private let states: UnsafeRawPointer
  private let symbolCount: Int
  private let arcBits: Int
  private let stateBits: Int
  private let recordBits: Int

  /// The automaton in a file of a checked layout.
  init(_ base: UnsafeRawPointer, _ layout: NGramFileLayout) {
    arcSymbols = (base + layout.arcSymbols).assumingMemoryBound(to: UInt8.self)
    arcCodes = (base + layout.arcCodes).assumingMemoryBound(to: UInt8.self)
    probabilities = (base + layout.probabilities).assumingMemoryBound(to: Float.self)
    weights = (base + layout.weights).assumingMemoryBound(to: Float.self)
    states = base + layout.states
    symbolCount = layout.symbolCount
    (arcBits, stateBits, recordBits) = (layout.arcBits, layout.stateBits, layout.recordBits)
  }

  /// Returns the state after a symbol and the natural logarithm of the symbol's probability: see
  /// ``LanguageModel/advance(_:_:)``.
  package func advance(
    _ state: LanguageModel.State, _ symbol: LanguageModel.Symbol
  ) -> (state: LanguageModel.State, logProbability: Float) {
    let symbol = Int(symbol) < symbolCount ? symbol : SymbolTable.unknown
    var current = Int(state.index)
    var score: Float = 0
    var isScored = false
    while true {
      let record = record(current)
      // If the probability is known, only arcs to states matter.
      let limit = isScored ? record.internalCount : record.arcCount
      if let place = find(symbol, from: record.arcStart, count: limit) {
        if !isScored {
          score += probabilities[Int(arcCodes[record.arcStart + place])]
          isScored = true
        }
        if place < record.internalCount {
          return (LanguageModel.State(index: UInt32(record.firstChild + place)), score)
        }
      }
      if current == 0 { return (LanguageModel.State(index: 0), score) }
      if !isScored { score += weights[record.weight] }
      current = record.backoff
    }
  }

  /// A state in its stored form.
  package struct Record {
    package var arcStart: Int
    package var arcCount: Int
    package var firstChild: Int
    /// The number of arcs that lead to states; they come first.
    package var internalCount: Int
    var backoff: Int
    /// The code of the backoff weight.
    package var weight: Int
  }

  /// Reads a state. O(1).
  @inline(__always)
  package func record(_ state: Int) -> Record {
    // The widths in a file fit into 56 bits and its states into memory, so nothing overflows.
    let bit = recordBits &* state
    let arcMask = 1 &<< arcBits &- 1
    let stateMask = 1 &<< stateBits &- 1
    let head = bits(bit)
    let next = bits(bit &+ recordBits)
    let tail = bits(bit &+ arcBits &+ stateBits)
    let arcStart = head & arcMask
    let firstChild = head &>> arcBits & stateMask
    return Record(
      arcStart: arcStart, arcCount: next & arcMask &- arcStart, firstChild: firstChild,
      internalCount: next &>> arcBits & stateMask &- firstChild,
      backoff: tail & stateMask, weight: tail &>> stateBits & 0xFF)
  }

  /// Reads at least 56 bits of the states, starting at a bit.
  @inline(__always)
  private func bits(_ bit: Int) -> Int {
    let word = states.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
    return Int(truncatingIfNeeded: UInt64(littleEndian: word) &>> UInt64(bit & 7))
  }

  /// The place of a symbol among `count` arcs, or nil. O(arcs / 16).
  @inline(__always)
  private func find(_ symbol: LanguageModel.Symbol, from start: Int, count: Int) -> Int? {
    Self.place(of: symbol, in: UnsafeRawPointer(arcSymbols + start), count: count)
  }

  /// The place of a symbol among the first `count` ones, or nil. Up to 15 bytes behind them are
  /// read.
  @inline(__always)
  static func place(
    of symbol: LanguageModel.Symbol, in begin: UnsafeRawPointer, count: Int
  ) -> Int? {
    let wanted = SIMD16<UInt8>(repeating: symbol)
    var place = 0
    while place < count {
      let found = begin.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) .== wanted
      let mask = unsafeBitCast(found, to: SIMD2<UInt64>.self)
      if mask.x | mask.y != 0 {
        let offset =
          mask.x != 0
          ? mask.x.trailingZeroBitCount >> 3 : 8 + mask.y.trailingZeroBitCount >> 3
        return place + offset < count ? place + offset : nil
      }
      place += 16
    }
    return nil
  }
}
