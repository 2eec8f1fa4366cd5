import Recognition
import Testing

@Suite("Symbols of texts")
struct TextSymbolsTests {
  @Test("Characters of several scalars are symbols if they are frequent, and else their scalars")
  func clusters() {
    // ẹ́ is two scalars in NFC, n̄ too.
    let texts = Array(repeating: "ẹ́n", count: 5) + ["n̄", "n̄a"]
    let symbols = TextSymbols.symbols(of: texts, least: 1, leastOfClusters: 5)
    #expect(symbols == ["a", "n", "\u{304}", "ẹ́"].sorted())
    let model = TextSymbols(symbols)
    let place = { (symbol: String) in Int32((symbols.firstIndex(of: symbol) ?? -1) + 1) }
    #expect(model.classes(of: "ẹ́n̄a") == [place("ẹ́"), place("n"), place("\u{304}"), place("a")])
    #expect(model.classes(of: "xẹ") == [0, 0])
    #expect(model.classes(of: "") == [])
  }

  @Test("All symbols of a text are counted once for each text, rare ones are left out")
  func rare() {
    let texts = ["aab", "abc", "a"]
    #expect(TextSymbols.symbols(of: texts, least: 2, leastOfClusters: 2) == ["a", "b"])
    #expect(
      TextSymbols.symbols(of: texts, keeping: ["z"], least: 2, leastOfClusters: 2)
        == ["a", "b", "z"])
    #expect(
      TextSymbols.symbols(of: ["x"], keeping: ["ẹ́"], least: 1, leastOfClusters: 9)
        == ["x", "ẹ́"].sorted())
  }

  @Test("The split follows the normal form: what NFC composes stays one symbol")
  func composed() {
    #expect(TextSymbols.symbols(of: ["é"], least: 1, leastOfClusters: 9) == ["é"])
    #expect(
      TextSymbols.symbols(of: ["क्षि"], least: 1, leastOfClusters: 9).count
        == Set("क्षि".unicodeScalars).count)
  }

  @Test("Ink and probabilities of symbols that combine belong to one character")
  func gathering() {
    func ink(_ stroke: Int) -> CharacterInk {
      CharacterInk(parts: [.init(stroke: stroke, points: 0..<2)])
    }
    var aligned = AlignedSymbols(
      ink: [ink(0), ink(1), ink(2), ink(3)], certainties: [0.9, 0.8, 0.4, 0.7])
    aligned.gather(["a", "n", "\u{304}", "b"], in: "an̄b")
    #expect(aligned.ink.map { $0.parts.map(\.stroke) } == [[0], [1, 2], [3]])
    #expect(aligned.certainties == [0.9, 0.4, 0.7])
    var plain = AlignedSymbols(ink: [ink(0), ink(1)], certainties: [])
    plain.gather(["a", "b"], in: "ab")
    #expect(plain.ink.count == 2 && plain.certainties.isEmpty)
  }
}
