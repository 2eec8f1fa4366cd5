import InkCore

/// A property of Unicode scalars, for use in an ``Alphabet``. Follows the Unicode version of the
/// standard library, and for scripts that of `ScriptTraits`.
public struct CharacterClass: Hashable, Sendable {
  /// The test for the property.
  enum Rule: Hashable, Sendable {
    /// Scalars of these general categories.
    case categories(Set<Unicode.GeneralCategory>)
    /// Scalars with a property that is true or false.
    case binary(BinaryProperty)
    /// Scalars of a script, by its four-letter code.
    case script(String)
  }

  private let rule: Rule
  private var isComplement = false

  init(_ rule: Rule) { self.rule = rule }

  /// Letters of any script: Alphabetic.
  public static let letters = CharacterClass(.binary(.alphabetic))
  /// Upper-case letters: Uppercase.
  package static let uppercase = CharacterClass(.binary(.uppercase))
  /// Lower-case letters: Lowercase.
  package static let lowercase = CharacterClass(.binary(.lowercase))
  /// Decimal digits of any script: general category Nd.
  public static let digits = CharacterClass(.categories([.decimalNumber]))
  /// Punctuation: the general categories P*.
  package static let punctuation = CharacterClass(.categories(GeneralCategoryName.of(group: "P")))
  /// Symbols of mathematics, money and others: the general categories S*.
  package static let symbols = CharacterClass(.categories(GeneralCategoryName.of(group: "S")))
  /// White space: White_Space.
  public static let space = CharacterClass(.binary(.whiteSpace))

  /// The scalars that lack this property.
  package var complement: CharacterClass {
    var copy = self
    copy.isComplement.toggle()
    return copy
  }

  /// Returns whether a scalar has the property.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    let has =
      switch rule {
      case .categories(let categories): categories.contains(scalar.properties.generalCategory)
      case .binary(let property): property.contains(scalar)
      case .script(let code): ScriptTraits(of: scalar)?.script == code
      }
    return has != isComplement
  }
}

extension CharacterClass {
  /// The class of a property by its Unicode name: a general category (`Lu`, `Uppercase_Letter`,
  /// `L`, also `gc=Lu` and `General_Category=Lu`), a property that is true or false
  /// (`Alphabetic`), or a script (`Hiragana`, `Hira`, also `sc=Hira` and `Script=Hiragana`). Case,
  /// spaces, hyphens and underscores in names are ignored (UAX #44, loose matching). Signs that
  /// scripts share, such as ー of both kana, belong to none of them.
  ///
  /// - Throws: ``TextConstraintError/unknownProperty(_:)`` if the name is not among ``names``.
  public init(named name: String) throws(TextConstraintError) {
    let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(Self.loose)
    let isCategory = parts.count == 2 && ["gc", "generalcategory"].contains(parts[0])
    let isScript = parts.count == 2 && ["sc", "script"].contains(parts[0])
    let value = isCategory || isScript ? parts[1] : Self.loose(name)
    let script = ScriptName.all.first {
      Self.loose($0.code) == value || Self.loose($0.name) == value
    }
    if !isCategory, let script {
      self.init(.script(script.code))
      return
    }
    guard !isScript else { throw .unknownProperty(name) }
    let category = GeneralCategoryName.all.first {
      Self.loose($0.short) == value || Self.loose($0.long) == value
    }
    if let category {
      self.init(.categories(category.categories))
    } else if !isCategory,
      let property = BinaryProperty.allCases.first(where: { Self.loose($0.rawValue) == value })
    {
      self.init(.binary(property))
    } else {
      throw .unknownProperty(name)
    }
  }

  /// The names of all classes; of general categories the short and the long name, of scripts the
  /// long one.
  public static let names: [String] =
    GeneralCategoryName.all.flatMap { [$0.short, $0.long] }
    + BinaryProperty.allCases.map(\.rawValue) + ScriptName.all.map(\.name)

  private static func loose(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
  }
}

/// Unicode scalar properties that are true or false, by their Unicode names.
enum BinaryProperty: String, CaseIterable, Hashable, Sendable {
  case alphabetic = "Alphabetic"
  case ascii = "ASCII"
  case dash = "Dash"
  case diacritic = "Diacritic"
  case emoji = "Emoji"
  case hexDigit = "Hex_Digit"
  case ideographic = "Ideographic"
  case lowercase = "Lowercase"
  case math = "Math"
  case quotationMark = "Quotation_Mark"
  case uppercase = "Uppercase"
  case whiteSpace = "White_Space"

  /// Returns whether a scalar has the property.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch self {
    case .alphabetic: properties.isAlphabetic
    case .ascii: scalar.isASCII
    case .dash: properties.isDash
    case .diacritic: properties.isDiacritic
    case .emoji: properties.isEmoji
    case .hexDigit: properties.isHexDigit
    case .ideographic: properties.isIdeographic
    case .lowercase: properties.isLowercase
    case .math: properties.isMath
    case .quotationMark: properties.isQuotationMark
    case .uppercase: properties.isUppercase
    case .whiteSpace: properties.isWhitespace
    }
  }
}

