import FlyingFox
import Foundation
import Studio
import Testing

private let token = String(repeating: "ab", count: 24)

@Suite("Access to the studio") struct AccessTests {
  private let local = StudioAccess(token: token, isLoopback: true)
  private let open = StudioAccess(token: token, isLoopback: false)

  private func request(
    host: String? = "127.0.0.1:8766", path: String = "/v1/studio", query: String = "",
    _ headers: [String: String] = [:]
  ) -> HTTPRequest {
    var fields = HTTPHeaders()
    if let host { fields[.host] = host }
    for (name, value) in headers { fields[HTTPHeader(name)] = value }
    return HTTPRequest(
      method: .GET, version: .http11, target: HTTPRequest.Target(path: path, query: query),
      headers: fields, body: HTTPBodySequence())
  }

  private let bearer = ["Authorization": "Bearer \(token)"]

  private func code(
    _ access: StudioAccess, _ request: HTTPRequest, needsToken: Bool = true
  ) -> StudioError.Code? {
    access.refusal(of: request, needsToken: needsToken)?.code
  }

  @Test("The token lets in, as a header or as the cookie of the port")
  func rightToken() {
    #expect(code(local, request(bearer)) == nil)
    #expect(code(local, request(["Cookie": "ductus-studio-8766=\(token)"])) == nil)
    #expect(code(local, request(["Cookie": "a=b; ductus-studio-8766=\(token); c=d"])) == nil)
    #expect(code(local, request(["Cookie": "ductus-studio-9000=\(token)"])) == .unauthorized)
    #expect(code(local, request()) == .unauthorized)
    #expect(code(local, request(query: "token=\(token)")) == .unauthorized)
  }

  @Test(
    "No other token lets in",
    arguments: [
      "", "Bearer", "Bearer ", "Bearer \(token)0", "Bearer \(token.dropLast())", "Basic \(token)",
      "Bearer \(token.uppercased())", token, "bearer  \(token)",
    ])
  func wrongTokens(_ value: String) {
    #expect(code(local, request(["Authorization": value])) == .unauthorized)
    // A wrong header is not saved by a right cookie: programs are told of their mistake.
    let both = ["Authorization": value, "Cookie": "ductus-studio-8766=\(token)"]
    #expect(code(local, request(both)) == .unauthorized)
  }

  @Test(
    "On the loopback interface, only its own names are known",
    arguments: [
      "evil.example", "127.0.0.1.evil.example:8766", "127.evil.example", "localhost.evil.example",
      "192.168.1.2", "mine.local", "[::1].evil.example", "[", "", "0.0.0.0:8766",
    ])
  func foreignHosts(_ host: String) {
    #expect(code(local, request(host: host, bearer)) == .forbidden)
    #expect(code(local, request(host: host), needsToken: false) == .forbidden)
  }

  @Test("A request without a host is refused")
  func noHost() { #expect(code(local, request(host: nil, bearer)) == .forbidden) }

  @Test("In the network, addresses and names of the local network are known, but no others")
  func networkHosts() {
    for host in ["192.168.1.20:8766", "[fe80::1]:8766", "mine.local:8766", "127.0.0.1:8766"] {
      #expect(code(open, request(host: host, bearer)) == nil, "\(host)")
    }
    for host in ["evil.example:8766", "192.168.1.20.evil.example", "mine.local.evil.example"] {
      #expect(code(open, request(host: host, bearer)) == .forbidden, "\(host)")
    }
  }

  @Test("Pages of another origin are refused, even with the token")
  func origins() {
    func with(_ origin: String) -> StudioError.Code? {
      code(local, request(bearer.merging(["Origin": origin]) { $1 }))
    }
    #expect(with("http://127.0.0.1:8766") == nil)
    for each in [
      "http://evil.example", "null", "https://127.0.0.1:8766", "http://127.0.0.1:8767",
      "http://localhost:8766", "http://127.0.0.1:8766.evil.example", "",
    ] {
      #expect(with(each) == .forbidden, "\(each)")
    }
  }

  @Test("Requests that the browser reports as of another site are refused, but links open pages")
  func sites() {
    func with(_ site: String, needsToken: Bool) -> StudioError.Code? {
      code(
        local, request(bearer.merging(["Sec-Fetch-Site": site]) { $1 }), needsToken: needsToken)
    }
    for site in ["same-origin", "none"] { #expect(with(site, needsToken: true) == nil) }
    for site in ["cross-site", "same-site", "other"] {
      #expect(with(site, needsToken: true) == .forbidden)
      #expect(with(site, needsToken: false) == nil)
    }
  }

  @Test("The cookie is strict, and its name holds the port of the browser")
  func cookie() throws {
    #expect(local.hasTokenInAddress(request(path: "/", query: "token=\(token)")))
    #expect(!local.hasTokenInAddress(request(path: "/", query: "token=\(token)0")))
    #expect(!local.hasTokenInAddress(request(path: "/")))
    let headers = local.signIn(request(path: "/try", query: "token=\(token)"))
    #expect(headers[HTTPHeader("Location")] == "/try")
    #expect(
      headers[HTTPHeader("Set-Cookie")]
        == "ductus-studio-8766=\(token); Path=/; HttpOnly; SameSite=Strict")
  }

  @Test("A part of a path is decoded once, and a slash in it stays encoded")
  func parts() {
    func parts(_ path: String) -> [String] { StudioHandler.parts(of: request(path: path)) }
    #expect(parts("/v1/a%20b/%C3%A9") == ["v1", "a b", "é"])
    #expect(parts("/v1/%2541") == ["v1", "%41"])
    #expect(parts("/v1/a%2Fb/..%2f..%2fetc") == ["v1", "a%2Fb", "..%2f..%2fetc"])
    #expect(parts("/v1/a%00b") == ["v1", "a%00b"])
    #expect(parts("//v1///x/") == ["v1", "x"])
    #expect(parts("/v1/%zz%") == ["v1", "%zz%"])
    #expect(parts("/v1/%ff%fe") == ["v1", "%ff%fe"])
  }
}
