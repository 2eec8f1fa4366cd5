/// The packed form of a language-model file, which takes half the bytes.
///
/// Most bytes of a file are those of its states: the first arc, the first child and the shorter
/// context of each. All three follow from the arcs, if each of them says whether it is the last one
/// of its state and whether it leads to a state. The packed form holds only these two bits. A model
/// expands it when it is opened; the expanded bytes are exactly those that were packed.
///
/// All numbers are little-endian; the parts marked with * begin at multiples of eight bytes, and the
/// bytes between are zero. The header is that of ``NGramFileLayout`` with version 2 and the length of
/// the packed file.
///
///     64   S scalars, 32 bits each
///         256 logarithms of probabilities and 256 logarithms of weights, as in the other form *
///         A symbols of arcs, A codes of probabilities, N codes of weights, 8 bits each
///         A bits: the arc is the last one of its state *
///         A bits: the arc leads to a state *
///         the lexicon *
package struct PackedNGramLayout: Equatable {
  static let version: UInt32 = 2

  /// The layout of the expanded file.
  let expanded: NGramFileLayout

  package init(expanded: NGramFileLayout) {
    self.expanded = expanded
  }

  var probabilities: Int { expanded.probabilities }
  var weights: Int { probabilities + 1024 }
  var arcSymbols: Int { weights + 1024 }
  var arcCodes: Int { arcSymbols + expanded.arcCount }
  var weightCodes: Int { arcCodes + expanded.arcCount }
  package var lastArcs: Int { NGramFileLayout.aligned(weightCodes + expanded.stateCount) }
  package var innerArcs: Int { lastArcs + bitBytes }
  var lexicon: Int { innerArcs + bitBytes }
  /// The length of the file.
  var fileBytes: Int { lexicon + NGramFileLayout.aligned(expanded.lexiconBytes) }

  /// The bytes of a bit for each arc.
  private var bitBytes: Int { (expanded.arcCount + 63) / 64 * 8 }
}

/// Packing and expanding the bytes of a language-model file.
enum PackedNGramFile {
  /// Packs a model that was not packed. O(file).
  static func packed(_ model: LanguageModel) -> [UInt8] {
    model.withExpandedBytes { source in
      let layout = PackedNGramLayout(expanded: model.layout)
      var bytes = [UInt8](repeating: 0, count: layout.fileBytes)
      bytes.withUnsafeMutableBytes { raw in
        func copy(_ offset: Int, _ count: Int, to place: Int) {
          raw[place..<place + count].copyBytes(from: source[offset..<offset + count])
        }
        copy(0, layout.arcSymbols, to: 0)
        copy(model.layout.arcSymbols, model.ngramCount, to: layout.arcSymbols)
        copy(model.layout.arcCodes, model.ngramCount, to: layout.arcCodes)
        copy(model.layout.lexicon, model.layout.lexiconBytes, to: layout.lexicon)
        setHeader(raw, version: PackedNGramLayout.version, fileBytes: layout.fileBytes)
        for state in 0..<model.stateCount {
          let record = model.automaton.record(state)
          raw[layout.weightCodes + state] = UInt8(record.weight)
          let last = record.arcStart + record.arcCount - 1
          raw[layout.lastArcs + last >> 3] |= 1 << UInt8(last & 7)
          for arc in record.arcStart..<record.arcStart + record.internalCount {
            raw[layout.innerArcs + arc >> 3] |= 1 << UInt8(arc & 7)
          }
        }
      }
      return bytes
    }
  }

  /// Expands the bytes of a packed file whose header was checked. O(file) time; the expanded file is
  /// at most twelve times as long.
  ///
  /// - Throws: ``LanguageModelError/Reason/malformed(part:index:expected:)`` if the arcs have other
  ///   states than the header says. The expanded bytes are to be checked as those of a file.
  static func expanded(
    _ source: UnsafeRawBufferPointer, _ header: NGramFileHeader
  ) throws(LanguageModelError.Reason) -> [UInt8] {
    let layout = PackedNGramLayout(expanded: header.layout)
    let states = try States(source, layout, order: header.order)
    let target = header.layout
    var bytes = [UInt8](repeating: 0, count: target.fileBytes)
    bytes.withUnsafeMutableBytes { raw in
      func copy(_ offset: Int, _ count: Int, to place: Int) {
        raw[place..<place + count].copyBytes(from: source[offset..<offset + count])
      }
      copy(0, layout.arcSymbols, to: 0)
      copy(layout.arcSymbols, target.arcCount, to: target.arcSymbols)
      copy(layout.arcCodes, target.arcCount, to: target.arcCodes)
      copy(layout.lexicon, target.lexiconBytes, to: target.lexicon)
      setHeader(raw, version: NGramFileLayout.version, fileBytes: target.fileBytes)
      let weights = layout.weightCodes
      states.arcStart.withUnsafeBufferPointer { arcStart in
        states.firstChild.withUnsafeBufferPointer { firstChild in
          states.backoff.withUnsafeBufferPointer { backoff in
            target.writeStates(to: raw) { state in
              var stored = NGramFileLayout.StoredState(
                arcStart: arcStart[state], firstChild: firstChild[state])
              if state < target.stateCount {
                (stored.backoff, stored.weight) = (backoff[state], source[weights + state])
              }
              return stored
            }
          }
        }
      }
    }
    return bytes
  }

