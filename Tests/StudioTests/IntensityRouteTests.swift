import Foundation
import Studio
import Testing

@Suite("The page Intensity") struct IntensityRouteTests {
  private struct Answer: Decodable {
    struct Rendering: Decodable {
      struct Run: Decodable { var text: String }
      var scheme: String
      var runs: [Run]
      var bottom: [Run]?
    }
    var text: String
    var plain: String
    var average: Int
    var current: Int?
    var renderings: [Rendering]
  }

  private struct File: Decodable {
    var name: String
    var content: String
  }

  private func post(
    _ body: [String: Any], to path: String = "/v1/studio/intensity", _ server: StudioTestServer
  ) async throws -> StudioTestServer.Answer {
    try await server.send(
      path, "POST", body: try JSONSerialization.data(withJSONObject: body), token: server.token)
  }

  private func touch(_ kind: String, _ time: Double, force: Double) -> [String: Any] {
    ["kind": kind, "row": 0, "key": 0, "time": time, "force": force, "maximumForce": 1]
  }

  @Test("Touches of keys become a text in every scheme, and a file")
  func typing() async throws {
    try await StudioTestServer.run { server in
      let events = [touch("down", 1, force: 0.8), touch("up", 1.1, force: 0)]
      let settings: [String: Any] = ["estimator": "force", "animates": true]
      let first = try await post(["text": "", "events": events, "settings": settings], server)
      #expect(first.status == 200)
      let answer = try JSONDecoder().decode(Answer.self, from: Data(first.text.utf8))
      #expect(answer.plain == "q" && answer.average == 80 && answer.current == nil)
      #expect(answer.renderings.map(\.scheme) == ["weight", "size", "alpha", "hue", "shadow"])
      #expect(answer.renderings.allSatisfy { $0.runs.map(\.text) == ["q"] })
      #expect(answer.renderings.map { $0.bottom != nil } == [false, false, true, true, true])
      for format in ["json", "html", "svg", "ansi"] {
        let body: [String: Any] = ["text": answer.text, "format": format]
        let export = try await post(body, to: "/v1/studio/intensity/export", server)
        #expect(export.status == 200)
        let file = try JSONDecoder().decode(File.self, from: Data(export.text.utf8))
        #expect(file.name.hasPrefix("text.") && file.content.contains("q"))
      }
    }
  }

  @Test("A key that is held tells its intensity and leaves the text as it is")
  func preview() async throws {
    try await StudioTestServer.run { server in
      let events = [touch("down", 1, force: 0.3), touch("press", 1.1, force: 0.5)]
      let body: [String: Any] = ["text": "", "events": events, "settings": ["estimator": "force"]]
      let answer = try JSONDecoder().decode(
        Answer.self, from: Data(try await post(body, server).text.utf8))
      #expect(answer.plain == "" && answer.current == 50)
    }
  }

  @Test("Wrong texts, events and settings are refused")
  func attacks() async throws {
    try await StudioTestServer.run { server in
      let bodies: [[String: Any]] = [
        [:], ["text": "{"], ["text": "", "events": [["kind": "jump"]]],
        ["text": "", "events": [["kind": "down", "row": 99, "key": 0]]],
        ["text": "", "selection": [0, 5]], ["text": "", "selection": [3]],
        ["text": "", "settings": ["scheme": "none"]],
        ["text": "", "settings": ["smoothing": "none"]],
        ["text": "", "settings": ["estimator": "none"]],
        ["text": "", "settings": ["mapping": "none"]],
        ["text": "", "events": [["kind": "text", "text": String(repeating: "a", count: 6000)]]],
      ]
      for body in bodies {
        let status = try await post(body, server).status
        #expect(status >= 400, "\(body.keys)")
      }
      let wrong: [String: Any] = ["text": "", "format": "exe"]
      let refused = try await post(wrong, to: "/v1/studio/intensity/export", server)
      #expect(refused.status == 422)
    }
  }
}
