/// A set of ten decimal digits, such as 0 to 9.
///
///     DigitSystem.folded("۲۰۲۴")  // 2024
public enum DigitSystem: Hashable, Sendable, CaseIterable {
  /// 0123456789, which Hebrew uses as well.
  case european
  /// ٠١٢٣٤٥٦٧٨٩, of Arabic.
  case arabicIndic
  /// ۰۱۲۳۴۵۶۷۸۹, of Persian and Urdu.
  case extendedArabicIndic

  /// The digit with the value 0.
  public var zero: Unicode.Scalar {
    switch self {
    case .european: "0"
    case .arabicIndic: "\u{660}"
    case .extendedArabicIndic: "\u{6F0}"
    }
  }

  /// Returns whether a scalar is one of the digits.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    (zero.value..<zero.value + 10).contains(scalar.value)
  }

  /// Returns a text whose decimal digits of all scripts are those from 0 to 9. Everything else
  /// stays. O(scalars).
  public static func folded(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(folded(scalar)) }
    return String(result)
  }

  /// Returns the digit from 0 to 9 with the value of a decimal digit; any other scalar itself.
  public static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard scalar.value >= 0x80, scalar.properties.numericType == .decimal,
      let value = scalar.properties.numericValue,
      let digit = Unicode.Scalar(UInt32(value) + DigitSystem.european.zero.value)
    else { return scalar }
    return digit
  }
}
