import DuctusKit
import Foundation
import Testing

@Suite("The README's library use")
struct ReadmeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func readme() throws -> String {
    try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("README.md"), encoding: .utf8)
  }

  private static func example(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The lines of a text, without indentation.
  private static func lines(of text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("Every Swift snippet of the README is compiled here, line by line")
  func snippets() throws {
    let compiled = try [
      "ReadmeExample.swift", "ReadmeLineExample.swift",
      "../PretrainedModelsTests/ReadmeModelExample.swift",
    ].map { Self.lines(of: try Self.example($0)) }
    let snippets = try Self.readme().components(separatedBy: "```swift\n").dropFirst().map {
      Self.lines(of: $0.components(separatedBy: "\n```")[0])
    }
    #expect(snippets.count == compiled.count)
    for snippet in snippets {
      #expect(compiled.contains { $0.contains(snippet) }, "\(snippet.first ?? "an empty snippet")")
    }
  }

  @Test("The README contains it as compiled here, in ten lines")
  func identical() throws {
    let example = try Self.example("ReadmeExample.swift")
    #expect(try Self.readme().contains("```swift\n\(example)```\n"))
    let lines = example.split(separator: "\n").filter { !$0.hasPrefix("import") && $0 != "}" }
    #expect(lines.count <= 10)
  }

  @Test("It runs: the best candidate of a bundle")
  func runs() throws {
    let folder = try TemporaryFolder()
    let model = Samples.model()
    try model.bundle(Samples.manifest()).write(to: folder.bundle)
    let ink = Samples.ink(seed: 4)
    let text = try read(ink.strokes, with: folder.bundle)
    let area = try WritingArea(width: 300, height: 80)
    let expected = try GlyphClassifier(model: model)
      .recognize(ink, context: RecognitionContext(writingArea: area))
    #expect(text == expected.candidates.first?.text)
  }
}
