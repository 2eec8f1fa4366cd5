import Foundation
import Testing

/// The rows of `Tests/Cases/expected.tsv`, run on the built tool.
@Suite("Cases") struct CasesTests {
  /// A row of the table.
  struct Row: CustomTestStringConvertible, Sendable {
    var check: String
    var input: String
    var item: Int
    var options: [String]
    var expected: String
    var knownIssue: String

    var testDescription: String { "\(check) \(input) [\(item)]" }
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Cases")

  /// All rows that the tool has commands for.
  static let rows: [Row] = {
    let table = try? String(
      contentsOf: folder.appendingPathComponent("expected.tsv"), encoding: .utf8)
    return (table ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields =
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        + [String](repeating: "", count: 6)
      return Row(
        check: fields[0], input: fields[1], item: Int(fields[2]) ?? 0,
        options: fields[3].split(separator: " ").map(String.init),
        expected: fields[4].replacingOccurrences(of: "\\n", with: "\n"), knownIssue: fields[5])
    }.filter { $0.check != "replay" && !$0.options.contains("--language") }
  }()

  @Test("There are rows to check")
  func table() {
    #expect(Self.rows.count > 120)
  }

  @Test("A case gives the right answer", .enabled(if: BuiltTool.found != nil), arguments: rows)
  func row(row: Row) throws {
    let tool = try #require(BuiltTool.found)
    if row.knownIssue.isEmpty {
      try Self.check(row, tool)
    } else {
      withKnownIssue("\(row.knownIssue)") { try Self.check(row, tool) }
    }
  }

  private static func check(_ row: Row, _ tool: BuiltTool) throws {
    switch row.check {
    case "text":
      let texts = try texts(row, tool)
      #expect(texts.first == row.expected, "read \(texts)")
    case "top3":
      let texts = try texts(row, tool)
      #expect(texts.prefix(3).contains(row.expected), "read \(texts)")
    case let check where check.hasPrefix("cer<="):
      let limit = try #require(Double(check.dropFirst(5)))
      let text = try String(
        contentsOf: folder.appendingPathComponent(row.expected), encoding: .utf8)
      let read = try texts(row, tool).first ?? ""
      let rate = 100 * distance(words(read), words(text)) / Double(max(1, words(text).count))
      #expect(rate <= limit, "read \(read)")
    case "lines":
      let read = try texts(row, tool).first ?? ""
      #expect(read.split(separator: "\n").count == Int(row.expected), "read \(read)")
    case let check where check.hasPrefix("phrases>="):
      let least = try #require(Int(check.dropFirst(9)))
      let read = try texts(row, tool).first ?? ""
      let found = row.expected.split(separator: "|").filter {
        plain(read).contains(plain(String($0)))
      }
      #expect(found.count >= least, "read \(read)")
    case "label":
      let label = try record(row, tool)["label"] as? String
      #expect((label ?? "") == (row.expected == "-" ? "" : row.expected))
    case "records":
      #expect(try records(row, tool).count == Int(row.expected))
    case "strokes":
      #expect((try record(row, tool)["strokes"] as? [Any])?.count == Int(row.expected))
    case "says":
      let result = try run(row.input.split(separator: " ").map(String.init), tool)
      #expect([0, 1, 2].contains(result.exitCode))
      for word in row.expected.split(separator: "|") {
        #expect((result.output + result.errors).contains(word), "\(result.errors)")
      }
    default:
      Issue.record("unknown check \(row.check)")
    }
  }

  /// Runs the tool on files named from the folder of the cases.
  private static func run(_ arguments: [String], _ tool: BuiltTool) throws -> BuiltTool.Result {
    try tool.run(arguments, environment: ["INK_DATASETS": folder.path])
  }

  private static func texts(_ row: Row, _ tool: BuiltTool) throws -> [String] {
    let result = try run(["recognize", row.input] + row.options + ["--json", "-"], tool)
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let inks = try #require(json as? [[String: Any]], "\(result.errors)")
    let ink = inks.first { $0["index"] as? Int == row.item }
    let candidates = try #require(ink?["candidates"] as? [[String: Any]])
    return candidates.compactMap { $0["text"] as? String }
  }

  private static func records(_ row: Row, _ tool: BuiltTool) throws -> [[String: Any]] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-case-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try run(
      ["data", "convert", "--data", row.input, "--output", file.path], tool)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      if row.check != "records" { Issue.record("nothing was written: \(result.errors)") }
      return []
    }
    return try text.split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(json as? [String: Any])
    }
  }

  private static func record(_ row: Row, _ tool: BuiltTool) throws -> [String: Any] {
    let records = try records(row, tool)
    try #require(records.indices.contains(row.item), "\(records.count) records")
    return records[row.item]
  }

  private static func words(_ text: String) -> [Character] {
    Array(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// The words of a text with single spaces around them, without punctuation except & and #.
  private static func plain(_ text: String) -> String {
    let kept = text.map { $0.isLetter || $0.isNumber || "_&#".contains($0) ? $0 : " " }
    return " " + String(kept).split(separator: " ").joined(separator: " ") + " "
  }

  /// The edits between two texts.
  private static func distance(_ one: [Character], _ other: [Character]) -> Double {
    var row = Array(0...other.count)
    for (i, a) in one.enumerated() {
      var last = row[0]
      row[0] = i + 1
      for (j, b) in other.enumerated() {
        let next = min(row[j + 1] + 1, row[j] + 1, last + (a == b ? 0 : 1))
        last = row[j + 1]
        row[j + 1] = next
      }
    }
    return Double(row[other.count])
  }
}
