import Files
import Foundation
import InkCore
import LanguageModels
import ModelFormat
import Recognition
import Testing

@Suite("Language packs")
struct LanguagePackTests {
  /// A model of the letters of two languages and of quotation marks.
  private static func model() -> LineModel {
    TinyLine.untrainedModel(labels: [" ", "a", "b", "c", "ä", "ž", "\"", "“"])
  }

  private static func rules(
    _ tag: String, _ letters: [String], outer: String = "„“"
  ) -> LanguageRules {
    var rules = LanguageRules(tag: tag, letters: letters)
    rules.quotes = QuoteRules(outer: outer, inner: "‚‘")
    return rules
  }

  private static func model(of text: String) throws -> LanguageModel {
    try TinyLine.languageModel(of: text, times: 40, order: 4)
  }

  /// The output of a network that is sure of a text.
  private static func output(_ text: String, _ model: LineModel, strength: Float = 9) -> [Float] {
    let path = text.flatMap { character -> [Int] in
      [(model.labels.firstIndex(of: String(character)) ?? -1) + 1, 0]
    }
    return TinyLine.output(path, classes: model.labels.count + 1, strength: strength)
  }

  @Test("Quotes are written as the language writes them, and equal texts are one reading")
  func writtenQuotes() throws {
    let model = Self.model()
    let reader = try LineRecognizer(
      model: model, rules: Self.rules("de", ["a", "b", "ä"]), language: "de")
    let found = try reader.decode(Self.output("\"ab\" c", model), count: 8)
    #expect(found.first?.text == "„ab“ c")
    #expect(Set(found.map(\.text)).count == found.count)
    let plain = try LineRecognizer(model: model)
    #expect(try plain.decode(Self.output("\"ab\" c", model), count: 1).first?.text == "\"ab\" c")
  }

  @Test("The prior of foreign letters decides between letters that look alike")
  func foreignLetters() throws {
    let model = Self.model()
    var rules = Self.rules("cs", ["a", "b", "c", "ž"])
    // Both letters are equally probable in the ink.
    var output = Self.output("aäb", model, strength: 9)
    let classes = model.labels.count + 1
    let (foreign, own) = (5, 6)
    output[2 * classes + own] = output[2 * classes + foreign]
    rules.priors = LanguageRules.LetterPriors(foreign: -3, rare: 0)
    let czech = try LineRecognizer(model: model, rules: rules, language: "cs")
    #expect(try czech.decode(output, count: 1).first?.text == "ažb")
    rules.letters = ["a", "b", "ä"]
    let german = try LineRecognizer(model: model, rules: rules, language: "de")
    #expect(try german.decode(output, count: 1).first?.text == "aäb")
    rules.letters = ["a", "b", "ä", "ž"]
    rules.rareLetters = ["ž"]
    rules.priors = LanguageRules.LetterPriors(foreign: 0, rare: 3)
    let rare = try LineRecognizer(model: model, rules: rules, language: "de")
    #expect(try rare.decode(output, count: 1).first?.text == "ažb")
  }

  @Test("Without rules and with rules that add nothing the scores are the same")
  func neutralRules() throws {
    let model = Self.model()
    let language = try Self.model(of: "ab ab c")
    let plain = try LineRecognizer(model: model, languageModel: language)
    let neutral = try LineRecognizer(
      model: model, languageModel: language,
      rules: LanguageRules(tag: "und", letters: ["a", "b", "c"]))
    let output = Self.output("ab äc", model, strength: 3)
    let (one, other) = (
      try plain.decode(output, count: 20), try neutral.decode(output, count: 20)
    )
    #expect(one.map(\.text) == other.map(\.text))
    #expect(one.map(\.score) == other.map(\.score))
  }

