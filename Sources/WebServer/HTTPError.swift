import FlyingFox
import Foundation

/// An error that a server answers a request with.
package protocol HTTPError: Error {
  /// The status of the answer (RFC 9110, 15).
  var status: HTTPStatusCode { get }
  /// The body of the answer, as JSON.
  var json: Data { get }
  /// Headers in addition to those that every answer has.
  var headers: HTTPHeaders { get }
}

extension HTTPError {
  package var headers: HTTPHeaders { [:] }

  /// Returns the answer to a request whose body was read. A long body can be read once only: reading
  /// it again would wait for bytes that do not come.
  ///
  /// - Parameter isHead: True for an answer without a body.
  package func response(isHead: Bool) -> HTTPResponse {
    HTTPResponse.content(
      json, type: "application/json", isHead: isHead, status: status, headers: headers)
  }

  /// Reads the body of a request to its end, so that the connection stays usable, and returns the
  /// answer.
  package func response(to request: HTTPRequest) async -> HTTPResponse {
    await request.skipBody()
    return response(isHead: request.method == .HEAD)
  }
}

extension HTTPResponse {
  /// Returns an answer with bytes.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - type: Its content type.
  ///   - isHead: True to send the length of the body only, as HEAD asks for.
  ///   - status: The status.
  ///   - headers: Further headers.
  package static func content(
    _ bytes: Data, type: String, isHead: Bool, status: HTTPStatusCode = .ok,
    headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers[.contentType] = type
    guard isHead else { return HTTPResponse(statusCode: status, headers: headers, body: bytes) }
    headers[.contentLength] = "\(bytes.count)"
    return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence())
  }
}
