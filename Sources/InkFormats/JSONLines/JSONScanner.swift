import Files

/// Walks over the JSON of one line: a ``JSONReader`` whose errors name the line.
struct JSONScanner {
  private var reader: JSONReader
  private let location: SourceLocation

  /// Starts at the first byte. The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at location: SourceLocation) {
    reader = JSONReader(bytes)
    self.location = location
  }

  /// An error at this line.
  func error(
    _ code: InkFormatError.Code, expected: String, found: String
  ) -> InkFormatError {
    InkFormatError(
      code, at: location, expected: expected, found: found, advice: "correct or remove the line")
  }

  private func error(_ problem: JSONProblem) -> InkFormatError {
    let code: InkFormatError.Code =
      switch problem.code {
      case .malformed, .duplicateKey, .unknownKey: .malformed
      case .truncated: .truncated
      case .wrongType: .wrongType
      case .missingKey: .missingKey
      case .nonFiniteNumber: .nonFiniteNumber
      case .nestingTooDeep: .nestingTooDeep
      case .invalidEncoding: .invalidEncoding
      }
    return error(code, expected: problem.value, found: problem.found)
  }

  @inline(__always)
  private mutating func read<Value>(
    _ body: (inout JSONReader) throws(JSONProblem) -> Value
  ) throws(InkFormatError) -> Value {
    do throws(JSONProblem) {
      return try body(&reader)
    } catch {
      throw self.error(error)
    }
  }

  /// Reads an object; the closure must read the value of each key.
  mutating func object(
    _ what: String, _ body: (inout JSONScanner, String) throws(InkFormatError) -> Void
  ) throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.openObject(what) }
    while let key = try read({ reader throws(JSONProblem) in try reader.nextKey(of: what) }) {
      try body(&self, key)
    }
  }

  /// Reads an array; the closure must read each element.
  @inline(__always)
  mutating func array(
    _ what: String, _ body: (inout JSONScanner) throws(InkFormatError) -> Void
  ) throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.openArray(what) }
    while try read({ reader throws(JSONProblem) in try reader.nextElement(of: what) }) {
      try body(&self)
    }
  }

  /// Reads an array of finite numbers.
  mutating func numbers(_ what: String) throws(InkFormatError) -> [Double] {
    try read { reader throws(JSONProblem) in try reader.numbers(what) }
  }

  /// Reads an array of finite numbers and nulls, nil for null itself; a null becomes NaN.
  mutating func optionalNumbers(_ name: String) throws(InkFormatError) -> [Double]? {
    try read { reader throws(JSONProblem) in
      try reader.null()
        ? nil
        : try reader.numbers(
          "the array \(name) of numbers", element: "a finite number or null", null: .nan)
    }
  }

  /// Whether a string stands next.
  var isAtString: Bool {
    mutating get { reader.isAtString }
  }

  /// Reads `null` where it stands next.
  mutating func null() throws(InkFormatError) -> Bool {
    try read { reader throws(JSONProblem) in try reader.null() }
  }

  /// Reads a string.
  mutating func string(_ what: String) throws(InkFormatError) -> String {
    try read { reader throws(JSONProblem) in try reader.string(what) }
  }

  /// Reads a finite number, rounded correctly.
  @inline(__always)
  mutating func number(_ what: String) throws(InkFormatError) -> Double {
    try read { reader throws(JSONProblem) in try reader.number(what) }
  }

  /// Reads any value and forgets it.
  mutating func skipValue() throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.skipValue() }
  }

  /// Checks that nothing but blanks follows.
  mutating func end() throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.end(of: "line") }
  }
}
