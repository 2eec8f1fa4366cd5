import CZlib

/// Packs bytes in memory by the method of zlib.
package enum Deflate {
  /// Returns packed bytes with the header and the checksum of zlib (RFC 1950), as PDF and PNG have
  /// them.
  ///
  /// - Returns: Nil if there is no memory, or if there are more than 4 GB.
  package static func zlib(_ content: [UInt8]) -> [UInt8]? { packed(content, ductus_deflateInit) }

  /// Returns packed bytes with the header and the checksum of gzip (RFC 1952).
  ///
  /// - Returns: Nil if there is no memory, or if there are more than 4 GB.
  package static func gzip(_ content: [UInt8]) -> [UInt8]? {
    packed(content, ductus_deflateInitGzip)
  }

  /// Returns packed bytes without header and checksum (RFC 1951), as ZIP archives have them.
  ///
  /// - Returns: Nil if there is no memory, or if there are more than 4 GB.
  package static func raw(_ content: [UInt8]) -> [UInt8]? { packed(content, ductus_deflateInitRaw) }

  private static func packed(
    _ content: [UInt8], _ start: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> [UInt8]? {
    guard content.count <= Int(UInt32.max) / 2 else { return nil }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard start(stream) == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    var input = content
    let most = Int(deflateBound(stream, UInt(content.count)))
    let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
        count = isWhole ? output.count - Int(stream.pointee.avail_out) : 0
      }
    }
    return output.isEmpty ? nil : output
  }
}
