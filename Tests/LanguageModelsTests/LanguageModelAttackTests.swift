import Foundation
import LanguageModels
import Testing

/// Malformed files: each is refused with the reason, none ends the process.
@Suite("Attacks on language-model files")
struct LanguageModelAttackTests {
  private let sound: [UInt8]
  private let layout: NGramFileLayout

  init() throws {
    sound = try Samples.bytes(order: 4, words: ["cat", "hat"])
    layout = try LanguageModel(bytes: sound).layout
  }

  @Test("An empty file")
  func emptyFile() { expectRefusal([], .tooShort(bytes: 0, expected: 64)) }

  @Test("A file shorter than its header")
  func shortHeader() {
    expectRefusal(Array(sound.prefix(63)), .tooShort(bytes: 63, expected: 64))
  }

  @Test("A file of another kind")
  func wrongMagic() {
    expectRefusal(changed(at: 0, to: [0x50]), .wrongMagic)
    expectRefusal([UInt8](repeating: 0xFF, count: 4096), .wrongMagic)
  }

  @Test("A file that was not written to its end")
  func unfinished() { expectRefusal(changed(at: 0, to: Array("unfinish".utf8)), .unfinished) }

  @Test("A newer version")
  func version() { expectRefusal(changed(at: 8, to: [3]), .unknownVersion(found: 3, expected: 2)) }

