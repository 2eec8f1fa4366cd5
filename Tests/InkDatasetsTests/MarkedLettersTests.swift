import InkCore
import InkDatasets
import InkSynthesis
import Testing

@Suite("Letters with marks") struct MarkedLettersTests {
  private let library: PrototypeLibrary

  init() throws { library = try PrototypeLibrary.latin.get() }

  private func forms(_ label: String) -> [Prototype] { library.prototypes[label] ?? [] }

  @Test(
    "Every letter, quote and sign of the languages has forms",
    arguments: [
      "áâéèêëîïôöûüñùçàíïóòúčďěňřšťůýžẃẁŵẅỳŷÿæøåßõœðžćđőűąęėįųūāēģīķļņġħċżłńśźășțĺľŕğışÿ",
      "ảãạắằẳẵặấầẩẫậẻẽẹếềểễệỉĩịỏọốồổỗộơớờởỡợủũụưứừửữựỷỹỵ", "ẹ́ẹ̀ọ́ọ̀ṣḿm̀m̄ńǹn̄",
      "þʼ„“”‚‘’«»‹›¿¡·–—…ºª°€£ẞ",
    ])
  func languages(_ text: String) {
    for character in text {
      #expect(!forms(String(character)).isEmpty, "\(character)")
      for capital in character.uppercased() {
        #expect(!forms(String(capital)).isEmpty, "\(character), capital \(capital)")
      }
    }
  }

  @Test("The plain characters keep their forms and their order")
  func plain() throws {
    let plain = try PrototypeLibrary.characters.get()
    #expect(Array(library.labels.prefix(plain.labels.count)) == plain.labels)
    for label in plain.labels { #expect(library.prototypes[label] == plain.prototypes[label]) }
  }

  @Test("A mark above is above the letter, a mark below is below it")
  func places() throws {
    for (label, isAbove) in [("é", true), ("Š", true), ("ậ", false), ("ş", false), ("ņ", false)] {
      for form in forms(label) {
        let letter = form.strokes.dropLast(form.marks).joined()
        let first = try #require(form.strokes.dropLast(form.marks - 1).last)
        let (top, bottom) = try (
          #require(letter.map(\.y).max()), #require(letter.map(\.y).min())
        )
        if isAbove {
          #expect(try #require(first.map(\.y).min()) > top, "\(label)")
        } else {
          #expect(try #require(form.strokes.suffix(form.marks).joined().map(\.y).min()) < bottom)
        }
      }
    }
  }

  @Test("A mark above replaces the dot of i and j; an ogonek does not")
  func dots() {
    for label in ["í", "ī", "ĵ", "ı"] {
      for form in forms(label) {
        let small = form.strokes.dropLast(form.marks).filter { stroke in
          stroke.allSatisfy { $0.y >= 56 }
        }
        #expect(small.isEmpty, "\(label)")
      }
    }
    #expect(forms("ı").allSatisfy { $0.marks == 0 })
    #expect(forms("į").contains { $0.strokes.count - $0.marks == 2 })
  }

  @Test("The caron of d, t and l is an apostrophe; that of D is a caron")
  func carons() {
    #expect(MarkedLetters.decomposed("ď")?.marks == [.apostrophe])
    #expect(MarkedLetters.decomposed("Ľ")?.marks == [.apostrophe])
    #expect(MarkedLetters.decomposed("Ď")?.marks == [.caron])
    #expect(MarkedLetters.decomposed("ģ")?.marks == [.turnedCommaAbove])
    #expect(MarkedLetters.decomposed("ç")?.marks == [.cedilla])
    #expect(MarkedLetters.decomposed("ệ")?.marks == [.dotBelow, .circumflex])
    #expect(MarkedLetters.decomposed("a") == nil)
    #expect(MarkedLetters.decomposed("д") == nil)
  }

  @Test("A text in decomposed form is written like the same text in composed form")
  func normalisation() throws {
    let (composed, decomposed) = ("kůň", "ku\u{30A}n\u{30C}")
    let words = try [composed, decomposed].map {
      try StarterWords(parsing: $0, name: "text", library: library).texts
    }
    #expect(words[0] == words[1])
  }
}