/// The Unicode names of general categories and their groups.
package struct GeneralCategoryName {
  /// The short name: one letter for a group, two for a category.
  let short: String
  /// The long name.
  let long: String
  /// The categories of this name.
  let categories: Set<Unicode.GeneralCategory>

  /// The categories whose short names begin with a letter.
  static func of(group: Character) -> Set<Unicode.GeneralCategory> {
    Set(single.filter { $0.short.first == group }.map(\.category))
  }

  /// Groups, then single categories.
  static let all: [GeneralCategoryName] =
    groups.map { short, long in
      GeneralCategoryName(short: String(short), long: long, categories: of(group: short))
    } + [
      GeneralCategoryName(
        short: "LC", long: "Cased_Letter",
        categories: [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter])
    ]
    + single.map { short, long, category in
      GeneralCategoryName(short: short, long: long, categories: [category])
    }

  private static let groups: [(short: Character, long: String)] = [
    ("L", "Letter"), ("M", "Mark"), ("N", "Number"), ("P", "Punctuation"), ("S", "Symbol"),
    ("Z", "Separator"), ("C", "Other"),
  ]

  private static let single: [(short: String, long: String, category: Unicode.GeneralCategory)] =
    [
      ("Lu", "Uppercase_Letter", .uppercaseLetter), ("Ll", "Lowercase_Letter", .lowercaseLetter),
      ("Lt", "Titlecase_Letter", .titlecaseLetter), ("Lm", "Modifier_Letter", .modifierLetter),
      ("Lo", "Other_Letter", .otherLetter), ("Mn", "Nonspacing_Mark", .nonspacingMark),
      ("Mc", "Spacing_Mark", .spacingMark), ("Me", "Enclosing_Mark", .enclosingMark),
      ("Nd", "Decimal_Number", .decimalNumber), ("Nl", "Letter_Number", .letterNumber),
      ("No", "Other_Number", .otherNumber), ("Pc", "Connector_Punctuation", .connectorPunctuation),
      ("Pd", "Dash_Punctuation", .dashPunctuation), ("Ps", "Open_Punctuation", .openPunctuation),
      ("Pe", "Close_Punctuation", .closePunctuation),
      ("Pi", "Initial_Punctuation", .initialPunctuation),
      ("Pf", "Final_Punctuation", .finalPunctuation),
      ("Po", "Other_Punctuation", .otherPunctuation), ("Sm", "Math_Symbol", .mathSymbol),
      ("Sc", "Currency_Symbol", .currencySymbol), ("Sk", "Modifier_Symbol", .modifierSymbol),
      ("So", "Other_Symbol", .otherSymbol), ("Zs", "Space_Separator", .spaceSeparator),
      ("Zl", "Line_Separator", .lineSeparator), ("Zp", "Paragraph_Separator", .paragraphSeparator),
      ("Cc", "Control", .control), ("Cf", "Format", .format), ("Cs", "Surrogate", .surrogate),
      ("Co", "Private_Use", .privateUse), ("Cn", "Unassigned", .unassigned),
    ]
}

/// The names of scripts that are in use, with their codes (ISO 15924).
struct ScriptName {
  /// The four-letter code.
  let code: String
  /// The name in the Unicode Character Database.
  let name: String

  /// The scripts, by name.
  static let all: [ScriptName] = [
    ("Arab", "Arabic"), ("Armn", "Armenian"), ("Beng", "Bengali"), ("Bopo", "Bopomofo"),
    ("Cans", "Canadian_Aboriginal"), ("Cher", "Cherokee"), ("Cyrl", "Cyrillic"),
    ("Deva", "Devanagari"), ("Ethi", "Ethiopic"), ("Geor", "Georgian"), ("Grek", "Greek"),
    ("Gujr", "Gujarati"), ("Guru", "Gurmukhi"), ("Hani", "Han"), ("Hang", "Hangul"),
    ("Hebr", "Hebrew"), ("Hira", "Hiragana"), ("Java", "Javanese"), ("Knda", "Kannada"),
    ("Kana", "Katakana"), ("Khmr", "Khmer"), ("Laoo", "Lao"), ("Latn", "Latin"),
    ("Mlym", "Malayalam"), ("Mong", "Mongolian"), ("Mymr", "Myanmar"), ("Nkoo", "Nko"),
    ("Olck", "Ol_Chiki"), ("Orya", "Oriya"), ("Sinh", "Sinhala"), ("Syrc", "Syriac"),
    ("Taml", "Tamil"), ("Telu", "Telugu"), ("Thaa", "Thaana"), ("Thai", "Thai"),
    ("Tibt", "Tibetan"), ("Tfng", "Tifinagh"), ("Vaii", "Vai"), ("Yiii", "Yi"),
  ].map { ScriptName(code: $0, name: $1) }
}
