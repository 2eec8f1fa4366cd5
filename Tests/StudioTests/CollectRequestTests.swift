import Foundation
import PretrainedModels
import Recognition
import Studio
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A studio on a free port while a test runs, and its folder.
private func withStudio(
  in folder: URL, _ body: (URL) async throws -> Void
) async throws {
  let models = try PretrainedModels()
  let server = try StudioServer(
    StudioConfiguration(
      folder: folder, library: ModelLibrary([models]),
      tool: URL(fileURLWithPath: "/bin/false"), port: 0,
      token: "test"))
  let task = Task { try await server.run() }
  defer { task.cancel() }
  let address = try #require(try await server.waitUntilListening())
  let base = try #require(URL(string: "/", relativeTo: address))
  try await body(base)
  await server.stop(seconds: 1)
}

/// Sends a request; the status and the decoded answer.
private func send(
  _ base: URL, _ path: String, _ method: String = "GET", _ body: String? = nil,
  token: String = "test", type: String = "application/json"
) async throws -> (status: Int, json: [String: Any]) {
  var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)))
  request.httpMethod = method
  request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
  if let body {
    request.httpBody = Data(body.utf8)
    request.setValue(type, forHTTPHeaderField: "Content-Type")
  }
  let (data, response) = try await URLSession.shared.data(for: request)
  let status = (response as? HTTPURLResponse)?.statusCode ?? 0
  return (status, (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:])
}

private func code(_ answer: (status: Int, json: [String: Any])) -> String? {
  (answer.json["error"] as? [String: Any])?["code"] as? String
}

private let session =
  #"{"name":"mine","writer":"w1","source":{"kind":"text","text":"one\ntwo\nthree"}}"#

