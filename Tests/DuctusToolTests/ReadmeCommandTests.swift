import Foundation
import Testing

@Suite(
  "The README's command",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct ReadmeCommandTests {
  @Test("The example of the README is read as the README says")
  func hello() throws {
    let tool = try #require(BuiltTool.found)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(
      contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = try #require(readme.split(separator: "\n").first { $0.hasPrefix("0  ") })
    let result = try tool.run(
      "recognize", root.appendingPathComponent("Examples/hello.jsonl").path)
    #expect(result.exitCode == 0)
    let (found, expected) = (Self.readings(result.output[...]), Self.readings(shown))
    #expect(expected.count >= 3 && found.map(\.text) == expected.map(\.text))
    // Processors without kernels for 8 bits give slightly other figures.
    #expect(zip(found, expected).allSatisfy { abs($0.percent - $1.percent) < 2 }, "\(found)")
  }

  /// The texts of a line of answers, and their probabilities in per cent.
  private static func readings(_ line: Substring) -> [(text: String, percent: Double)] {
    line.drop { $0.isNumber || $0.isWhitespace }.split(separator: "%").compactMap { part in
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let percent = words.last.flatMap({ Double($0) }) else { return nil }
      return (words.dropLast().joined(separator: " "), percent)
    }
  }
}
