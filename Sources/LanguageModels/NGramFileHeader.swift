/// The first bytes of a language-model file, checked against the length of the file.
struct NGramFileHeader {
  let order: Int
  let start: Int
  let startOfLine: Int
  let layout: NGramFileLayout

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
    guard words[0] == NGramFileLayout.version else {
      throw .unknownVersion(found: words[0], expected: Int(NGramFileLayout.version))
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
    guard layout.fileBytes == bytes.count, words[10] | words[11] << 32 == bytes.count else {
      throw .length(expected: layout.fileBytes, found: bytes.count)
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
