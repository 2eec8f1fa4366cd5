import Foundation
import Recognition
import Studio
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The routes of jobs, reports and models, over HTTP.
@Suite("Routes of trainings and reports") struct JobsRouteTests {
  private func serve(_ place: JobsProject, _ body: (URL, String) async throws -> Void) async throws
  {
    let server = try StudioServer(place.context.configuration)
    let running = Task { try await server.run() }
    let address = try #require(try await server.waitUntilListening())
    let token = try #require(
      URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems?.first?.value)
    var parts = try #require(URLComponents(url: address, resolvingAgainstBaseURL: false))
    parts.query = nil
    parts.path = ""
    do {
      try await body(try #require(parts.url), token)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    running.cancel()
  }

  private func send(
    _ method: String, _ path: String, to base: URL, token: String?, body: String? = nil
  ) async throws -> (status: Int, headers: [AnyHashable: Any], text: String) {
    var request = URLRequest(url: try #require(URL(string: base.absoluteString + path)))
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body {
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (bytes, response) = try await URLSession.shared.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    return (answer.statusCode, answer.allHeaderFields, String(decoding: bytes, as: UTF8.self))
  }

  @Test("Jobs need the token; a wrong request answers with an error and starts nothing")
  func requests() async throws {
    let place = try JobsProject()
    try await serve(place) { base, token in
      #expect(try await send("GET", "/v1/jobs", to: base, token: nil).status == 401)
      #expect(try await send("GET", "/v1/jobs", to: base, token: token).status == 200)
      for body in ["", "[]", "{", #"{"data": 3}"#, String(repeating: "[", count: 100_000)] {
        let answer = try await send("POST", "/v1/jobs/train", to: base, token: token, body: body)
        #expect(answer.status == 422, "\(body.prefix(20))")
      }
      for path in [
        "/v1/jobs/..%2F..", "/v1/jobs/nope", "/v1/jobs/nope/watch", "/v1/runs/curves?ids=1",
      ] {
        #expect(try await send("GET", path, to: base, token: token).status == 404, "\(path)")
      }
      for ids in ["", "0", "x", "1,1", "1,2,3,4,5,6,7", "-1", "99999999999999999999"] {
        let answer = try await send("GET", "/v1/runs/curves?ids=\(ids)", to: base, token: token)
        #expect(answer.status == 422, "\(ids)")
      }
      let runs = try await send("GET", "/v1/runs", to: base, token: token)
      #expect(runs.status == 200 && runs.text == #"{"runs":[]}"#)
      #expect(place.jobs().list().isEmpty)
    }
  }

  @Test("A damaged log of runs is told and does not fail the page")
  func damagedLog() async throws {
    let place = try JobsProject()
    try Data("not SQLite at all, but long enough to be read as a header ....".utf8).write(
      to: place.root.appendingPathComponent("runs.sqlite"))
    try await serve(place) { base, token in
      let runs = try await send("GET", "/v1/runs", to: base, token: token)
      #expect(runs.status == 200 && runs.text.contains(#""problem""#))
    }
  }

  @Test("A report comes without scripts and without the origin of the studio; other files do not")
  func reports() async throws {
    let place = try JobsProject()
    let folder = place.path("reports/mine")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("<p>report".utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
    try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/evaluation.json"))
    try Data("secret".utf8).write(to: URL(fileURLWithPath: place.path("secret.html")))
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link.html", withDestinationPath: "/etc/hostname")
    try await serve(place) { base, token in
      let report = try await send("GET", "/reports/mine/index.html", to: base, token: token)
      #expect(report.status == 200 && report.text == "<p>report")
      let policy = report.headers["Content-Security-Policy"] as? String ?? ""
      #expect(policy.contains("sandbox") && policy.contains("default-src 'none'"))
      #expect(!policy.contains("script-src"))
      #expect(try await send("GET", "/reports/mine/index.html", to: base, token: nil).status == 401)
      for path in [
        "mine", "mine/evaluation.json", "mine/link.html", "..%2Fsecret.html", "%2e%2e/secret.html",
        "mine/..%2F..%2Fsecret.html", ".studio/token", "missing/index.html",
      ] {
        let answer = try await send("GET", "/reports/\(path)", to: base, token: token)
        #expect([403, 404].contains(answer.status) && !answer.text.contains("secret<"), "\(path)")
      }
    }
  }
}
