import Foundation
import ModelFormat
import PretrainedModels
import Testing

@Suite("The texts of everyday notes that lines are trained on")
struct EverydayTextsTests {
  /// The lines that `scripts/everyday-texts` prints.
  private static func lines(_ count: Int, seed: Int) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let words = FileManager.default.temporaryDirectory.appending(
      path: "words-\(UUID().uuidString).txt")
    try Data("The house was near the river\nand many people knew it\n".utf8).write(to: words)
    defer { try? FileManager.default.removeItem(at: words) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", root.appending(path: "scripts/everyday-texts").path, "\(count)", "\(seed)",
      words.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test("As many as asked for, the same for the same seed")
  func repeatable() throws {
    let lines = try Self.lines(300, seed: 1)
    #expect(lines.count == 300 && lines.allSatisfy { !$0.isEmpty })
    #expect(try Self.lines(300, seed: 1) == lines)
    #expect(try Self.lines(300, seed: 2) != lines)
  }

  @Test("The lines that ship can read all of their characters")
  func letters() throws {
    let bundle = try #require(try PretrainedModels().bundleURL(of: "latin-lines"))
    let labels = Set(try ModelBundle.manifest(of: bundle).labels)
    let unknown = Set(try Self.lines(3000, seed: 3).joined()).filter {
      !labels.contains(String($0))
    }
    #expect(unknown.isEmpty, "\(unknown.sorted())")
  }

  @Test("Every kind of text is among them")
  func kinds() throws {
    let text = try Self.lines(2000, seed: 4).joined(separator: "\n")
    let kinds = [
      #"\d{4}-\d{2}-\d{2}"#, #"\d{1,2}:\d{2} (am|pm)"#, #"\(\d{3}\) \d{3}-\d{4}"#, #"[$€£]\d+"#,
      #"\d ?(kg|km|MHz|°C)"#, "[a-z.]+@[a-z]+", "#[a-z]+", #"[A-Z]{2}-\d{2}"#,
    ]
    for kind in kinds {
      #expect(text.range(of: kind, options: .regularExpression) != nil, "\(kind)")
    }
  }
}
