/// Where the parts of a lexicon lie. Numbers are little-endian.
///
///     0   magic "DuctLexi", or "unfinish" while the file is being written
///     8   version, states N, arcs A, words: 32 bits each
///    24   N + 1 states, 32 bits each: the first arc in the low 31, in the highest whether a word
///         ends here; filled up to a multiple of eight bytes
///         A arcs, 64 bits each: the Unicode scalar in the low 32, the state in the high 32;
///         ascending by scalar within a state
struct LexiconLayout: Equatable {
  static let magic: [UInt8] = Array("DuctLexi".utf8)
  static let version: UInt32 = 1
  static let headerBytes = 24
  static let acceptingBit: UInt32 = 1 << 31
  /// The most states and arcs.
  static let maximumCount = 1 << 26

  let stateCount: Int
  let arcCount: Int

  var states: Int { Self.headerBytes }
  var arcs: Int { (states + 4 * (stateCount + 1) + 7) & ~7 }
  /// The length of all parts.
  var byteCount: Int { arcs + 8 * arcCount }
}
