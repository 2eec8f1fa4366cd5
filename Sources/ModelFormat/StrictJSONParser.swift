import StrictJSON

extension ModelFormatError.Reason: JSONFault {}

/// Reads one JSON text as a value, to a bounded depth.
struct StrictJSONParser {
  typealias Reason = ModelFormatError.Reason
  private typealias Scanner = StrictJSONScanner<Reason>

  private var scanner: Scanner

  init(bytes: [UInt8]) {
    scanner = Scanner(bytes: bytes)
  }

  /// Reads one value and the end of the text.
  mutating func document() throws(Reason) -> JSONValue {
    let value = try Self.value(&scanner, depth: 0)
    try scanner.end(of: "text")
    return value
  }

  private static func value(_ scanner: inout Scanner, depth: Int) throws(Reason) -> JSONValue {
    guard let byte = scanner.next() else { throw scanner.fault("a value") }
    switch byte {
    case UInt8(ascii: "{"): return try object(&scanner, depth: depth)
    case UInt8(ascii: "["): return try array(&scanner, depth: depth)
    case UInt8(ascii: "\""): return .string(try scanner.string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(&scanner)
    default:
      if scanner.accept(word: "true") { return .bool(true) }
      if scanner.accept(word: "false") { return .bool(false) }
      if scanner.accept(word: "null") { return .null }
      throw scanner.fault("a value")
    }
  }

  private static func object(_ scanner: inout Scanner, depth: Int) throws(Reason) -> JSONValue {
    try check(depth, scanner)
    var members: [String: JSONValue] = [:]
    try scanner.object { (scanner, key) throws(Reason) in
      members[key] = try value(&scanner, depth: depth + 1)
    }
    return .object(members)
  }

  private static func array(_ scanner: inout Scanner, depth: Int) throws(Reason) -> JSONValue {
    try check(depth, scanner)
    var elements: [JSONValue] = []
    try scanner.array { (scanner) throws(Reason) in
      elements.append(try value(&scanner, depth: depth + 1))
    }
    return .array(elements)
  }

  private static func check(_ depth: Int, _ scanner: Scanner) throws(Reason) {
    guard depth < JSONValue.maximumDepth else {
      throw scanner.fault("at most \(JSONValue.maximumDepth) levels")
    }
  }

  private static func number(_ scanner: inout Scanner) throws(Reason) -> JSONValue {
    let start = scanner.position
    let (text, isInteger) = try scanner.number()
    if isInteger, text != "-0", let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw .malformedJSON(offset: start, expected: "a number in the range of Double")
    }
    return .number(value)
  }
}