private func sample(_ id: String, _ number: Int = 0, replaces: String? = nil) -> String {
  let old = replaces.map { #","replaces":"\#($0)""# } ?? ""
  return #"{"id":"\#(id)","strokes":[{"x":[\#(number),30,60,90],"y":[10,80,15,70],"#
    + #""t":[0,90,200,300]}],"surface":{"width":600,"height":200}\#(old)}"#
}

@Suite("Requests of the page Collect", .timeLimit(.minutes(5))) struct CollectRequestTests {
  @Test("A session is made, written, and still there after a restart")
  func restart() async throws {
    let folder = try CollectFolder()
    try await withStudio(in: folder.url) { base in
      let made = try await send(base, "v1/collect", "POST", session)
      #expect(made.status == 201)
      #expect(
        try await send(base, "v1/collect/mine/samples/0", "PUT", sample("a", 5)).status == 200)
      #expect(try await send(base, "v1/collect/mine/skipped/1", "PUT").status == 200)
    }
    try await withStudio(in: folder.url) { base in
      let state = try await send(base, "v1/collect/mine").json
      #expect(state["written"] as? Int == 1)
      #expect((state["next"] as? [String: Any])?["label"] as? String == "three")
      // The answer to the last request was lost with the server.
      let answer = try await send(base, "v1/collect/mine/samples/0", "PUT", sample("a", 5))
      #expect(answer.json["isRepeated"] as? Bool == true)
      let samples = try await send(base, "v1/collect/mine/samples?last=5").json
      #expect((samples["samples"] as? [Any])?.count == 1)
      let list = try await send(base, "v1/collect").json["sessions"] as? [[String: Any]]
      #expect(list?.first?["written"] as? Int == 1)
    }
  }

  @Test("A conflict has the present state, so that the page goes on")
  func conflict() async throws {
    let folder = try CollectFolder()
    try await withStudio(in: folder.url) { base in
      _ = try await send(base, "v1/collect", "POST", session)
      _ = try await send(base, "v1/collect/mine/samples/0", "PUT", sample("a", 5))
      let answer = try await send(base, "v1/collect/mine/samples/0", "PUT", sample("b", 9))
      #expect(answer.status == 409)
      #expect(code(answer) == "conflict")
      #expect((answer.json["prompt"] as? [String: Any])?["sample"] as? String == "a")
      let state = answer.json["state"] as? [String: Any]
      #expect((state?["next"] as? [String: Any])?["index"] as? Int == 1)
      let redo = try await send(
        base, "v1/collect/mine/samples/0", "PUT", sample("b", 9, replaces: "a"))
      #expect(redo.status == 200)
      #expect(try await send(base, "v1/collect/mine/samples/0?id=a", "DELETE").status == 409)
      #expect(try await send(base, "v1/collect/mine/samples/0?id=b", "DELETE").status == 200)
      #expect(try await send(base, "v1/collect/mine/samples/0").status == 404)
    }
  }

  @Test("Two pages that write at once lose nothing and store nothing twice")
  func twoPages() async throws {
    let folder = try CollectFolder()
    let words = (0..<40).map { "w\($0)" }.joined(separator: #"\n"#)
    try await withStudio(in: folder.url) { base in
      _ = try await send(
        base, "v1/collect", "POST",
        #"{"name":"mine","source":{"kind":"text","text":"\#(words)"}}"#)
      let stored = try await withThrowingTaskGroup(of: [String].self) { group in
        for page in ["p", "q"] {
          group.addTask {
            var stored: [String] = []
            for prompt in 0..<40 {
              let answer = try await send(
                base, "v1/collect/mine/samples/\(prompt)", "PUT", sample("\(page)\(prompt)", prompt)
              )
              if answer.status == 200 { stored.append("\(page)\(prompt)") }
            }
            return stored
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(stored.count == 40)
      let prompts =
        try await send(base, "v1/collect/mine/prompts?from=0&count=50")
        .json["prompts"] as? [[String: Any]]
      #expect(Set(prompts?.compactMap { $0["sample"] as? String } ?? []) == Set(stored))
    }
  }

  @Test("Attacks on names, numbers and bodies are refused, and nothing is written elsewhere")
  func attacks() async throws {
    let folder = try CollectFolder()
    try await withStudio(in: folder.file("project")) { base in
      _ = try await send(base, "v1/collect", "POST", session)
      for name in ["..", "../x", "a/b", ".hidden", "", "-x", "a?b", "a\\u0000b", "a%2fb"] {
        let answer = try await send(
          base, "v1/collect", "POST",
          #"{"name":"\#(name)","source":{"kind":"text","text":"a"}}"#)
        #expect(answer.status == 422, "\(name)")
      }
      for path in ["%2e%2e", "..%2fx", "%2fetc%2fpasswd", "none", "mine%00", "mine/samples"] {
        let answer = try await send(base, "v1/collect/\(path)/samples/0", "PUT", sample("x"))
        #expect([404, 422, 405].contains(answer.status), "\(path)")
      }
      for number in ["-1", "3", "9223372036854775807", "99999999999999999999", "x", "0x1"] {
        let answer = try await send(base, "v1/collect/mine/samples/\(number)", "PUT", sample("x"))
        #expect([404, 422].contains(answer.status), "\(number)")
      }
      for query in ["from=-1", "from=x", "count=0", "count=501", "from=9223372036854775807"] {
        #expect(try await send(base, "v1/collect/mine/prompts?\(query)").status == 422, "\(query)")
      }
      let bodies = [
        "", "null", "[]", "{", #"{"id":1,"strokes":[]}"#, #"{"id":"a","strokes":{}}"#,
        #"{"id":"a","strokes":[{"x":["1"],"y":[1]}]}"#,
        #"{"id":"a","strokes":[{"x":[NaN],"y":[1]}]}"#,
        #"{"id":"a","strokes":[{"x":[1e999],"y":[1]}]}"#, #"{"id":"a","strokes":[{"x":[1]}]}"#,
        String(repeating: "[", count: 50_000),
      ]
      for body in bodies {
        let answer = try await send(base, "v1/collect/mine/samples/0", "PUT", body)
        #expect(answer.status == 422, "\(body.prefix(60))")
      }
      let huge = #"{"id":"a","strokes":[{"x":[\#(String(repeating: "1,", count: 5_000_000))1]}]}"#
      #expect(try await send(base, "v1/collect/mine/samples/0", "PUT", huge).status == 413)
      #expect(
        try await send(base, "v1/collect/mine/samples/0", "PUT", sample("x"), type: "text/plain")
          .status == 415)
      #expect(try await send(base, "v1/collect/mine", token: "wrong").status == 401)
      #expect(try await send(base, "v1/collect", "POST", session).status == 409)
      #expect(try await send(base, "v1/collect/mine").json["written"] as? Int == 0)
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(found == ["project"])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("project/collect").path)
    #expect(files.sorted() == [".mine.lock", "mine.jsonl", "mine.session.json"])
  }

  @Test("A link out of the project is not followed")
  func links() async throws {
    let folder = try CollectFolder()
    let outside = folder.file("outside.jsonl")
    try Data().write(to: outside)
    try await withStudio(in: folder.file("project")) { base in
      _ = try await send(base, "v1/collect", "POST", session)
      try FileManager.default.createSymbolicLink(
        at: folder.file("project/collect/other.jsonl"), withDestinationURL: outside)
      let answer = try await send(
        base, "v1/collect", "POST", #"{"name":"other","source":{"kind":"text","text":"a"}}"#)
      #expect(code(answer) == "forbidden")
    }
    #expect(try Data(contentsOf: outside).isEmpty)
  }
}
