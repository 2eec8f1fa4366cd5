import Files
import Foundation

/// Reads a file line by line through one buffer, with the memory of the longest line, or reads the
/// lines of bytes in memory.
final class LineReader {
  /// The longest line, in bytes.
  static let longestLine = 64 << 20
  private static let chunk = 1 << 18

  private let path: String
  /// The open file, or -1 for bytes in memory.
  private let descriptor: Int32
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// The number of the last line, from 1.
  private(set) var number = 0

  /// Opens a file.
  init(path: String) throws(InkFormatError) {
    guard !ByteFile.isFolder(path) else { throw ByteFile.unreadable(path, found: "a folder") }
    descriptor = open(path, O_RDONLY)
    self.path = path
    buffer = [UInt8](repeating: 0, count: Self.chunk)
    guard descriptor >= 0 else { throw ByteFile.openError(path) }
  }

  /// Reads bytes; errors contain `path`.
  init(bytes: [UInt8], path: String) {
    descriptor = -1
    self.path = path
    buffer = bytes
    end = bytes.count
    isAtEnd = true
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Passes the next line without its newline to a closure, or returns nil at the end.
  ///
  /// - Throws: `lineTooLong` if the line exceeds the limit (the next call continues after it),
  ///   `unreadableFile` if reading fails (the next call returns nil).
  func nextLine<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) throws(InkFormatError) -> Value? {
    var searched = start
    while true {
      if let newline = newline(from: searched) {
        defer { start = newline + 1 }
        number += 1
        return call(body, start..<newline)
      }
      searched = end
      if isAtEnd {
        guard start < end else { return nil }
        defer { start = end }
        number += 1
        return call(body, start..<end)
      }
      guard end - start <= Self.longestLine else {
        try skipLine()
        number += 1
        throw InkFormatError(
          .lineTooLong, at: SourceLocation(path: path, line: number),
          expected: "lines of at most \(Self.longestLine >> 20) MB", found: "a longer one",
          advice: "split the record, or check that the file has one record per line")
      }
      searched -= try fill()
    }
  }

  /// Passes several lines to a closure, as ``nextLine(_:)`` passes one: the next one, and those after
  /// it that are in memory already, so that nobody waits for a line that comes later.
  func nextLines<Value>(
    most: Int, _ body: ([UnsafeBufferPointer<UInt8>]) -> Value
  ) throws(InkFormatError) -> Value? {
    let first: Range<Int>? = try nextLine { line in
      // The buffer does not move before the closure below has run.
      let end = start + line.count
      return start..<end
    }
    guard let first else { return nil }
    var ranges = [first]
    while ranges.count < most, let newline = newline(from: start) {
      ranges.append(start..<newline)
      start = newline + 1
      number += 1
    }
    return buffer.withUnsafeBufferPointer { bytes in
      body(ranges.map { UnsafeBufferPointer(rebasing: bytes[$0]) })
    }
  }

  private func call<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Value, _ range: Range<Int>
  ) -> Value {
    buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  private func newline(from position: Int) -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, position < end,
        let found = memchr(base + position, 0x0A, end - position)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// Reads more bytes after `end`.
  ///
  /// - Returns: The distance by which the unread bytes moved to the front.
  private func fill() throws(InkFormatError) -> Int {
    let moved = start
    if start > 0 {
      buffer.replaceSubrange(0..<end - start, with: buffer[start..<end])
      end -= start
      start = 0
    }
    if buffer.count - end < Self.chunk {
      buffer.append(contentsOf: repeatElement(0, count: buffer.count))
    }
    let got = buffer.withUnsafeMutableBytes { bytes in
      Descriptor.read(
        descriptor,
        into: UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + Self.chunk]))
    }
    if got <= 0 { isAtEnd = true }
    guard got >= 0 else {
      start = end
      throw ByteFile.unreadable(path, found: "a read error")
    }
    end += got
    return moved
  }

  private func skipLine() throws(InkFormatError) {
    while true {
      if let newline = newline(from: start) {
        start = newline + 1
        return
      }
      start = end
      if isAtEnd { return }
      _ = try fill()
    }
  }
}
