import InkCore
import Recognition
import Testing

@Suite("Dots and bars that are drawn after their word")
struct DelayedStrokesTests {
  private func stroke(x: ClosedRange<Double>, y: ClosedRange<Double> = 0...0.5) -> Stroke {
    Stroke(
      points: (0..<10).map { index in
        let share = Double(index) / 9
        return StrokePoint(
          x: x.lowerBound + share * (x.upperBound - x.lowerBound),
          y: y.lowerBound + share * (y.upperBound - y.lowerBound))
      })
  }

  private func part(_ stroke: Int, _ points: Range<Int> = 0..<10) -> CharacterInk.Part {
    CharacterInk.Part(stroke: stroke, points: points)
  }

  /// A cursive "nin" in one stroke, then a mark.
  private func moved(
    _ mark: Stroke, text: [String] = ["n", "i", "n"]
  ) -> [CharacterInk] {
    let ink = Ink(strokes: [stroke(x: 0...3), mark])
    var characters = [
      CharacterInk(parts: [part(0, 0..<4)]), CharacterInk(parts: [part(0, 4..<6)]),
      CharacterInk(parts: [part(0, 6..<10), part(1)]),
    ]
    DelayedStrokes(ink, lineHeight: 1).move(in: &characters, of: text)
    return characters
  }

  @Test("A dot belongs to the letter below it")
  func dot() {
    let characters = moved(stroke(x: 1.6...1.7, y: -0.1...0))
    #expect(characters[1].parts == [part(0, 4..<6), part(1)])
    #expect(characters[2].parts == [part(0, 6..<10)])
  }

  @Test("A dot prefers a letter with a dot to a slightly nearer letter without one")
  func preference() {
    let dot = stroke(x: 0.9...1, y: -0.1...0)
    #expect(moved(dot)[1].parts.contains(part(1)))
    #expect(moved(dot, text: ["n", "u", "n"])[0].parts.contains(part(1)))
    #expect(moved(dot, text: ["n", "ü", "n"])[1].parts.contains(part(1)))
  }

  @Test("Large strokes, and strokes near the pen, stay")
  func otherStrokes() {
    for other in [
      stroke(x: 1.6...1.7, y: -0.1...0.8), stroke(x: 0.5...2.5), stroke(x: 2.8...2.9),
      stroke(x: 4...4.1),
    ] {
      #expect(moved(other)[2].parts.contains(part(1)))
    }
  }

  @Test("A character that consists of a mark keeps it, and spaces get none")
  func ownInk() {
    let ink = Ink(strokes: [stroke(x: 0...3), stroke(x: 1...1.1)])
    var characters = [
      CharacterInk(parts: [part(0)]), CharacterInk(parts: []), CharacterInk(parts: [part(1)]),
    ]
    DelayedStrokes(ink, lineHeight: 1).move(in: &characters, of: ["n", " ", "'"])
    #expect(characters[2].parts == [part(1)])
    #expect(characters[1].parts.isEmpty)
  }

  @Test("Ink that is out of range moves nothing")
  func extremes() {
    let ink = Ink(strokes: [stroke(x: -1e308...1e308), stroke(x: -1e308 ... -0.9e308)])
    var characters = [CharacterInk(parts: [part(0), part(1)])]
    let before = characters
    DelayedStrokes(ink, lineHeight: .infinity).move(in: &characters, of: ["i"])
    #expect(characters == before)
  }
}
