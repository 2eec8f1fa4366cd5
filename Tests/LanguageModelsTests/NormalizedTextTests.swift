import LanguageModels
import Testing

@Suite("Normalised text")
struct NormalizedTextTests {
  private func texts(_ text: String, lines: Bool = false) -> [String] {
    var normalized = NormalizedText(linesAreTexts: lines)
    normalized.append(text)
    return normalized.texts.map { scalars in
      String(String.UnicodeScalarView(scalars))
    }
  }

  @Test("Line breaks inside a paragraph are spaces, empty lines end it")
  func paragraphs() {
    #expect(texts("one\ntwo\r\nthree\n \n\nfour") == ["one two three", "four"])
    #expect(texts("one\ntwo\n\nthree", lines: true) == ["one", "two", "three"])
  }

  @Test("Runs of white space become one space, and are removed at both ends")
  func spaces() {
    #expect(texts("  a \t\u{A0} b  \n") == ["a b"])
    #expect(texts(" \n\n \n") == [])
    #expect(texts("\u{FEFF}a") == ["a"])
  }

  @Test("Characters are composed, and invalid UTF-8 is replaced")
  func composition() {
    #expect(texts("e\u{301}") == ["é"])
    var normalized = NormalizedText()
    [UInt8(0x61), 0xE9, 0x62].withUnsafeBytes { normalized.append($0) }
    #expect(Array(normalized.scalars) == ["a", "\u{FFFD}", "b"])
  }

  @Test("Rare characters are unknown symbols; the others ascend")
  func symbols() throws {
    var normalized = NormalizedText()
    normalized.append("abba abc")
    let text = try SymbolText(normalized, minimumCount: 2)
    #expect(text.table.scalars == ["a", "b"])
    #expect(text.table.symbol(of: "c") == SymbolTable.unknown)
    #expect(text.table.scalar(of: text.table.symbol(of: "b")) == "b")
    #expect(text.table.scalar(of: SymbolTable.endOfText) == nil)
    #expect(SymbolTable(scalars: ["b", "a"]) == nil)
  }
}
