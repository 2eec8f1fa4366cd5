import CZlib

/// Checksums of bytes, against accidental damage only.
package enum Checksum {
  /// Returns the CRC-32 of bytes (ISO 3309, as in gzip).
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The checksum of the bytes before them.
  package static func crc32(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return start }
    var (result, offset) = (UInt(start), 0)
    while offset < bytes.count {
      let count = min(bytes.count - offset, 1 << 30)
      result = CZlib.crc32(result, base + offset, UInt32(count))
      offset += count
    }
    return UInt32(truncatingIfNeeded: result)
  }
}
