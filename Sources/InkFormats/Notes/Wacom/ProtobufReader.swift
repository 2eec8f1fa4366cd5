/// Reads the fields of a message of Protocol Buffers in the order in which they are written.
struct ProtobufReader {
  /// The value of a field, by its form on the wire.
  enum Value {
    case number(UInt64)
    case fixed64(UInt64)
    case bytes(ByteCursor)
    case fixed32(UInt32)
  }

  private var cursor: ByteCursor

  /// Starts at the first byte of a message.
  init(_ cursor: ByteCursor) {
    self.cursor = cursor
  }

  /// Returns the next field, or nil at the end.
  mutating func next() throws(InkFormatError) -> (number: Int, value: Value)? {
    guard !cursor.isAtEnd else { return nil }
    let key = try cursor.groups()
    let number = Int(clamping: key >> 3)
    switch key & 7 {
    case 0: return (number, .number(try cursor.groups()))
    case 1: return (number, .fixed64(try cursor.longLong()))
    case 2: return (number, .bytes(try cursor.part(try cursor.count(ofItems: 1))))
    case 5: return (number, .fixed32(try cursor.long()))
    default:
      throw cursor.error(
        .malformed, expected: "a field of Protocol Buffers", found: "another form")
    }
  }
}

extension ProtobufReader.Value {
  /// The bytes of a message or a text; nil for a number.
  var message: ByteCursor? { if case .bytes(let cursor) = self { cursor } else { nil } }

  /// A 32-bit float; nil for another form.
  var float: Double? {
    if case .fixed32(let bits) = self { Double(Float(bitPattern: bits)) } else { nil }
  }

  /// A number; nil for another form.
  var whole: UInt64? { if case .number(let value) = self { value } else { nil } }

  /// A number in zigzag form; nil for another form.
  var signed: Int64? { whole.map(Self.zigzag) }

  private static func zigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Appends 32-bit floats, packed or single.
  func append(floats: inout [Double]) throws(InkFormatError) {
    if let float { return floats.append(float) }
    guard var cursor = message else { return }
    while !cursor.isAtEnd { floats.append(try cursor.float()) }
  }

  /// Appends numbers in zigzag form, packed or single.
  func append(signed: inout [Int64]) throws(InkFormatError) {
    if let value = self.signed { return signed.append(value) }
    guard var cursor = message else { return }
    while !cursor.isAtEnd { signed.append(Self.zigzag(try cursor.groups())) }
  }

  /// Appends numbers, packed or single.
  func append(wholes: inout [UInt64]) throws(InkFormatError) {
    if let value = whole { return wholes.append(value) }
    guard var cursor = message else { return }
    while !cursor.isAtEnd { wholes.append(try cursor.groups()) }
  }
}
