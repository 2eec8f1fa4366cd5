import InkCore
import Testing

@Suite("Directions of writing")
struct WritingDirectionTests {
  private static let ink = Ink(
    strokes: [
      Stroke(points: [StrokePoint(x: 1, y: 2, t: 3, force: 0.5), StrokePoint(x: -4, y: 7)]),
      Stroke(points: []), Stroke(points: [StrokePoint(x: 0.1, y: -0.3)]),
    ])

  @Test(
    "Turning twice gives the same ink, area, box and trajectory",
    arguments: WritingDirection.allCases)
  func turningTwice(direction: WritingDirection) throws {
    let ink = Self.ink
    #expect(ink.turned(direction).turned(direction) == ink)
    let box = try #require(ink.boundingBox)
    #expect(box.turned(direction) == ink.turned(direction).boundingBox)
    #expect(box.turned(direction).turned(direction) == box)
    let area = try WritingArea(x: 3, y: 4, width: 50, height: 10)
    #expect(area.turned(direction)?.turned(direction) == (direction == .topToBottom ? nil : area))
    let original = try Trajectory(ink)
    var turned = original
    turned.turn(direction)
    let loaded = try Trajectory(ink.turned(direction))
    #expect(turned.x == loaded.x && turned.y == loaded.y && turned.frame == loaded.frame)
    turned.turn(direction)
    #expect(turned.x == original.x && turned.y == original.y && turned.frame == original.frame)
  }

  @Test("In the reading frame, x grows with the writing and y from line to line")
  func readingFrame() {
    let first = Self.ink.turned(.rightToLeft).strokes[0].points
    #expect(first[0].x < first[1].x && first[0].y == 2)
    let vertical = Self.ink.turned(.topToBottom).strokes[0].points
    #expect(vertical[0].x == 2 && vertical[0].y == 1)
    #expect(Self.ink.turned(.leftToRight) == Self.ink)
  }
}
