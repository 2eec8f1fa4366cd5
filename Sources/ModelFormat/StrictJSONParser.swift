/// Parses JSON (RFC 8259) and refuses what readers disagree about: keys that stand twice, lone
/// surrogates, bytes that are not UTF-8, unbounded nesting.
struct StrictJSONParser {
  typealias Reason = ModelFormatError.Reason

  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads one value and the end of the text.
  mutating func document() throws(Reason) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw expected("the end of the text") }
    return value
  }

  private mutating func value(depth: Int) throws(Reason) -> JSONValue {
    skipSpace()
    guard position < bytes.count else { throw expected("a value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      if accept(word: "true") { return .bool(true) }
      if accept(word: "false") { return .bool(false) }
      if accept(word: "null") { return .null }
      throw expected("a value")
    }
  }

  private mutating func object(depth: Int) throws(Reason) -> JSONValue {
    guard depth < JSONValue.maximumDepth else {
      throw expected("at most \(JSONValue.maximumDepth) levels")
    }
    var members: [String: JSONValue] = [:]
    try expect("{")
    if accept("}") { return .object(members) }
    repeat {
      let key = try string()
      try expect(":")
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw .duplicateKey(key)
      }
    } while accept(",")
    try expect("}")
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Reason) -> JSONValue {
    guard depth < JSONValue.maximumDepth else {
      throw expected("at most \(JSONValue.maximumDepth) levels")
    }
    var elements: [JSONValue] = []
    try expect("[")
    if accept("]") { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while accept(",")
    try expect("]")
    return .array(elements)
  }

  private mutating func number() throws(Reason) -> JSONValue {
    let start = position
    _ = acceptByte("-")
    let integerStart = position
    guard skipDigits() > 0, position - integerStart == 1 || bytes[integerStart] != 0x30 else {
      throw .malformedJSON(offset: start, expected: "a number")
    }
    var isInteger = true
    if acceptByte(".") {
      isInteger = false
      guard skipDigits() > 0 else { throw expected("a digit") }
    }
    if acceptByte("e") || acceptByte("E") {
      isInteger = false
      _ = acceptByte("+") || acceptByte("-")
      guard skipDigits() > 0 else { throw expected("a digit") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, text != "-0", let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw .malformedJSON(offset: start, expected: "a number in the range of Double")
    }
    return .number(value)
  }

  private mutating func string() throws(Reason) -> String {
    try expect("\"")
    let start = position
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: content, as: UTF8.self)
        // Decoding repairs what is not UTF-8, and then the bytes differ.
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
    throw expected("a closing quotation mark")
  }

  private mutating func escape() throws(Reason) -> String {
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

  private mutating func unicodeEscape(start: Int) throws(Reason) -> String {
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

  private mutating func hexadecimal(start: Int) throws(Reason) -> UInt32 {
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

  private func expected(_ what: String) -> Reason {
    .malformedJSON(offset: position, expected: what)
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Reason) {
    guard accept(character) else { throw expected(String(character)) }
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

  private mutating func accept(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
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
