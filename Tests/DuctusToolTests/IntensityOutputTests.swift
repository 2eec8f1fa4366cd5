import DuctusTool
import Foundation
import InkCore
import IntensityText
import Recognition
import Testing

@Suite("Text with intensity of the tool")
struct IntensityOutputTests {
  /// Two strokes, the second twice as hard, and a space between them.
  private let ink = Ink(strokes: [
    Stroke(points: [0, 1, 2].map { StrokePoint(x: $0, y: 0, t: $0, force: 0.4) }),
    Stroke(points: [5, 6, 7].map { StrokePoint(x: $0, y: 0, t: $0, force: 0.8) }),
  ])

  private func candidate(_ text: String, parts: [[CharacterInk.Part]]) -> RecognitionCandidate {
    RecognitionCandidate(text: text, score: 0, characters: parts.map { CharacterInk(parts: $0) })
  }

  @Test("Each character has the force of its points, and a space the mean of both sides")
  func forces() throws {
    let output = try IntensityOutput.parse(["--intensity", "json"])
    let read = candidate(
      "a b", parts: [[.init(stroke: 0, points: 0..<3)], [], [.init(stroke: 1, points: 0..<3)]])
    let text = try output.text(of: read, ink: ink)
    #expect(text.string == "a b" && text.intensities == [40, 60, 80])
    let json = try output.output([text], .json)
    #expect(try IntensityString(json: Data(json.utf8)) == text)
    #expect(try output.output([text, text], .json).split(separator: "\n").count == 2)
    #expect(try output.output([text], .ansi).contains("\u{1B}[38;2;"))
    #expect(try output.output([text, text], .html).contains("<!DOCTYPE html>"))
  }

  @Test(
    "A label of a glyph model has the force of the whole ink, and parts that are gone are left out")
  func glyphs() throws {
    let output = try IntensityOutput.parse(["--intensity", "json"])
    let label = RecognitionCandidate(text: "circle", score: 0)
    #expect(Set(try output.text(of: label, ink: ink).intensities) == [60])
    let wrong = candidate("a", parts: [[.init(stroke: 9, points: 0..<3)]])
    #expect(try output.text(of: wrong, ink: ink).intensities == [50])
  }

  @Test("Unknown forms, schemes and measures are refused")
  func refusals() {
    for arguments in [
      ["--intensity", "pdf"], ["--intensity-scheme", "none"], ["--intensity-source", "mood"],
    ] {
      #expect(throws: (any Error).self) { try IntensityOutput.parse(arguments) }
    }
  }
}
