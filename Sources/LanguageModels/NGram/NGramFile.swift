/// The first bytes of a language-model file, checked against the length of the file.
struct NGramFileHeader {
  let order: Int
  let start: Int
  let startOfLine: Int
  let layout: NGramFileLayout
  /// True if the file has the packed form, ``PackedNGramLayout``.
  let isPacked: Bool
  /// The length of the file.
  let fileBytes: Int

  /// The highest order of a file.
  static let maximumOrder = 32

  init(_ bytes: UnsafeRawBufferPointer) throws(LanguageModelError.Reason) {
    guard bytes.count >= NGramFileLayout.headerBytes else {
      throw .tooShort(bytes: bytes.count, expected: NGramFileLayout.headerBytes)
    }
    let magic = bytes[..<8]
    if magic.elementsEqual(NGramFileLayout.unfinishedMagic) { throw .unfinished }
    guard magic.elementsEqual(NGramFileLayout.magic) else { throw .wrongMagic }
    let words = (0..<14).map { index in
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 + 4 * index, as: UInt32.self)))
    }
    isPacked = words[0] == PackedNGramLayout.version
    guard isPacked || words[0] == NGramFileLayout.version else {
      throw .unknownVersion(found: words[0], expected: Int(PackedNGramLayout.version))
    }
    order = try Self.field("order", words[1], 2...Self.maximumOrder)
    let most = 1 << NGramFileLayout.maximumIndexBits - 1
    let symbols = try Self.field("symbols", words[2], SymbolTable.specialCount...256)
    let states = try Self.field("states", words[3], 1...most)
    let arcs = try Self.field("arcs", words[4], symbols...most)
    start = try Self.field("start state", words[5], 0...states - 1)
    startOfLine = try Self.field("line start state", words[6], 0...states - 1)
    let lexicon = words[8] | words[9] << 32
    _ = try Self.field("bytes of the lexicon", lexicon, 0...bytes.count)
    layout = NGramFileLayout(
      symbolCount: symbols, stateCount: states, arcCount: arcs, lexiconBytes: lexicon)
    let (arcBits, stateBits) = (layout.arcBits, layout.stateBits)
    _ = try Self.field("bits of an arc", words[7] & 0xFF, arcBits...arcBits)
    _ = try Self.field("bits of a state", words[7] >> 8, stateBits...stateBits)
    fileBytes = isPacked ? PackedNGramLayout(expanded: layout).fileBytes : layout.fileBytes
    guard fileBytes == bytes.count, words[10] | words[11] << 32 == bytes.count else {
      throw .length(expected: fileBytes, found: bytes.count)
    }
    for index in 12..<14 where words[index] != 0 {
      throw .headerField(name: "reserved", found: words[index], minimum: 0, maximum: 0)
    }
  }

  private static func field(
    _ name: String, _ found: Int, _ range: ClosedRange<Int>
  ) throws(LanguageModelError.Reason) -> Int {
    guard range.contains(found) else {
      throw .headerField(
        name: name, found: found, minimum: range.lowerBound, maximum: range.upperBound)
    }
    return found
  }
}

