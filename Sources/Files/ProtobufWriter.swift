/// Writes the fields of a message of Protocol Buffers (the binary form, proto3) into bytes.
///
///     var event = ProtobufWriter()
///     event.double(1, 1.5)
///     event.message(5) { $0.string(1, "loss") }
package struct ProtobufWriter: Sendable {
  /// The message so far.
  package private(set) var bytes: [UInt8] = []

  /// Begins an empty message.
  package init() {}

  /// Appends a whole number; int32, int64, uint64, bool and enumerations have the same form.
  package mutating func integer(_ field: Int, _ value: Int) {
    key(field, 0)
    varint(UInt64(bitPattern: Int64(value)))
  }

  /// Appends a 64-bit float.
  package mutating func double(_ field: Int, _ value: Double) {
    key(field, 1)
    append(value.bitPattern)
  }

  /// Appends a 32-bit float.
  package mutating func float(_ field: Int, _ value: Float) {
    key(field, 5)
    append(value.bitPattern)
  }

  /// Appends a text in UTF-8.
  package mutating func string(_ field: Int, _ value: String) { data(field, value.utf8) }

  /// Appends bytes. O(bytes).
  package mutating func data(_ field: Int, _ value: some Collection<UInt8>) {
    key(field, 2)
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Appends a message within this one. O(bytes).
  package mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    data(field, inner.bytes)
  }

  /// Appends an array of 64-bit floats in packed form.
  package mutating func doubles(_ field: Int, _ values: [Double]) {
    key(field, 2)
    varint(UInt64(8 * values.count))
    for value in values { append(value.bitPattern) }
  }

  /// Appends an array of whole numbers in packed form.
  package mutating func integers(_ field: Int, _ values: [Int]) {
    var inner = ProtobufWriter()
    for value in values { inner.varint(UInt64(bitPattern: Int64(value))) }
    data(field, inner.bytes)
  }

  private mutating func key(_ field: Int, _ form: UInt64) { varint(UInt64(field) << 3 | form) }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
