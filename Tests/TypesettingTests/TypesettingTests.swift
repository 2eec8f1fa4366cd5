import Foundation
import SystemFonts
import Testing
import Typesetting

@Suite("Setting text")
struct TypesettingTests {
  private let font = BundledFont()

  @Test("the built-in metrics are those of Helvetica's widths, with heights of letters")
  func widths() {
    // Widths of Helvetica in 1/1000 em, from the metrics that Adobe published.
    for (character, regular, bold) in [
      ("a", 556, 556), ("b", 556, 611), ("i", 222, 278), ("W", 944, 944), (" ", 278, 278),
      ("é", 556, 556),
    ] as [(String, Double, Double)] {
      for (isBold, width) in [(false, regular), (true, bold)] {
        let glyph = font.glyphs(of: character, in: FontFace(isBold: isBold))[0]
        #expect(abs((glyph?.advance ?? 0) - width / 1000) < 0.001, "\(character)")
      }
    }
    let x = font.glyphs(of: "x", in: FontFace())[0]
    #expect(abs((x?.top ?? 0) - font.metrics(of: FontFace()).xHeight) < 0.02)
    #expect(x?.bottom == 0)
    let p = font.glyphs(of: "p", in: FontFace())[0]
    #expect((p?.bottom ?? 0) < -0.15)
  }

  @Test("letters with marks, composed or not, are one glyph; unknown letters are told")
  func characters() {
    let composed = font.glyphs(of: "é", in: FontFace())
    #expect(font.glyphs(of: "e\u{301}", in: FontFace()) == composed)
    // No font has this as one character: the mark is over the letter.
    let marked = font.glyphs(of: "q\u{307}", in: FontFace())
    #expect(
      marked.count == 1 && marked[0]?.advance == font.glyphs(of: "q", in: FontFace())[0]?.advance)
    let word = Typesetter().word("a漢b漢", size: 10)
    #expect(word.missing == ["漢"] && word.glyphs.count == 4)
    #expect(word.stops.count == 5 && abs((word.stops.last ?? 0) - word.width) < 1e-9)
    for language in ["Zażółć gęślą jaźń", "Tiếng Việt", "Ελληνικά", "Русский", "ŞşİıĞğ"] {
      #expect(Typesetter().word(language, size: 1).missing.isEmpty, "\(language)")
    }
  }

  @Test("lines break at spaces and line feeds; a word that is too long has a line of its own")
  func lines() {
    let setter = Typesetter()
    func texts(_ text: String, _ width: Double?) -> [String] {
      setter.lines(of: [TextSpan(text)], size: 10, width: width).map { line in
        line.map { $0.pieces.map(\.word.text).joined() }.joined(separator: " ")
      }
    }
    #expect(texts("one two three", nil) == ["one two three"])
    #expect(texts("one\n\ntwo", nil) == ["one", "", "two"])
    #expect(texts("one two three", 40) == ["one two", "three"])
    #expect(texts("a extraordinarily b", 30) == ["a", "extraordinarily", "b"])
    #expect(texts("  a  b ", nil) == ["a b"])
    #expect(texts("", 10) == [""])
    let line = setter.lines(of: [TextSpan("ab cd")], size: 10)[0]
    let space = setter.space(size: 10)
    #expect(abs(line[1].x - line[0].width - space) < 1e-9)
    let mixed = setter.lines(
      of: [TextSpan("bo", face: FontFace(isBold: true)), TextSpan("ld er")], size: 10)[0]
    #expect(mixed.map { $0.pieces.map(\.span) } == [[0, 1], [1]])
  }

  @Test("the fonts of the system agree with the built-in metrics where it has Liberation Sans")
  func system() throws {
    guard let fonts = try? SystemFonts() else { return }
    let text = "Hamburg"
    let own = font.glyphs(of: text, in: FontFace())
    let found = fonts.glyphs(of: text, in: FontFace())
    #expect(found.count == own.count)
    #expect(found.allSatisfy { ($0?.advance ?? 0) > 0 })
    let hasLiberation = FileManager.default.fileExists(
      atPath: "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")
    guard hasLiberation else { return }
    for (one, other) in zip(own, found) {
      #expect(abs((one?.advance ?? 0) - (other?.advance ?? 1)) < 0.06)
      #expect(abs((one?.top ?? 0) - (other?.top ?? 1)) < 0.01)
    }
    // Letters of other scripts, and a word that is joined from right to left.
    #expect(fonts.glyphs(of: "سلام", in: FontFace()).count == 4)
    #expect(fonts.metrics(of: FontFace()).xHeight > 0.4)
  }
}
