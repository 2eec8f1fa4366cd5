import Evaluation
import Foundation
import Testing

@Suite(
  "Outside programs as models of the built tool",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"),
  .serialized)
struct ProgramModelTests {
  private let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  private func program(_ options: String) -> String {
    "exec:exec '\(tool.url.path)' recognize - \(options)"
  }

  private func summary(_ arguments: [String]) throws -> EvaluationSummary {
    let result = try tool.run(arguments + ["--json", "-"])
    #expect(result.exitCode == 0, "\(result.errors)")
    return try JSONDecoder().decode(EvaluationSummary.self, from: Data(result.output.utf8))
  }

  /// The figures that a program and the same model opened directly have in common.
  private func common(_ summary: EvaluationSummary) -> EvaluationSummary {
    var summary = summary
    (summary.model, summary.modelBytes, summary.languageBytes) = ("", nil, nil)
    (summary.latencyMs.p50, summary.latencyMs.p95, summary.latencyMs.p99) = (nil, nil, nil)
    (summary.stagesMs, summary.samplesPerSecond) = (nil, nil)
    (summary.peakResidentBytes, summary.program) = (nil, nil)
    (summary.knownInk, summary.unknownLabels) = (nil, 0)
    return summary
  }

  @Test(
    "The figures of 'ductus recognize -' are those of its model",
    arguments: [
      ("shapes", "starter:shapes?split=test&limit=60", ["--robustness"]),
      ("latin-lines", "starter:words?split=test&limit=12", ["--kind", "lines"]),
    ])
  func sameFigures(model: String, data: String, options: [String]) throws {
    let direct = ["evaluate", "--data", data] + options.filter { $0 == "--robustness" }
    let one = try summary(direct + ["--model", model])
    let other = try summary(
      ["evaluate", "--data", data, "--model", program("--model \(model)")] + options)
    #expect(common(one) == common(other))
    let figures = try #require(other.program)
    #expect(figures.cpuSeconds > 0 && figures.timeLimitSeconds == 30)
    #expect(try #require(figures.firstAnswerSeconds) > 0)
    #expect(other.modelBytes == nil && other.knownInk == nil)
    #if os(Linux)
      #expect(try #require(other.peakResidentBytes) > 1_000_000)
    #endif
  }

  @Test("A program is compared with a bundle, and judges labels")
  func compareAndDoctor() throws {
    // Labels that the model knows: a program judges all labels of the data.
    let shapes = "starter:shapes?split=test&limit=60&labels=ellipse|rectangle|line"
    let compared = try tool.run(
      "compare", "shapes", program("--model shapes"), "--data", shapes, "--fail-if", "top1 < 0",
      "--fail-if", "top1 > 0")
    #expect(compared.exitCode == 0, "\(compared.errors)")
    #expect(compared.output.contains("+0.00 points"))
    func findings(_ model: String) throws -> [String: Any] {
      let result = try tool.run(
        "data", "doctor", "--data", shapes, "--model", model, "--json", "-")
      #expect(result.exitCode == 0, "\(result.errors)")
      return try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }
    let (one, other) = (try findings("shapes"), try findings(program("--model shapes")))
    #expect(one["agreement"] as? Double == other["agreement"] as? Double)
    #expect(other["judged"] as? Int == 60)
  }

  @Test("A program that fails is exit code 1; the answers before it are kept")
  func failure() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let answers = folder.appendingPathComponent("answers.jsonl").path
    let command =
      "exec:read -r line; echo '{\"id\":1,\"candidates\":[]}'; read -r line; echo broken; read x"
    let result = try tool.run(
      "evaluate", "--model", command, "--kind", "glyphs", "--data", "starter:shapes?limit=5",
      "--predictions", answers)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("ink 1 ("), "\(result.errors)")
    #expect(result.errors.contains("ductus: error: exec:read -r line"), "\(result.errors)")
    let lines = try String(contentsOfFile: answers, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1)
  }

  @Test("Options that look into a model are refused for a program, and the other way round")
  func options() throws {
    let data = ["--data", "starter:words?limit=2"]
    for (arguments, part) in [
      (["evaluate", "--model", "exec:cat", "--greedy"], "--greedy needs a model of this project"),
      (["evaluate", "--model", "exec:cat", "--through", "editor"], "--through needs a model"),
      (["evaluate", "--model", "exec:cat", "--ablation", "area"], "--ablation needs a model"),
      (["evaluate", "--model", "exec: "], "expected a command, found none"),
      (["evaluate", "--model", "shapes", "--time-limit", "2"], "are for exec: models"),
      (["evaluate", "--model", "exec:cat", "--time-limit", "0"], "--time-limit: expected more"),
      (["compare", "exec:cat", "shapes", "--kind", "lines"], "two models of the same kind"),
    ] {
      let result = try tool.run(arguments + data)
      #expect(result.exitCode == 2, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(part), "\(arguments): \(result.errors)")
    }
  }
}
