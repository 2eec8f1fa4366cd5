/// The names of entries of ZIP archives: relative paths that stay below their folder.
package enum ZipName {
  /// Returns the text of a name.
  ///
  /// - Parameter isUTF8: true for UTF-8, false for code page 437, in which programs write ASCII,
  ///   and some write UTF-8 without saying so.
  /// - Throws: ``ZipError`` of code `unsafeName` for a name that leads out of its folder.
  static func text(
    _ bytes: ArraySlice<UInt8>, isUTF8: Bool, entry: Int
  ) throws(ZipError) -> String {
    let isValid = UTF8Check.isValid(bytes)
    guard isValid || !isUTF8 else {
      throw ZipError(.malformed, entry: entry, expected: "a name in UTF-8", found: "other bytes")
    }
    let name =
      isValid
      ? String(decoding: bytes, as: UTF8.self)
      : String(
        String.UnicodeScalarView(
          bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : high[Int($0) - 0x80] }))
    guard isSafe(name) else {
      throw ZipError(
        .unsafeName, entry: entry, expected: "a relative path without ..",
        found: "a path that may lead out of its folder")
    }
    return name
  }

  /// Returns true for a relative path that stays below its folder on every system.
  package static func isSafe(_ name: String) -> Bool {
    var path = name.utf8[...]
    if path.last == UInt8(ascii: "/") { path = path.dropLast() }
    let bad: Set<UInt8> = [0, UInt8(ascii: "\\"), UInt8(ascii: ":")]
    guard !path.isEmpty, !path.contains(where: bad.contains) else { return false }
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
    }
  }

  /// The upper half of code page 437.
  private static let high = Array(
    """
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
    """.unicodeScalars)
}