  @Test(
    "Header fields out of range",
    arguments: [
      (12, "order", 2), (16, "symbols", 4), (20, "states", 1), (24, "arcs", nil),
      (28, "start state", 0), (32, "line start state", 0),
    ] as [(Int, String, Int?)])
  func headerFields(offset: Int, name: String, minimum: Int?) {
    for value in [[0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F]] as [[UInt8]] {
      let reason = refusal(changed(at: offset, to: value))
      guard case .headerField(name, _, let least, _) = reason else {
        Issue.record("\(name): \(String(describing: reason))")
        continue
      }
      if let minimum { #expect(least == minimum) }
    }
  }

  @Test("Bits of indices that differ from what the counts need")
  func indexBits() {
    expectField("bits of an arc", changed(at: 36, to: [60]))
    expectField("bits of a state", changed(at: 37, to: [0]))
  }

  @Test("A lexicon longer than the file")
  func lexiconLength() {
    expectField("bytes of the lexicon", changed(at: 40, to: [UInt8](repeating: 0xFF, count: 7)))
    expectField("bytes of the lexicon", changed(at: 47, to: [0x80]))
  }

  @Test("Reserved bytes that are not zero")
  func reserved() { expectField("reserved", changed(at: 60, to: [1])) }

  @Test("A file cut short, at every length")
  func cutFile() {
    for length in stride(from: 128, to: sound.count, by: 97) {
      expectRefusal(
        Array(sound.prefix(length)), .length(expected: sound.count, found: length))
    }
  }

  @Test("A file with additional bytes at its end")
  func trailing() {
    expectRefusal(
      sound + [0, 0], .length(expected: sound.count, found: sound.count + 2))
  }

  @Test("Symbols that the empty context lacks, because it has others twice")
  func missingSymbols() throws {
    let known = (0..<layout.symbolCount).map { sound[layout.arcSymbols + $0] }
    // Two runs that ascend: what is asked for more of, and what is not.
    let split = try #require(known.indices.dropFirst().first { known[$0] <= known[$0 - 1] })
    var attacks = 0
    for arc in known.indices {
      let (least, end) = arc < split ? (0, split) : (split, known.count)
      for symbol in known where symbol != known[arc] {
        guard arc == least || known[arc - 1] < symbol, arc + 1 == end || symbol < known[arc + 1]
        else { continue }
        attacks += 1
        expectMalformed("arcs", changed(at: layout.arcSymbols + arc, to: [symbol]))
      }
    }
    #expect(attacks > 0)
  }

  @Test("Counts that ask for more than the file")
  func hugeCounts() {
    guard case .length = refusal(hugeStates()) else {
      Issue.record("expected the length to be refused")
      return
    }
  }

  @Test("Symbols that do not ascend, are not scalars, or name a special one")
  func symbols() {
    expectMalformed("symbols", changed(at: layout.scalars + 4 * 5, to: [0, 0, 0, 0]))
    expectMalformed("symbols", changed(at: layout.scalars + 4 * 5, to: [0, 0xD8, 0, 0]))
    expectMalformed("symbols", changed(at: layout.scalars + 4 * 5, to: [0, 0, 0xFF, 0]))
    expectMalformed("symbols", changed(at: layout.scalars, to: [1]))
  }

  @Test("Probabilities above one, NaN or infinite")
  func probabilities() {
    let offset = layout.probabilities
    expectMalformed("probabilities", changed(at: offset, to: [0, 0, 0, 0]))
    for value in [Float(0.5), .nan, .infinity, -.infinity] {
      expectMalformed("probabilities", changed(at: offset + 400, to: bytes(of: value)))
    }
  }

  @Test("Weights that are NaN or infinite")
  func weights() {
    for value in [Float.nan, .infinity, -.infinity] {
      expectMalformed("weights", changed(at: layout.weights + 400, to: bytes(of: value)))
    }
  }

  @Test("Arcs with symbols out of range or not ascending")
  func arcs() {
    expectMalformed("arcs", changed(at: layout.arcSymbols + 1, to: [0xFF]))
    expectMalformed("arcs", changed(at: layout.arcSymbols + 1, to: [sound[layout.arcSymbols]]))
  }

  @Test("A state whose shorter context is itself or a longer one")
  func backoffCycle() {
    for state in [1, layout.stateCount / 2, layout.stateCount - 1] {
      let bit = layout.recordBits * state + layout.arcBits + layout.stateBits
      expectMalformed("states", withField(bit, layout.stateBits, state))
    }
  }

  @Test("Arcs and children of states that run backwards or out of range")
  func indices() {
    for state in 0...layout.stateCount {
      let bit = layout.recordBits * state
      for value in [0, 1 << layout.arcBits - 1] {
        expectNothingButRefusalOrSoundness(withField(bit, layout.arcBits, value))
      }
      for value in [0, 1 << layout.stateBits - 1] {
        expectNothingButRefusalOrSoundness(
          withField(bit + layout.arcBits, layout.stateBits, value))
      }
    }
    expectMalformed("states", withField(layout.recordBits * layout.stateCount, layout.arcBits, 0))
    expectMalformed(
      "states", withField(layout.recordBits * 3, layout.arcBits, 1 << layout.arcBits - 1))
    expectMalformed("states", withField(layout.arcBits, layout.stateBits, 0))
  }

  @Test("A lexicon in the file that is malformed")
  func lexicon() {
    expectRefusal(changed(at: layout.lexicon, to: [0]), .wrongMagic)
    expectField("lexicon states", changed(at: layout.lexicon + 12, to: [0, 0, 0, 0]))
    expectField("lexicon arcs", changed(at: layout.lexicon + 19, to: [0x80]))
    // The first arc of the start leads back to it.
    let states = layout.lexicon + LexiconLayout.headerBytes
    expectMalformed("lexicon states", changed(at: states, to: [1]))
    let arcs = layout.fileBytes - 8
    expectMalformed("lexicon arcs", changed(at: arcs + 4, to: [0, 0, 0, 0]))
    expectMalformed("lexicon arcs", changed(at: arcs + 4, to: [0xFF, 0xFF, 0xFF, 0xFF]))
    expectMalformed("lexicon arcs", changed(at: arcs, to: [0, 0xD8, 0, 0]))
  }

  @Test("Random bytes in a sound file are refused or used without harm")
  func randomChanges() {
    var state: UInt64 = 1
    for _ in 0..<200 {
      var bytes = sound
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      expectNothingButRefusalOrSoundness(bytes)
    }
  }

  @Test("A folder, a missing file and a pipe are refused")
  func files() throws {
    let folder = try TemporaryFolder()
    #expect(throws: LanguageModelError(.notARegularFile, file: folder.path)) {
      try LanguageModel(contentsOf: folder.path)
    }
    let missing = folder.file("missing.ngram")
    #expect(
      throws: LanguageModelError(.system(operation: "opening", code: ENOENT), file: missing)
    ) { try LanguageModel(contentsOf: missing) }
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(throws: LanguageModelError(.notARegularFile, file: folder.file("pipe"))) {
      try LanguageModel(contentsOf: folder.file("pipe"))
    }
  }

  @Test("A written file opens again, and appears under its name only when complete")
  func writing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("model.ngram")
    try LanguageModelWriter.write(sound, to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(sound))
    #expect(try LanguageModel(contentsOf: path).lexicon?.contains("cat") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["model.ngram"])
    #expect(throws: LanguageModelError.self) {
      try LanguageModelWriter.write(sound, to: folder.file("missing/model.ngram"))
    }
  }

  @Test("Errors name the file, what was expected, what was found and what to do")
  func descriptions() {
    let error = LanguageModelError(.unknownVersion(found: 9, expected: 1), file: "a.ngram")
    #expect("\(error)" == "a.ngram: expected version 1, found 9; update ductus")
  }
}

