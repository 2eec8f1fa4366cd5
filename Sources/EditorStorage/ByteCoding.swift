import InkCore
import InkEditor

/// Appends values in the compact form of packages; see docs/DocumentFormat.md.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Appends a number of 7 bits in each byte, the lowest first.
  mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends a number with its sign in the lowest bit.
  mutating func signed(_ value: Int64) {
    unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func count(_ value: Int) { unsigned(UInt64(max(0, value))) }

  mutating func number(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Appends whole numbers as differences.
  mutating func list(_ values: [Int]) {
    count(values.count)
    var last = 0
    for value in values {
      signed(Int64(value &- last))
      last = value
    }
  }

  /// Appends a value that may be missing.
  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  mutating func box(_ box: BoundingBox) {
    for value in [box.minX, box.minY, box.maxX, box.maxY] { number(value) }
  }
}

/// Reads values that ``ByteWriter`` wrote, and refuses all others.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private static let ended = ContentFault("a record ends too early")
  private static let malformed = ContentFault("a record is malformed")

  /// The number of bytes that are left.
  var rest: Int { bytes.count - place }

  /// Checks that everything was read.
  /// True if all bytes were read.
  var isAtEnd: Bool { rest == 0 }

  func end() throws(ContentFault) {
    guard rest == 0 else { throw Self.malformed }
  }

  @inline(__always)
  mutating func byte() throws(ContentFault) -> UInt8 {
    guard place < bytes.count else { throw Self.ended }
    defer { place += 1 }
    return bytes[place]
  }

  @inline(__always)
  mutating func unsigned() throws(ContentFault) -> UInt64 {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let next = try byte()
      result |= UInt64(next & 0x7F) << shift
      guard next & 0x80 != 0 else { return result }
      shift += 7
      guard shift < 64 else { throw Self.malformed }
    }
  }

  @inline(__always)
  mutating func signed() throws(ContentFault) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads a whole number below 2^31.
  mutating func small() throws(ContentFault) -> Int {
    let value = try unsigned()
    guard value < 1 << 31 else { throw Self.malformed }
    return Int(value)
  }

  /// Reads the number of elements that follow, each of which takes at least one byte.
  mutating func count() throws(ContentFault) -> Int {
    let value = try unsigned()
    guard value <= UInt64(rest) else { throw Self.malformed }
    return Int(value)
  }

  mutating func flag() throws(ContentFault) -> Bool {
    let value = try byte()
    guard value < 2 else { throw Self.malformed }
    return value == 1
  }

  /// Reads a finite number.
  @inline(__always)
  mutating func number() throws(ContentFault) -> Double {
    guard rest >= 8 else { throw Self.ended }
    let bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    place += 8
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw Self.malformed }
    return value
  }

  mutating func text() throws(ContentFault) -> String {
    let count = try count()
    defer { place += count }
    guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else {
      throw Self.malformed
    }
    return text
  }

  mutating func list() throws(ContentFault) -> [Int] {
    let count = try count()
    var result: [Int] = []
    result.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      last &+= try signed()
      guard (0..<1 << 31).contains(last) else { throw Self.malformed }
      result.append(Int(last))
    }
    return result
  }

  mutating func optional<Value>(
    _ read: (inout ByteReader) throws(ContentFault) -> Value
  ) throws(ContentFault) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Reads a list of values.
  mutating func values<Value>(
    _ read: (inout ByteReader) throws(ContentFault) -> Value
  ) throws(ContentFault) -> [Value] {
    let count = try count()
    var result: [Value] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(try read(&self)) }
    return result
  }

  mutating func box() throws(ContentFault) -> BoundingBox {
    let (minX, minY, maxX, maxY) = (try number(), try number(), try number(), try number())
    guard minX <= maxX, minY <= maxY else { throw Self.malformed }
    return BoundingBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  /// Reads bytes as bits, the lowest first.
  mutating func bits(_ count: Int) throws(ContentFault) -> UnsafeRawBufferPointer {
    let length = (count + 7) / 8
    guard rest >= length else { throw Self.ended }
    defer { place += length }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
  }
}
