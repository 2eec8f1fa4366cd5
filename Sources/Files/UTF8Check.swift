/// Checks that bytes are well-formed UTF-8.
package enum UTF8Check {
  /// Returns true if the bytes are well-formed UTF-8. O(n).
  package static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable { isValid($0) }
      ?? Array(bytes).withUnsafeBufferPointer { isValid($0) }
  }

  /// Returns true if the bytes are well-formed UTF-8. O(n).
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      guard bytes[position] >= 0x80 else {
        position += 1
        continue
      }
      guard let length = sequence(bytes, position) else { return false }
      position += length
    }
    return true
  }

  /// The length of the sequence of several bytes that begins at a position; nil for one that is not
  /// well-formed (Unicode 16, table 3-7).
  private static func sequence(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
    let (length, second): (Int, ClosedRange<UInt8>)
    switch bytes[position] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
    for index in (position + 2)..<(position + max(length, 2)) where bytes[index] & 0xC0 != 0x80 {
      return nil
    }
    return length
  }
}
