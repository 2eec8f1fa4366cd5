extension JSONReader {
  /// Reads a string, its escapes resolved.
  ///
  /// - Parameter value: The string, in the words of the caller's errors.
  package mutating func string(_ value: String) throws(JSONProblem) -> String {
    try take(UInt8(ascii: "\""), value, "\"")
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
        if !isASCII, !UTF8Check.isValid(text) { throw invalidUTF8(value, start) }
        position += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, value) }
      guard byte >= 0x20 else { throw controlCharacter(value, position) }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw unclosedString(value)
  }

  /// Reads the rest of a string from its first escape on.
  mutating func escapedString(from start: Int, _ value: String) throws(JSONProblem) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard UTF8Check.isValid(text) else { throw invalidUTF8(value, start) }
        return String(decoding: text, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw controlCharacter(value, position - 1) }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: try escape(value).utf8)
      } else {
        text.append(byte)
      }
    }
    throw unclosedString(value)
  }

  /// Reads the part of an escape after its backslash.
  private mutating func escape(_ value: String) throws(JSONProblem) -> String {
    let start = position - 1
    guard position < bytes.count else {
      throw fault(
        .truncated, value, grammar: "an escape sequence", at: start,
        found: "the end of the line inside a string")
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try unicodeEscape(value, start))
    default:
      throw fault(
        .malformed, value, grammar: "an escape sequence", at: start,
        found: "an unknown escape in a string")
    }
  }

  private mutating func unicodeEscape(
    _ value: String, _ start: Int
  ) throws(JSONProblem) -> Unicode.Scalar {
    var code = try hexDigits(value, start)
    if code & 0xFC00 == 0xD800, bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      let low = try hexDigits(value, start)
      if low & 0xFC00 == 0xDC00 { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw fault(
        .invalidEncoding, value, grammar: "a pair of surrogates", at: start,
        found: "half of a surrogate pair in a string")
    }
    return scalar
  }

  private mutating func hexDigits(_ value: String, _ start: Int) throws(JSONProblem) -> UInt32 {
    let grammar = "four hexadecimal digits"
    guard position + 4 <= bytes.count else {
      throw fault(
        .truncated, value, grammar: grammar, at: start,
        found: "the end of the line inside an escape")
    }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw fault(
          .malformed, value, grammar: grammar, at: start,
          found: "an escape \\u without four hex digits")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  @inline(never)
  func invalidUTF8(_ value: String, _ start: Int) -> JSONProblem {
    fault(
      .invalidEncoding, "\(value) in UTF-8", grammar: "valid UTF-8", at: start,
      found: "other bytes")
  }

  @inline(never)
  func controlCharacter(_ value: String, _ offset: Int) -> JSONProblem {
    fault(
      .malformed, value, grammar: "no bare control character", at: offset,
      found: "an unescaped control character in a string")
  }

  @inline(never)
  func unclosedString(_ value: String) -> JSONProblem {
    fault(
      .truncated, value, grammar: "a closing quotation mark",
      found: "the end of the line inside a string")
  }
}
