import FlyingFox

/// Decides from the headers `Host` and `Origin` whether a request was meant for a server.
///
/// Any web page can send requests to the loopback interface, and a foreign host name can be made to
/// resolve to it. Browsers tell the page in `Origin`, and the name that was resolved in `Host`.
package struct OriginGuard: Sendable {
  /// The header that names the page that sends a request.
  package static let origin = HTTPHeader("Origin")

  /// The header that is wrong.
  package enum Problem: Hashable, Sendable {
    /// The host is missing, or not a name of this server.
    case host
    /// The request comes from a page of another server.
    case origin
  }

  private let isLoopback: Bool
  private let allowedOrigins: Set<String>
  private let isName: @Sendable (String) -> Bool

  /// Makes a guard.
  ///
  /// - Parameters:
  ///   - isLoopback: True if only this machine can reach the server. It then has no other names.
  ///   - allowedOrigins: The origins of other servers whose pages may send requests.
  ///   - isName: Decides which hosts name a server that other machines can reach, in lower case and
  ///     without the port.
  package init(
    isLoopback: Bool, allowedOrigins: Set<String> = [],
    isName: @escaping @Sendable (String) -> Bool
  ) {
    self.isLoopback = isLoopback
    self.allowedOrigins = allowedOrigins
    self.isName = isName
  }

  /// Returns the header that is wrong; nil if the request may be answered.
  package func problem(of request: HTTPRequest) -> Problem? {
    guard let host = request.headers[.host], isKnown(host) else { return .host }
    guard let origin = request.headers[Self.origin] else { return nil }
    let isOwn = origin.lowercased() == "http://\(host.lowercased())"
    return isOwn || allowedOrigins.contains(origin) ? nil : .origin
  }

  private func isKnown(_ host: String) -> Bool {
    let name = ServerAddress.name(ofHost: host)
    return ServerAddress.isLoopback(name) || (!isLoopback && isName(name))
  }
}
