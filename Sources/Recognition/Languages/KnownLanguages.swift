/// A language that the line models of this project read, with a model or pack that ships.
public struct KnownLanguage: Hashable, Sendable {
  /// The content of the language's pack.
  public enum Availability: String, Hashable, Sendable, CaseIterable {
    /// The pack that ships has a language model.
    case shipped
    /// The pack that ships has letters and rules only, because there is too little free text. A pack
    /// with a language model is made from own text: `ductus language new`.
    case lettersOnly
  }

  /// The tag.
  public let tag: LanguageTag
  /// The English name.
  public let name: String
  /// The script of the tag, such as `Latn`.
  public let script: String
  /// The regions where the language is official, the one with the most readers first.
  public let regions: [String]
  /// The content of its pack.
  public let availability: Availability
}

/// The languages of this project, known without a network.
///
///     let exact = try KnownLanguages.language(exactly: "pt-BR")  // nil
///     let best = try KnownLanguages.bestMatch(for: "pt-BR")      // Portuguese
///     let official = KnownLanguages.languages(region: "BE")      // Dutch, French, German
public enum KnownLanguages {
  /// All of them, by tag.
  public static let all: [KnownLanguage] = rows.compactMap { row in
    let fields = row.split(separator: "|", omittingEmptySubsequences: false)
    guard fields.count == 4, let tag = try? LanguageTag(parsing: String(fields[0])),
      let availability = KnownLanguage.Availability(rawValue: String(fields[2]))
    else { return nil }
    return KnownLanguage(
      tag: tag, name: String(fields[1]), script: LanguageFacts.script(of: tag) ?? "Latn",
      regions: fields[3].split(separator: " ").map(String.init), availability: availability)
  }

  /// The language with exactly a tag, or nil.
  ///
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)``.
  public static func language(exactly text: String) throws(RecognitionError) -> KnownLanguage? {
    let tag = try LanguageTag(parsing: text)
    return all.first { $0.tag == tag }
  }

  /// The best language for a tag by the rules of ``LanguageIndex/bestMatches(for:)``; nil if no
  /// language matches.
  ///
  /// - Throws: ``RecognitionError/malformedLanguageTag(_:)``.
  public static func bestMatch(for text: String) throws(RecognitionError) -> KnownLanguage? {
    index.bestMatches(for: try LanguageTag(parsing: text)).first
  }

  /// The languages whose tags have a language subtag.
  public static func languages(language: String) -> [KnownLanguage] {
    index.elements(language: language)
  }

  /// The languages of a script, such as `Latn`.
  public static func languages(script: String) -> [KnownLanguage] {
    all.filter { $0.script.lowercased() == script.lowercased() }
  }

  /// The languages that are official in a region, such as `CH`.
  public static func languages(region: String) -> [KnownLanguage] {
    all.filter { $0.regions.contains(region.uppercased()) }
  }

  private static let index = LanguageIndex(all) { [$0.tag] }

  /// Tag, name, availability and regions. The regions are those of CLDR in which the language is
  /// official, by readers.
  private static let rows: [String] = """
    af|Afrikaans|lettersOnly|ZA
    be|Belarusian|shipped|BY
    bg|Bulgarian|shipped|BG
    br|Breton|lettersOnly|
    ca|Catalan|shipped|ES AD
    cs|Czech|shipped|CZ
    cy|Welsh|shipped|GB
    da|Danish|shipped|DK
    de|German|shipped|DE AT CH BE LU LI
    el|Greek|shipped|GR CY
    en|English|shipped|\
    US IN PK NG PH GB TZ CA SD AU ZA MW CM KE GH ZW SG IE MG NZ LR HK PG ER SS ZM JM SL RW BW UG TT \
    MU SZ FJ GM GY SB LS MT BZ BS BB VU NA KI GD VC AG DM KY KN SC TO NR SH
    es|Spanish|shipped|MX ES CO AR US VE PE CL EC GT CU DO HN BO SV CR NI UY PR PA PY GQ
    et|Estonian|shipped|EE
    eu|Basque|shipped|ES
    fi|Finnish|shipped|FI
    fo|Faroese|lettersOnly|FO
    fr|French|shipped|\
    FR CM MG CI CA ML TN DZ MA BI NE SN TG BF BJ BE CG TD CD GN CF CH GA LU HT KM GQ SC MU MC DJ VU RW
    ga|Irish|shipped|IE GB
    gd|Scottish Gaelic|lettersOnly|GB
    gl|Galician|shipped|ES
    he|Hebrew|shipped|IL
    hr|Croatian|shipped|HR BA
    hu|Hungarian|shipped|HU RS
    hy|Armenian|shipped|AM
    id|Indonesian|shipped|ID
    is|Icelandic|lettersOnly|IS
    it|Italian|shipped|IT CH SM VA
    ja|Japanese|shipped|JP
    ka|Georgian|shipped|GE
    kk|Kazakh|shipped|KZ
    ky|Kyrgyz|shipped|KG
    lt|Lithuanian|lettersOnly|LT
    lv|Latvian|shipped|LV
    mk|Macedonian|shipped|MK
    mn|Mongolian|shipped|MN
    mt|Maltese|shipped|MT
    nb|Norwegian Bokmål|shipped|NO
    nl|Dutch|shipped|NL BE SR AW CW SX
    nn|Norwegian Nynorsk|lettersOnly|NO
    pl|Polish|shipped|PL
    pt|Portuguese|shipped|BR AO PT MZ GW TL CV ST MO GQ
    ro|Romanian|shipped|RO MD RS
    ru|Russian|shipped|RU BY KZ KG
    sk|Slovak|shipped|SK RS
    sl|Slovenian|shipped|SI
    sq|Albanian|lettersOnly|AL XK MK
    sr-Cyrl|Serbian (Cyrillic)|shipped|RS BA
    sr-Latn|Serbian (Latin)|lettersOnly|RS ME BA XK
    sv|Swedish|shipped|SE FI AX
    sw|Swahili|lettersOnly|TZ CD KE UG
    tr|Turkish|shipped|TR CY
    tt|Tatar|shipped|RU
    uk|Ukrainian|shipped|UA
    vi|Vietnamese|shipped|VN
    yo|Yoruba|lettersOnly|NG
    """.split(separator: "\n").map(String.init)
}