// MARK: - Attacks on files
extension LanguageModelAttackTests {
  private func changed(at offset: Int, to values: [UInt8]) -> [UInt8] {
    var bytes = sound
    bytes.replaceSubrange(offset..<offset + values.count, with: values)
    return bytes
  }

  private func bytes(of value: Float) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  /// The file with other bits at a place of the states.
  private func withField(_ bit: Int, _ width: Int, _ value: Int) -> [UInt8] {
    var bytes = sound
    for place in 0..<width {
      let position = 8 * layout.states + bit + place
      let mask = UInt8(1) << UInt8(position & 7)
      if value >> place & 1 == 1 {
        bytes[position >> 3] |= mask
      } else {
        bytes[position >> 3] &= ~mask
      }
    }
    return bytes
  }

  /// As many states as the bits of their indices allow.
  private func hugeStates() -> [UInt8] {
    let count = 1 << layout.stateBits - 1
    return changed(
      at: 20, to: withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) })
  }

  private func refusal(_ bytes: [UInt8]) -> LanguageModelError.Reason? {
    do throws(LanguageModelError) {
      _ = try LanguageModel(bytes: bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  private func expectRefusal(
    _ bytes: [UInt8], _ reason: LanguageModelError.Reason,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(refusal(bytes) == reason, sourceLocation: sourceLocation)
  }

  private func expectField(
    _ name: String, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .headerField(name, _, _, _) = refusal(bytes) else {
      Issue.record(
        "\(name): \(String(describing: refusal(bytes)))", sourceLocation: sourceLocation)
      return
    }
  }

  private func expectMalformed(
    _ part: String, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .malformed(part, _, _) = refusal(bytes) else {
      Issue.record(
        "\(part): \(String(describing: refusal(bytes)))", sourceLocation: sourceLocation)
      return
    }
  }

  /// Opens a file and, where it is not refused, walks through all that a decoder would.
  private func expectNothingButRefusalOrSoundness(_ bytes: [UInt8]) {
    guard let model = try? LanguageModel(bytes: bytes) else { return }
    var values = [Float](repeating: 0, count: model.symbols.count)
    for state in 0..<model.stateCount {
      let state = LanguageModel.State(index: UInt32(state))
      values.withUnsafeMutableBufferPointer { model.logProbabilities(state, into: $0) }
      for symbol in 0..<UInt8(model.symbols.count) {
        #expect(Int(model.advance(state, symbol).state.index) < model.stateCount)
      }
    }
    _ = model.lexicon?.contains("cat")
  }
}