/// The layout of a language-model file. All numbers are little-endian; parts begin at multiples of
/// eight bytes, and the bytes between them are zero.
///
///     0   magic "DuctNgrm", or "unfinish" while the file is being written
///     8   version, order, symbols S, states N, arcs A, start state, line start state: 32 bits
///    36   bits of an arc index, bits of a state index: 8 bits each; 16 zero bits
///    40   bytes of the lexicon, or 0; bytes of the file: 64 bits each
///    56   zero
///    64   S scalars, 32 bits each; those of the special symbols are 0
///         256 logarithms of probabilities, 32-bit floats; the first is minus infinity
///         256 logarithms of backoff weights, 32-bit floats
///         A symbols of arcs, 8 bits each
///         A codes of probabilities, 8 bits each
///         N + 1 states, bit-packed from the lowest bit on: first arc, first child, backoff state,
///         code of the backoff weight (8 bits)
///         the lexicon
package struct NGramFileLayout: Equatable {
  static let magic: [UInt8] = Array("DuctNgrm".utf8)
  static let unfinishedMagic: [UInt8] = Array("unfinish".utf8)
  static let version: UInt32 = 1
  static let headerBytes = 64
  /// The bytes that vector loads may read after the last arc or state.
  static let padding = 16
  /// The most bits of an index.
  static let maximumIndexBits = 28

  package let symbolCount: Int
  package let stateCount: Int
  let arcCount: Int
  let lexiconBytes: Int
  /// The bits of an arc's index.
  package let arcBits: Int
  /// The bits of a state's index.
  package let stateBits: Int

  init(symbolCount: Int, stateCount: Int, arcCount: Int, lexiconBytes: Int) {
    self.symbolCount = symbolCount
    self.stateCount = stateCount
    self.arcCount = arcCount
    self.lexiconBytes = lexiconBytes
    arcBits = Self.bits(for: arcCount)
    stateBits = Self.bits(for: stateCount)
    recordBits = arcBits + 2 * stateBits + 8
  }

  /// The bits of one state.
  package let recordBits: Int

  package var scalars: Int { Self.headerBytes }
  package var probabilities: Int { Self.aligned(scalars + 4 * symbolCount) }
  package var weights: Int { probabilities + 1024 }
  package var arcSymbols: Int { weights + 1024 }
  var arcCodes: Int { Self.aligned(arcSymbols + arcCount + Self.padding) }
  package var states: Int { Self.aligned(arcCodes + arcCount + Self.padding) }
  package var lexicon: Int {
    Self.aligned(states + (recordBits * (stateCount + 1) + 7) / 8 + Self.padding)
  }
  /// The length of the file.
  package var fileBytes: Int { lexicon + Self.aligned(lexiconBytes) }

  /// The bits needed for a number up to `most`.
  private static func bits(for most: Int) -> Int {
    max(1, Int.bitWidth - most.leadingZeroBitCount)
  }

  static func aligned(_ offset: Int) -> Int { (offset + 7) & ~7 }
}

extension NGramFileLayout {
  /// A state as it is written.
  struct StoredState {
    var arcStart: UInt32
    var firstChild: UInt32
    var backoff: UInt32 = 0
    /// The code of the backoff weight.
    var weight: UInt8 = 0
  }

  /// Writes all states and the end of the last one into the bytes of a file. O(states).
  ///
  /// - Parameter state: Returns a state by its index; for the number of states, that end.
  @inline(__always)
  func writeStates(
    to raw: UnsafeMutableRawBufferPointer, _ state: (_ index: Int) -> StoredState
  ) {
    guard let base = raw.baseAddress else { return }
    var bits = BitWriter(base + states)
    for index in 0...stateCount {
      let stored = state(index)
      bits.append(UInt64(stored.arcStart), arcBits)
      bits.append(UInt64(stored.firstChild), stateBits)
      bits.append(
        UInt64(stored.backoff) | UInt64(stored.weight) &<< UInt64(stateBits), stateBits + 8)
    }
    bits.finish()
  }
}

/// Writes numbers of a few bits one after the other, from the lowest bit on.
private struct BitWriter {
  private var place: UnsafeMutableRawPointer
  private var word: UInt64 = 0
  private var used: UInt64 = 0

  /// Begins at a place; up to seven bytes after the last number are overwritten with zeros.
  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  /// Appends the lowest 1 to 63 bits of a number that has no others.
  @inline(__always)
  mutating func append(_ value: UInt64, _ width: Int) {
    word |= value &<< used
    used &+= UInt64(width)
    guard used >= 64 else { return }
    place.storeBytes(of: word.littleEndian, as: UInt64.self)
    place += 8
    used &-= 64
    // The bits that did not fit.
    word = value >> (UInt64(width) &- used)
  }

  mutating func finish() {
    if used > 0 { place.storeBytes(of: word.littleEndian, as: UInt64.self) }
  }
}
