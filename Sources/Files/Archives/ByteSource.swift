import Foundation

/// Bytes that can be read at any place: an open file, or memory. Nothing is kept of a file, so that
/// one of any size can be read.
package final class ByteSource: Sendable {
  /// The number of bytes.
  package let count: Int
  private let storage: Storage

  private enum Storage {
    case memory([UInt8])
    /// An open file, which is closed with the source.
    case file(Int32)
  }

  /// Takes bytes in memory.
  package init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
    count = bytes.count
  }

  /// Takes an open file, which the source closes, and its size.
  package init(descriptor: Int32, count: Int) {
    storage = .file(descriptor)
    self.count = count
  }

  /// Opens a regular file and follows links.
  ///
  /// - Throws: ``FileError``; its operation is `checking` if the path is not that of a regular file.
  package convenience init(path: String) throws(FileError) {
    // Opening a pipe would otherwise wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(.opening, path, code: errno) }
    var status = stat()
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileError(code == 0 ? .checking : .reading, path, code: code)
    }
    self.init(descriptor: descriptor, count: Int(status.st_size))
  }

  deinit {
    if case .file(let descriptor) = storage { close(descriptor) }
  }

  /// Reads bytes from an offset on until the buffer is full or the bytes end.
  ///
  /// - Returns: The number of bytes, nil if reading fails. It is below that of the buffer if the
  ///   bytes end, or if the file became shorter.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = max(0, min(buffer.count, count - offset))
    switch storage {
    case .memory(let bytes):
      guard wanted > 0 else { return 0 }
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + wanted)]))
      }
      return wanted
    case .file(let descriptor):
      var filled = 0
      while filled < wanted {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled,
          off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { return nil }
        if got == 0 { break }
        filled += got
      }
      return filled
    }
  }

  /// Returns the bytes of a range, fewer if they end; nil if reading fails.
  package func bytes(in range: Range<Int>) -> [UInt8]? {
    var complete = false
    let length = max(0, min(range.count, count - range.lowerBound))
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      let got = read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      complete = got != nil
      filled = got ?? 0
    }
    return complete ? bytes : nil
  }
}
