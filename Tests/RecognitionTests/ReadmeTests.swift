import DuctusKit
import Foundation
import Testing

@Suite("The README's library use")
struct ReadmeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test("It stands in the README as it is compiled here, in ten lines")
  func identical() throws {
    let example = try String(
      contentsOf: Self.folder.appendingPathComponent("ReadmeExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```\n"))
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
