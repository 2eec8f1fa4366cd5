import Foundation

/// Unpacks files compressed by gzip or zlib, with a limit on the output.
package enum Gzip {
  /// The reason why bytes cannot be unpacked.
  package enum Fault: Error, Hashable, Sendable {
    /// The bytes are not gzip or zlib data.
    case malformed
    /// The bytes end before the stream does.
    case truncated
    /// The output would exceed the limit.
    case tooLarge(limit: Int)
    /// The file cannot be read, or it became shorter.
    case unreadable
  }

  private static let chunk = 1 << 18

  /// Returns true if bytes begin like a gzip file.
  package static func isCompressed(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  /// Unpacks one or more gzip members. O(output) time and memory.
  ///
  /// - Parameter limit: The largest output in bytes.
  /// - Throws: ``Fault``. Output beyond the limit is not kept in memory.
  package static func unpack(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var output: [UInt8] = []
    try unpack(bytes, into: &output, limit: limit)
    return output
  }

  /// Returns the first bytes of the output, at most a limit, or as many as come before a fault.
  package static func start(of bytes: [UInt8], limit: Int) -> [UInt8] {
    var output: [UInt8] = []
    try? unpack(bytes, into: &output, limit: limit)
    return output
  }

  /// Unpacks members up to the first fault.
  private static func unpack(
    _ bytes: [UInt8], into output: inout [UInt8], limit: Int
  ) throws(Fault) {
    let stream = UnpackingStream(ByteSource(bytes), packing: .gzip)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = try buffer.withUnsafeMutableBufferPointer { (raw) throws(Fault) in
        try stream.read(into: UnsafeMutableRawBufferPointer(raw))
      }
      guard count > 0 else { return }
      let room = limit - output.count
      output += buffer[..<min(count, room)]
      guard count <= room else { throw .tooLarge(limit: limit) }
    }
  }
}

extension Gzip.Fault: CustomStringConvertible {
  /// The message: what was expected, what was found, and what to do.
  package var description: String {
    switch self {
    case .malformed:
      "compressed data: expected gzip or zlib, found other bytes; check the file"
    case .truncated:
      "compressed data: the bytes end before their stream; fetch or write the file again"
    case .tooLarge(let limit):
      "compressed data: expected at most \(limit) bytes when unpacked, found more; split the file"
    case .unreadable:
      "compressed data: the file cannot be read to its end; check that nothing changes it"
    }
  }
}

extension Gzip.Fault: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
