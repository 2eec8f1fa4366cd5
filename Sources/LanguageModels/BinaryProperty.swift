/// Properties of Unicode scalars that are true or false, by their names in Unicode.
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

  /// Whether a scalar has the property.
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
