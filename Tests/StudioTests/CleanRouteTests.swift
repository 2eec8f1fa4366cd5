import Foundation
import InkDatasets
import PretrainedModels
import Recognition
import Studio
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A studio on a free port.
private struct CleanServer {
  let base: URL
  let folder: URL

  /// Runs a test against a studio of a folder.
  static func run(
    in folder: URL, _ body: (CleanServer) async throws -> Void
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
    try await body(
      CleanServer(base: try #require(URL(string: "/", relativeTo: address)), folder: folder))
    await server.stop(seconds: 1)
  }

  /// Runs a test against a studio of a new folder, which is removed.
  static func run(_ body: (CleanServer) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-clean-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run(in: folder, body)
  }

  struct Answer {
    var status: Int
    var json: [String: Any]
    var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
    var inks: [[String: Any]] { json["inks"] as? [[String: Any]] ?? [] }
  }

  /// Sends a request with a text as its body.
  func send(
    _ method: String, _ path: String, text: String? = nil, token: String = "test"
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)))
    request.httpMethod = method
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.timeoutInterval = 60
    if let text {
      request.httpBody = Data(text.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Answer(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0,
      json: (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:])
  }

  func send(_ method: String, _ path: String, _ body: [String: Any]) async throws -> Answer {
    let bytes = try JSONSerialization.data(withJSONObject: body)
    return try await send(method, path, text: String(decoding: bytes, as: UTF8.self))
  }

  /// Opens data and waits until it is read; the identifier of its wall.
  func open(_ data: String) async throws -> String {
    let opened = try await send("POST", "/v1/data/open", ["data": data])
    let wall = try #require(opened.json["wall"] as? String)
    let status = try await wait(wall) { $0["isReady"] as? Bool == true }
    #expect((status["opening"] as? [String: Any])?["error"] == nil)
    return wall
  }

  /// Waits for a state of a wall.
  @discardableResult
  func wait(
    _ wall: String, until condition: ([String: Any]) -> Bool
  ) async throws -> [String: Any] {
    while true {
      let status = try await send("GET", "/v1/data/\(wall)").json
      if condition(status) { return status }
      let opening = status["opening"] as? [String: Any]
      if let error = opening?["error"] as? String { throw StudioError(.failed, error) }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Waits until work has ended.
  func waitForWork(_ wall: String) async throws -> [String: Any] {
    try await wait(wall) { ($0["job"] as? [String: Any])?["isRunning"] as? Bool == false }
  }

  func inks(_ wall: String, _ query: String = "count=500") async throws -> [[String: Any]] {
    try await send("GET", "/v1/data/\(wall)/inks?\(query)").inks
  }

  func decide(
    _ wall: String, _ ink: [String: Any], _ decision: String, label: String? = nil
  ) async throws -> Answer {
    var value: [String: Any] = [
      "ink": ink["ink"] ?? "", "nth": ink["nth"] ?? 0, "decision": decision,
    ]
    value["label"] = label
    return try await send("POST", "/v1/data/\(wall)/decisions", ["decisions": [value]])
  }

  func write(_ text: String, to name: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The labels that a text of data gives in the folder of the project.
  func labels(_ data: String) throws -> [String] {
    var specification = try DataSpecification(parsing: data)
    specification.path = folder.appendingPathComponent(specification.path).path
    specification.decisions = specification.decisions.map {
      folder.appendingPathComponent($0).path
    }
    return try specification.records().map { try $0.get().labeled.label }
  }
}

private func line(_ label: String, _ number: Int, writer: String = "w") -> String {
  #"{"label":"\#(label)","writer":"\#(writer)","strokes":[{"x":[0,\#(number),9],"y":[0,1,7]}]}"#
    + "\n"
}

@Suite("Requests of the page Label and clean", .serialized, .timeLimit(.minutes(5)))
struct CleanRouteTests {
  @Test("Decisions change what --data gives, and never the source")
  func decisions() async throws {
    try await CleanServer.run { server in
      let source = line("a", 1) + line("b", 2) + line("a", 1) + line("c", 3)
      try server.write(source, to: "collect/mine.jsonl")
      let wall = try await server.open("ink:collect/mine.jsonl")
      let inks = try await server.inks(wall)
      #expect(inks.map { $0["label"] as? String } == ["a", "b", "a", "c"])
      #expect(inks.map { $0["nth"] as? Int } == [0, 0, 1, 0])
      #expect(inks.allSatisfy { ($0["drawing"] as? [String: Any])?["strokes"] is String })
      #expect(try await server.decide(wall, inks[2], "drop").status == 200)
      let relabelled = try await server.decide(wall, inks[1], "relabel", label: " e\u{301} ")
      #expect(relabelled.inks.first?["label"] as? String == "\u{E9}")
      #expect(relabelled.inks.first?["was"] as? String == "b")
      #expect(try await server.decide(wall, inks[3], "accept").status == 200)
      let status = try await server.send("GET", "/v1/data/\(wall)").json
      let decided = try #require(status["decided"] as? String)
      #expect(decided == "ink:collect/mine.jsonl?decisions=decisions/collect-mine.jsonl")
      #expect(try server.labels(decided) == ["a", "\u{E9}", "c"])
      let counts = try #require(status["decisions"] as? [String: Int])
      #expect(counts == ["accept": 1, "relabel": 1, "drop": 1, "unmatched": 0])
      let after = try Data(contentsOf: server.folder.appendingPathComponent("collect/mine.jsonl"))
      #expect(after == Data(source.utf8))
      // Taking back.
      let key = try #require(inks[2]["ink"] as? String)
      let undone = try await server.send("DELETE", "/v1/data/\(wall)/decisions/\(key)/1")
      #expect(undone.status == 200)
      #expect(try server.labels(decided) == ["a", "\u{E9}", "a", "c"])
      let list = try await server.send("GET", "/v1/data/\(wall)/decisions").json
      #expect((list["decisions"] as? [[String: Any]])?.map { $0["id"] as? Int } == [1, 3])
    }
  }

  @Test("Decisions do not move inks in a list, and a new list follows them")
  func stable() async throws {
    try await CleanServer.run { server in
      try server.write((0..<9).map { line("l\($0)", $0) }.joined(), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      let first = try await server.send("GET", "/v1/data/\(wall)/inks?decision=open")
      let revision = try #require(first.json["revision"] as? Int)
      #expect(first.json["total"] as? Int == 9)
      _ = try await server.decide(wall, first.inks[0], "drop")
      let path = "/v1/data/\(wall)/inks?decision=open"
      let same = try await server.send("GET", "\(path)&at=\(revision)")
      #expect(same.json["total"] as? Int == 9)
      #expect(same.inks[0]["decision"] as? String == "drop")
      let new = try await server.send("GET", path)
      #expect(new.json["total"] as? Int == 8)
      #expect(new.json["revision"] as? Int != revision)
      let range = try await server.send("GET", "\(path)&from=6&count=5")
      #expect(range.inks.count == 2)
      #expect(try await server.send("GET", "\(path)&from=100").inks.isEmpty)
    }
  }

  @Test("Decisions of another program, and after a restart, are there")
  func others() async throws {
    try await CleanServer.run { server in
      try server.write(line("a", 1) + line("b", 2), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      let inks = try await server.inks(wall)
      _ = try await server.decide(wall, inks[0], "drop")
      let file = server.folder.appendingPathComponent("decisions/d.jsonl").path
      let key = try #require(InkFingerprint(inks[1]["ink"] as? String ?? ""))
      try DecisionFile.append([DecisionEntry(InkKey(key), .relabel("x"))], to: file)
      #expect(try await server.inks(wall).map { $0["label"] as? String } == ["a", "x"])
      try await CleanServer.run(in: server.folder) { other in
        #expect(try await other.send("GET", "/v1/data/\(wall)").code == "notFound")
        let again = try await other.open("ink:d.jsonl")
        let kept = try await other.inks(again)
        #expect(kept.map { $0["decision"] as? String } == ["drop", "relabel"])
      }
      // A file that somebody broke is an error, and nothing is added to it.
      try server.write("nonsense\n", to: "decisions/d.jsonl")
      let broken = try await server.decide(wall, inks[0], "accept")
      #expect(broken.code == "invalidValue")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "nonsense\n")
    }
  }

  @Test("Data that changed is read again, and decisions about what is gone are refused")
  func changed() async throws {
    try await CleanServer.run { server in
      try server.write(line("a", 1) + line("b", 2), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      let old = try await server.inks(wall)
      #expect(try await server.open("ink:d.jsonl") == wall)
      try server.write(line("b", 2) + line("c", 3) + line("c", 4), to: "d.jsonl")
      let new = try await server.open("ink:d.jsonl")
      #expect(new != wall)
      #expect(try await server.inks(new).count == 3)
      #expect(try await server.send("GET", "/v1/data/\(wall)").code == "notFound")
      #expect(try await server.decide(new, old[0], "drop").code == "conflict")
      #expect(try await server.decide(new, old[1], "drop").status == 200)
    }
  }

  @Test("The data doctor finds a planted wrong label, and looking again knows that it is decided")
  func doctor() async throws {
    try await CleanServer.run { server in
      let made = try DataSpecification(
        parsing: "starter:characters?count=360&seed=5&labels=%5Babcmw0%5D"
      ).records().map { try $0.get().labeled }
      let planted = 100
      let wrong = made[planted].label == "m" ? "c" : "m"
      let text = made.enumerated().map { index, labeled -> String in
        let strokes = labeled.ink.strokes.map { stroke in
          #"{"x":\#(stroke.points.map(\.x)),"y":\#(stroke.points.map(\.y))}"#
        }
        let label = index == planted ? wrong : labeled.label
        return #"{"label":"\#(label)","strokes":[\#(strokes.joined(separator: ","))]}"# + "\n"
      }
      try server.write(text.joined(), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      let none = try await server.send("GET", "/v1/data/\(wall)/suspects").json
      #expect(none["findings"] == nil && none["total"] as? Int == 0)
      #expect(try await server.send("POST", "/v1/data/\(wall)/examine").status == 202)
      let job = try #require(try await server.waitForWork(wall)["job"] as? [String: Any])
      #expect(job["error"] == nil)
      let inks = try await server.inks(wall, "suspects=1&sort=suspect")
      let suspect = try #require(inks.first { $0["id"] as? Int == planted })
      #expect(suspect["reason"] as? String == "label")
      let suggested = try #require(suspect["suggested"] as? String)
      #expect(suggested == made[planted].label)
      _ = try await server.decide(wall, suspect, "relabel", label: suggested)
      let open = try await server.inks(wall, "suspects=1&decision=open")
      #expect(!open.contains { $0["id"] as? Int == planted })
      // With the label corrected, it is no suspect.
      _ = try await server.send("POST", "/v1/data/\(wall)/examine")
      _ = try await server.waitForWork(wall)
      let again = try await server.inks(wall, "suspects=1")
      #expect(!again.contains { $0["id"] as? Int == planted })
    }
  }

  @Test("A model reads the inks, and errors and confidence become filters")
  func reading() async throws {
    try await CleanServer.run { server in
      let wall = try await server.open("starter:characters?count=188&seed=2")
      let path = "/v1/data/\(wall)/read"
      #expect(try await server.send("POST", path, ["model": "latin-characters"]).status == 202)
      let status = try await server.waitForWork(wall)
      let readings = try #require(status["readings"] as? [String: Any])
      #expect(readings["inks"] as? Int == 188)
      let errors = try #require(readings["errors"] as? Int)
      #expect(try await server.inks(wall, "error=1&count=500").count == errors)
      #expect(try await server.inks(wall, "error=0&count=500").count == 188 - errors)
      let unsure = try await server.inks(wall, "below=0.9&sort=confidence&count=500")
        .compactMap { $0["confidence"] as? Double }
      #expect(!unsure.isEmpty && unsure == unsure.sorted() && unsure.allSatisfy { $0 < 0.9 })
    }
  }

  @Test("Work can be cancelled, and one piece of work runs at a time")
  func cancel() async throws {
    try await CleanServer.run { server in
      let wall = try await server.open("starter:characters?count=20000")
      let path = "/v1/data/\(wall)"
      #expect(try await server.send("POST", "\(path)/examine").status == 202)
      #expect(try await server.send("POST", "\(path)/examine").code == "conflict")
      #expect(
        try await server.send("POST", "\(path)/read", ["model": "shapes"]).code == "conflict")
      _ = try await server.send("POST", "\(path)/cancel")
      let status = try await server.waitForWork(wall)
      let job = try #require(status["job"] as? [String: Any])
      #expect(job["isCancelled"] as? Bool == true && job["error"] == nil)
      #expect(status["findings"] == nil)
    }
  }
}

@Suite("Attacks on the page Label and clean", .serialized, .timeLimit(.minutes(5)))
struct CleanAttackTests {
  @Test("Files outside the project are not opened, and decisions are written nowhere else")
  func outside() async throws {
    try await CleanServer.run { server in
      try server.write(line("a", 1), to: "d.jsonl")
      try FileManager.default.createSymbolicLink(
        atPath: server.folder.path + "/link.jsonl", withDestinationPath: "/etc/hostname")
      for data in [
        "ink:/etc/passwd", "ink:../x.jsonl", "ink:a/../../x", "ink:link.jsonl", "ink:.studio/token",
        "ink:d.jsonl?texts=/etc/passwd", "ink:d.jsonl?decisions=../d.jsonl",
        "ink:d.jsonl?decisions=d.jsonl", "ink:d.jsonl?splits=/etc/passwd",
        "ink:d.jsonl?decisions=decisions/../../x.jsonl", "ink:d.jsonl?decisions=/tmp/x.jsonl",
        "starter:words?words=/etc/passwd",
      ] {
        let answer = try await server.send("POST", "/v1/data/open", ["data": data])
        #expect(answer.status == 403 || answer.status == 422, "\(data)")
      }
      // A link in place of the file or of the folder.
      let outside = server.folder.deletingLastPathComponent()
        .appendingPathComponent("outside-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: outside) }
      let wall = try await server.open("ink:d.jsonl")
      let inks = try await server.inks(wall)
      try FileManager.default.createSymbolicLink(
        at: server.folder.appendingPathComponent("decisions"), withDestinationURL: outside)
      #expect(try await server.decide(wall, inks[0], "drop").status >= 400)
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    }
  }

  @Test(
    "Malformed data and missing files are errors",
    arguments: [
      "", "x", "ink:", "none:x", "ink:d.jsonl?labels=(", "ink:d.jsonl?limit=-1", "ink:d\u{0}",
    ])
  func malformed(data: String) async throws {
    try await CleanServer.run { server in
      let answer = try await server.send("POST", "/v1/data/open", ["data": data])
      #expect(answer.status == 422 || answer.status == 403)
    }
  }

  @Test("A missing file and a file of something else say so")
  func missing() async throws {
    try await CleanServer.run { server in
      let opened = try await server.send("POST", "/v1/data/open", ["data": "ink:none.jsonl"])
      let wall = try #require(opened.json["wall"] as? String)
      await #expect(throws: StudioError.self) {
        try await server.wait(wall) { $0["isReady"] as? Bool == true }
      }
      #expect(try await server.send("GET", "/v1/data/\(wall)/inks").code == "invalidValue")
      try server.write("this\nis no ink\n", to: "text.jsonl")
      let other = try await server.open("ink:text.jsonl")
      let status = try await server.send("GET", "/v1/data/\(other)").json
      #expect(status["inks"] as? Int == 0 && status["failures"] as? Int == 2)
    }
  }

  @Test("Values that are none are refused, and what was there stays")
  func values() async throws {
    try await CleanServer.run { server in
      try server.write(line("a", 1), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      let path = "/v1/data/\(wall)"
      let ink = try #require(try await server.inks(wall).first?["ink"] as? String)
      for body in [
        "", "{}", "[]", "nul", #"{"decisions":[]}"#, #"{"decisions":{}}"#, #"{"decisions":[1]}"#,
        #"{"decisions":[{"ink":"zz","decision":"drop"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","decision":"eat"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","nth":-1,"decision":"drop"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","nth":1e99,"decision":"drop"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","decision":"relabel"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","decision":"relabel","label":"  \n"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","decision":"relabel","label":"\u0000"}]}"#,
        #"{"decisions":[{"ink":"\#(ink)","decision":"relabel","label":"\#(String(repeating: "x", count: 4001))"}]}"#,
      ] {
        let answer = try await server.send("POST", "\(path)/decisions", text: body)
        #expect(answer.status == 422, "\(body.prefix(60))")
      }
      let unknown = #"{"decisions":[{"ink":"0123456789abcdef","decision":"drop"}]}"#
      #expect(
        try await server.send("POST", "\(path)/decisions", text: unknown).code == "conflict")
      for query in ["count=513", "count=-1", "from=x", "below=9", "sort=x", "at=x"] {
        #expect(try await server.send("GET", "\(path)/inks?\(query)").status == 422, "\(query)")
      }
      for other in ["/inks/1", "/inks/99999999999999999999", "/inks/-1", "/inks/x", "/none"] {
        #expect(try await server.send("GET", path + other).status >= 400, "\(other)")
      }
      let hostile = try await server.send("POST", "\(path)/read", ["model": "../../etc"])
      #expect(hostile.status >= 400 && hostile.status < 500)
      #expect(try await server.send("POST", "\(path)/read", text: "{}").status == 422)
      let huge = String(repeating: " ", count: 9 << 20)
      #expect(try await server.send("POST", "\(path)/decisions", text: huge).status == 413)
      #expect(
        !FileManager.default.fileExists(
          atPath: server.folder.appendingPathComponent("decisions/d.jsonl").path))
    }
  }

  @Test("Nothing is answered without the token")
  func token() async throws {
    try await CleanServer.run { server in
      try server.write(line("a", 1), to: "d.jsonl")
      let wall = try await server.open("ink:d.jsonl")
      for (method, path) in [
        ("GET", ""), ("GET", "/inks"), ("GET", "/inks/0"), ("GET", "/suspects"),
        ("GET", "/decisions"), ("POST", "/decisions"), ("POST", "/examine"), ("POST", "/read"),
      ] {
        let answer = try await server.send(method, "/v1/data/\(wall)\(path)", token: "other")
        #expect(answer.code == "unauthorized", "\(method) \(path)")
      }
    }
  }
}