  @Test("In a text of two languages each word is read in its language")
  func twoLanguages() throws {
    let model = Self.model()
    let german = try LineRecognizer(
      model: model, languageModel: try Self.model(of: "aba aba aba"),
      rules: Self.rules("de", ["a", "b"]), language: "de")
    let czech = try german.changed(
      to: try Self.model(of: "cäc cäc cäc"), rules: Self.rules("cs", ["c", "ä"]), tag: "cs",
      configuration: nil)
    let both = try german.paired(with: czech)
    #expect(both.language == "de,cs")
    let output = Self.output("aba cäc", model, strength: 4)
    let text = try #require(both.decode(output, count: 1).first)
    #expect(text.text == "aba cäc")
    let score = { (reader: LineRecognizer) in
      try reader.decode(output, count: 40).first { $0.text == "aba cäc" }?.score
    }
    let alone = try #require([try score(german), try score(czech)].compactMap { $0 }.max())
    #expect(text.score > alone)
    #expect(throws: RecognitionError.unlikeLanguages("de", "und")) {
      try german.paired(with: LineRecognizer(model: model))
    }
  }

  /// A reader of the default language, and one of another.
  private static func readers() throws -> (first: LineRecognizer, other: LineRecognizer) {
    let first = try LineRecognizer(model: model()).changed(
      to: try model(of: "aba aba aba"), rules: rules("en", ["a", "b"]), tag: "en",
      configuration: nil)
    let other = try first.changed(
      to: try model(of: "cäc cäc cäc"), rules: rules("cs", ["c", "ä"]), tag: "cs",
      configuration: nil)
    return (first, other)
  }

  @Test("The language of a text before the ink decides, then that of the text that is read")
  func choice() throws {
    let (first, other) = try Self.readers()
    var opened = 0
    func choice(_ preContext: String) throws -> LanguageChoice {
      try LanguageChoice(
        first,
        others: {
          opened += 1
          return [LanguageOption(other)]
        }, preContext: preContext)
    }
    let plain = try choice("")
    try plain.add("aba aba aba")
    #expect(plain.reader === first && opened == 0)
    let read = try choice("")
    try read.add("cäc cäc")
    #expect(read.reader === other && opened > 0)
    // One line more may change the language back.
    try read.add(Array(repeating: "aba", count: 12).joined(separator: " "))
    #expect(read.reader === first)
    let known = try choice("cäc cäc cäc cäc cäc cäc cäc")
    #expect(known.reader === other)
    try known.add("aba")
    #expect(known.reader === other)
    let short = try choice("cä")
    #expect(short.reader === first)
  }

  @Test("Only the reader of the language that is chosen is made, once")
  func readersOnDemand() throws {
    let (first, other) = try Self.readers()
    let made = Guarded<[String]>([])
    func option(_ tag: String, _ text: String) throws -> LanguageOption {
      LanguageOption(tag, LineLikelihood(try Self.model(of: text)), Self.rules(tag, ["c", "ä"])) {
        made.withLock { $0.append(tag) }
        return other
      }
    }
    let options = try [option("cs", "cäc cäc cäc"), option("mt", "äcä äcä äcä")]
    for _ in 0..<2 {
      let choice = try LanguageChoice(first, others: { options }, preContext: "")
      try choice.add("cäc")
      try choice.add("cäc cäc")
      #expect(choice.reader === other)
    }
    #expect(made.withLock { $0 } == ["cs"])
  }

  @Test("Other languages are not looked at for fewer characters than are of use")
  func leastCharacters() throws {
    let (first, other) = try Self.readers()
    var asked = 0
    let choice = try LanguageChoice(
      first,
      others: {
        asked += 1
        return [LanguageOption(other)]
      }, preContext: "", leastCharacters: 8)
    try choice.add("cäc cäc")
    #expect(choice.reader === first && asked == 0)
    try choice.add("cäc")
    #expect(choice.reader === other && asked == 1)
  }

  @Test("A text that is too short, or that no language explains, is of the default language")
  func defaultLanguage() throws {
    let (first, other) = try Self.readers()
    func isDefault(_ lines: [String], preContext: String = "") throws -> Bool {
      let choice = try LanguageChoice(
        first, others: { [LanguageOption(other)] }, preContext: preContext)
      for line in lines { try choice.add(line) }
      return choice.isDefault
    }
    #expect(try isDefault([]))
    #expect(try isDefault(["ab"]) && isDefault(["7 + 3 = b"]))
    #expect(try isDefault(["žžbž žbžž bžžb žžbž"]))
    #expect(try !isDefault(["aba aba aba"]))
    #expect(try !isDefault(["cäc cäc cäc"]))
    #expect(try !isDefault(["ab"], preContext: "aba aba aba aba aba aba aba"))
  }

  @Test("Lines that are read again count once")
  func restart() throws {
    let (first, other) = try Self.readers()
    let choice = try LanguageChoice(first, others: { [LanguageOption(other)] }, preContext: "ab")
    try choice.add("cäc cäc cäc")
    let once = try #require(choice.explanation)
    choice.restart()
    #expect(choice.explanation == nil)
    // The language stays until there is other evidence.
    #expect(choice.reader === other)
    try choice.add("cäc cäc cäc")
    let again = try #require(choice.explanation)
    #expect(again == once && choice.reader === other)
    choice.restart()
    try choice.add("aba aba aba")
    #expect(choice.reader === first)
  }

  @Test("A part of a page in another language is read in that one; a short part is not")
  func part() throws {
    let (first, other) = try Self.readers()
    let long = Array(repeating: "cäc", count: 14).joined(separator: " ")
    let choice = try LanguageChoice(first, others: { [LanguageOption(other)] }, preContext: "")
    for _ in 0..<9 { try choice.add("aba aba aba") }
    #expect(choice.reader === first)
    #expect(try choice.reader(ofPart: long) === other)
    #expect(try choice.reader(ofPart: "cäc cäc") === first)
    #expect(try choice.reader(ofPart: "") === first)
    // The first language can be that of a part, too.
    let page = try LanguageChoice(first, others: { [LanguageOption(other)] }, preContext: "")
    for _ in 0..<9 { try page.add("cäc cäc cäc") }
    #expect(page.reader === other)
    #expect(
      try page.reader(ofPart: Array(repeating: "aba", count: 14).joined(separator: " ")) === first)
  }

  @Test("Of two languages with the same evidence, the one with more readers is chosen")
  func readers() throws {
    let model = Self.model()
    let first = try LineRecognizer(model: model).changed(
      to: try Self.model(of: "aba aba aba"), rules: Self.rules("en", ["a", "b"]), tag: "en",
      configuration: nil)
    let others = try ["mt", "cs", "cy"].map { tag in
      try first.changed(
        to: try Self.model(of: "cäc cäc cäc"), rules: Self.rules(tag, ["c", "ä"]), tag: tag,
        configuration: nil)
    }
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
      let choice = try LanguageChoice(
        first, others: { order.map { LanguageOption(others[$0]) } }, preContext: "")
      try choice.add("cäc cäc cäc")
      #expect(choice.reader.language == "cs")
    }
    // Alone, a language with fewer readers is found as well.
    let alone = try LanguageChoice(first, others: { [LanguageOption(others[0])] }, preContext: "")
    try alone.add("cäc cäc cäc")
    #expect(alone.reader.language == "mt")
  }

  @Test("A pack is opened with the network of the model beside it and shares its memory")
  func bundle() throws {
    let folder = try TemporaryFolder()
    let model = Self.model()
    var manifest = Samples.manifest(kind: .line)
    (manifest.identifier, manifest.languages) = ("lines", ["en"])
    let base = try model.bundle(manifest).write(
      to: folder.url.appendingPathComponent("lines.ductus"))
    var writer = ModelBundleWriter(manifest: base.manifest)
    writer.change { ($0.identifier, $0.languages) = ("cs", ["cs"]) }
    for part in base.manifest.parts { try writer.share(part, with: "lines") }
    try writer.add(
      part: "language.json", role: ModelManifest.Part.rulesRole,
      data: Self.rules("cs", ["a", "ž"]).serialized())
    writer.omitsSharedParts = true
    let url = folder.url.appendingPathComponent("cs.ductus")
    try writer.write(to: url)
    let (one, other) = (try OpenModel.open(base.url), try OpenModel.open(url))
    let parameters = try one.line().parameters
    #expect(try other.line().parameters === parameters)
    let reader = try #require(try other.recognizer() as? LineRecognizer)
    #expect(reader.language == "cs")
    #expect(reader.rules?.letters == ["A", "a", "Ž", "ž"])
    #expect(try reader.recognize(TinyLine.ink(strokes: 2, points: 9)).language == "cs")
    withExtendedLifetime(parameters) {}
  }

  @Test("Damaged rules are an error that names the file")
  func damagedRules() throws {
    let folder = try TemporaryFolder()
    var writer = try Self.model().bundle(Samples.manifest(kind: .line))
    try writer.add(
      part: "language.json", role: ModelManifest.Part.rulesRole, data: Data("{}".utf8))
    try writer.write(to: folder.bundle)
    #expect(
      throws: ModelError.unusableRules(
        path: folder.bundle.appendingPathComponent("language.json").path,
        .malformed(expected: "a JSON object with the number formatVersion"))
    ) { try OpenModel.open(folder.bundle).recognizer() }
  }
}

