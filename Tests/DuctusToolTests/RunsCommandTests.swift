import DuctusTool
import Foundation
import InkDatasets
import RunLog
import Testing

/// The log of runs through the built tool.
@Suite(
  "ductus runs", .serialized,
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class RunsCommandTests {
  private let tool: BuiltTool
  private let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-runs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SyntheticInk.write(SyntheticInk.records(count: 240), to: path("ink.jsonl"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func run(_ arguments: String...) throws -> BuiltTool.Result {
    try tool.run(arguments, environment: ["DUCTUS_RUNS": path("log/runs.sqlite")])
  }

  private func trainCommand(_ name: String, _ more: String...) -> [String] {
    [
      "train", "glyphs", "--data", "ink:\(path("ink.jsonl"))", "--output", path(name),
      "--preset", "small", "--batch-size", "32",
    ] + more
  }

  @discardableResult private func train(_ name: String, _ more: String...) throws
    -> BuiltTool.Result
  {
    let result = try tool.run(
      trainCommand(name) + more, environment: ["DUCTUS_RUNS": path("log/runs.sqlite")])
    #expect(result.exitCode == 0, "\(result.errors)")
    return result
  }

  @Test("Trainings are listed, shown, compared and exported")
  func wholeWay() throws {
    let empty = try run("runs", "list")
    #expect(empty.exitCode == 0 && empty.output.hasPrefix("no run is logged in"))
    #expect(!FileManager.default.fileExists(atPath: path("log")), "looking makes no log")
    try train("a.ductus", "--epochs", "2")
    try train("b.ductus", "--epochs", "3", "--seed", "5")
    try train("c.ductus", "--epochs", "1", "--no-log")

    let list = try run("runs", "list").output.split(separator: "\n")
    #expect(list.count == 3)
    #expect(list.dropFirst().allSatisfy { $0.contains("finished") && $0.contains("top-1 ") })
    #expect(try run("runs", "list", "--last", "1").output.contains("1 older run"))

    let shown = try run("runs", "show", path("b.ductus")).output
    for text in ["finished", "--seed 5", "epoch 3", "batchSize", "top-1, epoch by epoch"] {
      #expect(shown.contains(text), "\(text) is not in:\n\(shown)")
    }
    let compared = try run("runs", "compare", "1", "last").output
    #expect(compared.contains("trained on the same data"))
    let settings = compared.components(separatedBy: "settings that differ").last ?? ""
    #expect(settings.contains("epochs") && settings.contains("seed"))
    #expect(!settings.contains("batchSize"))

    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let exported = try decoder.decode(
      [LoggedRun].self, from: Data(try run("runs", "export").output.utf8))
    #expect(exported.map(\.epochs.count) == [2, 3])
    #expect(exported.map(\.run.settings["seed"]) == ["1", "5"])
    #expect(try run("runs", "export", "2", "--format", "csv", "-o", path("e.csv")).exitCode == 0)
    let csv = try String(contentsOfFile: path("e.csv"), encoding: .utf8).split(separator: "\n")
    #expect(csv.count == 4)
    #expect(
      Set(csv.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [13])
  }

  @Test("A missing run or log is bad input; during training it is only a warning")
  func badInput() throws {
    for arguments in [["runs", "show"], ["runs", "show", "4"], ["runs", "compare", "1"]] {
      let result = try tool.run(arguments, environment: ["DUCTUS_RUNS": path("none.sqlite")])
      #expect(result.exitCode == 2 && result.errors.hasPrefix("ductus: error: "), "\(arguments)")
    }
    let noPlace = try run("runs", "export", "--output", path("none/e.json"))
    #expect(noPlace.exitCode == 2 && noPlace.errors.contains("for --output"), "\(noPlace.errors)")
    try FileManager.default.createDirectory(
      atPath: path("log/runs.sqlite"), withIntermediateDirectories: true)
    #expect(try run("runs", "list").exitCode == 2)
    let warned = try train("a.ductus", "--epochs", "1")
    #expect(warned.errors.contains("warning: ") && warned.errors.contains("--no-log"))
  }

  @Test("A run that is interrupted is stopped, and one run when it has been resumed")
  func interrupted() throws {
    var command = trainCommand("a.ductus", "--epochs", "100")
    let environment = ["DUCTUS_RUNS": path("log/runs.sqlite")]
    let stopped = try tool.run(command, environment: environment) { process in
      // Once the first epoch is in the log.
      for _ in 0..<15_000 {
        usleep(20_000)
        if let log = try? RunDatabase(
          at: URL(fileURLWithPath: path("log/runs.sqlite")), isReadOnly: true),
          let run = try? log.run("last"), !run.epochs.isEmpty
        {
          break
        }
      }
      kill(process, SIGINT)
    }
    #expect(stopped.exitCode == 1, "\(stopped.errors)")
    #expect(try run("runs", "list").output.contains("stopped"))
    command.append("--resume")
    #expect(try tool.run(command, environment: environment).exitCode == 0)
    let page = try run("runs", "show").output
    for text in ["2 sessions", "epochs 100/100", "finished"] {
      #expect(page.contains(text), "\(text) is not in:\n\(page)")
    }
    let commandLine = page.split(separator: "\n").first { $0.hasPrefix("command") }
    #expect(commandLine?.contains("--resume") == false, "the command makes the model again")
  }

  @Test("The log contains no ink and no text")
  func privacy() throws {
    let secret = "Zkwq7secret"
    let records = SyntheticInk.records(count: 240)
    try SyntheticInk.write(
      records.map { record in
        var record = record
        record.label += secret
        return record
      }, to: path("ink.jsonl"))
    try train("a.ductus", "--epochs", "1")
    for name in try FileManager.default.contentsOfDirectory(atPath: path("log")) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path("log/\(name)")))
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }

  @Test("Control characters are shown, and cells of CSV are quoted")
  func unfriendlyNames() throws {
    let name = "a,\"b\"\u{1B}[31m.ductus"
    try train(name, "--epochs", "1")
    for arguments in [["runs", "list"], ["runs", "show"], ["runs", "compare", "1", "1"]] {
      let output = try tool.run(arguments, environment: ["DUCTUS_RUNS": path("log/runs.sqlite")])
        .output
      #expect(!output.contains("\u{1B}"), "\(arguments)")
      // A list cuts names at their beginning.
      #expect(output.contains(arguments == ["runs", "list"] ? "m.ductus" : "a,"), "\(arguments)")
    }
    let csv = try run("runs", "export", "--format", "csv").output
    #expect(csv.contains("a,\"\"b\"\"\u{1B}[31m.ductus\","))
  }

  @Test("A small value looks as high as its logarithm")
  func sparkline() {
    #expect(Sparkline.text([1, 10, 100], width: 10) == "▁▅█")
    #expect(Sparkline.text([5, 5], width: 10) == "▁▁")
    #expect(Sparkline.text([], width: 10) == "")
    #expect(Sparkline.text([0, .nan, 4, 2], width: 10) == "▁▁█▁")
    #expect(Sparkline.text((0..<100).map(Double.init), width: 10).count == 10)
  }

  @Test("Cells are in columns")
  func table() {
    #expect(
      TextTable.lines([["a", "b", "c"], ["long", "1", ""], ["", "23", "d"]], right: [1])
        == ["a      b  c", "long   1", "      23  d"])
    #expect(TextTable.lines([]).isEmpty)
  }
}
