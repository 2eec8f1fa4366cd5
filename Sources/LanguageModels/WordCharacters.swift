/// What words consist of: letters, digits, marks and apostrophes.
package enum WordCharacters {
  /// Whether a scalar belongs to a word.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    mayEnd(scalar) || scalar == "'" || scalar == "\u{2019}"
  }

  /// Whether a scalar may be a word's last: an apostrophe there may be a quotation mark.
  static func mayEnd(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
    }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark: return true
    default: return scalar.properties.isAlphabetic
    }
  }
}
