import Foundation

/// Walks over one JSON text (RFC 8259) of UTF-8 bytes, without building a tree.
///
/// Strict: no comments, no trailing commas, no NaN. Nesting is bounded. Errors tell types and
/// lengths, never values.
struct JSONScanner {
  /// The deepest nesting of arrays and objects in a line.
  static let deepest = 64
  /// The deepest nesting of arrays and objects in a document.
  static let deepestDocument = 128

  let bytes: UnsafeBufferPointer<UInt8>
  let location: SourceLocation
  /// Whether the text is a whole file of several lines.
  private let isDocument: Bool
  var position = 0
  private var depth = 0

  /// Starts at the first byte of a line. The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at location: SourceLocation) {
    self.bytes = bytes
    self.location = location
    isDocument = false
  }

  /// Starts at the first byte of a file, past a byte order mark. The bytes must outlive the scanner.
  init(document bytes: UnsafeBufferPointer<UInt8>, path: String) {
    self.bytes = bytes
    location = SourceLocation(path: path)
    isDocument = true
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// An error at this line. O(position) in a document.
  func error(
    _ code: InkFormatError.Code, expected: String, found: String
  ) -> InkFormatError {
    guard isDocument else {
      return InkFormatError(
        code, at: location, expected: expected, found: found, advice: "correct or remove the line")
    }
    let line = 1 + bytes.prefix(position).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return InkFormatError(
      code, at: SourceLocation(path: location.path, line: line), expected: expected, found: found,
      advice: "correct or remove the file")
  }

  /// The next byte that is no blank, without going past it; nil at the end.
  private mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return byte }
      position += 1
    }
    return nil
  }

  private mutating func unexpected(_ expected: String) -> InkFormatError {
    guard let byte = peek() else {
      return error(.truncated, expected: expected, found: "the end of the line")
    }
    switch byte {
    case UInt8(ascii: "{"): return error(.wrongType, expected: expected, found: "an object")
    case UInt8(ascii: "["): return error(.wrongType, expected: expected, found: "an array")
    case UInt8(ascii: "\""): return error(.wrongType, expected: expected, found: "a string")
    case UInt8(ascii: "N"), UInt8(ascii: "I"):
      return error(.nonFiniteNumber, expected: expected, found: "NaN or Infinity")
    case UInt8(ascii: "-"), 0x30...0x39:
      return error(.wrongType, expected: expected, found: "a number")
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      return error(.wrongType, expected: expected, found: "a truth value")
    case UInt8(ascii: "n"): return error(.wrongType, expected: expected, found: "null")
    default: return error(.malformed, expected: expected, found: "another character")
    }
  }

  mutating func take(
    _ byte: UInt8, _ expected: @autoclosure () -> String
  ) throws(InkFormatError) {
    let next = peek()
    if next == byte {
      position += 1
      return
    }
    guard next != nil else { throw unexpected(expected()) }
    guard byte != UInt8(ascii: ","), byte != UInt8(ascii: ":") else {
      throw error(.malformed, expected: expected(), found: "another character")
    }
    throw unexpected(expected())
  }

  private mutating func descend() throws(InkFormatError) {
    depth += 1
    let deepest = isDocument ? Self.deepestDocument : Self.deepest
    guard depth <= deepest else {
      throw error(
        .nestingTooDeep, expected: "at most \(deepest) nested values", found: "more")
    }
  }

  // MARK: - Values

  /// Reads an object; the closure must read the value of each key.
  mutating func object(
    _ what: String, _ body: (inout JSONScanner, String) throws(InkFormatError) -> Void
  ) throws(InkFormatError) {
    try take(UInt8(ascii: "{"), what)
    try descend()
    var isFirst = true
    while peek() != UInt8(ascii: "}") {
      if !isFirst { try take(UInt8(ascii: ","), "a comma or the end of \(what)") }
      isFirst = false
      let key = try string("a key")
      try take(UInt8(ascii: ":"), "a colon after a key of \(what)")
      try body(&self, key)
    }
    position += 1
    depth -= 1
  }

  /// Reads an array; the closure must read each element.
  @inline(__always)
  mutating func array(
    _ what: String, _ body: (inout JSONScanner) throws(InkFormatError) -> Void
  ) throws(InkFormatError) {
    try take(UInt8(ascii: "["), what)
    try descend()
    var isFirst = true
    while peek() != UInt8(ascii: "]") {
      if !isFirst { try take(UInt8(ascii: ","), "a comma or the end of \(what)") }
      isFirst = false
      try body(&self)
    }
    position += 1
    depth -= 1
  }

  /// Whether a string stands next.
  var isAtString: Bool {
    mutating get { peek() == UInt8(ascii: "\"") }
  }

  /// Whether a number stands next.
  var isAtNumber: Bool {
    mutating get { peek().map { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 } ?? false }
  }

  /// Whether an array stands next.
  var isAtArray: Bool {
    mutating get { peek() == UInt8(ascii: "[") }
  }

  /// Whether an object stands next.
  var isAtObject: Bool {
    mutating get { peek() == UInt8(ascii: "{") }
  }

  /// Reads `null` where it stands next.
  mutating func null() throws(InkFormatError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  /// Reads a truth value, or nil where none stands next.
  mutating func truth() throws(InkFormatError) -> Bool? {
    switch peek() {
    case UInt8(ascii: "t"):
      try word("true")
      return true
    case UInt8(ascii: "f"):
      try word("false")
      return false
    default: return nil
    }
  }

  private mutating func word(_ text: StaticString) throws(InkFormatError) {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else {
      throw error(.truncated, expected: "a value", found: "the end of the line")
    }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] {
      throw error(.malformed, expected: "a value", found: "another word")
    }
    position += count
  }

  /// Reads any value and forgets it.
  mutating func skipValue() throws(InkFormatError) {
    switch peek() {
    case UInt8(ascii: "{"):
      try object("an object") { (scanner, _) throws(InkFormatError) in try scanner.skipValue() }
    case UInt8(ascii: "["):
      try array("an array") { scanner throws(InkFormatError) in try scanner.skipValue() }
    case UInt8(ascii: "\""): _ = try string("a string")
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number("a value")
    }
  }

  /// Checks that nothing but blanks follows.
  mutating func end() throws(InkFormatError) {
    guard peek() == nil else {
      throw error(.malformed, expected: "the end of the line", found: "more text")
    }
  }

  // MARK: - Numbers

  /// Reads a finite number, rounded correctly.
  mutating func number(_ what: String) throws(InkFormatError) -> Double {
    guard let first = peek(), first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
      throw unexpected(what)
    }
    let start = position
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var mantissa: UInt64 = 0
    let digits = position
    var isExact = true
    digitRun(&mantissa, &isExact)
    let whole = position - digits
    guard whole == 1 || (whole > 1 && bytes[digits] != 0x30) else { throw malformedNumber(what) }
    var exponent = 0
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      digitRun(&mantissa, &isExact)
      guard position > fraction else { throw malformedNumber(what) }
      exponent = fraction - position
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D {
        position += 1
      }
      let power = position
      var ignored: UInt64 = 0
      digitRun(&ignored, &isExact)
      guard position > power else { throw malformedNumber(what) }
      isExact = false
    }
    // Mantissa and power of ten are exact below these bounds, so that one division rounds once.
    if isExact, mantissa < 1 << 53, exponent >= -22 {
      let value = Double(mantissa) / Self.powers[-exponent]
      return isNegative ? -value : value
    }
    return try slowNumber(start, what)
  }

  private mutating func malformedNumber(_ what: String) -> InkFormatError {
    if position >= bytes.count {
      return error(.truncated, expected: what, found: "the end of the line")
    }
    if bytes[position] == UInt8(ascii: "I") {
      return error(.nonFiniteNumber, expected: what, found: "-Infinity")
    }
    return error(.malformed, expected: what, found: "a number that JSON does not allow")
  }

  @inline(__always)
  private mutating func digitRun(_ mantissa: inout UInt64, _ isExact: inout Bool) {
    while position < bytes.count {
      let digit = bytes[position] &- 0x30
      guard digit < 10 else { return }
      if mantissa >= 1 << 59 { isExact = false }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      position += 1
    }
  }

  private func slowNumber(_ start: Int, _ what: String) throws(InkFormatError) -> Double {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw error(
        .nonFiniteNumber, expected: what, found: "a number too large for a double")
    }
    return value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension JSONScanner {
  /// Reads a string.
  mutating func string(_ what: String) throws(InkFormatError) -> String {
    try take(UInt8(ascii: "\""), what)
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return try decode(text, isASCII: isASCII, what)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, what) }
      guard byte >= 0x20 else { throw controlCharacter(what) }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw error(.truncated, expected: what, found: "the end of the line inside a string")
  }

  private func controlCharacter(_ what: String) -> InkFormatError {
    error(.malformed, expected: what, found: "an unescaped control character in a string")
  }

  private func decode(
    _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, _ what: String
  ) throws(InkFormatError) -> String {
    if !isASCII, !UTF8Check.isValid(text) {
      throw error(.invalidEncoding, expected: "\(what) in UTF-8", found: "other bytes")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escapedString(
    from start: Int, _ what: String
  ) throws(InkFormatError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard UTF8Check.isValid(text) else {
          throw error(.invalidEncoding, expected: "\(what) in UTF-8", found: "other bytes")
        }
        return String(decoding: text, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw controlCharacter(what) }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: try escape(what))
      } else {
        text.append(byte)
      }
    }
    throw error(.truncated, expected: what, found: "the end of the line inside a string")
  }

  /// Reads what follows a backslash, as UTF-8.
  private mutating func escape(_ what: String) throws(InkFormatError) -> [UInt8] {
    guard position < bytes.count else {
      throw error(.truncated, expected: what, found: "the end of the line inside a string")
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw error(.malformed, expected: what, found: "an unknown escape in a string")
    }
    var code = try hexDigits(what)
    if code & 0xFC00 == 0xD800, position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let low = try hexDigits(what)
      guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(what) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(what) }
    return Array(String(scalar).utf8)
  }

  private func loneSurrogate(_ what: String) -> InkFormatError {
    error(.invalidEncoding, expected: what, found: "half of a surrogate pair in a string")
  }

  private mutating func hexDigits(_ what: String) throws(InkFormatError) -> UInt32 {
    guard position + 4 <= bytes.count else {
      throw error(.truncated, expected: what, found: "the end of the line inside an escape")
    }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw error(.malformed, expected: what, found: "an escape \\u without four hex digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

/// Checks that bytes are well-formed UTF-8.
enum UTF8Check {
  /// Whether the bytes are well-formed UTF-8. O(n).
  static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
