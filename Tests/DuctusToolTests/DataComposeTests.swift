import Foundation
import Testing

@Suite(
  "Writing texts with characters of other ink, on the command line",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct DataComposeTests {
  let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  /// Runs a block with a folder that holds a text.
  private static func withText(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("compose-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appendingPathComponent("text.txt")
    try Data("the house was near the river\nmany people knew it\n".utf8).write(to: text)
    try body(folder)
  }

  @Test("Letters are far apart with wide spacing and close with narrow spacing, and stay the same")
  func spacing() throws {
    try Self.withText { folder in
      var widths: [Double] = []
      var labels: [[String]] = []
      for spacing in ["narrow", "normal", "wide"] {
        let path = folder.appendingPathComponent("\(spacing).jsonl").path
        let result = try tool.run(
          "data", "compose", "--data", "starter:latin?split=train&area=text&limit=2000", "--text",
          folder.appendingPathComponent("text.txt").path, "--spacing", spacing, "--count", "40",
          "--seed", "5", "--output", path)
        #expect(result.exitCode == 0, "\(result.errors)")
        let lines = try Self.lines(path)
        widths.append(lines.reduce(0) { $0 + $1.width })
        labels.append(lines.map(\.label))
      }
      #expect(widths[0] < widths[1] && 1.2 * widths[1] < widths[2], "\(widths)")
      #expect(labels[0] == labels[1] && labels[1] == labels[2] && labels[0].count == 40)
    }
  }

  /// The labels of ink, and its widths.
  private static func lines(_ path: String) throws -> [(label: String, width: Double)] {
    struct Line: Decodable {
      struct Stroke: Decodable { var x: [Double] }
      var label: String
      var strokes: [Stroke]
    }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      let line = try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      let x = line.strokes.flatMap(\.x)
      return (line.label, (x.max() ?? 0) - (x.min() ?? 0))
    }
  }

  @Test(
    "Options that have no effect are refused in one line",
    arguments: [
      ["--arrangement", "rows", "--spacing", "wide"],
      ["--arrangement", "columns", "--templates", "odd"], ["--count=0"], ["--length", "5"],
    ])
  func refused(options: [String]) throws {
    try Self.withText { folder in
      let output = folder.appendingPathComponent("lines.jsonl").path
      let result = try tool.run(
        ["data", "compose", "--data", "starter:latin?limit=50", "--text"]
          + [folder.appendingPathComponent("text.txt").path] + options + ["--output", output])
      #expect(result.exitCode == 2)
      // The option without effect comes last.
      let option = options.last { $0.hasPrefix("--") }?.prefix { $0 != "=" } ?? ""
      #expect(result.errors.hasPrefix("ductus: error: \(option): "), "\(result.errors)")
      #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }
}
