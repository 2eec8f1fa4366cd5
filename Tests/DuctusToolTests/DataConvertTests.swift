import Foundation
import Testing

@Suite(
  "Converting data on the command line",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class DataConvertTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("\(#"{"label":"a","strokes":[{"x":[1],"y":[2]}]}"#)\n".utf8)
      .write(to: folder.appendingPathComponent("ink.jsonl"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(
    "Data without records exits with 2 and keeps the old file",
    arguments: ["labels=b", "limit=0"])
  func nothing(query: String) throws {
    try Data("before".utf8).write(to: folder.appendingPathComponent("out.jsonl"))
    let result = try tool.run(
      "data", "convert", "--data", "ink:\(path("ink.jsonl"))?\(query)", "--output",
      path("out.jsonl"))
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("expected records to write, found none"))
    #expect(try String(contentsOfFile: path("out.jsonl"), encoding: .utf8) == "before")
    #expect(try names == ["ink.jsonl", "out.jsonl"])
  }

  @Test("Nothing to cut exits with 2 and keeps the old file")
  func nothingToCut() throws {
    try Data("before".utf8).write(to: folder.appendingPathComponent("out.jsonl"))
    let result = try tool.run(
      "data", "cut", "--data", "ink:\(path("ink.jsonl"))?limit=0", "--output", path("out.jsonl"))
    #expect(result.exitCode == 2)
    #expect(try String(contentsOfFile: path("out.jsonl"), encoding: .utf8) == "before")
  }

  @Test("Standard output is refused as -, by name", arguments: ["convert", "cut", "synth"])
  func dash(command: String) throws {
    let result = try tool.run(
      "data", command, "--data", "starter:shapes?limit=1", "--output", "-")
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("/dev/stdout"))
  }

  @Test("A name of one character is a name of a file, and a link of one a link")
  func shortNames() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("l"), withDestinationPath: "there.jsonl")
    let shell = BuiltTool(url: URL(fileURLWithPath: "/bin/sh"))
    for name in ["a", "l", "./-"] {
      let result = try shell.run(
        "-c", #"cd "$1" && "$0" data convert --data ink:ink.jsonl --output "$2""#, tool.url.path,
        folder.path, name)
      #expect(result.exitCode == 0, "\(name): \(result.errors)")
    }
    #expect(try names == ["-", "a", "ink.jsonl", "l", "there.jsonl"])
  }

  @Test("A label with control characters is shown to a terminal as data doctor shows it")
  func controlCharacters() throws {
    try Data("\(#"{"label":"\u001b[2J\n","strokes":[{"x":[1],"y":[2]}]}"#)\n".utf8)
      .write(to: folder.appendingPathComponent("odd.jsonl"))
    let result = try tool.run("data", "inspect", "ink:\(path("odd.jsonl"))")
    #expect(result.exitCode == 0 && !result.output.unicodeScalars.contains("\u{1B}"))
    #expect(result.output.contains(#"classes   1: \u{1B}[2J\u{A} 1"#))
  }

  @Test("A polite kill leaves no file, not even an unfinished one", arguments: [SIGINT, SIGTERM])
  func interruption(signal: Int32) throws {
    let result = try tool.run(
      [
        "data", "convert", "--data", "starter:words?count=10000000&split=all", "--output",
        path("out.jsonl"),
      ]
    ) { process in
      let deadline = Date(timeIntervalSinceNow: 60)
      while try !names.contains(where: { $0.hasSuffix(".partial") }) {
        try #require(Date() < deadline, "no unfinished file within 60 s")
        Thread.sleep(forTimeInterval: 0.02)
      }
      // The signal handlers are installed right after the file is opened.
      Thread.sleep(forTimeInterval: 0.5)
      kill(process, signal)
    }
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("interrupted"))
    #expect(try names == ["ink.jsonl"])
  }
}
