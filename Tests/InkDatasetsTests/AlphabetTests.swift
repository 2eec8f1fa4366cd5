import InkCore
import InkDatasets
import InkSynthesis
import Testing

@Suite("Prototypes of Cyrillic, Greek and Georgian") struct AlphabetTests {
  @Test(
    "Every letter of the languages has forms, in both cases",
    arguments: [
      "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "ґєіїўѝ", "ђјљњћџѓѕќѐ", "әғқңөұүһҗ",
      "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
      "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    ])
  func languages(_ letters: String) throws {
    let library = try PrototypeLibrary.alphabets.get()
    for letter in letters {
      for form in [String(letter), letter.uppercased()] {
        // Georgian is written without capitals.
        if "Ა"..."Ჿ" ~= form { continue }
        #expect(library.prototypes[form]?.isEmpty == false, "\(form)")
      }
    }
    #expect(library.prototypes["ΐ"] != nil && library.prototypes["ΰ"] != nil)
  }

  @Test("The sets have digits and signs, and the letters of their script only")
  func sets() throws {
    let (latin, cyrillic, greek) = try (
      PrototypeLibrary.latin.get(), PrototypeLibrary.cyrillic.get(), PrototypeLibrary.greek.get()
    )
    for library in [latin, cyrillic, greek] {
      for sign in ["0", "9", "?", "(", "«", "„"] { #expect(library.prototypes[sign] != nil) }
    }
    for (own, others) in [
      ("ж", [latin, greek]), ("λ", [latin, cyrillic]), ("w", [cyrillic, greek]),
    ] {
      #expect(others.allSatisfy { $0.prototypes[own] == nil }, "\(own)")
    }
    #expect(cyrillic.prototypes["№"] != nil)
    #expect(latin.prototypes["№"] == nil)
  }

  @Test("Another script changes nothing for the labels before it, whose places decide their forms")
  func places() throws {
    let (latin, alphabets) = try (
      PrototypeLibrary.latin.get(), PrototypeLibrary.alphabets.get()
    )
    #expect(Array(alphabets.labels.prefix(latin.labels.count)) == latin.labels)
    for label in latin.labels { #expect(alphabets.prototypes[label] == latin.prototypes[label]) }
  }

  @Test("Letters that look like Latin ones have their forms")
  func sharedForms() throws {
    let library = try PrototypeLibrary.alphabets.get()
    func strokes(_ label: String) -> [[[Knot]]] { library.prototypes[label]?.map(\.strokes) ?? [] }
    #expect(strokes("а") == strokes("a"))
    #expect(strokes("ο") == strokes("o"))
    #expect(Set(strokes("т")).isSuperset(of: strokes("m")))
  }

  @Test("Marks: the breve of й is above, the tonos of Ά is before the letter")
  func marks() throws {
    let library = try PrototypeLibrary.alphabets.get()
    for (label, isAbove) in [("й", true), ("ё", true), ("ї", true), ("ώ", true), ("Ά", false)] {
      let forms = library.prototypes[label] ?? []
      #expect(!forms.isEmpty)
      for form in forms {
        let letter = form.strokes.dropLast(form.marks).joined()
        let marks = form.strokes.suffix(form.marks).joined()
        let (top, left) = try (
          #require(letter.map(\.y).max()), #require(letter.map(\.x).min())
        )
        #expect(
          isAbove ? marks.allSatisfy { $0.y > top } : marks.allSatisfy { $0.x < left }, "\(label)")
      }
    }
    // The Cyrillic і loses its dot like the Latin i.
    #expect(library.prototypes["ї"]?.allSatisfy { $0.strokes.count - $0.marks == 1 } == true)
  }

  @Test("A line may take the forms of an earlier file: single ones, or those that join")
  func references() throws {
    let known = try Dictionary(
      grouping: PrototypeParser.parse(
        "a *2 0,0 1,1\na *3 ~ 0,0 2,2", name: "first"), by: \.label)
    let forms = try PrototypeParser.parse("а *4 = a\nа ~ = a", name: "second", known: known)
    #expect(forms.map(\.label) == ["а", "а"])
    #expect(forms.map(\.weight) == [8, 3])
    #expect(forms.map(\.joints) == [.none, .both])
    let error = #expect(throws: PrototypeError.self) {
      try PrototypeParser.parse("б = b", name: "second", known: known)
    }
    #expect(error?.code == .unknownReference)
    #expect(
      error?.description == "second:1: expected a label of an earlier file with such forms, found b"
    )
  }

  @Test("Words of both scripts are written, printed and joined", arguments: ["printed", "joined"])
  func words(_ style: String) throws {
    let texts = ["Съешь же ещё этих булок, да выпей чаю", "ΜΙΑ ψυχοφθόρα βδελυγμία", "Љубав № 5"]
    let folder = try TemporaryFolder()
    let file = try folder.write(texts.joined(separator: "\n"), to: "texts.txt")
    let set = try DataSpecification(
      parsing: "starter:words?words=\(file)&style=\(style)&count=40"
    ).starterSet()
    let labels = Set((0..<40).map { set.record(at: $0).labeled.label })
    #expect(labels == Set(texts))
  }
}
