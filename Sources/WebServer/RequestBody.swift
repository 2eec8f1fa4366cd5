import FlyingFox
import Foundation

/// The reason why the body of a request cannot be used.
package enum RequestBodyError: Error, Hashable {
  /// The body has more bytes than allowed.
  case tooLong
  /// The connection ended before the length that the request names.
  case cutOff
}

extension HTTPRequest {
  /// Returns the body. One that is too long is still read to its end, so that the connection stays
  /// usable; no more than the limit and one chunk is in memory.
  ///
  /// - Parameter limit: The most bytes.
  /// - Throws: ``RequestBodyError``.
  package func body(atMost limit: Int) async throws(RequestBodyError) -> Data {
    var bytes = Data()
    var isTooLong = false
    do {
      for try await chunk in bodySequence where !isTooLong {
        bytes.append(contentsOf: chunk)
        if bytes.count > limit { (isTooLong, bytes) = (true, Data()) }
      }
    } catch {
      throw .cutOff
    }
    guard !isTooLong else { throw .tooLong }
    return bytes
  }

  /// Reads the body to its end, and forgets it.
  package func skipBody() async {
    do {
      for try await _ in bodySequence {}
    } catch {
      // The connection is closed, so there is nobody to answer.
    }
  }
}
