import Foundation
import Testing

@Suite(
  "Making data on the command line",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct DataSynthTests {
  let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  @Test("data synth writes the same bytes for the same seed, and says how many inks")
  func synth() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("synth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [Data] = []
    for (name, seed) in [("a", "3"), ("b", "3"), ("c", "4")] {
      let path = folder.appendingPathComponent(name + ".jsonl").path
      let result = try tool.run(
        "data", "synth", "--data", "starter:characters", "--count", "200", "--seed", seed,
        "--output", path)
      #expect(result.exitCode == 0)
      #expect(result.output.contains("200 records made"))
      files.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(files[0] == files[1] && files[0] != files[2])
    #expect(files[0].split(separator: UInt8(ascii: "\n")).count == 200)
    let origins = try origins(besideInk: folder.appendingPathComponent("a.jsonl").path)
    #expect(origins.map(\.licence) == ["Apache-2.0"])
    #expect(origins.first?.name.contains("starter:characters") == true)
  }

  @Test(
    "Other data, a wrong count and a wrong set exit with 2 and one line",
    arguments: [
      ("dollar:a", "1"), ("starter:characters", "-1"), ("starter:letters", "1"),
    ])
  func wrong(data: String, count: String) throws {
    let result = try tool.run(
      "data", "synth", "--data", data, "--count=\(count)", "--output", "/dev/null")
    #expect(result.exitCode == 2)
    #expect(result.errors.hasPrefix("ductus: error: "))
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "A script is named by its code, its name or a language",
    arguments: [
      ("Hebr", "hebrew"), ("hebrew", "hebrew"), ("he", "hebrew"), ("el", "greek"),
      ("fa", "arabic"), ("ru-RU", "cyrillic"), ("ja", "japanese"), ("Latn", "latin"),
    ])
  func script(name: String, set: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("script-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [Data] = []
    for option in [["--script", name], ["--data", "starter:\(set)"]] {
      let path = folder.appendingPathComponent("\(files.count).jsonl").path
      let result = try tool.run(["data", "synth"] + option + ["--count", "20", "--output", path])
      #expect(result.exitCode == 0, "\(result.errors)")
      files.append(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(files[0] == files[1] && !files[0].isEmpty)
  }

  @Test(
    "An unknown script exits with 2 and the known ones; either a script or data is named",
    arguments: [
      ["--script", "Thai"], ["--script", "xx-yy-zz-"],
      ["--script", "he", "--data", "starter:words"], [],
    ])
  func wrongScript(options: [String]) throws {
    let result = try tool.run(["data", "synth"] + options + ["--output", "/dev/null"])
    #expect(result.exitCode == 2)
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
    if options.count == 2 {
      #expect(result.errors.contains("Arab (arabic)") && result.errors.contains("Hebr (hebrew)"))
    }
  }

  @Test("Ink goes through standard output to what reads it, and what came of it to standard error")
  func standardOutput() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("piped-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let shell = BuiltTool(url: URL(fileURLWithPath: "/bin/sh"))
    let result = try shell.run(
      "-c",
      #""$0" data convert --data 'starter:shapes?count=20&split=all' --output /dev/stdout | cat > "$1""#,
      tool.url.path, file)
    #expect(result.exitCode == 0 && result.output.isEmpty)
    #expect(result.errors.contains("/dev/stdout: 20 records written"))
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 20 && lines.allSatisfy { $0.hasPrefix(#"{"label":"#) })
    #expect(!FileManager.default.fileExists(atPath: "/dev/stdout.sources.json"))
  }

  @Test("An output that cannot be written exits with 1")
  func unwritable() throws {
    let result = try tool.run(
      "data", "synth", "--data", "starter:shapes", "--count", "1", "--output", "/no/such/a.jsonl")
    #expect(result.exitCode == 1)
  }

  @Test("data list --check names what is missing, and exits with 2 where there is no folder")
  func check() throws {
    let result = try tool.run(
      "data", "list", "--check", FileManager.default.temporaryDirectory.path)
    #expect(result.exitCode == 0 && result.output.contains("UNIPEN"))
    #expect(try tool.run("data", "list", "--check", "/no/such/folder").exitCode == 2)
  }
}
