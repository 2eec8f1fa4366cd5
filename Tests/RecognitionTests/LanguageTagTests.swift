import Recognition
import Testing

@Suite("LanguageTag")
struct LanguageTagTests {
  @Test(
    "Tags are normalised",
    arguments: [
      ("en", "en"), ("EN_us", "en-US"), ("en-US", "en-US"), ("zh-hant-tw", "zh-Hant-TW"),
      ("es-419", "es-419"), ("de-1996", "de-1996"), ("sl-rozaj-biske", "sl-rozaj-biske"),
      ("de-u-co-phonebk", "de-u-co-phonebk"), ("zxx-zsym-x-shapes", "zxx-Zsym-x-shapes"),
      ("en-x-GESTURE", "en-x-gesture"), ("x-my-own", "x-my-own"), ("i-klingon", "tlh"),
      ("zh-min-nan", "nan"), ("zh-yue-HK", "yue-HK"), ("zh-cmn-Hans", "cmn-Hans"),
      ("en-GB-oed", "en-GB-oxendict"), ("sgn-BE-FR", "sfb"),
      ("Ae-cel-gaulish", "xtg"), ("ab-art-lojban", "jbo"),
      ("hy-Latn-IT-arevela", "hy-Latn-IT-arevela"),
      ("und-Latn", "und-Latn"), ("de-a-value-b-other", "de-a-value-b-other"),
    ])
  func normal(text: String, expected: String) throws {
    let tag = try LanguageTag(parsing: text)
    #expect(tag.description == expected)
    #expect(try LanguageTag(parsing: tag.description) == tag)
  }

  @Test(
    "A malformed tag is an error",
    arguments: [
      "", "-", "e", "en-", "-en", "en--US", "en US", "englishlanguage", "12", "en-u", "en-x",
      "x", "en-a-b-c", "de-1996-1996", "en-a-aa-a-bb", "en-Latn-Cyrl", "é", "en-ü", "a-DE",
      "en-abcdefghi", "en-US-GB", "\u{0}", "en-u-x-a",
    ])
  func malformed(text: String) {
    #expect(throws: RecognitionError.malformedLanguageTag(text)) { try LanguageTag(parsing: text) }
  }
}

@Suite("LanguageIndex")
struct LanguageIndexTests {
  private func match(_ wanted: String, among tags: [String]) throws -> String? {
    let index = LanguageIndex(tags) { tag in (try? LanguageTag(parsing: tag)).map { [$0] } ?? [] }
    return index.bestMatches(for: try LanguageTag(parsing: wanted)).first
  }

  @Test(
    "The best match follows the rules",
    arguments: [
      // Exact, and separators.
      ("en-US", ["en-GB", "en-US", "en"], "en-US"), ("en_us", ["en-US"], "en-US"),
      // The macrolanguage, and the language itself first.
      ("arb", ["ar"], "ar"), ("arb", ["ar", "arb"], "arb"), ("cmn", ["zh-Hani"], "zh-Hani"),
      ("ar", ["arb"], nil), ("mhr", ["chm"], "chm"), ("chm", ["mhr"], nil),
      // Scripts.
      ("zh-Hant", ["zh-Hani"], "zh-Hani"), ("zh-Hant", ["zh-Hani", "zh-Hant"], "zh-Hant"),
      ("zh-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-CN", ["zh-Hans", "zh-Hant"], "zh-Hans"),
      ("sr", ["sr-Latn"], "sr-Latn"), ("sr-Cyrl", ["sr-Latn"], nil), ("en-Cyrl", ["en"], nil),
      ("en-Latn", ["en"], "en"), ("de-Latf", ["de-Latn"], "de-Latn"),
      ("zh-Hani", ["zh-Hant"], nil), ("und-Latn", ["en"], nil),
      // Regions.
      ("ro", ["ro-RO"], "ro-RO"), ("ro", ["ro-MD", "ro"], "ro"), ("fr-DZ", ["fr-002"], "fr-002"),
      ("fr-DZ", ["fr-001", "fr-002"], "fr-002"), ("fr-DZ", ["fr-015", "fr-002"], "fr-015"),
      ("es-MX", ["es-ES", "es-419"], "es-419"), ("fr-DZ", ["fr-FR", "fr"], "fr"),
      ("fr-DZ", ["fr-FR"], nil), ("en-ZZ", ["en-001"], nil),
      // Private use, variants and extensions.
      ("en", ["en-x-gesture"], nil), ("en-x-gesture", ["en", "en-x-gesture"], "en-x-gesture"),
      ("zxx-Zsym-x-shapes", ["zxx-Zsym-x-autodraw", "zxx-Zsym-x-shapes"], "zxx-Zsym-x-shapes"),
      ("de-1996", ["de"], "de"), ("de-1996", ["de", "de-1996"], "de-1996"),
      ("de", ["de-1996", "de"], "de"), ("en-u-ca-buddhist", ["en"], "en"),
      ("nl", ["en", "de"], nil),
    ] as [(String, [String], String?)])
  func best(wanted: String, tags: [String], expected: String?) throws {
    #expect(try match(wanted, among: tags) == expected)
    #expect(try match(wanted, among: tags.reversed()) == expected)
  }

  @Test("Sets by language, script and region, and the exact tag")
  func sets() throws {
    let tags = ["en", "en-GB", "de-DE", "ru", "sr-Latn-RS", "zh-Hant"]
    let index = LanguageIndex(tags) { [(try? LanguageTag(parsing: $0))].compactMap { $0 } }
    #expect(index.elements(language: "EN") == ["en", "en-GB"])
    #expect(index.elements(script: "latn") == ["en", "en-GB", "de-DE", "sr-Latn-RS"])
    #expect(index.elements(script: "Cyrl") == ["ru"])
    #expect(index.elements(region: "de") == ["de-DE"])
    #expect(index.elements(exactly: try LanguageTag(parsing: "en_gb")) == ["en-GB"])
    #expect(index.elements(exactly: try LanguageTag(parsing: "de")).isEmpty)
    #expect(index.tags.map(\.description) == tags.sorted())
  }
}
