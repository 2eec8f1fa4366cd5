import Evaluation
import InkCore
import Recognition
import Testing

@Suite("Scores of the alignment of ink and characters")
struct AlignmentScoreTests {
  private func stroke(_ count: Int, from x: Double = 0) -> Stroke {
    Stroke(points: (0..<count).map { StrokePoint(x: x + Double($0), y: Double($0 % 2)) })
  }

  private func part(_ stroke: Int, _ points: Range<Int>) -> CharacterInk.Part {
    CharacterInk.Part(stroke: stroke, points: points)
  }

  @Test("Points between two letters do not count, spaces have no ink")
  func joined() {
    // "ab c": a and b in one stroke of ten points, two of them between the letters; then c.
    let owners: [ClosedRange<Int>] =
      [0...0, 0...0, 0...0, 0...0, 0...1, 0...1, 1...1, 1...1, 1...1, 1...1]
    let ink = SegmentedInk(
      ink: Ink(strokes: [stroke(10), stroke(5, from: 20)]), text: "ab c",
      segmentation: CharacterSegmentation(of: [owners, Array(repeating: 3...3, count: 5)]))
    var score = AlignmentScore()
    // One point of a goes to b, and three of five points of c go to b.
    let found = [[part(0, 0..<3)], [part(0, 3..<10), part(1, 0..<3)], [], [part(1, 3..<5)]]
    score.add(ink, found: found.map { CharacterInk(parts: $0) }, read: "ab e")
    #expect(score.points == .init(right: 3 + 4 + 2, total: 8 + 5))
    #expect(score.strokes == .init(right: 1, total: 2))
    #expect(score.texts == 1 && score.edits.total == 1)
    #expect(score.figures["count"] == 1 && score.figures["cer"] == 0.25)
  }

  @Test("Composed characters keep their size in their areas, each with its own ink")
  func sideBySide() throws {
    let area = try WritingArea(x: 0, y: -5, width: 20, height: 10)
    let characters = ["a", "b"].map {
      LabeledInk(ink: Ink(strokes: [stroke(3), stroke(2)]), label: $0, writingArea: area)
    }
    let word = try #require(SegmentedInk(sideBySide: characters))
    #expect(word.text == "ab" && word.ink.strokes.count == 4)
    #expect(
      word.segmentation.strokes.map { $0.map(\.characters) } == [
        [0...0], [0...0], [1...1], [1...1],
      ])
    #expect(word.ink.strokes[2].points[0].x == 0.2 + 0.15 && word.ink.strokes[2].points[0].y == 0.5)
    #expect(
      SegmentedInk(sideBySide: [LabeledInk(ink: Ink(), label: "a", writingArea: area)]) == nil)
  }

  @Test("There are no figures without texts")
  func nothing() { #expect(AlignmentScore().figures.isEmpty) }
}
