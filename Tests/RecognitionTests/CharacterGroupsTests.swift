import InkCore
import Recognition
import Testing

@Suite("The groups of strokes of a line of characters")
struct CharacterGroupsTests {
  /// A rectangle as one stroke.
  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Stroke {
    Stroke(
      points: [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)].map {
        StrokePoint(x: $0.0, y: $0.1)
      })
  }

  private func groups(_ strokes: [Stroke], isColumn: Bool = false, size: Double? = nil)
    -> CharacterGroups
  {
    CharacterGroups(Ink(strokes: strokes), isColumn: isColumn, size: size)
  }

  private func strokes(_ groups: CharacterGroups) -> Set<[Int]> {
    Set(groups.groups.flatMap { $0.map(\.strokes) })
  }

  @Test("Characters that stand apart are groups, in rows and in columns")
  func apart() {
    let row = groups([box(0, 0, 86, 86), box(110, 0, 86, 86), box(220, 0, 86, 86)])
    #expect(row.gaps.count == 4)
    #expect(strokes(row).isSuperset(of: [[0], [1], [2]]))
    // Two are wider than a character.
    #expect(!strokes(row).contains([0, 1]))
    let column = groups(
      [box(0, 0, 86, 86), box(0, 110, 86, 86), box(0, 220, 86, 86)], isColumn: true)
    #expect(strokes(column) == strokes(row))
    for (one, other) in zip(column.gaps, row.gaps) { #expect(abs(one - other) < 1e-6) }
  }

  @Test("The halves of a character are one group and two")
  func halves() {
    let found = groups([box(0, 0, 30, 86), box(40, 0, 40, 86), box(110, 0, 86, 86)])
    #expect(strokes(found).isSuperset(of: [[0], [1], [0, 1], [2]]))
    #expect(!strokes(found).contains([0, 1, 2]))
  }

  @Test("A stroke that was added later belongs to the character where it stands")
  func late() {
    let found = groups([box(0, 0, 86, 86), box(110, 0, 86, 86), box(20, 5, 15, 15)])
    #expect(strokes(found).contains([0, 2]))
    #expect(found.gaps.count == 3)
  }

  @Test("A full stop is told by its size and place")
  func signs() {
    let stop = groups([box(0, 0, 86, 86), box(95, 70, 16, 16), box(150, 0, 86, 86)])
    #expect(stop.isBeforeSign == [false, true, false, false])
    let dot = groups([box(0, 0, 86, 86), box(95, 2, 16, 16), box(150, 0, 86, 86)])
    #expect(!dot.isBeforeSign.contains(true))
  }

  @Test("The box of a character has the given size and the middle of the line")
  func areas() throws {
    let found = groups([box(0, 0, 80, 80), box(110, 60, 12, 12)], size: 100)
    let area = try #require(found.groups.last?.last?.area)
    #expect(area.height == 100 && area.width == 100)
    #expect(abs(area.y - (40 - 50)) < 1e-6, "\(area.y)")
  }

  @Test("Degenerate lines have groups or none, and end")
  func degenerate() {
    #expect(groups([]).groups.isEmpty)
    #expect(groups([Stroke(points: [])]).groups.isEmpty)
    let point = Stroke(points: [StrokePoint(x: 3, y: 3)])
    #expect(strokes(groups([point])) == [[0]])
    #expect(!strokes(groups([Stroke](repeating: point, count: 40))).isEmpty)
    #expect(
      !strokes(groups((0..<2000).map { box(Double($0), 0, 1e6, 1e-9) })).isEmpty)
  }
}
