import Files

/// Reads the tags of an XML ink file: `XMLReader`, with errors that name the file and the line.
struct XMLScanner {
  typealias Tag = XMLTag

  private var reader: XMLReader
  let path: String
  private let lines: LineNumbers

  /// The position of the scanner, in bytes.
  var position: Int { reader.position }

  /// Starts at the first byte, after a byte order mark. The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>, path: String) {
    reader = XMLReader(bytes)
    self.path = path
    lines = LineNumbers(of: bytes)
  }

  /// An error at the line of a position, else at the current one.
  ///
  /// - Complexity: O(bytes) for the first error, O(1) for others.
  func error(
    _ code: InkFormatError.Code, at place: Int? = nil, expected: String, found: String
  ) -> InkFormatError {
    return InkFormatError(
      code, at: SourceLocation(path: path, line: lines.line(at: place ?? position)),
      expected: expected, found: found,
      advice: "correct or remove the file")
  }

  private func error(_ problem: XMLProblem) -> InkFormatError {
    return InkFormatError(
      problem, at: SourceLocation(path: path, line: lines.line(at: problem.offset)))
  }

  /// Returns the next tag, or nil at the end.
  mutating func nextTag() throws(InkFormatError) -> Tag? {
    do throws(XMLProblem) { return try reader.nextTag() } catch { throw self.error(error) }
  }

  /// Returns the text from here to the end tag of the element; see `XMLReader.content()`.
  mutating func content() throws(InkFormatError) -> String {
    do throws(XMLProblem) { return try reader.content() } catch { throw self.error(error) }
  }

  /// Returns the bytes of ``content()``, without checking that they are UTF-8.
  mutating func rawContent() throws(InkFormatError) -> XMLContent {
    do throws(XMLProblem) { return try reader.rawContent() } catch { throw self.error(error) }
  }

  // MARK: - Attributes

  /// Returns a required attribute.
  func require(_ key: String, of tag: Tag) throws(InkFormatError) -> String {
    guard let value = tag[key] else {
      throw error(
        .missingKey, expected: "the attribute \(key) of \(tag.name)", found: "a tag without it")
    }
    return value
  }

  /// Returns a required attribute that is a finite number.
  func number(_ key: String, of tag: Tag) throws(InkFormatError) -> Double {
    if let value = tag.exactNumber(key) { return value }
    let text = try require(key, of: tag)
    guard let value = Self.double(text) else {
      throw error(
        .wrongType, expected: "a number in the attribute \(key) of \(tag.name)",
        found: "a string of \(text.utf8.count) bytes")
    }
    guard value.isFinite else {
      throw error(
        .nonFiniteNumber, expected: "a finite number in the attribute \(key) of \(tag.name)",
        found: "NaN or infinity")
    }
    return value
  }

  /// Returns the number of a text, which may have a decimal comma.
  static func double(_ text: String) -> Double? {
    if let value = Double(text) { return value }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !text.contains(".") else { return nil }
    return Double("\(parts[0]).\(parts[1])")
  }
}

extension InkFormatError {
  /// Makes the error of a problem in XML.
  package init(_ problem: XMLProblem, at location: SourceLocation) {
    let code: Code =
      switch problem.code {
      case .malformed: .malformed
      case .truncated: .truncated
      case .nestingTooDeep: .nestingTooDeep
      case .invalidEncoding: .invalidEncoding
      case .tooLarge: .tooLarge
      }
    self.init(
      code, at: location, expected: problem.expected, found: problem.found,
      advice: "correct or remove the file")
  }
}

/// The encodings of XML ink files.
enum XMLText {
  private static let longestDeclaration = 1 << 10

  /// The bytes in UTF-8: those of a file in UTF-16 with a byte order mark and of one that says it is in
  /// Latin-1 or Windows-1252 are converted, others are as they are.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes, high: 1) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes, high: 0) }
    guard saysLatin1(bytes), !UTF8Check.isValid(bytes) else { return bytes }
    return Array(Latin1.string(bytes).utf8)
  }

  /// Returns true for the first bytes of a file that ``utf8(_:)`` may convert.
  static func isConverted(_ start: [UInt8]) -> Bool {
    start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || saysLatin1(start)
  }

  private static func saysLatin1(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: Array("<?xml".utf8)),
      let end = bytes.prefix(longestDeclaration).firstIndex(of: UInt8(ascii: ">"))
    else { return false }
    let declaration = Latin1.string(bytes[..<end]).lowercased()
    return ["iso-8859-1", "windows-1252", "latin1"].contains(where: declaration.contains)
  }

  private static func utf16(_ bytes: [UInt8], high: Int) -> [UInt8] {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
