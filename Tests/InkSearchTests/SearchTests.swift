import Foundation
import InkCore
import InkSearch
import Testing

@Suite("Search in notes")
struct SearchTests {
  let folder: NotesFolder

  init() throws {
    folder = try NotesFolder()
  }

  @Test("A word that was misread is found by its other readings, after pages that are sure")
  func alternatives() throws {
    folder.say(1, [[.init("Berlin", probability: 0.6), .init("Merlin", probability: 0.3)]])
    folder.say(2, "merlin")
    folder.say(3, "other")
    try folder.write("a.xopp", pages: [1, 2, 3])
    try folder.update()
    #expect(try folder.search("merlin") == ["a.xopp 2", "a.xopp 1"])
    #expect(try folder.search("merlin", readings: .best) == ["a.xopp 2"])
    #expect(try folder.search("BERLIN") == ["a.xopp 1"])
    let hit = try #require(
      try InkIndex(at: folder.indexFile).search(SearchQuery("merlin")).last)
    #expect(abs(hit.score - 0.3) < 0.01 && hit.places.first?.text == "Merlin")
    #expect(hit.places.first.map { abs($0.box[2] - 8) < 0.1 } == true)
    #expect(hit.line == "Berlin" && hit.format == "xopp")
  }

  @Test("A misread word that no reading has is found by its spelling, if it was not sure")
  func nearWords() throws {
    folder.say(1, [[.init("rellection", probability: 0.8), .init("rebellion", probability: 0.1)]])
    folder.say(2, "rellection")
    folder.say(
      3, [[.init("reflection", probability: 0.02), .init("collection", probability: 0.01)]])
    folder.say(4, [[.init("reflektiom", probability: 0.5)]])
    folder.say(5, [[.init("infection", probability: 0.5)]])
    try folder.write("a.xopp", pages: [1, 2, 3, 4, 5])
    try folder.update()
    // Page 2 is sure, and that of page 5 differs in too many letters.
    #expect(try folder.search("reflection") == ["a.xopp 1", "a.xopp 3", "a.xopp 4"])
    #expect(try folder.search("\"reflection\"") == ["a.xopp 3"])
    #expect(try folder.search("reflection", readings: .best) == ["a.xopp 3"])
    #expect(try folder.search("reflec*") == ["a.xopp 3"])
    // Short words have to be as they are.
    folder.say(6, [[.init("cat", probability: 0.5)]])
    try folder.write("b.xopp", pages: [6])
    try folder.update()
    #expect(try folder.search("car").isEmpty && folder.search("cat") == ["b.xopp 1"])
    #expect(try folder.faults() == [])
  }

  @Test("Pages with more expected hits come first")
  func ranking() throws {
    folder.say(1, "cat")
    folder.say(2, "cat cat cat")
    folder.say(3, [[.init("cat", probability: 0.9)], [.init("cat", probability: 0.9)]])
    try folder.write("a.xopp", pages: [1, 2, 3])
    try folder.update()
    #expect(try folder.search("cat") == ["a.xopp 2", "a.xopp 3", "a.xopp 1"])
  }

  @Test("Prefixes, phrases, several words and excluded words")
  func operators() throws {
    folder.say(1, "the next week we meet")
    folder.say(2, "week next the cancelled")
    folder.say(3, "weekend")
    try folder.write("a.xopp", pages: [1, 2, 3])
    try folder.update()
    #expect(try Set(folder.search("week*")) == ["a.xopp 1", "a.xopp 2", "a.xopp 3"])
    #expect(try folder.search("\"next week\"") == ["a.xopp 1"])
    #expect(try folder.search("\"next wee*\"") == ["a.xopp 1"])
    #expect(try Set(folder.search("week AND next")) == ["a.xopp 1", "a.xopp 2"])
    #expect(try folder.search("week -cancelled") == ["a.xopp 1"])
    #expect(try folder.search("week NOT \"next week\"") == ["a.xopp 2"])
    #expect(try folder.search("absent").isEmpty)
  }

  @Test("Conditions on the language, the path and the date")
  func conditions() throws {
    folder.say(1, "word")
    folder.say(2, "word")
    try folder.write("work/a.xopp", pages: [1])
    try folder.write("home/b_c.xopp", pages: [2])
    let old = Date(timeIntervalSince1970: 1_577_836_800 + 86_400)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: folder.path + "/work/a.xopp")
    try folder.update()
    #expect(try folder.search("word lang:de") == ["home/b_c.xopp 1"])
    #expect(try folder.search("word in:WORK/") == ["work/a.xopp 1"])
    #expect(try folder.search("word in:b_c") == ["home/b_c.xopp 1"])
    #expect(try folder.search("word in:bxc").isEmpty)
    #expect(try folder.search("word before:2021") == ["work/a.xopp 1"])
    #expect(try folder.search("word date:2020-01") == ["work/a.xopp 1"])
    #expect(try folder.search("word after:2021-01-01") == ["home/b_c.xopp 1"])
  }

  @Test("Typed text is found, also on pages without ink")
  func typed() throws {
    folder.say(1, "ink")
    try folder.write("a.xopp", pages: [1], typed: "Typed &amp; saved\nsecond line")
    try folder.write(
      "b.xopp",
      "<xournal><page width='9' height='9'><layer><text x='1' y='1' size='9'>alone</text></layer></page></xournal>"
    )
    try folder.update()
    #expect(try folder.search("typed") == ["a.xopp 1"])
    #expect(try folder.search("\"second line\"") == ["a.xopp 1"])
    #expect(try folder.search("alone") == ["b.xopp 1"])
    let hit = try InkIndex(at: folder.indexFile).search(SearchQuery("saved")).first
    #expect(hit?.places.first?.isTyped == true && hit?.line == "Typed & saved")
  }

  @Test("Case and marks are folded, except for letters of their own in the language")
  func folding() throws {
    folder.say(1, "Müller café don’t well-known")
    try folder.write("a.xopp", pages: [1])
    try folder.update()
    for word in ["muller", "MÜLLER", "cafe", "Café", "dont", "don't", "known", "well-known"] {
      #expect(try folder.search(word) == ["a.xopp 1"], "\(word)")
    }
    #expect(FoldedText.form(of: "Straße") == "strasse" && FoldedText.form(of: "Łódź") == "lodz")
    #expect(MarkedLetters.agree(query: "muller", word: "Müller", language: "de"))
    #expect(!MarkedLetters.agree(query: "mal", word: "mål", language: "sv"))
    #expect(MarkedLetters.agree(query: "mål", word: "Mål", language: "nb-NO"))
  }

  @Test("Digits of three kinds are found by each other, and so are the forms of Arabic letters")
  func digits() throws {
    for (page, text) in ["year 2024", "سنة ٢٠٢٤", "سال ۲۰۲۴", "שנת 2024", "year 2025"].enumerated()
    {
      folder.say(page + 1, text)
    }
    folder.say(6, "می\u{200C}شود علي كتـاب")
    folder.say(7, "צה״ל וג׳ירפה שָׁלוֹם")
    try folder.write("a.xopp", pages: Array(1...7))
    try folder.update()
    for query in ["2024", "٢٠٢٤", "۲۰۲۴", "\"2024\"", "۲۰۲*"] {
      let found = try Set(folder.search(query))
      let expected = Set(
        (1...4).map { "a.xopp \($0)" } + (query.hasSuffix("*") ? ["a.xopp 5"] : []))
      #expect(found == expected, "\(query)")
    }
    for query in ["میشود", "می\u{200C}شود", "علی", "کتاب", "كتاب"] {
      #expect(try folder.search(query) == ["a.xopp 6"], "\(query)")
    }
    for query in ["צהל", "צה״ל", "וגירפה", "שלום"] {
      #expect(try folder.search(query) == ["a.xopp 7"], "\(query)")
    }
  }

  @Test("The words of a line are in logical order, whatever its direction")
  func lineOfHit() throws {
    let text = "שלום hello world 5"
    try folder.write(
      "a.xopp",
      "<xournal><page width='90' height='90'><layer><text x='1' y='1' size='9'>\(text)</text></layer></page></xournal>"
    )
    try folder.update()
    let hit = try InkIndex(at: folder.indexFile).search(SearchQuery("שלום")).first
    #expect(hit?.line == text)
    #expect(try InkIndex(at: folder.indexFile).text(of: folder.path + "/a.xopp", page: 1) == text)
  }

  @Test(
    "Queries that mean nothing say why",
    arguments: [
      "", "  ", "-a", "NOT", "a NOT", "lang:", "a after:yesterday", "a date:2026-13", "!!",
    ])
  func badQueries(text: String) {
    let error = #expect(throws: InkSearchError.self) { try SearchQuery(text) }
    if case .badQuery(let reason) = error {
      #expect(!reason.isEmpty)
    } else {
      Issue.record("\(text)")
    }
  }

  @Test("Words survive their bytes, and damaged bytes are no words")
  func coding() {
    let words = (0..<40).map { number in
      PageWord(
        alternatives: [
          .init("wörd\(number)", probability: 0.5), .init("x", probability: 0.25),
          .init("never", probability: 0.001),
        ],
        box: BoundingBox(
          minX: Double(number), minY: 2, maxX: Double(number) + 1, maxY: Double(3 + number % 3)),
        line: number < 20 ? number / 7 : 500 - number, isTyped: number.isMultiple(of: 3))
    }
    let bytes = PageCoding.bytes(of: words)
    #expect(bytes.count < 40 * 40)
    let read = PageCoding.words(bytes) ?? []
    #expect(read.map(\.line) == words.map(\.line) && read.map(\.isTyped) == words.map(\.isTyped))
    #expect(read.allSatisfy { $0.alternatives.count == 2 })
    #expect(zip(read, words).allSatisfy { abs($0.box.minX - $1.box.minX) < 0.01 })
    for count in bytes.indices { #expect(PageCoding.words(Array(bytes[..<count])) == nil) }
  }

  @Test("A page of results shows the ink of a hit with its place marked")
  func html() throws {
    folder.say(1, "a<b word")
    try folder.write("a.xopp", pages: [1])
    try folder.update()
    let hits = try InkIndex(at: folder.indexFile).search(SearchQuery("word"))
    let html = SearchPage.html(hits, query: "<word>")
    #expect(html.contains("<polyline") && html.contains("<rect") && html.contains("&lt;word&gt;"))
    #expect(html.contains("a&lt;b <mark>word</mark>") && !html.contains("<script"))
  }
}
