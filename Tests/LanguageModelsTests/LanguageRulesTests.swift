import Foundation
import LanguageModels
import Testing

@Suite("LanguageRules")
struct LanguageRulesTests {
  private static func rules(_ tag: String, outer: String, inner: String) -> LanguageRules {
    var rules = LanguageRules(tag: tag, letters: ["a", "ä", "ß", "i"])
    rules.addSpecialRules()
    rules.quotes = QuoteRules(outer: outer, inner: inner)
    return rules
  }

  private static let german = rules("de", outer: "„“", inner: "‚‘")
  private static let french = rules("fr", outer: "«»", inner: "“”")
  private static let polish = rules("pl", outer: "„”", inner: "«»")

  @Test("Letters get capitals of one character, and Turkish has its own")
  func capitals() {
    #expect(Self.german.letters == ["A", "I", "a", "i", "Ä", "ß", "ä"])
    let turkish = LanguageRules(tag: "tr", letters: ["i", "ı"], casing: .turkic)
    #expect(turkish.letters == ["I", "i", "İ", "ı"])
    #expect(turkish.uppercased("diyarbakır") == "DİYARBAKIR")
    #expect(turkish.lowercased("DİYARBAKIR") == "diyarbakır")
    #expect(Self.german.uppercased("ı") == "I")
    #expect(Self.german.uppercased("aბa") == "AბA")
  }

  @Test(
    "Straight and foreign quotes become those of the language",
    arguments: [
      ("Er sagt \"ja\".", "Er sagt „ja“."), ("»Ja«, sagt er", "„Ja“, sagt er"),
      ("“Ja” und “nein”", "„Ja“ und „nein“"), ("(\"so\")", "(„so“)"),
      ("Ich hab's, geht’s?", "Ich hab's, geht's?"), ("‘innen’", "‚innen‘"),
      ("5\" Rohr", "5\" Rohr"), ("ohne", "ohne"), ("\"", "„"),
      ("\" ja \", sagt er", "„ ja “, sagt er"),
    ])
  func germanQuotes(found: String, expected: String) {
    #expect(Self.german.normalized(found) == expected)
    // Normalised text stays as it is.
    #expect(Self.german.normalized(expected) == expected)
  }

  @Test("Inner quotes of the language stay, and angles stay angles")
  func innerQuotes() {
    #expect(Self.polish.normalized("\"Tytuł «Pan» tu\"") == "„Tytuł «Pan» tu”")
    #expect(Self.french.normalized("«“ça”»") == "« “ça” »")
  }

  @Test("A quotation that begins on another line is closed")
  func closing() {
    #expect(Self.german.normalized("Ende\" sagt er") == "Ende“ sagt er")
  }

  @Test(
    "French has one ordinary space before high marks, not in times and addresses",
    arguments: [
      ("Ça va ?", "Ça va ?"), ("Ça va?", "Ça va ?"), ("Ça va\u{202F}!", "Ça va !"),
      ("Quoi?!", "Quoi ?!"), ("à 12:30", "à 12:30"), ("http://a.fr", "http://a.fr"),
      ("«Oui»", "« Oui »"), ("«\u{A0}Oui\u{A0}».", "« Oui »."),
      ("« Oui », « non »", "« Oui », « non »"), ("Oui...", "Oui..."),
    ])
  func frenchSpaces(found: String, expected: String) {
    #expect(Self.french.normalized(found) == expected)
  }

  @Test("Romanian cedillas become commas, in Turkish they stay")
  func replacements() {
    var romanian = LanguageRules(tag: "ro", letters: ["a"])
    romanian.addSpecialRules()
    #expect(romanian.normalized("Bucureşti, ţară, S\u{327}i") == "București, țară, Și")
    var turkish = LanguageRules(tag: "tr", letters: ["a"])
    turkish.addSpecialRules()
    #expect(turkish.normalized("şimdi") == "şimdi")
    #expect(turkish.casing == .turkic)
    var vietnamese = LanguageRules(tag: "vi", letters: ["a"])
    vietnamese.addSpecialRules()
    #expect(vietnamese.normalized("Ðà Nẵng") == "Đà Nẵng")
  }

  @Test("Each character of a reading stays at its place")
  func places() {
    let reading = Array("\"Oui\", dit-il «non»!")
    #expect(Self.french.written(reading).count == reading.count)
    #expect(String(Self.french.written(reading)) == "«Oui», dit-il «non»!")
  }

  @Test("A file of rules gives the same rules")
  func file() throws {
    var rules = Self.french
    rules.priors = LanguageRules.LetterPriors(foreign: -1.5, rare: 0.5)
    rules.rareLetters = ["ÿ"]
    #expect(try LanguageRules(parsing: rules.serialized()) == rules)
  }

  @Test(
    "Bad files are refused",
    arguments: [
      ("", LanguageRulesError.malformed(expected: "a JSON object with the number formatVersion")),
      (
        #"{"formatVersion": 2, "tag": 7}"#,
        LanguageRulesError.newerFormatVersion(found: 2, supported: 1)
      ),
      (
        #"{"formatVersion": 1}"#,
        LanguageRulesError.malformed(expected: "JSON of this version of the format")
      ),
    ])
  func badFiles(text: String, expected: LanguageRulesError) {
    #expect(throws: expected) { try LanguageRules(parsing: Data(text.utf8)) }
  }

  @Test("Values out of range are refused")
  func badValues() {
    var rules = Self.french
    rules.letters.append("ch")
    #expect(throws: LanguageRulesError.malformed(expected: "letters of one character")) {
      try rules.serialized()
    }
    rules = Self.french
    rules.priors.foreign = .infinity
    #expect(throws: LanguageRulesError.malformed(expected: "priors of -100 to 100")) {
      try rules.serialized()
    }
  }

  @Test("Required characters are symbols of a language model however rare they are")
  func requiredScalars() throws {
    var text = NormalizedText(linesAreTexts: true)
    text.append(Array(repeating: "abab", count: 30).joined(separator: "\n"))
    var options = LanguageModelTrainer.Options()
    (options.order, options.requiredScalars) = (3, ["é"])
    let model = try LanguageModel(bytes: LanguageModelTrainer.train(text, options: options))
    let known = model.advance(model.start, model.symbols.symbol(of: "é")).logProbability
    #expect(model.symbols.scalars == ["a", "b", "é"])
    #expect(known.isFinite && known < -3)
  }

  @Test("A sign that may be two marks has both, and a replaced letter has its replacement")
  func forms() {
    #expect(Set(Self.german.forms(of: "\"")) == ["„", "“"])
    #expect(Self.german.forms(of: "„") == ["„"])
    #expect(Self.german.forms(of: "’") == ["'"])
    #expect(Self.german.forms(of: "a") == ["a"])
    #expect(Set(Self.french.forms(of: "„")) == ["«", "»"])
    var romanian = LanguageRules(tag: "ro", letters: ["ș"])
    romanian.addSpecialRules()
    #expect(romanian.forms(of: "ş") == ["ș"])
  }
}
