/// Facts about languages, scripts and regions. Sources: the IANA language subtag registry, ISO
/// 639-3 macrolanguages, ISO 15924 and UN M.49.
enum LanguageFacts {
  /// The macrolanguage of a language, or nil.
  static func macrolanguage(of language: String) -> String? { macrolanguages[language] }

  /// The most used member of a macrolanguage, where the tag of the macrolanguage usually means that
  /// member; nil for others.
  static func usualMember(of language: String) -> String? { usualMembers[language] }

  private static let usualMembers = ["no": "nb", "sh": "sr"]

  /// The script that a tag contains or implies, or nil.
  static func script(of tag: LanguageTag) -> String? {
    if let script = tag.script { return script }
    if let region = tag.region, let script = regionalScripts[tag.language]?[region] {
      return script
    }
    return suppressedScripts[tag.language]
  }

  /// The default script of a language; nil if it is not known.
  static func script(language: String) -> String? { suppressedScripts[language] }

  /// The scripts that contain a script, the closest first.
  static func scripts(containing script: String) -> [String] { supersets[script] ?? [] }

  /// The number of steps from a script to one that contains it: 0 for itself, nil if there is no
  /// path.
  static func steps(fromScript script: String, to superset: String) -> Int? {
    if script == superset { return 0 }
    return supersets[script]?.firstIndex(of: superset).map { $0 + 1 }
  }

  /// The number of steps from a region to one that contains it: 0 for itself, nil if there is no
  /// path.
  static func steps(fromRegion region: String, to container: String) -> Int? {
    // A region may belong to several groups: Mexico to North America and Latin America.
    var current = [region]
    for step in 0...5 where !current.isEmpty {
      if current.contains(container) { return step }
      current = current.flatMap { containers[$0] ?? [] }
    }
    return nil
  }

  private static let macrolanguages = table([
    "ar": """
    aao abh abv acm acq acw acx acy adf aeb aec afb ajp apc apd arb arq ars ary arz auz avl ayh
    ayl ayn ayp pga shu ssh
    """,
    "zh": "cdo cjy cmn cnp cpx csp czh czo gan hak hnm hsn luh lzh mnp nan sjc wuu yue",
    "ms": """
    bjn btj bve bvu coa dup hji id jak jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi
    mui orn ors pel pse tmw urk vkk vkt xmm zlm zmi zsm
    """,
    "no": "nb nn nob nno", "fa": "pes prs", "et": "ekk vro", "lv": "lvs ltg", "uz": "uzn uzs",
    "az": "azb azj", "sw": "swc swh", "mn": "khk mvf", "ne": "npi dty", "or": "ory spv",
    "sq": "aae aat aln als", "he": "iw", "ps": "pbt pbu pst", "ku": "ckb kmr sdh", "yi": "ydd yih",
    "mg": "bhr bmm bzc msh plt skg tdx tkg txy xmv xmw", "kok": "gom knn",
    "lah": "hnd hno jat phr pnb skr xhe",
    "ff": "ffm fub fuc fue fuf fuh fui fuq fuv", "gn": "gnw gug gui gun nhd", "ay": "ayc ayr",
    "sh": "bs hr sr cnr", "om": "gax gaz hae orc", "qu": "qub qud quf qug quh quk qul qup quy quz",
    "cr": "crj crk crl crm csw cwd", "iu": "ike ikt", "ik": "esi esk",
    "oj": "ciw ojb ojc ojg ojs ojw otw",
    "sc": "sdc sdn src sro", "za": "zch zeh zgb zgm zgn zhd zhn zlj zln zlq zqe zyb zyg zyj zyn",
    "bik": "bcl bhk bln bto cts fbl lbl rbl ubl", "doi": "dgo xnr", "raj": "gda gju hoj mup wbr",
    "hmn": "cqd hea hma hmc hmd hme hmg hmh hmi hmj hml hmm hmp hmq hms hmw hmy hmz hnj mww sfm",
    "kg": "kng kwy ldi", "kv": "koi kpv", "chm": "mhr mrj", "bal": "bcc bgn bgp", "syr": "aii cld",
    "tmh": "taq thv thz ttq", "kr": "kby knc krt", "ak": "fat tw",
  ])

  private static func table(_ rows: [String: String]) -> [String: String] {
    var result: [String: String] = [:]
    for (macro, members) in rows {
      for member in members.split(whereSeparator: \.isWhitespace) { result[String(member)] = macro }
    }
    return result
  }

