/// The names that Unicode gives to general categories and to groups of them.
struct GeneralCategoryName {
  /// One letter for a group, two for a category.
  let short: String
  /// In words.
  let long: String
  /// What it stands for.
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
