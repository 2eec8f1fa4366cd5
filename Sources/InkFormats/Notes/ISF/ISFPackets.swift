/// Unpacks the columns of a stroke in ISF: one number for each point.
///
/// The first byte says how they are packed. Huffman codes have a prefix of ones that selects the number
/// of bits behind it; plain bits have two's complements of one width. Both may hold second differences.
enum ISFPackets {
  /// The bits behind prefixes of 0, 1, 2 … ones, of the eight tables of the format.
  private static let tables: [[Int]] = [
    [0, 1, 2, 4, 6, 8, 12, 16, 24, 32], [0, 1, 1, 2, 4, 8, 12, 16, 24, 32],
    [0, 1, 1, 1, 2, 4, 8, 14, 22, 32], [0, 2, 2, 3, 5, 8, 12, 16, 24, 32],
    [0, 3, 4, 5, 8, 12, 16, 24, 32], [0, 4, 6, 8, 12, 16, 24, 32], [0, 6, 8, 12, 16, 24, 32],
    [0, 7, 8, 12, 16, 24, 32],
  ]

  /// Bits from the highest of each byte on.
  private struct Bits {
    var cursor: ByteCursor
    private var byte: UInt8 = 0
    private var left = 0

    init(_ cursor: ByteCursor) {
      self.cursor = cursor
    }

    mutating func next() throws(InkFormatError) -> Bool {
      if left == 0 {
        byte = try cursor.byte()
        left = 8
      }
      left -= 1
      return byte >> UInt8(left) & 1 == 1
    }

    mutating func number(_ count: Int) throws(InkFormatError) -> UInt64 {
      var value: UInt64 = 0
      for _ in 0..<count { value = value << 1 | (try next() ? 1 : 0) }
      return value
    }
  }

  /// Restores numbers from their second differences.
  private struct Sums {
    private var last: Int64 = 0
    private var before: Int64 = 0

    mutating func next(_ difference: Int64) -> Int64 {
      let value = difference &+ 2 &* last &- before
      (before, last) = (last, value)
      return value
    }
  }

  /// Reads a column.
  static func column(
    _ cursor: inout ByteCursor, count: Int
  ) throws(InkFormatError) -> [Int64] {
    guard count > 0 else { return [] }
    let packing = try cursor.byte()
    switch packing & 0xC0 {
    case 0x80: return try huffman(&cursor, count, table: Int(packing & 0x3F))
    case 0x00: return try plain(&cursor, count, packing)
    default:
      throw cursor.error(
        .unsupported, expected: "points in Huffman codes or plain bits",
        found: "packing \(packing)", advice: "save the ink as InkML")
    }
  }

  private static func huffman(
    _ cursor: inout ByteCursor, _ count: Int, table: Int
  ) throws(InkFormatError) -> [Int64] {
    guard table < tables.count else {
      throw cursor.error(
        .unsupported, expected: "one of the 8 tables of the format", found: "table \(table)",
        advice: "save the ink as InkML")
    }
    let sizes = tables[table]
    // The least value of each prefix; one bit of a value is its sign.
    var least: [Int64] = [0]
    var sum: Int64 = 1
    for size in sizes.dropFirst() {
      least.append(sum)
      sum += 1 << Int64(size - 1)
    }
    var bits = Bits(cursor)
    func value() throws(InkFormatError) -> Int64 {
      var ones = 0
      while try bits.next() {
        ones += 1
        guard ones < sizes.count else {
          throw cursor.error(
            .unsupported, expected: "coordinates of 32 bits", found: "larger ones",
            advice: "save the ink as InkML")
        }
      }
      guard ones > 0 else { return 0 }
      let raw = try bits.number(sizes[ones])
      let size = Int64(raw >> 1) + least[ones]
      return raw & 1 == 1 ? -size : size
    }
    var sums = Sums()
    var values: [Int64] = []
    // Each value has a bit or more.
    values.reserveCapacity(min(count, 8 * cursor.count))
    for _ in 0..<count { values.append(sums.next(try value())) }
    cursor = bits.cursor
    return values
  }

  private static func plain(
    _ cursor: inout ByteCursor, _ count: Int, _ packing: UInt8
  ) throws(InkFormatError) -> [Int64] {
    let hasDifferences = packing & 0x20 != 0
    let width = packing & 0x1F == 0 ? 32 : Int(packing & 0x1F)
    var sums = Sums()
    var values: [Int64] = []
    if hasDifferences {
      for _ in 0..<min(2, count) { values.append(sums.next(try cursor.signedGroups())) }
    }
    guard (count - values.count) * width <= 8 * cursor.count else {
      throw cursor.error(.truncated, expected: "\(count) points", found: "fewer bytes")
    }
    var bits = Bits(cursor)
    while values.count < count {
      let raw = Int64(try bits.number(width))
      let isNegative = raw >> Int64(width - 1) & 1 == 1
      let value = isNegative ? raw - (1 << Int64(width)) : raw
      values.append(hasDifferences ? sums.next(value) : value)
    }
    cursor = bits.cursor
    return values
  }
}

extension ByteCursor {
  /// Reads a number of groups of seven bits whose lowest bit is its sign.
  mutating func signedGroups() throws(InkFormatError) -> Int64 {
    let raw = try groups()
    let size = Int64(clamping: raw >> 1)
    return raw & 1 == 1 ? -size : size
  }
}
