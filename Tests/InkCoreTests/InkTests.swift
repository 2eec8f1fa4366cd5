import InkCore
import Testing

@Suite("Ink values")
struct InkTests {
  @Test("the bounding box holds every point of every stroke")
  func boundingBox() {
    let ink = Ink(strokes: [
      Stroke(points: [StrokePoint(x: 1, y: 2), StrokePoint(x: -3, y: 5)]), Stroke(points: []),
      Stroke(points: [StrokePoint(x: 4, y: -1)]),
    ])
    #expect(ink.boundingBox == BoundingBox(minX: -3, minY: -1, maxX: 4, maxY: 5))
    #expect(ink.pointCount == 3)
    #expect(!ink.isEmpty)
  }

  @Test("an ink without points is empty and has no box")
  func emptyInk() {
    let ink = Ink(strokes: [Stroke(points: [])])
    #expect(ink.isEmpty)
    #expect(ink.boundingBox == nil)
  }

  @Test("validation names the first point that is not finite")
  func validation() {
    let ink = Ink(strokes: [
      Stroke(points: [StrokePoint(x: 0, y: 0)]),
      Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: .nan, y: 0)]),
    ])
    #expect(throws: InkError.nonFiniteCoordinate(stroke: 1, point: 1)) { try ink.validate() }
  }

  @Test("missing values of a point are nil and equal to each other")
  func missingValues() {
    var point = StrokePoint(x: 1, y: 2)
    #expect(point.t == nil && point.force == nil)
    #expect(point == StrokePoint(x: 1, y: 2, t: .nan))
    point.t = 3
    #expect(point.t == 3)
    #expect(point != StrokePoint(x: 1, y: 2))
    point.t = nil
    #expect(point == StrokePoint(x: 1, y: 2))
  }
}

@Suite("Writing areas")
struct WritingAreaTests {
  @Test("a textual area has a size and an origin of 0 unless given")
  func parsing() throws {
    #expect(try WritingArea(parsing: "300x80") == WritingArea(width: 300, height: 80))
    #expect(
      try WritingArea(parsing: "300x80+-5+10.5")
        == WritingArea(x: -5, y: 10.5, width: 300, height: 80))
  }

  @Test(
    "malformed textual areas are refused",
    arguments: ["", "300", "300x", "x80", "300x80+5", "300x80x2", "300x80+5+6+7"])
  func malformed(text: String) {
    #expect(throws: InkError.malformedWritingArea) { try WritingArea(parsing: text) }
  }

  @Test("an area without height is refused")
  func noHeight() {
    #expect(throws: InkError.invalidWritingArea(width: 3, height: 0)) {
      try WritingArea(width: 3, height: 0)
    }
    #expect(throws: InkError.self) { try WritingArea(x: .infinity, width: 3, height: 1) }
  }
}

@Suite("Seeded generator")
struct SeededGeneratorTests {
  @Test("the same seed and address give the same numbers, others do not")
  func addresses() {
    var first = SeededGenerator(seed: 1, 2, 3)
    var same = SeededGenerator(seed: 1, 2, 3)
    var other = SeededGenerator(seed: 1, 3, 2)
    let numbers = (0..<4).map { _ in first.next() }
    #expect(numbers == (0..<4).map { _ in same.next() })
    #expect(numbers != (0..<4).map { _ in other.next() })
  }

  @Test("indices stay below their bound")
  func bounds() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<1000 {
      #expect((0..<3).contains(generator.index(below: 3)))
      #expect((0..<1).contains(generator.uniform()))
    }
  }
}
