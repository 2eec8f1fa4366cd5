import Evaluation
import Foundation
import Testing

@Suite(
  "Examining data with the built tool",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct DataDoctorCommandTests {
  @Test("Findings come as text, as JSON and as a page, and bad input is refused")
  func findings() throws {
    let tool = try #require(BuiltTool.found)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("doctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ink.jsonl")
    var records = SyntheticInk.records(count: 120)
    records[8].label = SyntheticInk.labels[1]
    records.append(records[3])
    try SyntheticInk.write(records, to: file.path)

    let result = try tool.run(
      "data", "doctor", "--data", "ink:\(file.path)", "--json", "-", "--report", folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let suspects = try #require(json["suspectLabels"] as? [[String: Any]])
    #expect(suspects.first?["index"] as? Int == 8)
    #expect(suspects.first?["suggested"] as? String == SyntheticInk.labels[0])
    #expect((json["duplicates"] as? [[String: Any]])?.first?["index"] as? Int == 120)
    let page = try String(contentsOf: folder.appendingPathComponent("index.html"), encoding: .utf8)
    #expect(page.contains("Labels that are probably wrong"))

    try checkLeavingOut(tool, folder, records.count, Data(result.output.utf8))

    let judged = try tool.run(
      "data", "doctor", "--data", "starter:shapes?split=test&limit=60", "--model", "shapes")
    #expect(judged.exitCode == 0 && judged.output.contains("judged by shapes"))
    for arguments in [
      ["--data", "ink:\(folder.path)/none.jsonl"],
      ["--data", "ink:\(file.path)", "--model", "x.y"],
      ["--data", "ink:\(file.path)", "--workers", "0"], [],
      ["--data", "ink:\(file.path)", "--model", "shapes", "--workers", "1"],
    ] {
      #expect(try tool.run(["data", "doctor"] + arguments).exitCode == 2, "\(arguments)")
    }
  }

  private func checkLeavingOut(
    _ tool: BuiltTool, _ folder: URL, _ records: Int, _ findings: Data
  ) throws {
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    try findings.write(to: URL(fileURLWithPath: path("odd.json")))
    let decoded = try JSONDecoder().decode(DataFindings.self, from: findings)
    let odd = Set(decoded.suspectLabels.map(\.index) + decoded.duplicates.map(\.index))
    let cleaned = try tool.run(
      "data", "convert", "--data", "ink:\(path("ink.jsonl"))", "--without", path("odd.json"),
      "--output", path("clean.jsonl"))
    #expect(cleaned.output.contains("\(records - odd.count) records written"))
    #expect(cleaned.output.contains("\(odd.count) odd ones left out"))
    let lines = try String(contentsOfFile: path("ink.jsonl"), encoding: .utf8).split(
      separator: "\n")
    let kept = lines.indices.filter { !odd.contains($0) }.map { lines[$0] }
    #expect(
      try String(contentsOfFile: path("clean.jsonl"), encoding: .utf8).split(separator: "\n")
        == kept
    )
    for (data, without) in [("clean.jsonl", "odd.json"), ("ink.jsonl", "ink.jsonl")] {
      let refused = try tool.run(
        "data", "convert", "--data", "ink:\(path(data))", "--without", path(without), "--output",
        path("other.jsonl"))
      #expect(refused.exitCode == 2 && refused.errors.contains(path(without)))
      #expect(!FileManager.default.fileExists(atPath: path("other.jsonl")))
    }
  }
}