  /// For each member of a row, the names of the rows that contain it, in alphabetical order.
  private static func groups(_ rows: [String: String]) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for (group, members) in rows.sorted(by: { $0.key < $1.key }) {
      for member in members.split(whereSeparator: \.isWhitespace) {
        result[String(member), default: []].append(group)
      }
    }
    return result
  }

  /// The default script of a language, if its tag names none.
  private static let suppressedScripts = table([
    "Latn": """
    af ay br bs ca ceb co cs cy da de en eo es et eu fi fil fj fo fr fy ga gl gn gv haw hr ht hu
    id is it ig jv kl la lb ln lt lv mg mi ms mt nb nl nn no nr nso ny om pl pt qu rm ro rw sk sl
    sm sn so sq ss st su sv sw tl tn to tr ts tvl ve vi wo xh yo zu
    """,
    "Cyrl": "be bg kk ky mk mn ru tg tt uk", "Arab": "ar fa ps ur ckb sd ug",
    "Deva": "hi mr ne kok mai bho",
    "Hebr": "he iw yi", "Grek": "el", "Armn": "hy", "Geor": "ka", "Thai": "th", "Laoo": "lo",
    "Khmr": "km", "Mymr": "my", "Kore": "ko", "Jpan": "ja", "Hani": "zh cmn yue", "Beng": "bn as",
    "Gujr": "gu", "Guru": "pa", "Knda": "kn", "Mlym": "ml", "Orya": "or", "Sinh": "si",
    "Taml": "ta", "Telu": "te", "Ethi": "am ti", "Thaa": "dv", "Tibt": "bo dz",
  ])

  private static let regionalScripts: [String: [String: String]] = [
    "zh": ["TW": "Hant", "HK": "Hant", "MO": "Hant", "CN": "Hans", "SG": "Hans", "MY": "Hans"],
    "yue": ["HK": "Hant", "MO": "Hant", "CN": "Hans"],
    "sr": ["ME": "Latn", "RS": "Cyrl", "BA": "Cyrl"], "pa": ["PK": "Arab", "IN": "Guru"],
    "uz": ["AF": "Arab", "UZ": "Latn"], "az": ["IR": "Arab", "AZ": "Latn", "RU": "Cyrl"],
    "mn": ["CN": "Mong", "MN": "Cyrl"], "kk": ["CN": "Arab", "KZ": "Cyrl"],
  ]

  /// The supersets of a script, the closest first.
  private static let supersets: [String: [String]] = [
    "Hans": ["Hani", "Jpan", "Kore"], "Hant": ["Hani", "Jpan", "Kore"], "Hani": ["Jpan", "Kore"],
    "Hanb": ["Hani"], "Bopo": ["Hanb"], "Hira": ["Hrkt", "Jpan"], "Kana": ["Hrkt", "Jpan"],
    "Hrkt": ["Jpan"], "Hang": ["Kore"], "Jamo": ["Hang", "Kore"], "Latf": ["Latn"],
    "Latg": ["Latn"], "Aran": ["Arab"], "Cyrs": ["Cyrl"], "Syre": ["Syrc"], "Syrj": ["Syrc"],
    "Syrn": ["Syrc"], "Geok": ["Geor"], "Zsye": ["Zsym"],
  ]

  /// The groups of countries that contain a region (UN M.49).
  private static let containers = groups([
    "001": "002 009 019 142 150", "019": "003 419", "003": "021 013 029", "419": "005 013 029",
    "002": "015 202", "202": "011 014 017 018", "142": "030 034 035 143 145",
    "150": "039 151 154 155 EU", "009": "053 054 057 061",
    "015": "DZ EG EH LY MA SD TN", "011": "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
    "014": "BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW",
    "017": "AO CD CF CG CM GA GQ ST TD", "018": "BW LS NA SZ ZA", "021": "BM CA GL PM US",
    "005": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE", "013": "BZ CR GT HN MX NI PA SV",
    "029": """
    AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI
    """,
    "030": "CN HK JP KP KR MN MO TW", "034": "AF BD BT IN IR LK MV NP PK",
    "035": "BN ID KH LA MM MY PH SG TH TL VN", "143": "KG KZ TJ TM UZ",
    "145": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    "039": "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK",
    "151": "BG BY CZ HU MD PL RO RU SK UA",
    "154": "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ",
    "155": "AT BE CH DE FR LI LU MC NL", "053": "AU CC CX HM NF NZ", "054": "FJ NC PG SB VU",
    "057": "FM GU KI MH MP NR PW UM", "061": "AS CK NU PF PN TK TO TV WF WS",
  ])
}
