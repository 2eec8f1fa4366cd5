/// The JSON header of a safetensors file.
///
/// Parsed by hand, because Foundation keeps one of two equal keys without a word, and a file must
/// not mean one thing to one reader and another to the next.
struct SafeTensorsHeader {
  /// What the header says of one tensor; offsets count from the end of the header.
  struct Entry {
    var name: String
    var dataType: String
    var shape: [Int]
    var begin: Int
    var end: Int
  }

  /// The tensors, in the header's order.
  private(set) var entries: [Entry] = []
  /// The strings of `__metadata__`.
  private(set) var metadata: [String: String] = [:]

  /// Parses a header: one object, then white space only. O(bytes).
  init(parsing bytes: [UInt8]) throws(SafeTensorsError.Reason) {
    guard bytes.first == UInt8(ascii: "{") else {
      throw .malformedHeader(offset: 0, expected: "{")
    }
    var scanner = JSONScanner(bytes: bytes)
    var entries: [Entry] = []
    var metadata: [String: String] = [:]
    try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
      if key == SafeTensors.metadataKey {
        try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
          metadata[key] = try scanner.string()
        }
      } else {
        entries.append(try Self.entry(named: key, &scanner))
      }
    }
    try scanner.end()
    self.entries = entries
    self.metadata = metadata
  }

  private static func entry(
    named name: String, _ scanner: inout JSONScanner
  ) throws(SafeTensorsError.Reason) -> Entry {
    var dataType: String?
    var shape: [Int]?
    var offsets: [Int]?
    try scanner.object { (scanner, key) throws(SafeTensorsError.Reason) in
      switch key {
      case "dtype": dataType = try scanner.string()
      case "shape": shape = try scanner.integers()
      case "data_offsets":
        let start = scanner.position
        let pair = try scanner.integers()
        guard pair.count == 2 else {
          throw .malformedHeader(offset: start, expected: "two offsets")
        }
        offsets = pair
      default: throw .unknownField(tensor: name, field: key)
      }
    }
    guard let dataType else { throw .missingField(tensor: name, field: "dtype") }
    guard let shape else { throw .missingField(tensor: name, field: "shape") }
    guard let offsets else { throw .missingField(tensor: name, field: "data_offsets") }
    return Entry(
      name: name, dataType: dataType, shape: shape, begin: offsets[0], end: offsets[1])
  }
}

/// Reads the JSON that a safetensors header may hold: objects, strings, arrays of integers of 0
/// and more. Nesting is bounded by the caller's, so no input exhausts the stack.
private struct JSONScanner {
  let bytes: [UInt8]
  private(set) var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an object, calling `member` at each value with its key.
  mutating func object(
    _ member: (inout JSONScanner, String) throws(SafeTensorsError.Reason) -> Void
  ) throws(SafeTensorsError.Reason) {
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

  /// Reads an array of integers in 0 ... Int.max without sign, fraction, exponent or leading 0.
  mutating func integers() throws(SafeTensorsError.Reason) -> [Int] {
    try expect("[")
    var values: [Int] = []
    if accept("]") { return values }
    repeat { values.append(try integer()) } while accept(",")
    try expect("]")
    return values
  }

  private mutating func integer() throws(SafeTensorsError.Reason) -> Int {
    skipSpace()
    let start = position
    var value = 0
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10
    {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(digit))
      if overflow || carry {
        throw .malformedHeader(offset: start, expected: "an integer of at most 63 bits")
      }
      value = sum
      position += 1
    }
    guard position > start, position - start == 1 || bytes[start] != UInt8(ascii: "0") else {
      throw .malformedHeader(offset: start, expected: "an integer of 0 or more")
    }
    return value
  }

  /// Reads a string, its escapes resolved.
  mutating func string() throws(SafeTensorsError.Reason) -> String {
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
          throw .malformedHeader(offset: start, expected: "valid UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content.append(contentsOf: try escape().utf8)
      case 0..<0x20:
        throw .malformedHeader(offset: position - 1, expected: "no bare control character")
      default: content.append(byte)
      }
    }
    throw .malformedHeader(offset: position, expected: "a closing quotation mark")
  }

  private mutating func escape() throws(SafeTensorsError.Reason) -> String {
    let start = position - 1
    guard position < bytes.count else {
      throw .malformedHeader(offset: start, expected: "an escape sequence")
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
    case UInt8(ascii: "u"): return try unicodeEscape(start: start)
    default: throw .malformedHeader(offset: start, expected: "an escape sequence")
    }
  }

  private mutating func unicodeEscape(
    start: Int
  ) throws(SafeTensorsError.Reason) -> String {
    var code = try hexadecimal(start: start)
    if 0xD800..<0xDC00 ~= code, bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      let low = try hexadecimal(start: start)
      code = 0xDC00..<0xE000 ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw .malformedHeader(offset: start, expected: "a pair of surrogates")
    }
    return String(scalar)
  }

  private mutating func hexadecimal(start: Int) throws(SafeTensorsError.Reason) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count,
        let digit = Character(UnicodeScalar(bytes[position])).hexDigitValue
      else { throw .malformedHeader(offset: start, expected: "four hexadecimal digits") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Checks that only white space is left: writers pad the header with it.
  mutating func end() throws(SafeTensorsError.Reason) {
    skipSpace()
    guard position == bytes.count else {
      throw .malformedHeader(offset: position, expected: "the end of the header")
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(SafeTensorsError.Reason) {
    guard accept(character) else {
      throw .malformedHeader(offset: position, expected: String(character))
    }
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
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
