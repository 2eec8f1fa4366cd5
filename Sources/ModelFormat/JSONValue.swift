import Foundation
import StrictJSON

/// Any JSON value, which a manifest stores for other modules without interpreting it.
///
/// Integers in the range of `Int` and all strings are kept exactly; other numbers as `Double`.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits an `Int`.
  case integer(Int)
  /// Any other number; finite.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The deepest supported nesting of arrays and objects.
  public static let maximumDepth = 64

  /// Parses JSON strictly: one value, UTF-8, no duplicate keys, at most ``maximumDepth`` levels, no
  /// number outside the range of `Double`. O(bytes).
  ///
  /// - Throws: ``ModelFormatError/Reason`` with `malformedJSON` or `duplicateKey`.
  public init(parsing bytes: Data) throws(ModelFormatError.Reason) {
    var parser = StrictJSONParser(bytes: [UInt8](bytes))
    self = try parser.document()
  }

  /// Encodes a value as JSON.
  ///
  /// - Throws: The value's `EncodingError`, or ``ModelFormatError/Reason`` if it is nested deeper
  ///   than ``maximumDepth``.
  public init(encoding value: some Encodable) throws {
    try self.init(parsing: JSONEncoder().encode(value))
  }

  /// Decodes a value from this JSON.
  ///
  /// - Throws: The type's `DecodingError`.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
  }

  /// The value of a key, or nil if this is not an object or has no such key.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}

extension JSONValue: Hashable {
  /// Compares values. `1` and `1.0` are equal, because JSON does not distinguish them.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let integer), .number(let number)),
      (.number(let number), .integer(let integer)):
      Double(exactly: integer) == number
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(Double(value))
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the JSON unchanged.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension ModelFormatError.Reason: JSONFault {}

/// Reads one JSON text as a value, with bounded depth.
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