  private static func setHeader(
    _ raw: UnsafeMutableRawBufferPointer, version: UInt32, fileBytes: Int
  ) {
    raw.storeBytes(of: version.littleEndian, toByteOffset: 8, as: UInt32.self)
    raw.storeBytes(of: UInt64(fileBytes).littleEndian, toByteOffset: 48, as: UInt64.self)
  }
}

extension PackedNGramFile {
  /// The states that follow from the arcs.
  private struct States {
    /// The first arc of each state; one more entry than states.
    private(set) var arcStart: [UInt32] = []
    /// The target of the first arc of each state; one more entry than states.
    private(set) var firstChild: [UInt32] = []
    /// The state of the longest shorter context of each state.
    private(set) var backoff: [UInt32]

    init(
      _ source: UnsafeRawBufferPointer, _ layout: PackedNGramLayout, order: Int
    ) throws(LanguageModelError.Reason) {
      let (arcCount, stateCount) = (layout.expanded.arcCount, layout.expanded.stateCount)
      arcStart.reserveCapacity(stateCount + 1)
      firstChild.reserveCapacity(stateCount + 1)
      arcStart.append(0)
      firstChild.append(1)
      var child = 1
      for word in 0..<(arcCount + 63) / 64 {
        var last = Self.word(source, layout.lastArcs + 8 * word)
        let inner = Self.word(source, layout.innerArcs + 8 * word)
        while last != 0 {
          let bit = last.trailingZeroBitCount
          let upTo = inner & (UInt64.max >> UInt64(63 - bit))
          arcStart.append(UInt32(truncatingIfNeeded: 64 * word + bit + 1))
          firstChild.append(UInt32(truncatingIfNeeded: child + upTo.nonzeroBitCount))
          last &= last - 1
        }
        child += inner.nonzeroBitCount
      }
      guard arcStart.count == stateCount + 1, arcStart[stateCount] == arcCount,
        child == stateCount, firstChild[stateCount] == stateCount
      else {
        throw .malformed(
          part: "ends of states", index: arcStart.count - 1, expected: "\(stateCount) states")
      }
      backoff = [UInt32](repeating: 0, count: stateCount)
      let late = backoff.withUnsafeMutableBufferPointer { backoff in
        arcStart.withUnsafeBufferPointer { arcStart in
          firstChild.withUnsafeBufferPointer { firstChild in
            let symbols = UnsafeRawBufferPointer(rebasing: source[layout.arcSymbols...])
            return ShorterContexts(
              symbols: symbols, arcStart: arcStart, firstChild: firstChild, backoff: backoff
            ).find(order: order)
          }
        }
      }
      if let late {
        throw .malformed(part: "ends of states", index: late, expected: "shorter contexts first")
      }
    }

    private static func word(_ source: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
      UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}

/// The search for the longest shorter context of each state.
///
/// The arrays are checked: starts and children ascend, to the numbers of arcs and states. So every
/// index that is read here is one of them.
private struct ShorterContexts {
  /// The symbols of the arcs.
  let symbols: UnsafeRawBufferPointer
  let arcStart: UnsafeBufferPointer<UInt32>
  let firstChild: UnsafeBufferPointer<UInt32>
  /// The result; zeros before.
  let backoff: UnsafeMutableBufferPointer<UInt32>

  /// Finds the shorter contexts of the children of each state: those that follow in its own shorter
  /// context or, where none does, in the next shorter one.
  ///
  /// - Returns: The first state that has a child before it or is too long; nil if there is none.
  func find(order: Int) -> Int? {
    // Bounds the chains of shorter contexts, and so the time that a damaged file takes.
    var (length, lengthEnd) = (0, 1)
    var state = 1
    while state < backoff.count {
      defer { state &+= 1 }
      let (first, end) = (Int(firstChild[state]), Int(firstChild[state &+ 1]))
      if state == lengthEnd { (length, lengthEnd) = (length &+ 1, first) }
      guard first > state, length < order else { return state }
      if first == end { continue }
      var arc = Int(arcStart[state])
      // Symbols ascend, so the places in the shorter context do.
      let shorter = Int(backoff[state])
      var place = Int(arcStart[shorter])
      let (children, count) = childrenOf(shorter)
      let placeEnd = place &+ count
      let toChild = children &- place
      var child = first
      while child < end {
        let wanted = symbols[arc]
        arc &+= 1
        while place < placeEnd, symbols[place] < wanted { place &+= 1 }
        backoff[child] =
          place < placeEnd && symbols[place] == wanted
          ? UInt32(truncatingIfNeeded: place &+ toChild) : target(of: wanted, below: shorter)
        child &+= 1
      }
    }
    return nil
  }

  /// The state after a symbol in a context shorter than a state's.
  private func target(of symbol: UInt8, below state: Int) -> UInt32 {
    var current = state
    while current != 0 {
      current = Int(backoff[current])
      let start = Int(arcStart[current])
      let (children, count) = childrenOf(current)
      var place = 0
      while place < count {
        if symbols[start &+ place] == symbol {
          return UInt32(truncatingIfNeeded: children &+ place)
        }
        place &+= 1
      }
    }
    return 0
  }

  @inline(__always)
  private func childrenOf(_ state: Int) -> (first: Int, count: Int) {
    let first = Int(firstChild[state])
    return (first, Int(firstChild[state &+ 1]) &- first)
  }
}
