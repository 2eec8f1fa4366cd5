import Foundation
import Testing

@Suite(
  "Comparing models with the built tool",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct CompareCommandTests {
  private let tool: BuiltTool
  private let shapes = "starter:shapes?split=test&limit=120"

  init() throws { tool = try #require(BuiltTool.found) }

  @Test("A model is no better than itself, and a broken rule is exit code 1")
  func rules() throws {
    let result = try tool.run(
      "compare", "shapes", "shapes", "--data", shapes, "--json", "-", "--fail-if", "top1 < 0",
      "--fail-if", "modelBytes > 0")
    #expect(result.exitCode == 0, "\(result.errors)")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(
      Set(json.keys)
        == [
          "first", "second", "figures", "answers", "unknownLabels", "clusters", "writers", "broken",
        ])
    #expect((json["answers"] as? [String: Int])?["onlyFirst"] == 0)

    let broken = try tool.run(
      "compare", "shapes", "gestures", "--data", shapes, "--fail-if", "top1 < -1%")
    #expect(broken.exitCode == 1)
    #expect(broken.output.contains("broken: top1 < -1%"))
    #expect(broken.output.contains("Top-1: B is worse"))
    #expect(broken.output.contains("\nB does not know 16 labels of the data"), "\(broken.output)")
    #expect(broken.errors.contains("the second model breaks 'top1 < -1%'"))
  }

  @Test("Lines are compared by the edits of their texts, with a page that draws them")
  func lines() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("compare-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = folder.appendingPathComponent("words.txt")
    try Data("the garden gate\nfive sixths\n".utf8).write(to: words)
    let foreign = folder.appendingPathComponent("foreign.jsonl")
    let line = #"{"label":"th中","strokes":[{"x":[0,9,20],"y":[0,9,0]}]}"#
    try Data("\(line)\n".utf8).write(to: foreign)
    let result = try tool.run(
      "compare", "latin-lines", "latin-lines", "--greedy", "--data", "ink:\(foreign.path)",
      "--data",
      "starter:words?words=\(words.path)&style=printed&split=test&limit=6", "--report",
      folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    for text in [
      "Character errors", "Word errors", "+0.00 points", "latin-lines",
      "A does not know 1 character of the data, in 1 line: 中",
    ] {
      #expect(result.output.contains(text), "\(text) is missing")
    }
    let page = try String(contentsOf: folder.appendingPathComponent("index.html"), encoding: .utf8)
    #expect(page.contains("Comparison of line models"))
  }

  @Test("Models that cannot be compared are bad input, reported before or after the work")
  func badInput() throws {
    for (arguments, part) in [
      (["shapes", "latin-lines"], "expected two models of the same kind"),
      (["shapes", "shapes", "--greedy"], "leave them out"),
      (["shapes", "none.ductus"], "none.ductus"),
      (["shapes", "shapes", "--fail-if", "speed > 1"], "there is no figure speed"),
      (["shapes", "shapes", "--fail-if", "cer > 1"], "does not have that figure"),
      (["shapes", "shapes", "--fail-if", "modelBytes > 5%"], "is not a rate"),
    ] {
      let result = try tool.run(["compare"] + arguments + ["--data", shapes])
      #expect(result.exitCode == 2, "\(arguments)")
      #expect(result.errors.contains(part), "\(arguments): \(result.errors)")
    }
  }
}
