import Foundation
import InkFormats
import Studio
import Testing

@Suite("Saved ink") struct SavedInkTests {
  private func body(file: String, label: String = "a b", x: String = "[1,2]") -> String {
    #"{"file":"\#(file)","label":"\#(label)","strokes":[{"x":\#(x),"y":[3,4],"t":[0,8]}]}"#
  }

  private func save(
    _ body: String, _ server: StudioTestServer
  ) async throws -> StudioTestServer.Answer {
    try await server.send(
      "/v1/studio/inks", "POST", body: Data(body.utf8), token: server.token)
  }

  @Test("Saved ink is added to a file that can be read")
  func saving() async throws {
    try await StudioTestServer.run { server in
      for label in ["a b", "“ü”"] {
        let answer = try await save(body(file: "mine", label: label), server)
        #expect(answer.status == 200)
      }
      let path = server.project.folder.appendingPathComponent("collect/mine.jsonl").path
      let records = try Array(InkReader(.jsonLines, path: path)).map { try $0.get().labeled }
      #expect(records.map(\.label) == ["a b", "“ü”"])
      #expect(records.first?.ink.strokes.first?.points.map(\.t) == [0, 8])
    }
  }

  @Test("Wrong ink, labels and names change nothing")
  func attacks() async throws {
    try await StudioTestServer.run { server in
      for (text, status) in [
        (body(file: "../out"), 422), (body(file: ""), 422), (body(file: "a/b"), 422),
        (body(file: "mine", label: ""), 422), (body(file: "mine", x: "[1]"), 422),
        (body(file: "mine", x: "[1,1e300]"), 422), (body(file: "mine", x: "[1,null]"), 422),
        ("{}", 422), ("[", 422),
      ] {
        let answer = try await save(text, server)
        #expect(answer.status == status, "\(text)")
      }
      let folder = server.project.folder.appendingPathComponent("collect").path
      #expect(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).isEmpty)
    }
  }

  @Test("The file of a session is refused")
  func session() async throws {
    try await StudioTestServer.run { server in
      let folder = server.project.folder.appendingPathComponent("collect")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: folder.appendingPathComponent("mine.session.json"))
      let answer = try await save(body(file: "mine"), server)
      #expect(answer.status == 409)
    }
  }
}
