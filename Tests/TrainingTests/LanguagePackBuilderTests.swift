import Foundation
import LanguageModels
import ModelFormat
import Recognition
import Testing
import Training

@Suite("Language packs from text")
struct LanguagePackBuilderTests {
  private static let rules = LanguageRules(
    tag: "de", letters: "abcdefghijklmnopqrstuvwxyzäöüß".map(String.init))

  @Test("The table has the letters and quotes of CLDR, by the best matching tag")
  func table() throws {
    let table = try LanguageTable.cldr()
    #expect(table.rows.count > 200)
    let german = try #require(table.row(for: LanguageTag(parsing: "de-AT")))
    #expect(german.letters.count == 30 && german.letters.contains("ß"))
    #expect(german.quotes == QuoteRules(outer: "„“", inner: "‚‘"))
    #expect(try table.row(for: LanguageTag(parsing: "sr-Latn"))?.letters.contains("đ") == true)
    #expect(try table.row(for: LanguageTag(parsing: "ru"))?.script == "Cyrl")
    #expect(try table.row(for: LanguageTag(parsing: "qaa")) == nil)
    let yoruba = try #require(table.row(for: LanguageTag(parsing: "yo")))
    #expect(yoruba.letters.allSatisfy { $0.count == 1 })
    #expect(yoruba.letters.contains("ẹ́"))
  }

  @Test("The rules of a row have capitals, all letters of ASCII and the special rules")
  func rulesOfRow() throws {
    let table = try LanguageTable.cldr()
    func rules(_ tag: String) throws -> LanguageRules {
      LanguageRules(try #require(table.row(for: LanguageTag(parsing: tag))), tag: tag)
    }
    let turkish = try rules("tr")
    #expect(turkish.casing == .turkic)
    #expect(["ı", "I", "i", "İ", "w"].allSatisfy(turkish.contains(letter:)))
    #expect(try rules("mi").contains(letter: "Ā"))
    #expect(try !rules("mi").contains(letter: "ä"))
    #expect(try rules("fr").spaces?.before == ";:!?»")
    #expect(try rules("ru").contains(letter: "Ё"))
    #expect(try !rules("ru").contains(letter: "a"))
  }

  @Test("Sentences are held out, repeated ones are used once")
  func division() {
    let lines = (0..<200).map { Substring("Satz \($0)") } + ["Satz 1", "Satz 2", "", "  "]
    let text = LanguageText(lines, rules: Self.rules, labels: [])
    #expect(text.tuning.count == 10 && text.testing.count == 10 && text.training.count == 180)
    #expect(Set(text.tuning + text.testing + text.training).count == 200)
  }

  @Test("Signs that the network lacks become others, those that it has stay")
  func signs() {
    let lines: [Substring] = ["a – b…"]
    #expect(LanguageText(lines, rules: Self.rules, labels: []).training == ["a - b..."])
    #expect(LanguageText(lines, rules: Self.rules, labels: ["–"]).training == ["a – b..."])
  }

  @Test("Words count in lower case if they occur so, and capitals of nouns stay")
  func words() {
    let lines: [Substring] = ["Die Katze und die Katze", "Hab's die Maus und"]
    let text = LanguageText(lines, rules: Self.rules, labels: [])
    let words = text.words(Self.rules, most: 10)
    #expect(words.map(\.word) == ["die", "Katze", "und"])
    #expect(words.map(\.count) == [3, 2, 2])
  }

  @Test("Pieces are whole words of limited length that can be written")
  func pieces() {
    let pieces = LanguageText.pieces(of: ["eins zwei drei vier", "a ж b"], length: 9) { $0 != "ж" }
    #expect(pieces.allSatisfy { $0.count <= 9 && !$0.contains("ж") })
    #expect(pieces.joined(separator: " ") == "eins zwei drei vier a b")
  }
}
