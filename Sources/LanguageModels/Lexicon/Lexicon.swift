import Files
import Foundation

/// A list of words as a minimal automaton, which recognises words and their prefixes.
///
/// States are four bytes, so that a decoder can keep one in each hypothesis. A lexicon is immutable
/// and may be used by any number of threads at once. Words are sequences of Unicode scalars in NFC.
/// The automaton shares their common prefixes and suffixes (Daciuk, Mihov, Watson and Watson,
/// "Incremental construction of minimal acyclic finite-state automata", Computational Linguistics
/// 26, 2000).
///
///     let lexicon = try Lexicon(words: ["cat", "car"])
///     lexicon.contains("cat")     // true
///     lexicon.isPrefix("ca")      // true
public struct Lexicon: TextConstraint, @unchecked Sendable {
  // Unchecked because of the pointers into `bytes`, which live as long as the lexicon and never
  // change.

  /// The position of a text in a word.
  public struct State: Hashable, Sendable, BitwiseCopyable {
    let index: UInt32
  }

  /// The state before the first character of a word.
  public let start = State(index: 0)
  /// The number of words.
  package let wordCount: Int
  /// The length of the automaton in bytes.
  package var byteCount: Int { layout.byteCount }

  package let layout: LexiconLayout
  let bytes: MappedBytes
  let states: UnsafePointer<UInt32>
  let arcs: UnsafePointer<UInt64>

  /// The state after a scalar, or nil if no word continues with it. O(log arcs).
  @inline(__always)
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    // Keeps the mapping alive while it is read, even if the caller releases the lexicon.
    defer { withExtendedLifetime(bytes) {} }
    var (low, high) = arcRange(Int(state.index))
    while low < high {
      let middle = (low + high) / 2
      if UInt32(truncatingIfNeeded: arcs[middle]) < scalar.value {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < arcRange(Int(state.index)).end,
      UInt32(truncatingIfNeeded: arcs[low]) == scalar.value
    else { return nil }
    return State(index: UInt32(truncatingIfNeeded: arcs[low] >> 32))
  }

  /// Returns whether a state is the end of a word.
  @inline(__always)
  public func isAccepting(_ state: State) -> Bool {
    withExtendedLifetime(bytes) {
      states[Int(state.index)] & LexiconLayout.acceptingBit != 0
    }
  }

  /// The scalars with which some word continues, ascending.
  package func scalars(after state: State) -> [Unicode.Scalar] {
    defer { withExtendedLifetime(bytes) {} }
    let range = arcRange(Int(state.index))
    return (range.begin..<range.end).compactMap {
      Unicode.Scalar(UInt32(truncatingIfNeeded: arcs[$0]))
    }
  }

  /// Returns whether a text is a word.
  public func contains(_ text: String) -> Bool {
    state(after: text).map(isAccepting) ?? false
  }

  /// Returns whether a text is a word or a prefix of one.
  package func isPrefix(_ text: String) -> Bool {
    state(after: text) != nil
  }

  @inline(__always)
  func arcRange(_ state: Int) -> (begin: Int, end: Int) {
    let mask = ~LexiconLayout.acceptingBit
    return (Int(states[state] & mask), Int(states[state + 1] & mask))
  }
}

extension Lexicon {
  /// Builds a lexicon of words. O(scalars log words) time.
  ///
  /// - Throws: ``TextConstraintError`` if there are no words or too many.
  public init(words: some Sequence<String>) throws(TextConstraintError) {
    let bytes = MappedBytes(try LexiconBuilder.build(words))
    do throws(LanguageModelError.Reason) {
      try self.init(bytes, at: 0, count: bytes.bytes.count)
    } catch {
      throw .unreadableLexicon(error)
    }
  }

  /// Checks and shares the bytes of a lexicon. O(bytes).
  init(_ bytes: MappedBytes, at offset: Int, count: Int) throws(LanguageModelError.Reason) {
    guard count >= LexiconLayout.headerBytes, let base = bytes.bytes.baseAddress else {
      throw .tooShort(bytes: count, expected: LexiconLayout.headerBytes)
    }
    let start = base + offset
    let magic = UnsafeRawBufferPointer(start: start, count: 8)
    if magic.elementsEqual(NGramFileLayout.unfinishedMagic) { throw .unfinished }
    guard magic.elementsEqual(LexiconLayout.magic) else { throw .wrongMagic }
    let words = (0..<4).map { index in
      Int(UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 8 + 4 * index, as: UInt32.self)))
    }
    guard words[0] == LexiconLayout.version else {
      throw .unknownVersion(found: words[0], expected: Int(LexiconLayout.version))
    }
    for (name, value) in [("lexicon states", words[1]), ("lexicon arcs", words[2])] {
      guard 1...LexiconLayout.maximumCount ~= value else {
        throw .headerField(
          name: name, found: value, minimum: 1, maximum: LexiconLayout.maximumCount)
      }
    }
    layout = LexiconLayout(stateCount: words[1], arcCount: words[2])
    guard layout.byteCount == count else {
      throw .length(expected: layout.byteCount, found: count)
    }
    self.bytes = bytes
    wordCount = words[3]
    states = (start + layout.states).assumingMemoryBound(to: UInt32.self)
    arcs = (start + layout.arcs).assumingMemoryBound(to: UInt64.self)
    try check()
  }

  /// Checks that arcs ascend and lead to later states, so that every word ends.
  private func check() throws(LanguageModelError.Reason) {
    guard arcRange(0).begin == 0, arcRange(layout.stateCount - 1).end == layout.arcCount else {
      throw .malformed(part: "lexicon states", index: layout.stateCount, expected: "all arcs")
    }
    for state in 0..<layout.stateCount {
      let (begin, end) = arcRange(state)
      guard begin <= end, end <= layout.arcCount else {
        throw .malformed(part: "lexicon states", index: state, expected: "ascending arcs")
      }
      var last: UInt32?
      for arc in begin..<end {
        let scalar = UInt32(truncatingIfNeeded: arcs[arc])
        guard Unicode.Scalar(scalar) != nil, last.map({ $0 < scalar }) ?? true else {
          throw .malformed(part: "lexicon arcs", index: arc, expected: "a greater Unicode scalar")
        }
        last = scalar
        guard state + 1..<layout.stateCount ~= Int(arcs[arc] >> 32) else {
          throw .malformed(part: "lexicon arcs", index: arc, expected: "a later state")
        }
      }
    }
  }
}

/// The layout of a lexicon. Numbers are little-endian.
///
///     0   magic "DuctLexi", or "unfinish" while the file is being written
///     8   version, states N, arcs A, words: 32 bits each
///    24   N + 1 states, 32 bits each: the first arc in the low 31, in the highest 1 if a word
///         ends here; filled up to a multiple of eight bytes
///         A arcs, 64 bits each: the Unicode scalar in the low 32, the state in the high 32;
///         ascending by scalar within a state
package struct LexiconLayout: Equatable {
  static let magic: [UInt8] = Array("DuctLexi".utf8)
  static let version: UInt32 = 1
  package static let headerBytes = 24
  static let acceptingBit: UInt32 = 1 << 31
  /// The most states and arcs.
  static let maximumCount = 1 << 26

  package let stateCount: Int
  let arcCount: Int

  var states: Int { Self.headerBytes }
  var arcs: Int { (states + 4 * (stateCount + 1) + 7) & ~7 }
  /// The length of all parts.
  var byteCount: Int { arcs + 8 * arcCount }
}
