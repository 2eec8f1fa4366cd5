import Foundation
import Testing

@Suite(
  "Measuring speed with the built tool",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct BenchCommandTests {
  private struct Report: Decodable {
    struct Lines: Decodable {
      struct Reading: Decodable {
        struct Latency: Decodable {
          var p50: Double
          var p95: Double
          var p99: Double
        }
        var model: String
        var parameters: Int
        var languageBytes: Int?
        var milliseconds: Latency
      }
      var training: [[String: String]]
      var reading: [Reading]
    }
    var rounds: Int
    var lines: Lines
  }

  private let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  @Test("Named line models are measured alternately, with a chosen language model")
  func reading() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("small.ductus").path
    let trained = try tool.run(
      "train", "lines", "--data", "starter:words?limit=40", "--preset", "small", "--epochs", "1",
      "--output", model)
    #expect(trained.exitCode == 0, "\(trained.errors)")

    let bench = ["bench", "--only", "reading", "--quick", "--workers", "1", "--json", "-"]
    let plain = try report(bench + ["--line-model", model])
    #expect(plain.lines.training.isEmpty)
    #expect(plain.lines.reading.map(\.model) == [model])
    #expect(plain.lines.reading.first?.languageBytes == nil)

    let text = folder.appendingPathComponent("text.txt")
    let language = folder.appendingPathComponent("text.ngram").path
    try Data(String(repeating: "the garden gate\n", count: 60).utf8).write(to: text)
    let learned = try tool.run("train", "language", text.path, "--order", "3", "--output", language)
    #expect(learned.exitCode == 0, "\(learned.errors)")
    let both = try report(
      bench + ["--line-model", model, "--line-model", "latin-lines", "--language-model", language])
    #expect(both.lines.reading.map(\.model) == [model, "latin-lines"])
    let bytes = try FileManager.default.attributesOfItem(atPath: language)[.size] as? Int
    for reading in both.lines.reading {
      #expect(reading.languageBytes == bytes && reading.parameters > 100_000)
      let latency = reading.milliseconds
      #expect(latency.p50 > 0 && latency.p50 <= latency.p95 && latency.p95 <= latency.p99)
    }
  }

  private func report(_ arguments: [String]) throws -> Report {
    let result = try tool.run(arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  @Test("The time to the first answer is measured with its parts, and that to the first gradient")
  func start() throws {
    struct Report: Decodable {
      struct Spread: Decodable { var median: Double }
      struct Start: Decodable {
        struct Training: Decodable {
          var data: [String]
          var seconds: Spread
        }
        var model: String
        var milliseconds: Spread
        var process: Spread
        var opening: Spread
        var reading: Spread
        var training: Training
      }
      var start: Start
    }
    // Without public datasets, so that the test is short.
    let result = try tool.run(
      ["bench", "--only", "start", "--quick", "--workers", "1", "--json", "-"],
      environment: ["INK_DATASETS": "/nonexistent"])
    #expect(result.exitCode == 0, "\(result.errors)")
    let start = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).start
    #expect(start.model == "latin-lines")
    for part in [start.process, start.opening, start.reading] {
      #expect(0 < part.median && part.median < start.milliseconds.median)
    }
    #expect(start.training.seconds.median > 0)
    #expect(
      start.training.data == [
        "starter:words?count=1000&split=train", "starter:words?count=1000&split=val",
      ])
  }

  @Test("Models that read no lines, and models where no lines are read, are bad input")
  func badInput() throws {
    for (arguments, part) in [
      (["--only", "reading", "--line-model", "shapes"], "shapes"),
      (["--only", "reading", "--line-model", "none.ductus"], "none.ductus"),
      (["--only", "start", "--line-model", "latin-lines"], "--only lines"),
      (["--only", "training", "--language-model", "x.ngram"], "--only lines"),
    ] {
      let result = try tool.run(["bench", "--quick"] + arguments)
      #expect(result.exitCode == 2, "\(arguments)")
      #expect(result.errors.contains(part), "\(arguments): \(result.errors)")
    }
  }
}
