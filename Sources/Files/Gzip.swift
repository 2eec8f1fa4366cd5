import CZlib
import Foundation

/// Unpacks files compressed by gzip or zlib, with a limit on the output.
public enum Gzip {
  /// The reason why bytes cannot be unpacked.
  public enum Fault: Error, Hashable, Sendable {
    /// The bytes are not gzip or zlib data.
    case malformed
    /// The bytes end before the stream does.
    case truncated
    /// The output would exceed the limit.
    case tooLarge(limit: Int)
  }

  private static let chunk = 1 << 18

  /// Returns true if bytes begin like a gzip file.
  public static func isCompressed(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  /// Unpacks one or more gzip members. O(output) time and memory.
  ///
  /// - Parameter limit: The largest output in bytes.
  /// - Throws: ``Fault``. Output beyond the limit is not kept in memory.
  public static func unpack(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var output: [UInt8] = []
    if let fault = unpack(bytes, into: &output, limit: limit) { throw fault }
    return output
  }

  /// Returns the first bytes of the output, at most a limit, or as many as come before a fault.
  public static func start(of bytes: [UInt8], limit: Int) -> [UInt8] {
    var output: [UInt8] = []
    _ = unpack(bytes, into: &output, limit: limit)
    return output
  }

  /// Unpacks members up to the first fault.
  private static func unpack(_ bytes: [UInt8], into output: inout [UInt8], limit: Int) -> Fault? {
    var stream = z_stream()
    guard ductus_inflateInit(&stream) == Z_OK else { return .malformed }
    defer { inflateEnd(&stream) }
    var input = bytes
    var buffer = [UInt8](repeating: 0, count: chunk)
    return input.withUnsafeMutableBufferPointer { input -> Fault? in
      stream.next_in = input.baseAddress
      // A stream takes at most 4 GB at once, and no file of ours is larger.
      stream.avail_in = UInt32(clamping: input.count)
      while true {
        var status = Z_OK
        let count = buffer.withUnsafeMutableBufferPointer { buffer -> Int in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return buffer.count - Int(stream.avail_out)
        }
        let room = limit - output.count
        output += buffer[..<min(count, room)]
        guard count <= room else { return .tooLarge(limit: limit) }
        switch status {
        case Z_STREAM_END:
          // What follows is another member, or not of the file.
          let rest = UnsafeBufferPointer(start: stream.next_in, count: Int(stream.avail_in))
          guard isCompressed(rest) else { return nil }
          guard inflateReset(&stream) == Z_OK else { return .malformed }
        case Z_OK: if stream.avail_in == 0, count < buffer.count { return .truncated }
        case Z_BUF_ERROR: return .truncated
        default: return .malformed
        }
      }
    }
  }
}

extension Gzip.Fault: CustomStringConvertible {
  /// The message: what was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .malformed:
      "compressed data: expected gzip or zlib, found other bytes; check the file"
    case .truncated:
      "compressed data: the bytes end before their stream; fetch or write the file again"
    case .tooLarge(let limit):
      "compressed data: expected at most \(limit) bytes when unpacked, found more; split the file"
    }
  }
}

extension Gzip.Fault: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
