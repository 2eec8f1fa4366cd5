/// Decimal numbers that are fast to read.
package enum DecimalNumber {
  /// The most digits, so that mantissa and power of ten are exact and only the division rounds.
  private static let mostDigits = 15

  /// The number of a text in UTF-8, of digits, with a sign and a point at most; nil for any other text, which
  /// may be a number, too. Rounded correctly.
  package static func exact(_ text: some Sequence<UInt8>) -> Double? {
    var (mantissa, digits, fraction) = (0, 0, 0)
    var (isNegative, hasPoint, isFirst) = (false, false, true)
    for byte in text {
      defer { isFirst = false }
      switch byte {
      case 0x30...0x39:
        mantissa = mantissa * 10 + Int(byte - 0x30)
        digits += 1
        if hasPoint { fraction += 1 }
        guard digits <= mostDigits else { return nil }
      case UInt8(ascii: "-") where isFirst: isNegative = true
      case UInt8(ascii: ".") where !hasPoint && digits > 0: hasPoint = true
      default: return nil
      }
    }
    guard digits > 0, !hasPoint || fraction > 0 else { return nil }
    let magnitude = Double(mantissa) / JSONDigits.powersOfTen[fraction]
    return isNegative ? -magnitude : magnitude
  }
}
