extension LanguageModel {
  /// A state as it is stored.
  struct Record {
    var arcStart: Int
    var arcCount: Int
    var firstChild: Int
    /// The arcs that lead to states, the first ones.
    var internalCount: Int
    var backoff: Int
    /// The code of the backoff weight.
    var weight: Int
  }

  /// Reads a state. O(1).
  @inline(__always)
  func record(_ state: Int) -> Record {
    // A file's widths fit into 56 bits and its states into memory, so that nothing overflows.
    let (arcBits, stateBits) = (layout.arcBits, layout.stateBits)
    let bit = layout.recordBits &* state
    let arcMask = 1 &<< arcBits &- 1
    let stateMask = 1 &<< stateBits &- 1
    let head = bits(bit)
    let next = bits(bit &+ layout.recordBits)
    let tail = bits(bit &+ arcBits &+ stateBits)
    let arcStart = head & arcMask
    let firstChild = head &>> arcBits & stateMask
    return Record(
      arcStart: arcStart, arcCount: next & arcMask &- arcStart, firstChild: firstChild,
      internalCount: next &>> arcBits & stateMask &- firstChild,
      backoff: tail & stateMask, weight: tail &>> stateBits & 0xFF)
  }

  /// At least 56 bits from a bit of the states on.
  @inline(__always)
  private func bits(_ bit: Int) -> Int {
    let word = states.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
    return Int(truncatingIfNeeded: UInt64(littleEndian: word) &>> UInt64(bit & 7))
  }

  /// The place of a symbol among `count` arcs, or nil. O(arcs / 16).
  @inline(__always)
  func find(_ symbol: Symbol, from start: Int, count: Int) -> Int? {
    let begin = UnsafeRawPointer(arcSymbols + start)
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
