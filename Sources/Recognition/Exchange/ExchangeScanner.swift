import Files

/// Walks over the JSON of a request: a strict ``JSONReader`` whose errors are ``ExchangeError``.
package struct ExchangeScanner {
  /// The deepest nesting of arrays and objects.
  private static let deepest = 64

  private var reader: JSONReader

  /// Starts at the first byte. The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    reader = JSONReader(bytes, deepest: Self.deepest, refusesDuplicateKeys: true)
  }

  /// The index of the next byte.
  var position: Int { reader.position }

  /// Returns the next byte that is not white space, without going past it; nil at the end.
  mutating func next() -> UInt8? { reader.next() }

  /// Reads an object; the closure must read the value of each key.
  mutating func object(
    _ member: (inout ExchangeScanner, String) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    try read { reader throws(JSONProblem) in try reader.openObject("an object") }
    while let key = try read({ reader throws(JSONProblem) in try reader.nextKey(of: "an object") })
    {
      try member(&self, key)
    }
  }

  /// Reads an array; the closure must read each element.
  mutating func array(
    _ element: (inout ExchangeScanner) throws(ExchangeError) -> Void
  ) throws(ExchangeError) {
    try read { reader throws(JSONProblem) in try reader.openArray("an array") }
    while try read({ reader throws(JSONProblem) in try reader.nextElement(of: "an array") }) {
      try element(&self)
    }
  }

  /// Reads a number: its text, and whether it has neither fraction nor exponent.
  mutating func number() throws(ExchangeError) -> (text: String, isInteger: Bool) {
    try read { reader throws(JSONProblem) in try reader.numberText("a number") }
  }

  /// Reads a string, with its escapes resolved.
  mutating func string() throws(ExchangeError) -> String {
    try read { reader throws(JSONProblem) in try reader.string("a string") }
  }

  /// Reads `true` or `false` if it is next; otherwise returns nil.
  mutating func truth() throws(ExchangeError) -> Bool? {
    guard let next = next(), next == UInt8(ascii: "t") || next == UInt8(ascii: "f") else {
      return nil
    }
    return try read { reader throws(JSONProblem) in try reader.boolean("a value") }
  }

  /// Reads `null` if it is next.
  mutating func isNull() throws(ExchangeError) -> Bool {
    try read { reader throws(JSONProblem) in try reader.null() }
  }

  /// Reads any value with all that is in it.
  mutating func tree() throws(ExchangeError) -> JSONValue {
    try read { reader throws(JSONProblem) in try JSONValue(&reader) }
  }

  /// Reads any value and drops it.
  mutating func skip() throws(ExchangeError) {
    try read { reader throws(JSONProblem) in try reader.skipValue() }
  }

  /// Checks that only white space follows.
  mutating func end(of text: String) throws(ExchangeError) {
    try read { reader throws(JSONProblem) in try reader.end(of: text) }
  }

  private mutating func read<Value>(
    _ body: (inout JSONReader) throws(JSONProblem) -> Value
  ) throws(ExchangeError) -> Value {
    do throws(JSONProblem) {
      return try body(&reader)
    } catch {
      if case .duplicateKey = error.code { throw .duplicateKey }
      throw .malformedJSON(offset: error.offset, expected: error.grammar)
    }
  }
}
