import Files
import Foundation
import LanguageModels
import Testing

/// The packed form of a file.
@Suite("Packed language models")
struct PackedNGramTests {
  @Test(
    "A packed file expands to the bytes that were packed",
    arguments: [(2, nil), (4, nil), (7, nil), (5, 6000), (5, 4000)] as [(Int, Int?)])
  func roundTrip(order: Int, maximumBytes: Int?) throws {
    let bytes = try Samples.bytes(order: order, maximumBytes: maximumBytes, words: ["cat", "hat"])
    let packed = try LanguageModel(bytes: bytes).packedBytes()
    let model = try LanguageModel(bytes: packed)
    #expect(model.withExpandedBytes { [UInt8]($0) } == bytes)
    #expect(model.withFileBytes { [UInt8]($0) } == packed)
    #expect(model.byteCount == packed.count)
    #expect(packed.count < bytes.count)
    #expect(model.lexicon?.contains("hat") == true)
    // A packed model packs again to the same bytes.
    #expect(model.packedBytes() == packed)
  }

  @Test("Training packs, and the limit holds for the packed file")
  func training() throws {
    var options = Samples.options(order: 5, maximumBytes: 5000)
    let plain = try LanguageModel(
      bytes: LanguageModelTrainer.train(Samples.normalized(), options: options))
    options.isPacked = true
    let bytes = try LanguageModelTrainer.train(Samples.normalized(), options: options)
    #expect(bytes.count <= 5000)
    #expect(bytes[8] == 2)
    #expect(try LanguageModel(bytes: bytes).ngramCount > plain.ngramCount)
  }

  @Test("A packed file that was cut, or has a changed byte, is refused or is another sound model")
  func damage() throws {
    let packed = try LanguageModel(bytes: Samples.bytes(order: 4)).packedBytes()
    for count in stride(from: 0, to: packed.count, by: 101) {
      #expect(throws: LanguageModelError.self) {
        try LanguageModel(bytes: Array(packed.prefix(count)))
      }
    }
    var refused = 0
    for place in packed.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var bytes = packed
        bytes[place] ^= change
        guard let model = try? LanguageModel(bytes: bytes) else {
          refused += 1
          continue
        }
        // What opens can be read.
        _ = model.advance(model.startOfLine, model.symbols.symbol(of: "t"))
        _ = model.state(after: "the cat")
      }
    }
    // A changed byte of a text or of a probability gives another model; of the rest, an error.
    #expect(refused > packed.count / 2)
  }

  @Test("Arcs without the states of the header are refused, with the part")
  func states() throws {
    let packed = try LanguageModel(bytes: Samples.bytes(order: 4)).packedBytes()
    let model = try LanguageModel(bytes: packed)
    let layout = PackedNGramLayout(expanded: model.layout)
    for part in [layout.lastArcs, layout.innerArcs] {
      var bytes = packed
      bytes[part + 9] = ~bytes[part + 9]
      let error = #expect(throws: LanguageModelError.self) { try LanguageModel(bytes: bytes) }
      guard case .malformed = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    "A packed file gives the probabilities of the model without being expanded",
    arguments: [(2, nil), (4, nil), (7, nil), (5, 6000), (5, 4000)] as [(Int, Int?)])
  func readInPlace(order: Int, maximumBytes: Int?) throws {
    let bytes = try Samples.bytes(order: order, maximumBytes: maximumBytes, words: ["cat", "hat"])
    let model = try LanguageModel(bytes: LanguageModel(bytes: bytes).packedBytes())
    let packed = try #require(try Self.inPlace(model.packedBytes()))
    #expect(packed.symbols == model.symbols)
    let known = Array("the cat sat on a mat, and then".unicodeScalars)
    // Every pair of parts of the text, so that long contexts occur and end.
    for first in known.indices {
      for second in known.indices {
        var (expanded, inPlace) = (LineLikelihood(model), LineLikelihood(packed))
        var text = ""
        for scalar in known[first...].prefix(8) + ["\u{1F600}"] + known[second...].prefix(9) {
          text.unicodeScalars.append(scalar)
          let (wanted, found) = (expanded.advance(scalar), inPlace.advance(scalar))
          #expect(wanted == found, "after \(text)")
          if wanted != found { return }
        }
      }
    }
    // The other form needs no second reader.
    #expect(try Self.inPlace(bytes) == nil)
  }

  @Test("A damaged file that is read in place is refused, or gives numbers")
  func damageInPlace() throws {
    let packed = try LanguageModel(bytes: Samples.bytes(order: 4)).packedBytes()
    for count in stride(from: 0, to: packed.count, by: 101) {
      #expect(throws: LanguageModelError.self) { try Self.inPlace(Array(packed.prefix(count))) }
    }
    for place in packed.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var bytes = packed
        bytes[place] ^= change
        guard let model = try? Self.inPlace(bytes) else { continue }
        var line = LineLikelihood(model)
        for scalar in "the cat \u{0} that sat the cat".unicodeScalars { _ = line.advance(scalar) }
      }
    }
  }

  private static func inPlace(_ bytes: [UInt8]) throws -> PackedLanguageModel? {
    let owner = MappedBytes(bytes)
    return try PackedLanguageModel(sharing: owner.bytes, of: owner, path: "model.ngram")
  }
}
