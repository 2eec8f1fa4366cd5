import Foundation

/// Calls on open files that are repeated if a signal interrupts them.
package enum Descriptor {
  /// Reads at most as many bytes as the buffer holds, like `read(2)`.
  ///
  /// - Returns: The bytes read, 0 at the end, below 0 with `errno` if reading fails.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    while true {
      let count = Foundation.read(descriptor, base, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Reads until the buffer is full or the file ends.
  ///
  /// - Returns: The bytes read, and the `errno` of a failure or 0.
  package static func readAll(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, code: Int32) {
    var filled = 0
    while filled < buffer.count {
      let count = read(
        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if count < 0 { return (filled, errno) }
      if count == 0 { break }
      filled += count
    }
    return (filled, 0)
  }

  /// Writes all bytes, at the file's position or at an offset.
  ///
  /// - Returns: 0, or the `errno` of a failure.
  package static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int? = nil
  ) -> Int32 {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count =
        offset.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0 + written)) }
        ?? write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }

  /// Locks a file, like `flock(2)`.
  ///
  /// - Returns: 0, or `errno` if the file is not locked.
  package static func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}
