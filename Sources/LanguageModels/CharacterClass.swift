/// A property of Unicode scalars that an ``Alphabet`` can be made of.
public enum CharacterClass: String, CaseIterable, Hashable, Sendable {
  /// Letters of any script: Alphabetic.
  case letters
  /// Upper-case letters: Uppercase.
  case uppercase
  /// Lower-case letters: Lowercase.
  case lowercase
  /// Decimal digits of any script: general category Nd.
  case digits
  /// Punctuation: the general categories P*.
  case punctuation
  /// Symbols of mathematics, money and others: the general categories S*.
  case symbols
  /// White space: White_Space.
  case space

  /// Whether a scalar has the property, by the Unicode version of the standard library.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .letters: return properties.isAlphabetic
    case .uppercase: return properties.isUppercase
    case .lowercase: return properties.isLowercase
    case .digits: return properties.generalCategory == .decimalNumber
    case .space: return properties.isWhitespace
    case .punctuation:
      return [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation,
      ].contains(properties.generalCategory)
    case .symbols:
      return [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]
        .contains(properties.generalCategory)
    }
  }
}
