/// Reads the members of a document of BSON in the order in which they are written.
struct BSONReader {
  /// The deepest nesting of documents.
  static let deepest = 32

  /// A value; documents and bytes are read when they are needed.
  enum Value {
    case number(Double)
    case whole(Int64)
    case text(String)
    case document(BSONReader)
    case bytes(ByteCursor)
    case truth(Bool)
    /// Null, dates and whatever else notes have no use for.
    case other
  }

  private var cursor: ByteCursor
  private let depth: Int

  /// Starts at the length of a document.
  init(_ cursor: inout ByteCursor, depth: Int = 0) throws(InkFormatError) {
    guard depth <= Self.deepest else {
      throw cursor.error(
        .nestingTooDeep, expected: "at most \(Self.deepest) documents in each other", found: "more")
    }
    let length = Int(try cursor.signedLong())
    guard length >= 5 else {
      throw cursor.error(.malformed, expected: "the length of a document", found: "\(length)")
    }
    self.cursor = try cursor.part(length - 4)
    self.depth = depth
  }

  /// Returns the next member, or nil at the end.
  mutating func next() throws(InkFormatError) -> (name: String, value: Value)? {
    let type = try cursor.byte()
    guard type != 0 else { return nil }
    let name = try zeroEnded()
    switch type {
    case 0x01: return (name, .number(try cursor.double()))
    case 0x02, 0x0D, 0x0E: return (name, .text(try string()))
    case 0x03, 0x04: return (name, .document(try BSONReader(&cursor, depth: depth + 1)))
    case 0x05:
      let count = Int(try cursor.signedLong())
      try cursor.skip(1)
      return (name, .bytes(try cursor.part(count)))
    case 0x08: return (name, .truth(try cursor.byte() != 0))
    case 0x10: return (name, .whole(Int64(try cursor.signedLong())))
    case 0x12: return (name, .whole(Int64(bitPattern: try cursor.longLong())))
    case 0x06, 0x0A, 0x7F, 0xFF: return (name, .other)
    case 0x07: try cursor.skip(12)
    case 0x09, 0x11: try cursor.skip(8)
    case 0x13: try cursor.skip(16)
    case 0x0B:
      _ = try zeroEnded()
      _ = try zeroEnded()
    default:
      throw cursor.error(
        .malformed, expected: "a value of BSON", found: "the unknown type \(type)")
    }
    return (name, .other)
  }

  private mutating func string() throws(InkFormatError) -> String {
    let count = Int(try cursor.signedLong())
    guard count > 0 else {
      throw cursor.error(.malformed, expected: "the length of a text", found: "\(count)")
    }
    let text = try cursor.text(count - 1)
    try cursor.skip(1)
    return text
  }

  private mutating func zeroEnded() throws(InkFormatError) -> String {
    var count = 0
    while let byte = cursor.peek(count), byte != 0 { count += 1 }
    let text = try cursor.text(count)
    try cursor.skip(1)
    return text
  }
}

extension BSONReader.Value {
  var double: Double? {
    switch self {
    case .number(let value): value
    case .whole(let value): Double(value)
    case .text, .document, .bytes, .truth, .other: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var truth: Bool? { if case .truth(let value) = self { value } else { nil } }
  var document: BSONReader? { if case .document(let value) = self { value } else { nil } }
  var bytes: ByteCursor? { if case .bytes(let value) = self { value } else { nil } }
}
