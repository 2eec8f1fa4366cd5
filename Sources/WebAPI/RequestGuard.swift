import FlyingFox
import Foundation
import Recognition

/// Decides who may use the server. Any web page can send requests to the loopback interface, and a
/// name of its own can be made to mean it: so host, origin and content type are checked.
struct RequestGuard: Sendable {
  let configuration: WebAPIConfiguration

  /// Why a request is refused; nil where it may pass.
  func refusal(of request: HTTPRequest, needsToken: Bool) -> ExchangeError? {
    guard let host = request.headers[.host], isKnown(host) else {
      return ExchangeError(
        .forbidden, "expected the server's own address as Host, found another name",
        field: "Host")
    }
    if let origin = request.headers[Self.origin], !isAllowed(origin, host: host) {
      return ExchangeError(
        .forbidden,
        "expected a page of this server or an origin that it was started with "
          + "(--allow-origin), found another", field: "Origin")
    }
    if needsToken, let token = configuration.token {
      guard let sent = request.headers[.authorization], Self.isEqual(sent, "Bearer \(token)")
      else {
        return ExchangeError(
          .unauthorized,
          "expected the header Authorization: Bearer TOKEN with the token that the "
            + "server was started with", field: "Authorization")
      }
    }
    return nil
  }

  /// Why the body of a request is refused; nil where it is JSON by its type.
  func bodyRefusal(of request: HTTPRequest) -> ExchangeError? {
    let type = request.headers[.contentType] ?? ""
    let parts = type.split(separator: ";", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    let isUTF8 =
      parts.count < 2
      || ["charset=utf-8", #"charset="utf-8""#, "charset=utf8"].contains(parts[1])
    guard parts.first == "application/json", isUTF8 else {
      return ExchangeError(
        .unsupportedMediaType, "expected the content type application/json in UTF-8, found another",
        field: "Content-Type")
    }
    return nil
  }

  /// The headers that let a page of another origin read an answer; none unless it is allowed.
  func crossOriginHeaders(for request: HTTPRequest) -> [HTTPHeader: String] {
    guard let origin = request.headers[Self.origin],
      configuration.allowedOrigins.contains(origin)
    else { return [:] }
    return [
      HTTPHeader("Access-Control-Allow-Origin"): origin, HTTPHeader("Vary"): "Origin",
      HTTPHeader("Access-Control-Allow-Methods"): "GET, POST",
      HTTPHeader("Access-Control-Allow-Headers"): "Content-Type, Authorization",
      HTTPHeader("Access-Control-Max-Age"): "600",
    ]
  }

  private static let origin = HTTPHeader("Origin")

  /// Whether a `Host` names this server. Behind a token every name may: whoever has it is meant.
  private func isKnown(_ host: String) -> Bool {
    let name = Self.name(of: host)
    if WebAPIConfiguration.isLoopback(name) { return true }
    guard !configuration.isLoopback else { return false }
    return !name.isEmpty
  }

  private func isAllowed(_ origin: String, host: String) -> Bool {
    origin.lowercased() == "http://\(host.lowercased())"
      || configuration.allowedOrigins.contains(origin)
  }

  /// A host without its port.
  private static func name(of host: String) -> String {
    if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
    return host.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
  }

  /// Compares without telling by the time how much is right.
  static func isEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
