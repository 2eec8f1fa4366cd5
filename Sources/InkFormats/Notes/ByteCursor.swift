import Files

/// Reads the numbers of a binary file in order, little-endian, with typed errors at its end.
struct ByteCursor {
  private let bytes: [UInt8]
  private(set) var position: Int
  /// The first byte that does not belong to the part that is read.
  let end: Int
  let path: String

  /// Starts at the first byte.
  init(_ bytes: [UInt8], path: String) {
    self.init(bytes, range: 0..<bytes.count, path: path)
  }

  private init(_ bytes: [UInt8], range: Range<Int>, path: String) {
    (self.bytes, self.path) = (bytes, path)
    (position, end) = (range.lowerBound, range.upperBound)
  }

  var isAtEnd: Bool { position >= end }
  /// The bytes that are left.
  var count: Int { end - position }

  /// Makes an error of this file.
  func error(
    _ code: InkFormatError.Code, expected: String, found: String,
    advice: String = "save the file again, or report it with the version of the program"
  ) -> InkFormatError {
    InkFormatError(
      code, at: SourceLocation(path: path), expected: expected, found: found, advice: advice)
  }

  /// Goes past bytes and returns the place of the first.
  @inline(__always)
  private mutating func take(_ count: Int) throws(InkFormatError) -> Int {
    guard count >= 0, count <= end - position else {
      throw error(.truncated, expected: "\(count) more bytes", found: "\(end - position)")
    }
    defer { position += count }
    return position
  }

  mutating func skip(_ count: Int) throws(InkFormatError) { _ = try take(count) }

  @inline(__always)
  private mutating func number(_ count: Int) throws(InkFormatError) -> UInt64 {
    let start = try take(count)
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return value
  }

  mutating func byte() throws(InkFormatError) -> UInt8 { bytes[try take(1)] }
  mutating func short() throws(InkFormatError) -> UInt16 { UInt16(try number(2)) }
  mutating func long() throws(InkFormatError) -> UInt32 { UInt32(try number(4)) }
  mutating func longLong() throws(InkFormatError) -> UInt64 { try number(8) }
  mutating func signedLong() throws(InkFormatError) -> Int32 { Int32(bitPattern: try long()) }
  mutating func float() throws(InkFormatError) -> Double {
    Double(Float(bitPattern: try long()))
  }
  mutating func double() throws(InkFormatError) -> Double { Double(bitPattern: try longLong()) }

  /// Reads a number of groups of seven bits, the lowest first.
  mutating func groups() throws(InkFormatError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      value |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
      if byte & 0x80 == 0 { return value }
    }
    throw error(.malformed, expected: "a number of at most 10 bytes", found: "a longer one")
  }

  /// Reads a count that memory is reserved for: no more than the bytes that are left allow.
  mutating func count(ofItems size: Int) throws(InkFormatError) -> Int {
    let value = Int(clamping: try groups())
    return try check(value, size)
  }

  /// Checks a count of items of at least some bytes each.
  func check(_ value: Int, _ size: Int) throws(InkFormatError) -> Int {
    guard value >= 0, value <= count / max(1, size) else {
      throw error(
        .truncated, expected: "the bytes of \(value) items", found: "\(count) bytes")
    }
    return value
  }

  /// Goes past bytes and returns a cursor over them.
  mutating func part(_ count: Int) throws(InkFormatError) -> ByteCursor {
    let start = try take(count)
    return ByteCursor(bytes, range: start..<(start + count), path: path)
  }

  /// Returns the next byte without going past it.
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Returns a byte further on, without going past it.
  func peek(_ offset: Int) -> UInt8? {
    position + offset < end ? bytes[position + offset] : nil
  }

  mutating func array(_ count: Int) throws(InkFormatError) -> ArraySlice<UInt8> {
    let start = try take(count)
    return bytes[start..<(start + count)]
  }

  /// Reads text.
  mutating func text(_ count: Int) throws(InkFormatError) -> String {
    let slice = try array(count)
    guard UTF8Check.isValid(slice) else {
      throw error(.invalidEncoding, expected: "text in UTF-8", found: "other bytes")
    }
    return String(decoding: slice, as: UTF8.self)
  }

  /// Goes to a place in the part that is read.
  mutating func seek(_ offset: Int, from start: Int = 0) throws(InkFormatError) {
    guard offset >= start, offset <= end else {
      throw error(.rangeOutOfBounds, expected: "a place in the file", found: "one outside of it")
    }
    position = offset
  }
}

/// Counts strokes and points of a file, so that no small file makes a large ink.
struct InkBudget {
  /// The most strokes and points of a file.
  static let strokes = 1_000_000
  static let points = 8_000_000

  private var strokes = 0
  private var points = 0

  /// Counts a stroke.
  mutating func add(_ count: Int, path: String) throws(InkFormatError) {
    strokes += 1
    points += count
    guard strokes <= Self.strokes, points <= Self.points else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: path),
        expected: "at most \(Self.strokes) strokes and \(Self.points) points in a file",
        found: "more", advice: "split the file")
    }
  }
}
