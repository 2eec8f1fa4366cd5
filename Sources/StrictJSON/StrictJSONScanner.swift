/// The errors that a JSON reader reports, as its own error type.
package protocol JSONFault: Error {
  /// The byte at `offset`, counted from 0, is not the expected one.
  static func malformedJSON(offset: Int, expected: String) -> Self
  /// An object has a duplicate key.
  static func duplicateKey(_ key: String) -> Self
}

/// Reads JSON (RFC 8259) piece by piece. It refuses input that readers interpret differently:
/// duplicate keys, lone surrogates, bytes that are not UTF-8.
///
/// Foundation silently keeps one of two equal keys, so that one file could mean different things to
/// different readers. The caller bounds the nesting.
package struct StrictJSONScanner<Fault: JSONFault> {
  /// The text.
  package let bytes: [UInt8]
  /// The position of the next byte.
  package private(set) var position = 0

  /// Starts at the first byte.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Skips white space and returns the next byte; nil at the end.
  package mutating func next() -> UInt8? {
    skipSpace()
    return position < bytes.count ? bytes[position] : nil
  }

  /// Reads an object, calling `member` at each value with its key.
  package mutating func object(
    _ member: (inout Self, String) throws(Fault) -> Void
  ) throws(Fault) {
    try expect("{")
    if accept("}") { return }
    var keys: Set<String> = []
    repeat {
      let key = try string()
      guard keys.insert(key).inserted else { throw .duplicateKey(key) }
      try expect(":")
      try member(&self, key)
    } while accept(",")
    try expect("}")
  }

  /// Reads an array, calling `element` at each value.
  package mutating func array(_ element: (inout Self) throws(Fault) -> Void) throws(Fault) {
    try expect("[")
    if accept("]") { return }
    repeat { try element(&self) } while accept(",")
    try expect("]")
  }

  /// Reads a number: its text, and whether it has neither fraction nor exponent.
  package mutating func number() throws(Fault) -> (text: String, isInteger: Bool) {
    skipSpace()
    let start = position
    _ = acceptByte("-")
    let integer = position
    guard skipDigits() > 0, position - integer == 1 || bytes[integer] != UInt8(ascii: "0") else {
      throw .malformedJSON(offset: start, expected: "a number")
    }
    let end = position
    if acceptByte("."), skipDigits() == 0 { throw fault("a digit") }
    if acceptByte("e") || acceptByte("E") {
      _ = acceptByte("+") || acceptByte("-")
      guard skipDigits() > 0 else { throw fault("a digit") }
    }
    return (String(decoding: bytes[start..<position], as: UTF8.self), position == end)
  }

  /// Reads a string, its escapes resolved.
  package mutating func string() throws(Fault) -> String {
    try expect("\"")
    let start = position
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: content, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so that the bytes differ.
        guard text.utf8.elementsEqual(content) else {
          throw .malformedJSON(offset: start, expected: "valid UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content.append(contentsOf: try escape().utf8)
      case 0..<0x20:
        throw .malformedJSON(offset: position - 1, expected: "no bare control character")
      default: content.append(byte)
      }
    }
    throw fault("a closing quotation mark")
  }

  private mutating func escape() throws(Fault) -> String {
    let start = position - 1
    guard position < bytes.count else {
      throw .malformedJSON(offset: start, expected: "an escape sequence")
    }
    position += 1
    switch bytes[position - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(start: start)
    default: throw .malformedJSON(offset: start, expected: "an escape sequence")
    }
  }

  private mutating func unicodeEscape(start: Int) throws(Fault) -> String {
    var code = try hexadecimal(start: start)
    if 0xD800..<0xDC00 ~= code, bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      let low = try hexadecimal(start: start)
      code = 0xDC00..<0xE000 ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw .malformedJSON(offset: start, expected: "a pair of surrogates")
    }
    return String(scalar)
  }

  private mutating func hexadecimal(start: Int) throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count,
        let digit = Character(UnicodeScalar(bytes[position])).hexDigitValue
      else { throw .malformedJSON(offset: start, expected: "four hexadecimal digits") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Checks that only white space is left in the text that `name` names.
  package mutating func end(of name: String) throws(Fault) {
    guard next() == nil else { throw fault("the end of the \(name)") }
  }

  /// Consumes a word if it is next.
  package mutating func accept(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  /// The error for input that differs from the expected.
  package func fault(_ expected: String) -> Fault {
    .malformedJSON(offset: position, expected: expected)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Fault) {
    guard accept(character) else { throw fault(String(character)) }
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    return acceptByte(character)
  }

  private mutating func acceptByte(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while position < bytes.count, 0x30...0x39 ~= bytes[position] { position += 1 }
    return position - start
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}