@Suite("Known languages")
struct KnownLanguagesTests {
  @Test("All rows are read, and each tag occurs once")
  func all() {
    #expect(KnownLanguages.all.count == 55)
    #expect(Set(KnownLanguages.all.map(\.tag)).count == 55)
    #expect(KnownLanguages.all.count { $0.availability == .shipped } == 44)
  }

  @Test("An exact look-up gives a language or nothing, and a malformed tag is an error")
  func exactly() throws {
    #expect(try KnownLanguages.language(exactly: "pt")?.name == "Portuguese")
    #expect(try KnownLanguages.language(exactly: "pt-BR") == nil)
    #expect(throws: RecognitionError.malformedLanguageTag("p!")) {
      try KnownLanguages.language(exactly: "p!")
    }
  }

  @Test(
    "The best match follows BCP 47",
    arguments: [
      ("pt-BR", "pt"), ("no", "nb"), ("nb-NO", "nb"), ("nn", "nn"), ("sr-Latn-RS", "sr-Latn"),
      ("en_US", "en"), ("de-CH", "de"), ("zh", nil), ("klingon", nil), ("sr-Cyrl-RS", "sr-Cyrl"),
      ("sr", "sr-Cyrl"), ("sr-ME", "sr-Latn"), ("ru-KZ", "ru"), ("el-CY", "el"), ("iw", "he"),
      ("he-IL", "he"), ("hy-AM", "hy"), ("yi", nil),
    ])
  func bestMatch(tag: String, expected: String?) throws {
    #expect(try KnownLanguages.bestMatch(for: tag)?.tag.description == expected)
  }

  @Test("Sets by language, script and region")
  func sets() {
    #expect(KnownLanguages.languages(region: "ch").map(\.tag.description) == ["de", "fr", "it"])
    #expect(KnownLanguages.languages(script: "latn").count == 40)
    #expect(KnownLanguages.languages(script: "Cyrl").count == 10)
    #expect(KnownLanguages.languages(script: "grek").map(\.tag.description) == ["el"])
    #expect(KnownLanguages.languages(script: "Hebr").map(\.tag.description) == ["he"])
    #expect(KnownLanguages.languages(region: "AM").map(\.tag.description) == ["hy"])
    let serbian = KnownLanguages.languages(language: "sr").map(\.tag.description)
    #expect(serbian == ["sr-Cyrl", "sr-Latn"])
  }
}
