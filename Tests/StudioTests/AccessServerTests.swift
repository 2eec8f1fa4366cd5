import Foundation
import Studio
import Testing

@Suite("A running studio", .serialized) struct AccessServerTests {
  @Test("Every answer has the policy, also errors")
  func policy() async throws {
    try await StudioTestServer.run { studio in
      let paths = [
        "/", "/try", "/js/shell.js", "/css/studio.css", "/none", "/v1/studio", "/v1/none",
      ]
      for path in paths {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
          let answer = try await studio.send(path, method)
          let policy = try #require(answer.header("Content-Security-Policy"), "\(method) \(path)")
          #expect(policy.hasPrefix("default-src 'none'"))
          #expect(!policy.contains("unsafe"))
          #expect(answer.header("X-Content-Type-Options") == "nosniff")
          #expect(answer.header("Referrer-Policy") == "no-referrer")
          #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
          #expect(answer.header("Access-Control-Allow-Origin") == nil)
          #expect(answer.header("Cache-Control") != nil)
        }
      }
    }
  }

  @Test("The address with the token sets the cookie, which is enough afterwards")
  func signIn() async throws {
    try await StudioTestServer.run { studio in
      let answer = try await studio.send("/try?token=\(studio.token)")
      #expect(answer.status == 303)
      #expect(answer.header("Location") == "/try")
      let cookie = try #require(answer.header("Set-Cookie"))
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      #expect(cookie.contains("ductus-studio-\(studio.base.port ?? 0)="))
      let pair = String(cookie.prefix { $0 != ";" })
      let overview = try await studio.send("/v1/studio", headers: ["Cookie": pair])
      #expect(overview.status == 200)
      #expect(try await studio.send("/v1/studio").status == 401)
      let wrong = try await studio.send("/try?token=\(String(repeating: "0", count: 48))")
      #expect(wrong.status == 200 && wrong.header("Set-Cookie") == nil)
    }
  }

  @Test("Unknown paths and methods are told apart")
  func routes() async throws {
    try await StudioTestServer.run { studio in
      let token = studio.token
      #expect(try await studio.send("/v1/none", token: token).status == 404)
      let answer = try await studio.send("/v1/studio", "DELETE", token: token)
      #expect(answer.status == 405)
      #expect(answer.header("Allow") == "GET")
      #expect(try await studio.send("/v1/studio", "HEAD", token: token).text.isEmpty)
      #expect(try await studio.send("/js/shell.js", "POST", token: token).status == 405)
    }
  }

  @Test("A body of another type is refused, since forms of other pages can send it")
  func types() async throws {
    try await StudioTestServer.run { studio in
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let answer = try await studio.send(
          "/v1/recognize", "POST", body: Data("{}".utf8), type: type, token: studio.token)
        #expect(answer.status == 415, "\(type)")
      }
    }
  }

  @Test("A long body is refused at once, and the connection goes on")
  func longBody() async throws {
    try await StudioTestServer.run { studio in
      // More than the HTTP library keeps: this body can be read once only.
      let body = Data(repeating: UInt8(ascii: " "), count: 20 << 20)
      let answer = try await studio.send("/v1/recognize", "POST", body: body, token: studio.token)
      #expect(answer.status == 413)
      let unauthorized = try await studio.send("/v1/recognize", "POST", body: body)
      #expect(unauthorized.status == 401)
      #expect(try await studio.send("/v1/studio", token: studio.token).status == 200)
    }
  }

  @Test("A file is sent again only if it changed")
  func entityTags() async throws {
    try await StudioTestServer.run { studio in
      let first = try await studio.send("/js/shell.js")
      let tag = try #require(first.header("ETag"))
      let second = try await studio.send("/js/shell.js", headers: ["If-None-Match": tag])
      #expect(second.status == 304)
      #expect(second.text.isEmpty)
      let other = try await studio.send("/js/shell.js", headers: ["If-None-Match": "\"0\""])
      #expect(other.status == 200)
    }
  }

  @Test("The files of the app weigh at most 500 kB together")
  func weight() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Studio/Web")
    let walk = try #require(FileManager.default.enumerator(atPath: root.path))
    var total = 0
    for case let name as String in walk where name.contains(".") {
      total += try Data(contentsOf: root.appendingPathComponent(name)).count
    }
    #expect(total > 10_000 && total <= 500_000, "\(total) bytes")
  }
}
