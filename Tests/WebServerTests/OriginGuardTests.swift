import FlyingFox
import Foundation
import Testing
import WebServer

@Suite("Hosts and origins of requests") struct OriginGuardTests {
  private func request(host: String?, origin: String?, body: Data = Data()) -> HTTPRequest {
    var headers: HTTPHeaders = [:]
    headers[.host] = host
    headers[OriginGuard.origin] = origin
    return HTTPRequest(
      method: .POST, version: .http11, target: HTTPRequest.Target(path: "/", query: ""),
      headers: headers, body: HTTPBodySequence(data: body))
  }

  @Test(
    "On the loopback interface, only its own names and pages are accepted",
    arguments: [
      ("127.0.0.1:80", nil, nil), ("LOCALHOST", nil, nil), ("[::1]:80", "http://[::1]:80", nil),
      ("127.0.0.1:80", "http://127.0.0.1:80", nil),
      ("127.0.0.1:80", "HTTP://127.0.0.1:80", nil),
      ("127.0.0.1:80", "http://friend.example", nil),
      (nil, nil, .host), ("", nil, .host), ("evil.example", nil, .host),
      ("own.example", nil, .host), ("127.0.0.1.evil.example", nil, .host),
      ("127.0.0.1:80", "null", .origin), ("127.0.0.1:80", "http://127.0.0.1:81", .origin),
      ("127.0.0.1:80", "https://127.0.0.1:80", .origin),
      ("127.0.0.1:80", "http://friend.example.evil", .origin), ("127.0.0.1:80", "", .origin),
    ] as [(String?, String?, OriginGuard.Problem?)])
  func loopback(host: String?, origin: String?, expected: OriginGuard.Problem?) {
    let guardian = OriginGuard(isLoopback: true, allowedOrigins: ["http://friend.example"]) {
      $0 == "own.example"
    }
    #expect(guardian.problem(of: request(host: host, origin: origin)) == expected)
  }

  @Test("In a network, the names that the server takes are accepted too")
  func network() {
    let guardian = OriginGuard(isLoopback: false) { $0 == "own.example" }
    #expect(guardian.problem(of: request(host: "OWN.example:9", origin: nil)) == nil)
    #expect(guardian.problem(of: request(host: "127.0.0.1", origin: nil)) == nil)
    #expect(guardian.problem(of: request(host: "other.example", origin: nil)) == .host)
    #expect(
      guardian.problem(of: request(host: "own.example", origin: "http://other.example"))
        == .origin)
  }

  @Test("A body is returned up to the limit, and refused above it")
  func bodies() async throws {
    let bytes = Data(repeating: 7, count: 1000)
    #expect(try await request(host: nil, origin: nil, body: bytes).body(atMost: 1000) == bytes)
    #expect(try await request(host: nil, origin: nil).body(atMost: 0).isEmpty)
    await #expect(throws: RequestBodyError.tooLong) {
      try await request(host: nil, origin: nil, body: bytes).body(atMost: 999)
    }
  }

  @Test("An error answers with its JSON, and to HEAD with its length alone")
  func errors() async throws {
    struct Fault: HTTPError {
      var status: HTTPStatusCode { .notFound }
      var json: Data { Data("{}".utf8) }
      var headers: HTTPHeaders { [.cacheControl: "no-store"] }
    }
    let answer = await Fault().response(to: request(host: nil, origin: nil, body: Data([1, 2])))
    #expect(answer.statusCode == .notFound && answer.headers[.cacheControl] == "no-store")
    #expect(answer.headers[.contentType] == "application/json")
    #expect(try await answer.bodyData == Data("{}".utf8))
    let head = Fault().response(isHead: true)
    #expect(head.headers[.contentLength] == "2")
    #expect(try await head.bodyData.isEmpty)
  }
}
