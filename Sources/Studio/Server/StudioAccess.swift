import FlyingFox
import Foundation
import WebServer

/// Decides which requests may use the studio.
///
/// Any web page can send requests to the loopback interface, and a foreign host name can be made to
/// resolve to it. So the host, the origin and a token are checked. The token is in the address that
/// the studio prints; the first page stores it in a cookie that scripts cannot read and that other
/// sites do not send.
package struct StudioAccess: Sendable {
  let token: String
  let isLoopback: Bool

  package init(token: String, isLoopback: Bool) {
    self.token = token
    self.isLoopback = isLoopback
  }

  /// The key of the token in the address.
  static let tokenKey = "token"
  private static let fetchSite = HTTPHeader("Sec-Fetch-Site")
  private static let cookie = HTTPHeader("Cookie")

  /// Returns the name of the cookie. Cookies do not depend on the port, so the port that the
  /// browser used is part of the name: two studios on one machine do not sign each other out.
  private static func cookieName(of request: HTTPRequest) -> String {
    let host = request.headers[.host] ?? ""
    let port = host.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
    return "ductus-studio-\(port)"
  }

  /// Returns the reason why a request is refused; nil if it is accepted.
  ///
  /// - Parameter needsToken: False for files without secrets.
  package func refusal(of request: HTTPRequest, needsToken: Bool) -> StudioError? {
    switch guardian.problem(of: request) {
    case .host?:
      return StudioError(
        .forbidden, "expected the studio's own address in the header Host, found another name",
        field: "Host")
    case .origin?:
      return StudioError(
        .forbidden, "expected a page of this studio, found another origin", field: "Origin")
    case nil: break
    }
    // A request from another site, of a browser that reports it. A link from elsewhere is one too.
    if let site = request.headers[Self.fetchSite], site != "same-origin", site != "none",
      needsToken
    {
      return StudioError(
        .forbidden, "expected a page of this studio, found another site", field: "Sec-Fetch-Site")
    }
    guard needsToken, !hasToken(request) else { return nil }
    return StudioError(
      .unauthorized,
      "expected the token; open the address that 'ductus studio' printed, with its token")
  }

  /// Returns true if the address of a request holds the token.
  package func hasTokenInAddress(_ request: HTTPRequest) -> Bool {
    request.query.first { $0.name == Self.tokenKey }
      .map { AccessToken.isEqual($0.value, token) } ?? false
  }

  /// The headers that store the token in the browser and lead to the address without it.
  package func signIn(_ request: HTTPRequest) -> [HTTPHeader: String] {
    let name = Self.cookieName(of: request)
    return [
      HTTPHeader("Set-Cookie"): "\(name)=\(token); Path=/; HttpOnly; SameSite=Strict",
      HTTPHeader("Location"): request.path,
    ]
  }

  private func hasToken(_ request: HTTPRequest) -> Bool {
    if let sent = request.headers[.authorization] {
      return AccessToken.isEqual(sent, "Bearer \(token)")
    }
    let prefix = "\(Self.cookieName(of: request))="
    let cookies = request.headers[Self.cookie]?.split(separator: ";") ?? []
    return cookies.contains { each in
      let pair = each.trimmingCharacters(in: .whitespaces)
      return pair.hasPrefix(prefix)
        && AccessToken.isEqual(String(pair.dropFirst(prefix.count)), token)
    }
  }

  /// In the network, any address of this machine may be used, but not a name: a foreign name can be
  /// made to resolve to this machine.
  private var guardian: OriginGuard {
    OriginGuard(isLoopback: isLoopback) { name in
      name.hasPrefix("[") || name.hasSuffix(".local")
        || name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }
  }

  /// The headers that every answer has.
  static let headers: [HTTPHeader: String] = [
    HTTPHeader("X-Content-Type-Options"): "nosniff",
    HTTPHeader("Referrer-Policy"): "no-referrer",
    HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
    HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
    HTTPHeader("X-Frame-Options"): "SAMEORIGIN",
    HTTPHeader("Content-Security-Policy"):
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
      + "connect-src 'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'self'",
  ]

  /// The policy of a report: no scripts, no requests, and not the origin of the studio.
  static let reportPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'self'; sandbox"
}
