/// Reads one JSON text (RFC 8259) of UTF-8 bytes piece by piece, without building a tree.
///
/// Strict: no comments, no trailing commas, no NaN, no lone surrogates, no bytes that are not
/// UTF-8. Nesting is bounded. Duplicate keys are refused on request: Foundation silently keeps one
/// of two equal keys, but a file must mean the same to all readers. Errors name types and
/// positions, never values.
///
/// There are two ways to read arrays and objects: closures, which throw ``JSONProblem``, and
/// ``openArray(_:)``, ``nextElement(of:)`` and similar calls for callers with errors of their own.
/// Both are O(bytes).
///
///     var reader = JSONReader(buffer)
///     try reader.object("a point") { (reader, key) throws(JSONProblem) in
///       switch key {
///       case "x": x = try reader.number("the number x")
///       default: try reader.skipValue()
///       }
///     }
///     try reader.end(of: "text")
package struct JSONReader {
  /// The text.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the next byte.
  package internal(set) var position = 0

  private let deepest: Int
  private let refusesDuplicateKeys: Bool
  private var depth = 0
  /// True if an array or object was opened and nothing of it has been read.
  private var isAtOpening = false
  /// The keys of the open objects, if duplicates are refused.
  private var keys: [Set<String>] = []

  /// Starts at the first byte.
  ///
  /// - Parameters:
  ///   - bytes: The text, which must outlive the reader.
  ///   - deepest: The deepest nesting of arrays and objects.
  ///   - refusesDuplicateKeys: true to refuse a key that appears twice in one object.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, deepest: Int = 64, refusesDuplicateKeys: Bool = false
  ) {
    self.bytes = bytes
    self.deepest = deepest
    self.refusesDuplicateKeys = refusesDuplicateKeys
  }

  /// Returns the next byte that is not white space, without going past it; nil at the end.
  package mutating func next() -> UInt8? { peek() }

  @inline(__always)
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return byte }
      position += 1
    }
    return nil
  }

  // MARK: - Arrays and objects

  /// Reads an object; the closure must read the value of each key.
  ///
  /// - Parameter value: The object, in the words of the caller's errors.
  package mutating func object(
    _ value: String, _ member: (inout Self, String) throws(JSONProblem) -> Void
  ) throws(JSONProblem) {
    try openObject(value)
    while let key = try nextKey(of: value) { try member(&self, key) }
  }

  /// Reads an array; the closure must read each element.
  ///
  /// - Parameter value: The array, in the words of the caller's errors.
  package mutating func array(
    _ value: String, _ element: (inout Self) throws(JSONProblem) -> Void
  ) throws(JSONProblem) {
    try openArray(value)
    while try nextElement(of: value) { try element(&self) }
  }

  /// Enters an object; ``nextKey(of:)`` must follow until it returns nil.
  package mutating func openObject(_ value: String) throws(JSONProblem) {
    try take(UInt8(ascii: "{"), value, "{")
    try descend()
    if refusesDuplicateKeys { keys.append([]) }
  }

  /// Reads a key and its colon, or the end of the object: nil.
  package mutating func nextKey(of value: String) throws(JSONProblem) -> String? {
    guard try goesOn(until: UInt8(ascii: "}"), value, "}") else {
      if refusesDuplicateKeys { keys.removeLast() }
      return nil
    }
    let key = try string("a key")
    if refusesDuplicateKeys, !keys[keys.count - 1].insert(key).inserted { throw duplicate(key) }
    try take(UInt8(ascii: ":"), "a colon after a key of \(value)", ":")
    return key
  }

  /// Enters an array; ``nextElement(of:)`` must follow until it returns false.
  package mutating func openArray(_ value: String) throws(JSONProblem) {
    try take(UInt8(ascii: "["), value, "[")
    try descend()
  }

  /// Goes to the next element of an array, or past its end: false.
  package mutating func nextElement(of value: String) throws(JSONProblem) -> Bool {
    try goesOn(until: UInt8(ascii: "]"), value, "]")
  }

  /// Reads an array of finite numbers.
  ///
  /// - Parameters:
  ///   - value: The array, in the words of the caller's errors.
  ///   - element: An element, in those words.
  ///   - null: The number that `null` becomes; nil if `null` is an error.
  package mutating func numbers(
    _ value: String, element: String = "a finite number", null substitute: Double? = nil
  ) throws(JSONProblem) -> [Double] {
    var numbers: [Double] = []
    try openArray(value)
    while try goesOn(until: UInt8(ascii: "]"), value, "]") {
      if let substitute, try null() {
        numbers.append(substitute)
      } else {
        numbers.append(try number(element))
      }
    }
    return numbers
  }

  /// Reads an array of a few finite numbers without memory of its own.
  ///
  /// - Parameters:
  ///   - value: The array, in the words of the caller's errors.
  ///   - element: An element, in those words.
  /// - Returns: The first three numbers, 0 for those that are not there, and the count of all.
  package mutating func fewNumbers(
    _ value: String, element: String = "a finite number"
  ) throws(JSONProblem) -> (first: Double, second: Double, third: Double, count: Int) {
    var numbers = (first: 0.0, second: 0.0, third: 0.0, count: 0)
    try openArray(value)
    while try goesOn(until: UInt8(ascii: "]"), value, "]") {
      let number = try number(element)
      switch numbers.count {
      case 0: numbers.first = number
      case 1: numbers.second = number
      case 2: numbers.third = number
      default: break
      }
      numbers.count += 1
    }
    return numbers
  }

  @inline(__always)
  private mutating func goesOn(
    until end: UInt8, _ value: String, _ grammar: StaticString
  ) throws(JSONProblem) -> Bool {
    let isFirst = isAtOpening
    if !isFirst, position < bytes.count, bytes[position] == UInt8(ascii: ",") {
      position += 1
      return true
    }
    isAtOpening = false
    guard peek() != end else {
      position += 1
      depth -= 1
      return false
    }
    if !isFirst {
      try take(UInt8(ascii: ","), "a comma or the end of \(value)", grammar)
    }
    return true
  }

  private mutating func descend() throws(JSONProblem) {
    depth += 1
    isAtOpening = true
    guard depth <= deepest else { throw tooDeep(deepest) }
  }

  // MARK: - Values

  /// True if the next value is a string.
  package var isAtString: Bool {
    mutating get { next() == UInt8(ascii: "\"") }
  }

  /// Reads `null` if it is next.
  package mutating func null() throws(JSONProblem) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  /// Reads `true` or `false`.
  package mutating func boolean(_ value: String) throws(JSONProblem) -> Bool {
    switch next() {
    case UInt8(ascii: "t"):
      try word("true")
      return true
    case UInt8(ascii: "f"):
      try word("false")
      return false
    default: throw unexpected(value, "a value")
    }
  }

  private mutating func word(_ text: StaticString) throws(JSONProblem) {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else {
      throw fault(.truncated, "a value", grammar: "a value", found: "the end of the line")
    }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] {
      throw fault(.malformed, "a value", grammar: "a value", found: "another word")
    }
    position += count
  }

  /// Reads any value and drops it.
  package mutating func skipValue() throws(JSONProblem) {
    switch next() {
    case UInt8(ascii: "{"):
      try object("an object") { (reader, _) throws(JSONProblem) in try reader.skipValue() }
    case UInt8(ascii: "["):
      try array("an array") { reader throws(JSONProblem) in try reader.skipValue() }
    case UInt8(ascii: "\""): _ = try string("a string")
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number("a value")
    }
  }

  /// Checks that only white space follows.
  ///
  /// - Parameter text: The text that must end here, in the words of errors.
  package mutating func end(of text: String) throws(JSONProblem) {
    guard next() == nil else {
      let expected = "the end of the \(text)"
      throw fault(.malformed, expected, grammar: expected, found: "more text")
    }
  }

  // MARK: - Punctuation

  @inline(__always)
  mutating func take(
    _ byte: UInt8, _ value: @autoclosure () -> String, _ grammar: StaticString
  ) throws(JSONProblem) {
    guard peek() == byte else { throw mismatch(byte, value(), grammar) }
    position += 1
  }
}
