import Files

/// Walks over the JSON of a line or a file: a ``JSONReader`` whose errors name the line.
struct JSONScanner {
  /// The deepest nesting of arrays and objects in a file.
  static let deepestDocument = 128

  private var reader: JSONReader
  let location: SourceLocation
  /// The bytes of the whole file, for line numbers; nil for a single line.
  private let document: UnsafeBufferPointer<UInt8>?

  /// Starts at the first byte of a line. The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at location: SourceLocation) {
    reader = JSONReader(bytes)
    self.location = location
    document = nil
  }

  /// Starts at the first byte of a file, after a byte order mark. The bytes must outlive the scanner.
  init(document bytes: UnsafeBufferPointer<UInt8>, path: String) {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = UnsafeBufferPointer(rebasing: bytes.dropFirst(mark))
    reader = JSONReader(text, deepest: Self.deepestDocument)
    location = SourceLocation(path: path)
    document = text
  }

  /// Returns an error at this line. O(position) in a file.
  func error(
    _ code: InkFormatError.Code, expected: String, found: String
  ) -> InkFormatError {
    guard let document else {
      return InkFormatError(
        code, at: location, expected: expected, found: found, advice: "correct or remove the line")
    }
    let line = 1 + document.prefix(reader.position).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return InkFormatError(
      code, at: SourceLocation(path: location.path, line: line), expected: expected, found: found,
      advice: "correct or remove the file")
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

  /// Reads an array of a few finite numbers, see ``JSONReader/fewNumbers(_:element:)``.
  mutating func fewNumbers(
    _ what: String
  ) throws(InkFormatError) -> (first: Double, second: Double, third: Double, count: Int) {
    try read { reader throws(JSONProblem) in try reader.fewNumbers(what) }
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

  /// True if the next value is a string.
  var isAtString: Bool {
    mutating get { reader.isAtString }
  }

  /// True if the next value is a number.
  var isAtNumber: Bool {
    mutating get { reader.next().map { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 } ?? false }
  }

  /// True if the next value is an array.
  var isAtArray: Bool {
    mutating get { reader.next() == UInt8(ascii: "[") }
  }

  /// True if the next value is an object.
  var isAtObject: Bool {
    mutating get { reader.next() == UInt8(ascii: "{") }
  }

  /// Reads a boolean, or returns nil if the next value is not one.
  mutating func truth() throws(InkFormatError) -> Bool? {
    guard let next = reader.next(), next == UInt8(ascii: "t") || next == UInt8(ascii: "f") else {
      return nil
    }
    return try read { reader throws(JSONProblem) in try reader.boolean("a truth value") }
  }

  /// Reads `null` if it is next.
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

  /// Reads any value with all that is in it.
  mutating func tree() throws(InkFormatError) -> JSONValue {
    try read { reader throws(JSONProblem) in try JSONValue(&reader) }
  }

  /// True if only blanks follow.
  var isAtEnd: Bool {
    mutating get { reader.next() == nil }
  }

  /// Reads any value and drops it.
  mutating func skipValue() throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.skipValue() }
  }

  /// Checks that only blanks follow.
  mutating func end() throws(InkFormatError) {
    try read { reader throws(JSONProblem) in try reader.end(of: "line") }
  }
}
