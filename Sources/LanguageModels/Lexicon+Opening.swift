import Foundation

extension Lexicon {
  /// Builds a lexicon of words. O(scalars log words) time.
  ///
  /// - Throws: ``TextConstraintError`` where there is no word or there are too many.
  public init(words: some Sequence<String>) throws(TextConstraintError) {
    let bytes = MappedBytes(try LexiconBuilder.build(words))
    do throws(LanguageModelError.Reason) {
      try self.init(bytes, at: 0, count: bytes.bytes.count)
    } catch {
      throw .unreadableLexicon(error)
    }
  }

  /// Checks the bytes of a lexicon and takes them as they are. O(bytes).
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
