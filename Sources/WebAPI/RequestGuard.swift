import FlyingFox
import Foundation
import Recognition
import WebServer

/// Decides which requests may use the server, by host, origin, token and content type.
struct RequestGuard: Sendable {
  let configuration: WebAPIConfiguration

  /// Returns the reason why a request is refused; nil if it is accepted.
  func refusal(of request: HTTPRequest, needsToken: Bool) -> ExchangeError? {
    switch guardian.problem(of: request) {
    case .host?:
      return ExchangeError(
        .forbidden, "expected the server's own address in the header Host, found another name",
        field: "Host")
    case .origin?:
      return ExchangeError(
        .forbidden,
        "expected a page of this server or an origin that it was started with "
          + "(--allow-origin), found another", field: "Origin")
    case nil: break
    }
    if needsToken, let token = configuration.token {
      guard let sent = request.headers[.authorization], AccessToken.isEqual(sent, "Bearer \(token)")
      else {
        return ExchangeError(
          .unauthorized,
          "expected the header Authorization: Bearer TOKEN with the token that the "
            + "server was started with", field: "Authorization")
      }
    }
    return nil
  }

  /// Returns the reason why the body of a request is refused; nil if its content type is JSON.
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

  /// Returns the headers that let a page of an allowed origin read an answer; none for other
  /// origins.
  func crossOriginHeaders(for request: HTTPRequest) -> [HTTPHeader: String] {
    guard let origin = request.headers[OriginGuard.origin],
      configuration.allowedOrigins.contains(origin)
    else { return [:] }
    return [
      HTTPHeader("Access-Control-Allow-Origin"): origin, HTTPHeader("Vary"): "Origin",
      HTTPHeader("Access-Control-Allow-Methods"): "GET, POST",
      HTTPHeader("Access-Control-Allow-Headers"): "Content-Type, Authorization",
      HTTPHeader("Access-Control-Max-Age"): "600",
    ]
  }

  /// With a token, every name is accepted: a client that has the token is allowed.
  private var guardian: OriginGuard {
    OriginGuard(
      isLoopback: configuration.isLoopback, allowedOrigins: configuration.allowedOrigins
    ) { !$0.isEmpty }
  }
}
