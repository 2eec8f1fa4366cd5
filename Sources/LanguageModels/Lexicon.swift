/// A list of words as a minimal automaton: which texts are words, and which begin one.
///
/// States are four bytes, so that a decoder can hold one in each hypothesis. A lexicon is immutable
/// and may be used by any number of threads at once. Words are sequences of Unicode scalars after
/// NFC; the automaton shares their common beginnings and ends (Daciuk, Mihov, Watson and Watson,
/// "Incremental construction of minimal acyclic finite-state automata", Computational Linguistics
/// 26, 2000).
///
///     let lexicon = try Lexicon(words: ["cat", "car"])
///     lexicon.contains("cat")     // true
///     lexicon.isPrefix("ca")      // true
public struct Lexicon: TextConstraint, @unchecked Sendable {
  // Unchecked because of the pointers: they lead into `bytes`, which lives as long as the lexicon
  // and never changes.

  /// Where in a word a text stands.
  public struct State: Hashable, Sendable, BitwiseCopyable {
    let index: UInt32
  }

  /// The state before the first character of a word.
  public let start = State(index: 0)
  /// The number of words.
  public let wordCount: Int
  /// The length of the automaton in bytes.
  public var byteCount: Int { layout.byteCount }

  let layout: LexiconLayout
  let bytes: MappedBytes
  let states: UnsafePointer<UInt32>
  let arcs: UnsafePointer<UInt64>

  /// The state behind a scalar, or nil where no word goes on with it. O(log arcs).
  @inline(__always)
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    // The mapping must not end while it is read, whatever becomes of the caller's lexicon.
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

  /// Whether what leads to a state is a word.
  @inline(__always)
  public func isAccepting(_ state: State) -> Bool {
    withExtendedLifetime(bytes) {
      states[Int(state.index)] & LexiconLayout.acceptingBit != 0
    }
  }

  /// The scalars that some word goes on with, ascending.
  public func scalars(after state: State) -> [Unicode.Scalar] {
    defer { withExtendedLifetime(bytes) {} }
    let range = arcRange(Int(state.index))
    return (range.begin..<range.end).compactMap {
      Unicode.Scalar(UInt32(truncatingIfNeeded: arcs[$0]))
    }
  }

  /// Whether a text is a word.
  public func contains(_ text: String) -> Bool {
    state(after: text).map(isAccepting) ?? false
  }

  /// Whether a text begins a word, or is one.
  public func isPrefix(_ text: String) -> Bool {
    state(after: text) != nil
  }

  @inline(__always)
  func arcRange(_ state: Int) -> (begin: Int, end: Int) {
    let mask = ~LexiconLayout.acceptingBit
    return (Int(states[state] & mask), Int(states[state + 1] & mask))
  }
}
