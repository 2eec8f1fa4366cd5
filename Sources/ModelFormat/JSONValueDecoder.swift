/// Decodes values from JSON that is in memory, without writing and reading it again.
///
/// Notes the keys that the decoded types ask for, so that a file with other keys can be refused.
/// Whole numbers above the range of `Int` are not exact in ``JSONValue``: ``Notes/isInexact`` says if
/// one was needed.
struct JSONValueDecoder: Decoder {
  /// The notes of a decoding.
  final class Notes {
    /// The objects that were decoded, by path.
    fileprivate var objects: [Object] = []
    /// True if an integer was decoded from a number that ``JSONValue`` does not hold exactly.
    fileprivate(set) var isInexact = false

    /// The path of the first key, by name, that no type asked for; nil if there is none.
    var unknownKey: String? {
      var first: String?
      for object in objects {
        for key in object.keys where !object.asked.contains(key) {
          let path = JSONValueDecoder.text(of: object.path)
          let unknown = path.isEmpty ? key : "\(path).\(key)"
          if first.map({ unknown < $0 }) ?? true { first = unknown }
        }
      }
      return first
    }
  }

  fileprivate final class Object {
    let keys: [String]
    let path: [any CodingKey]
    var asked: Set<String> = []

    init(_ keys: [String], _ path: [any CodingKey]) { (self.keys, self.path) = (keys, path) }
  }

  let value: JSONValue
  let codingPath: [any CodingKey]
  let notes: Notes
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, notes: Notes = Notes(), path: [any CodingKey] = []) {
    (self.value, self.notes, codingPath) = (value, notes, path)
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(Keyed<Key>(self, members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
    return Unkeyed(self, elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  /// The decoder of a value inside.
  fileprivate func inner(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
    JSONValueDecoder(value, notes: notes, path: codingPath + [key])
  }

  fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "another kind of value")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Decodes a value of any type; the usual ones without a container.
  fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found: Any? =
      switch (value, type) {
      case (.string(let text), is String.Type): text
      case (_, is JSONValue.Type): value
      case (.integer(let integer), is Int.Type): integer
      case (.integer(let integer), is Double.Type): Double(integer)
      case (.number(let number), is Double.Type): number
      case (.integer(let integer), is Float.Type): Float(integer)
      case (.number(let number), is Float.Type): Float(number)
      case (.bool(let isTrue), is Bool.Type): isTrue
      default: nil
      }
    if let found = found as? Value { return found }
    return try Value(from: self)
  }

  fileprivate func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    switch value {
    case .integer(let integer):
      if let exact = Value(exactly: integer) { return exact }
    case .number(let number):
      if let exact = Value(exactly: number) {
        if number.magnitude >= 0x1p53 { notes.isInexact = true }
        return exact
      }
      if number.magnitude >= 0x1p53, type == UInt64.self || type == Int.self {
        notes.isInexact = true
        return 0
      }
    default: throw mismatch(type)
    }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "not in the range"))
  }

  fileprivate func number() throws -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw mismatch(Double.self)
    }
  }

  /// The text of a path: `parts[0].name`.
  static func text(of path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text
  }
}

/// The index of an array's element in a path.
private struct IndexKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "Index \(intValue ?? 0)" }

  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

extension JSONValueDecoder {
  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    let members: [String: JSONValue]
    let object: Object
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
      // A type that takes any key knows them all.
      object.asked.formUnion(object.keys)
      return object.keys.compactMap { Key(stringValue: $0) }
    }

    init(_ decoder: JSONValueDecoder, _ members: [String: JSONValue]) {
      (self.decoder, self.members) = (decoder, members)
      object = Object(Array(members.keys), decoder.codingPath)
      decoder.notes.objects.append(object)
    }

    func contains(_ key: Key) -> Bool {
      object.asked.insert(key.stringValue)
      return members[key.stringValue] != nil
    }

    private func inner(_ key: Key) throws -> JSONValueDecoder {
      object.asked.insert(key.stringValue)
      guard let value = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such key"))
      }
      return decoder.inner(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try inner(key).value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try inner(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try inner(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let elements: [JSONValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(_ decoder: JSONValueDecoder, _ elements: [JSONValue]) {
      (self.decoder, self.elements) = (decoder, elements)
    }

    private mutating func next(_ type: Any.Type) throws -> JSONValueDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          type,
          DecodingError.Context(
            codingPath: codingPath + [IndexKey(intValue: currentIndex)],
            debugDescription: "the array ends"))
      }
      defer { currentIndex += 1 }
      return decoder.inner(elements[currentIndex], IndexKey(intValue: currentIndex))
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, elements[currentIndex].isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      if !isAtEnd, case .string(let text) = elements[currentIndex], let text = text as? Value {
        // Without a path for each of many labels.
        currentIndex += 1
        return text
      }
      return try next(type).decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next(Nested.self).container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next([JSONValue].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next(JSONValue.self) }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .bool(let isTrue) = decoder.value else { throw decoder.mismatch(type) }
      return isTrue
    }
    func decode(_ type: String.Type) throws -> String {
      guard case .string(let text) = decoder.value else { throw decoder.mismatch(type) }
      return text
    }
    func decode(_ type: Double.Type) throws -> Double { try decoder.number() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoder.number()) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoder.decode(type)
    }
  }
}
