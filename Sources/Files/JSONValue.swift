import Foundation

/// Any JSON value as a tree, for content whose form is not known or whose parts refer to each other.
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
  package static let maximumDepth = 64

  /// Decodes a value from this JSON.
  ///
  /// - Throws: The type's `DecodingError`.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONValueDecoder(self)
    let value = try decoder.singleValueContainer().decode(type)
    guard decoder.notes.isInexact else { return value }
    return try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
  }

  /// The value of a key, or nil if this is not an object or has no such key.
  package subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// True for `null`.
  var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue {
  /// The members of an object; nil for other values.
  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for other values.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text of a string; nil for other values.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a number, whole or not; nil for other values.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value of `true` or `false`; nil for other values.
  package var truth: Bool? { if case .bool(let value) = self { value } else { nil } }
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
    if let decoder = decoder as? JSONValueDecoder {
      self = decoder.value
      return
    }
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

extension JSONValue {
  /// Reads one value with all that is in it. Nesting is bounded by the reader. O(bytes) memory.
  package init(_ reader: inout JSONReader) throws(JSONProblem) {
    switch reader.next() {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      try reader.object("an object") { (reader, key) throws(JSONProblem) in
        members[key] = try JSONValue(&reader)
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try reader.array("an array") { reader throws(JSONProblem) in
        elements.append(try JSONValue(&reader))
      }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try reader.string("a string"))
    case .some(UInt8(ascii: "-")), .some(0x30...0x39):
      self = try Self.number(&reader)
    default: self = try reader.null() ? .null : .bool(try reader.boolean("a value"))
    }
  }

  private static func number(_ reader: inout JSONReader) throws(JSONProblem) -> JSONValue {
    let (value, integer) = try reader.numberOrInteger("a number")
    if let integer { return .integer(integer) }
    return .number(value)
  }
}
