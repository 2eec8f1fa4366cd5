import Foundation

/// A cursor over the lines of a file.
struct UNIPENLines {
  let base: UnsafePointer<UInt8>
  let count: Int
  let path: String
  var position = 0
  var number = 1

  init(base: UnsafePointer<UInt8>, count: Int, path: String) {
    self.base = base
    self.count = count
    self.path = path
  }

  var location: SourceLocation { SourceLocation(path: path, line: number) }

  /// Where the current line ends: at its newline, or at the end of the file.
  var lineEnd: Int {
    guard let found = memchr(base + position, 0x0A, count - position) else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  mutating func goPast(_ end: Int) {
    position = end + 1
    number += 1
  }
}

extension UNIPENLines {
  /// Whether the current line starts with a keyword and then ends or goes on after a blank.
  @inline(__always)
  func startsKeyword(_ keyword: StaticString) -> Bool {
    let length = keyword.utf8CodeUnitCount
    guard count - position >= length, memcmp(base + position, keyword.utf8Start, length) == 0
    else { return false }
    return position + length == count || base[position + length] <= 0x20
  }

  /// The bytes between a keyword and the end of its line.
  func argument(
    after keyword: StaticString, end: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let start = Swift.min(position + keyword.utf8CodeUnitCount, end)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// The words between a keyword and the end of its line, read as Latin-1.
  func words(after keyword: StaticString, end: Int) -> [String] {
    argument(after: keyword, end: end).split { $0 <= 0x20 }.map { Latin1.string($0) }
  }
}
