import Foundation

/// A file of lines that grows at its end. A line that was appended stays, even if the process is
/// killed or the machine stops.
///
/// A line that was being written when the process ended has no newline; it was never reported as
/// appended, and opening the file again cuts it off. Not thread-safe. Two journals on one file
/// destroy each other's lines: take a ``FileLock`` on another file first.
package final class LineJournal {
  /// The path of the file.
  package let path: String
  /// The bytes of all lines.
  package private(set) var length: Int
  private let descriptor: Int32

  /// Opens a file, which is made if it does not exist, and cuts off an unfinished last line.
  ///
  /// - Parameters:
  ///   - mode: The rights of a new file.
  ///   - isLine: Returns whether a last line without a newline is whole. Then the newline is added;
  ///     another program may have left it out. Blank lines are cut off.
  /// - Throws: ``FileError``.
  package init(
    path: String, mode: mode_t = 0o644, isLine: ([UInt8]) -> Bool = { _ in false }
  ) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw FileError(.opening, path, code: errno) }
    length = 0
    let rest = try unfinishedLine()
    // It may be new.
    if length == 0, rest.isEmpty { try? AtomicFile.syncFolder(of: path) }
    if rest.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }), isLine(rest) {
      length += rest.count
      try append([])
    } else if !rest.isEmpty {
      try truncate(to: length)
    }
  }

  deinit { close(descriptor) }

  /// Sets the length to that of the file up to its last newline, and returns the bytes after it.
  private func unfinishedLine() throws(FileError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(.reading, path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.checking, path, code: EINVAL) }
    var end = Int(status.st_size)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var rest: [[UInt8]] = []
    while end > 0 {
      let start = max(0, end - buffer.count)
      let count = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, end - start, off_t(start))
      }
      if count < 0, errno == EINTR { continue }
      guard count == end - start else {
        throw FileError(.reading, path, code: count < 0 ? errno : EIO)
      }
      let newline = buffer[..<count].lastIndex(of: UInt8(ascii: "\n"))
      rest.append(Array(buffer[(newline.map { $0 + 1 } ?? 0)..<count]))
      if let newline {
        length = start + newline + 1
        break
      }
      end = start
    }
    return Array(rest.reversed().joined())
  }

  /// Appends a line and returns once it is on the disk. O(bytes).
  ///
  /// - Parameter line: The bytes, without a newline at the end; it is added. A newline inside
  ///   makes several lines.
  /// - Throws: ``FileError``; the file then has the lines that it had before.
  package func append(_ line: some Sequence<UInt8>) throws(FileError) {
    var bytes = Array(line)
    bytes.append(UInt8(ascii: "\n"))
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      let code = Descriptor.writeAll(descriptor, raw, at: length)
      return code != 0 ? code : fsync(descriptor) == 0 ? 0 : errno
    }
    guard code == 0 else {
      // Part of the line may be there; opening the file again would cut it off, too.
      ftruncate(descriptor, off_t(length))
      throw FileError(.writing, path, code: code)
    }
    length += bytes.count
  }

  /// Cuts the file off at an offset, which is the end of a line, and returns once that is on the
  /// disk.
  ///
  /// - Throws: ``FileError``.
  package func truncate(to offset: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(offset)) == 0, fsync(descriptor) == 0 else {
      throw FileError(.writing, path, code: errno)
    }
    length = offset
  }

  /// Returns all lines without their newlines. O(bytes).
  ///
  /// - Throws: ``FileError``.
  package func lines() throws(FileError) -> [ArraySlice<UInt8>] {
    var bytes = [UInt8](repeating: 0, count: length)
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError(.reading, path, code: errno) }
    let (count, code) = bytes.withUnsafeMutableBytes { Descriptor.readAll(descriptor, into: $0) }
    guard code == 0, count == length else { throw FileError(.reading, path, code: code) }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
  }
}
