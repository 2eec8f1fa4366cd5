extension JSONScanner {
  /// Reads a string.
  mutating func string(_ what: String) throws(InkFormatError) -> String {
    try take(UInt8(ascii: "\""), what)
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return try decode(text, isASCII: isASCII, what)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, what) }
      guard byte >= 0x20 else { throw controlCharacter(what) }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw error(.truncated, expected: what, found: "the end of the line inside a string")
  }

  private func controlCharacter(_ what: String) -> InkFormatError {
    error(.malformed, expected: what, found: "an unescaped control character in a string")
  }

  private func decode(
    _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, _ what: String
  ) throws(InkFormatError) -> String {
    if !isASCII, !UTF8Check.isValid(text) {
      throw error(.invalidEncoding, expected: "\(what) in UTF-8", found: "other bytes")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escapedString(
    from start: Int, _ what: String
  ) throws(InkFormatError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard UTF8Check.isValid(text) else {
          throw error(.invalidEncoding, expected: "\(what) in UTF-8", found: "other bytes")
        }
        return String(decoding: text, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw controlCharacter(what) }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: try escape(what))
      } else {
        text.append(byte)
      }
    }
    throw error(.truncated, expected: what, found: "the end of the line inside a string")
  }

  /// Reads what follows a backslash, as UTF-8.
  private mutating func escape(_ what: String) throws(InkFormatError) -> [UInt8] {
    guard position < bytes.count else {
      throw error(.truncated, expected: what, found: "the end of the line inside a string")
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw error(.malformed, expected: what, found: "an unknown escape in a string")
    }
    var code = try hexDigits(what)
    if code & 0xFC00 == 0xD800, position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let low = try hexDigits(what)
      guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(what) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(what) }
    return Array(String(scalar).utf8)
  }

  private func loneSurrogate(_ what: String) -> InkFormatError {
    error(.invalidEncoding, expected: what, found: "half of a surrogate pair in a string")
  }

  private mutating func hexDigits(_ what: String) throws(InkFormatError) -> UInt32 {
    guard position + 4 <= bytes.count else {
      throw error(.truncated, expected: what, found: "the end of the line inside an escape")
    }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw error(.malformed, expected: what, found: "an escape \\u without four hex digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

/// Checks that bytes are well-formed UTF-8.
enum UTF8Check {
  /// Whether the bytes are well-formed UTF-8. O(n).
  static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
