import DuctusTool
import Foundation
import Recognition
import Testing

@Suite struct RecognizePipeTests {
  /// Returns the answers of the pipe to an input: one JSON object per line.
  private func answers(
    _ input: Data, _ pipe: RecognizePipe = RecognizePipe()
  ) throws -> [[String: Any]] {
    let folder = FileManager.default.temporaryDirectory
    let (from, to) = (
      folder.appendingPathComponent("in-\(UUID())"), folder.appendingPathComponent("out-\(UUID())")
    )
    try input.write(to: from)
    try Data().write(to: to)
    defer {
      try? FileManager.default.removeItem(at: from)
      try? FileManager.default.removeItem(at: to)
    }
    let reading = try FileHandle(forReadingFrom: from)
    let writing = try FileHandle(forWritingTo: to)
    try pipe.run(input: reading.fileDescriptor, output: writing.fileDescriptor)
    return try String(contentsOf: to, encoding: .utf8).split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func code(_ answer: [String: Any]) -> String? {
    (answer["error"] as? [String: Any])?["code"] as? String
  }

  @Test("Every line gets an answer, in order, whatever its content")
  func everyLine() throws {
    let lines = [
      #"{"id":1,"strokes":[]}"#, "", "x", #"{"id":"b","strokes":[{"x":[NaN],"y":[1]}]}"#,
      #"{"id":3,"strokes":[],"model":"none"}"#, #"{"id":4,"strokes":[]}"# + "\r", "\u{0}",
      #"{"id":5,"strokes":[],"layout":"page"}"#,
    ]
    let answers = try answers(Data(lines.joined(separator: "\n").utf8))
    #expect(
      answers.map(code) == [
        nil, "malformedJSON", "malformedJSON", "malformedJSON", "unknownModel", nil,
        "malformedJSON", nil,
      ])
    #expect(answers[0]["id"] as? Int == 1)
    #expect(answers[2]["id"] is NSNull)
    #expect(answers[3]["id"] as? String == "b")
    #expect(answers[4]["id"] as? Int == 3)
    #expect(answers[7]["id"] as? Int == 5)
  }

  @Test("A line of 100 MB is refused with its identifier, and the next is read")
  func longLine() throws {
    var input = Data(#"{"id":7,"strokes":["#.utf8)
    input.append(Data(repeating: UInt8(ascii: "["), count: 100_000_000))
    input.append(Data("\n{\"id\":8,\"strokes\":[]}\n".utf8))
    let answers = try answers(input)
    #expect(answers.map(code) == ["tooLarge", nil])
    #expect(answers[0]["id"] as? Int == 7)
    #expect(answers[1]["id"] as? Int == 8)
  }

  @Test("Options of the command are the defaults of all requests")
  func defaults() throws {
    var pipe = RecognizePipe()
    pipe.defaults.model = "shapes"
    let answers = try answers(
      Data("{\"strokes\":[]}\n{\"strokes\":[],\"model\":\"latin-lines\"}".utf8), pipe)
    #expect(answers.map { $0["model"] as? String } == ["shapes", "latin-lines"])
    pipe.defaults.model = "none"
    #expect(throws: ToolError.self) { try self.answers(Data(), pipe) }
  }

  @Test("A reader that goes away ends the pipe without an error")
  func closedOutput() throws {
    var ends: [Int32] = [0, 0]
    #expect(Foundation.pipe(&ends) == 0)
    close(ends[0])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("in-\(UUID())")
    try Data("{\"strokes\":[]}\n{\"strokes\":[]}\n".utf8).write(to: file)
    defer {
      close(ends[1])
      try? FileManager.default.removeItem(at: file)
    }
    let reading = try FileHandle(forReadingFrom: file)
    try RecognizePipe().run(input: reading.fileDescriptor, output: ends[1])
  }

  @Test("The schema is JSON and names every member of a request")
  func schema() throws {
    let text = ExchangeSchema.document()
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let definitions = try #require(json?["$defs"] as? [String: [String: Any]])
    let members = try #require(definitions["Request"]?["properties"] as? [String: Any])
    #expect(
      Set(members.keys) == [
        "id", "strokes", "model", "language", "area", "preContext", "alphabet", "lexicon",
        "lexiconBonus", "layout", "candidates", "spans", "label", "writer", "quality",
      ])
  }
}
