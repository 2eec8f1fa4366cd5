import CZstd
import Foundation

/// Unpacks data compressed by Zstandard (RFC 8878), with limits on the output and on the memory.
///
/// The system's libzstd does the work. It is opened when data is unpacked for the first time.
package enum Zstandard {
  /// The reason why bytes cannot be unpacked.
  package enum Fault: Error, Hashable, Sendable {
    /// The system has no libzstd.
    case missingLibrary
    /// The bytes are not Zstandard data, or need more memory than is given to them.
    case malformed
    /// The bytes end before the stream does.
    case truncated
    /// The output would exceed the limit.
    case tooLarge(limit: Int)
  }

  /// The names of the library.
  #if os(macOS) || os(iOS)
    package static let names = [
      "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib",
    ]
  #else
    package static let names = ["libzstd.so.1"]
  #endif

  /// The functions of the library, which are never changed or freed.
  private struct Library: @unchecked Sendable {
    let functions: UnsafePointer<ductus_zstd_functions>

    init?(_ names: [String]) {
      for name in names {
        if let functions = ductus_zstd_open(name) {
          self.functions = functions
          return
        }
      }
      return nil
    }
  }

  private static let library = Library(names)
  private static let chunk = 1 << 18
  /// `ZSTD_d_windowLogMax`.
  private static let windowParameter: Int32 = 100
  /// The logarithm of the most bytes that the library may look back on, 128 MB: the most of a file
  /// that was made with long-distance matching.
  private static let largestWindow: Int32 = 27

  /// Returns true if bytes begin like a frame.
  package static func isCompressed(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
  }

  /// Unpacks one or more frames. O(output) time and memory.
  ///
  /// - Parameters:
  ///   - limit: The largest output in bytes.
  ///   - names: The names of the library; for tests.
  /// - Throws: ``Fault``. Output beyond the limit is not kept in memory.
  package static func unpack(
    _ bytes: [UInt8], limit: Int, names: [String]? = nil
  ) throws(Fault) -> [UInt8] {
    guard let functions = (names.map { Library($0) } ?? library)?.functions.pointee,
      let stream = functions.createDCtx()
    else { throw .missingLibrary }
    defer { _ = functions.freeDCtx(stream) }
    guard
      functions.isError(functions.DCtx_setParameter(stream, windowParameter, largestWindow)) == 0
    else { throw .missingLibrary }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: chunk)
    var position = 0
    var isComplete = false
    while true {
      let (rest, count, used) = step(functions, stream, bytes, from: position, &buffer)
      guard functions.isError(rest) == 0 else { throw .malformed }
      let room = limit - output.count
      output += buffer[..<min(count, room)]
      guard count <= room else { throw .tooLarge(limit: limit) }
      position += used
      // A frame ends with 0; without input and output there is nothing more to expect.
      if used > 0 || count > 0 { isComplete = rest == 0 }
      if position == bytes.count, isComplete { return output }
      guard used > 0 || count > 0 else { throw .truncated }
    }
  }

  /// Unpacks up to a buffer of output.
  private static func step(
    _ functions: ductus_zstd_functions, _ stream: OpaquePointer, _ bytes: [UInt8],
    from position: Int, _ buffer: inout [UInt8]
  ) -> (rest: Int, output: Int, input: Int) {
    bytes.withUnsafeBytes { source in
      buffer.withUnsafeMutableBytes { target in
        var input = ductus_zstd_input(
          bytes: source.baseAddress, size: bytes.count, position: position)
        var output = ductus_zstd_output(
          bytes: target.baseAddress, size: target.count, position: 0)
        let rest = functions.decompressStream(stream, &output, &input)
        return (rest, output.position, input.position - position)
      }
    }
  }
}

extension Zstandard.Fault: CustomStringConvertible {
  /// The message: what was expected, what was found, and what to do.
  package var description: String {
    switch self {
    case .missingLibrary:
      "data compressed by Zstandard: expected the library libzstd, found none; "
        + Zstandard.advice
    case .malformed:
      "compressed data: expected Zstandard, found other bytes; check the file"
    case .truncated:
      "compressed data: the bytes end before their stream; fetch or write the file again"
    case .tooLarge(let limit):
      "compressed data: expected at most \(limit) bytes when unpacked, found more; split the file"
    }
  }
}

extension Zstandard.Fault: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}

extension Zstandard {
  /// The advice where the library is missing.
  package static let advice = "install it (Debian: libzstd1, macOS: brew install zstd)"
}
