import InkCore
import Recognition
import Testing

@Suite("Underscores") struct UnderscoresTests {
  /// Bars of letters 10 high on y = 10, and a level bar at a height in place of each hyphen.
  private static func line(_ text: String, bar y: Double, rise: Double = 0)
    -> (ink: Ink, characters: [CharacterInk])
  {
    var (ink, characters) = (Ink(), [CharacterInk]())
    for (index, letter) in text.enumerated() {
      let x = 8 * Double(index)
      func point(_ dx: Double, _ y: Double) -> StrokePoint {
        StrokePoint(x: x + dx, y: y - rise * x)
      }
      guard letter != " " else {
        characters.append(CharacterInk(parts: []))
        continue
      }
      let points = letter == "-" ? [point(0, y), point(6, y)] : [point(3, 0), point(3, 10)]
      ink.strokes.append(Stroke(points: points))
      characters.append(
        CharacterInk(parts: [.init(stroke: ink.strokes.count - 1, points: 0..<2)]))
    }
    return (ink, characters)
  }

  private static func read(_ text: String, bar y: Double, rise: Double = 0) -> String {
    let (ink, characters) = line(text, bar: y, rise: rise)
    return Underscores.corrected(text, characters, of: ink)
  }

  @Test("A bar at the feet of the letters is an underscore, one at half their height a hyphen")
  func height() {
    #expect(Self.read("snake-case", bar: 10) == "snake_case")
    #expect(Self.read("snake-case", bar: 11) == "snake_case")
    #expect(Self.read("snake-case", bar: 5) == "snake-case")
    #expect(Self.read("snake-case", bar: 7) == "snake-case")
  }

  @Test("A line that climbs has its feet near the bar")
  func climbing() {
    #expect(Self.read("one-two-three", bar: 10, rise: 0.1) == "one_two_three")
    #expect(Self.read("one-two-three", bar: 5, rise: 0.1) == "one-two-three")
  }

  @Test("A dash between words, one at an end, and one with too few letters stay")
  func others() {
    for text in ["one - two", "-one", "one-", "a-b", "-"] {
      #expect(Self.read(text, bar: 10) == text)
    }
  }

  @Test("Texts whose characters have no ink, or another number of them, stay")
  func unknown() {
    let (ink, characters) = Self.line("snake-case", bar: 10)
    #expect(Underscores.corrected("snake-case", [], of: ink) == "snake-case")
    let none = characters.map { _ in CharacterInk(parts: []) }
    #expect(Underscores.corrected("snake-case", none, of: ink) == "snake-case")
  }
}
