import Files

/// A character n-gram model that is read in its packed file (``PackedNGramLayout``).
///
/// Opening counts the bits of the file and keeps a fiftieth of the memory that a ``LanguageModel``
/// needs for the expanded file; a character takes longer, because each suffix of the text is followed.
/// It is for the many languages in which a text could be, of which one will be searched. A model is
/// immutable and may be used by any number of threads.
///
///     if let model = try PackedLanguageModel(sharing: bytes, of: owner, path: path) {
///       var position = model.startOfLine
///       let step = model.advance(&position, model.symbols.symbol(of: "a"))
///     }
package struct PackedLanguageModel: @unchecked Sendable {
  // Unchecked because of the pointers into `file`, which live as long as the model and never change.

  /// The symbols of the model.
  package let symbols: SymbolTable
  private let file: MappedBytes
  private let base: UnsafeRawPointer
  private let layout: PackedNGramLayout
  private let order: Int
  /// The arcs that are the last ones of their states, and those that lead to states.
  private let (last, inner): (BitSequence, BitSequence)
  private let lineStart: Int

  /// The states of all suffixes of the text so far that have one, the shortest first.
  package struct Position: Sendable {
    fileprivate var contexts: [Context] = []

    package init() {}
  }

  /// A state, and where its arcs are.
  fileprivate struct Context: Sendable {
    var state: Int
    var arcs: Range<Int>
    /// The number of arcs that lead to states; they come first.
    var childCount: Int
    var firstChild: Int
  }

  /// Shares the bytes of a file in memory. O(arcs / 64). Only what is needed for safe reading is
  /// checked; ``LanguageModel`` checks everything.
  ///
  /// - Parameters:
  ///   - bytes: Valid and constant while `owner` lives.
  ///   - path: The path of the file, for errors.
  /// - Returns: nil if the file is not packed.
  /// - Throws: ``LanguageModelError`` if they are malformed.
  package init?(
    sharing bytes: UnsafeRawBufferPointer, of owner: AnyObject, path: String
  ) throws(LanguageModelError) {
    do throws(LanguageModelError.Reason) {
      let header = try NGramFileHeader(bytes)
      guard header.isPacked else { return nil }
      try self.init(MappedBytes(bytes, of: owner), header)
    } catch {
      throw LanguageModelError(error, file: path)
    }
  }

  private init(
    _ file: MappedBytes, _ header: NGramFileHeader
  ) throws(LanguageModelError.Reason) {
    guard let base = file.bytes.baseAddress else {
      throw .tooShort(bytes: 0, expected: NGramFileLayout.headerBytes)
    }
    (self.file, self.base) = (file, base)
    (layout, order, lineStart) = (
      PackedNGramLayout(expanded: header.layout), header.order, header.startOfLine
    )
    symbols = try SymbolTable(of: file.bytes, header.layout)
    let arcCount = header.layout.arcCount
    last = BitSequence(base + layout.lastArcs, count: arcCount)
    inner = BitSequence(base + layout.innerArcs, count: arcCount)
    let stateCount = header.layout.stateCount
    guard last.setCount == stateCount, inner.setCount == stateCount - 1,
      last.hasNone(from: arcCount), inner.hasNone(from: arcCount)
    else {
      throw .malformed(
        part: "ends of states", index: last.setCount, expected: "\(stateCount) states")
    }
  }

  /// The position at the beginning of a line anywhere in a text.
  package var startOfLine: Position {
    var position = Position()
    position.contexts = (lineStart == 0 ? [0] : [0, lineStart]).map(context)
    return position
  }

  /// Moves a position behind a symbol. O(order · arcs of a state / 16).
  ///
  /// - Returns: The natural logarithm of the symbol's probability, as
  ///   ``LanguageModel/advance(_:_:)`` gives it.
  package func advance(_ position: inout Position, _ symbol: SymbolTable.Symbol) -> Float {
    withExtendedLifetime(file) {
      let symbol = Int(symbol) < symbols.count ? symbol : SymbolTable.unknown
      var score: Float = 0
      var isScored = false
      // Each state is replaced by the one that the symbol leads to; those without one go.
      for place in position.contexts.indices.reversed() {
        let context = position.contexts[place]
        let count = isScored ? context.childCount : context.arcs.count
        let found = NGramAutomaton.place(
          of: symbol, in: base + layout.arcSymbols + context.arcs.lowerBound, count: count)
        if let found, !isScored {
          score += value(layout.probabilities, layout.arcCodes + context.arcs.lowerBound + found)
          isScored = true
        } else if !isScored, place > 0 {
          score += value(layout.weights, layout.weightCodes + context.state)
        }
        if let found, found < context.childCount {
          position.contexts[place] = self.context(context.firstChild + found)
        } else {
          position.contexts.remove(at: place)
        }
      }
      position.contexts.insert(context(0), at: 0)
      // Longer contexts are only in damaged files.
      if position.contexts.count > order { position.contexts.removeLast() }
      return score
    }
  }

  /// The entry of a table of 256 numbers whose code is at an offset.
  private func value(_ table: Int, _ code: Int) -> Float {
    let bits = file.bytes.loadUnaligned(
      fromByteOffset: table + 4 * Int(file.bytes[code]), as: UInt32.self)
    return Float(bitPattern: UInt32(littleEndian: bits))
  }

  private func context(_ state: Int) -> Context {
    let start = state == 0 ? 0 : last.place(ofSetBit: state - 1) + 1
    let end = last.nextSetBit(from: start) + 1
    let before = inner.setCount(before: start)
    return Context(
      state: state, arcs: start..<end, childCount: inner.setCount(before: end) - before,
      firstChild: 1 + before)
  }
}

