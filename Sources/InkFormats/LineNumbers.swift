/// The numbers of the lines of a text.
///
/// The first lookup counts the lines of the whole text. Later ones take constant time, so that a
/// file with many errors is not read many times. Not thread-safe.
final class LineNumbers {
  private static let block = 1 << 8

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The newlines before each block, once they were counted.
  private var before: [Int] = []

  /// Takes a text, which must outlive the object.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The line of a position, from 1.
  func line(at position: Int) -> Int {
    if before.isEmpty {
      var count = 0
      for start in stride(from: 0, through: bytes.count, by: Self.block) {
        before.append(count)
        count += newlines(in: start..<min(start + Self.block, bytes.count))
      }
    }
    let block = position / Self.block
    return 1 + before[block] + newlines(in: (block * Self.block)..<position)
  }

  private func newlines(in range: Range<Int>) -> Int {
    var count = 0
    for index in range where bytes[index] == 0x0A { count += 1 }
    return count
  }
}
