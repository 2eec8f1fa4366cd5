import CZlib

/// Reads bytes piece by piece and unpacks them. Takes the memory of one piece, whatever the size of
/// the bytes and of what they unpack to. Not thread-safe.
package final class UnpackingStream {
  /// The form of the bytes.
  package enum Packing: Hashable, Sendable {
    /// Bytes as they are.
    case none
    /// One or more members of gzip, or a stream of zlib.
    case gzip
    /// A stream of deflate without a header, as in ZIP archives.
    case deflate
  }

  private static let chunk = 1 << 16

  private let source: ByteSource
  private let end: Int
  private let packing: Packing
  /// The next byte of the source.
  private var offset: Int
  private var input: UnsafeMutableBufferPointer<UInt8>
  /// In memory of its own: zlib checks that a stream is not moved.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isAtEnd = false
  private var fault: Gzip.Fault?

  /// Starts at the first byte of a range.
  package init(_ source: ByteSource, range: Range<Int>? = nil, packing: Packing) {
    self.source = source
    self.packing = packing
    offset = range?.lowerBound ?? 0
    end = min(range?.upperBound ?? source.count, source.count)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    input = packing == .none ? .init(start: nil, count: 0) : .allocate(capacity: Self.chunk)
    let status =
      switch packing {
      case .none: Z_OK
      case .gzip: ductus_inflateInit(stream)
      case .deflate: ductus_inflateInitRaw(stream)
      }
    if status != Z_OK { fault = .malformed }
  }

  /// Reads a file that may be compressed by gzip.
  package convenience init(unpacking source: ByteSource) {
    let start = source.bytes(in: 0..<2) ?? []
    self.init(source, packing: Gzip.isCompressed(start) ? .gzip : .none)
  }

  deinit {
    if packing != .none { inflateEnd(stream) }
    stream.deallocate()
    input.deallocate()
  }

  /// Reads the next bytes, as many as the buffer holds, if there are so many.
  ///
  /// - Returns: The number of bytes; 0 at the end, and only there.
  /// - Throws: ``Gzip/Fault``, after all bytes before the fault were returned.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Gzip.Fault) -> Int {
    if let fault { throw fault }
    guard !isAtEnd, buffer.count > 0 else { return 0 }
    let count = packing == .none ? copy(into: buffer) : inflate(into: buffer)
    if count == 0, let fault { throw fault }
    return count
  }

  private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = min(buffer.count, end - offset)
    guard wanted > 0 else {
      isAtEnd = true
      return 0
    }
    let count =
      source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])) ?? 0
    if count < wanted { fault = .unreadable }
    offset += count
    return count
  }

  private func inflate(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let room = min(buffer.count, 1 << 30)
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(room)
    while stream.pointee.avail_out > 0, !isAtEnd, fault == nil {
      if stream.pointee.avail_in == 0 { fill() }
      switch CZlib.inflate(stream, Z_NO_FLUSH) {
      case Z_STREAM_END: endMember()
      case Z_OK: continue
      case Z_BUF_ERROR:
        if stream.pointee.avail_in == 0, offset >= end { fault = fault ?? .truncated }
      default: fault = fault ?? .malformed
      }
    }
    return room - Int(stream.pointee.avail_out)
  }

  /// Goes on with the next member of gzip, or ends. Bytes that are no member are not of the stream.
  private func endMember() {
    if packing == .gzip {
      if stream.pointee.avail_in < 2 { fill() }
      let rest = UnsafeBufferPointer(
        start: stream.pointee.next_in, count: Int(stream.pointee.avail_in))
      if Gzip.isCompressed(rest) {
        if inflateReset(stream) != Z_OK { fault = .malformed }
        return
      }
    }
    isAtEnd = true
  }

  /// Reads more bytes after those that are left.
  private func fill() {
    let left = Int(stream.pointee.avail_in)
    if left > 0, let next = stream.pointee.next_in {
      for index in 0..<left { input[index] = next[index] }
    }
    let wanted = min(input.count - left, end - offset)
    var got = 0
    if wanted > 0 {
      let free = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: input[left..<(left + wanted)]))
      got = source.read(at: offset, into: free) ?? 0
      if got < wanted { fault = .unreadable }
      offset += got
    }
    stream.pointee.next_in = input.baseAddress
    stream.pointee.avail_in = UInt32(left + got)
  }
}