/// Bits in memory, with the number of set bits before each of their words.
private struct BitSequence: @unchecked Sendable {
  // Unchecked because of the pointer, whose owner keeps the memory, which never changes.

  private let words: UnsafeRawPointer
  /// For each word of 64 bits the set bits before it, and at last all.
  private let counts: [UInt32]

  /// The number of set bits.
  var setCount: Int { Int(counts[counts.count - 1]) }

  /// - Parameters:
  ///   - words: Valid while the sequence is used.
  ///   - count: The number of bits, which fill words of 64; at least one.
  init(_ words: UnsafeRawPointer, count: Int) {
    self.words = words
    var counts: [UInt32] = [0]
    counts.reserveCapacity((count + 63) / 64 + 1)
    var sum: UInt32 = 0
    for index in 0..<(count + 63) / 64 {
      sum += UInt32(Self.word(words, index).nonzeroBitCount)
      counts.append(sum)
    }
    self.counts = counts
  }

  /// Returns whether no bit is set behind the number of bits.
  func hasNone(from count: Int) -> Bool {
    count & 63 == 0 || Self.word(words, count >> 6) >> UInt64(count & 63) == 0
  }

  /// The number of set bits before a bit.
  func setCount(before bit: Int) -> Int {
    guard bit & 63 != 0 else { return Int(counts[bit >> 6]) }
    let lower = Self.word(words, bit >> 6) & (1 << UInt64(bit & 63) - 1)
    return Int(counts[bit >> 6]) + lower.nonzeroBitCount
  }

  /// The place of a set bit, of which there must be so many. O(log words).
  func place(ofSetBit number: Int) -> Int {
    // The last word with at most so many set bits before it.
    var (low, high) = (0, counts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(counts[middle]) <= number { low = middle } else { high = middle }
    }
    var word = Self.word(words, low)
    for _ in 0..<number - Int(counts[low]) { word &= word - 1 }
    return low << 6 | word.trailingZeroBitCount
  }

  /// The first set bit that is not before a bit, of which there must be one.
  func nextSetBit(from bit: Int) -> Int {
    var index = bit >> 6
    var word = Self.word(words, index) & (UInt64.max << UInt64(bit & 63))
    while word == 0, index + 2 < counts.count {
      index += 1
      word = Self.word(words, index)
    }
    return index << 6 | word.trailingZeroBitCount
  }

  private static func word(_ words: UnsafeRawPointer, _ index: Int) -> UInt64 {
    UInt64(littleEndian: words.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
  }
}
