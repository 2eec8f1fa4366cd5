import InkCore
import Layout
import Testing

@Suite("Structure of a page") struct PageStructureTests {
  private static func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double) -> Stroke {
    Stroke(
      points: (0...10).map { step in
        let share = Double(step) / 10
        return StrokePoint(x: x + share * (x2 - x), y: y + share * (y2 - y))
      })
  }

  /// Two words in frames with an arrow from the left to the right one.
  private static let diagram: (ink: Ink, kinds: [StrokeKind]) = {
    var page = WrittenPage(seed: 9)
    page.write(words: [5], x: 40, y: 60, line: 0)
    page.write(words: [5], x: 400, y: 60, line: 1)
    let text = page.ink.strokes
    func frame(_ strokes: [Stroke]) -> Stroke {
      guard let box = Ink(strokes: strokes).boundingBox else { return Stroke(points: []) }
      let (l, t, r, b) = (box.minX - 8, box.minY - 8, box.maxX + 8, box.maxY + 8)
      return Stroke(
        points: [(l, t), (r, t), (r, b), (l, b), (l, t)].map { StrokePoint(x: $0.0, y: $0.1) })
    }
    let left = text.filter { $0.points[0].x < 300 }
    let right = text.filter { $0.points[0].x >= 300 }
    let from = (Ink(strokes: left).boundingBox?.maxX ?? 0) + 10
    let to = (Ink(strokes: right).boundingBox?.minX ?? 0) - 10
    let more = [
      frame(left), frame(right), line(from, 60, to, 60), line(to - 8, 54, to, 60),
      line(to - 8, 66, to, 60),
    ]
    let kinds =
      text.map { _ in StrokeKind.text } + [.frame, .frame, .connector, .connector, .connector]
    return (Ink(strokes: text + more), kinds)
  }()

  @Test("An arrow between two words in frames is an edge from one to the other")
  func arrow() throws {
    let (ink, kinds) = Self.diagram
    let layout = PageLayout(ink, kinds: kinds)
    let page = PageStructure(ink, layout: layout, kinds: kinds)
    #expect(page.blocks.map(\.kind) == [.text, .text])
    #expect(page.marks.map(\.kind) == [.frame, .frame])
    let edge = try #require(page.edges.first)
    #expect(page.edges.count == 1 && edge.arrow == .end)
    let boxes = page.blocks.map(\.box)
    #expect(edge.from.map { boxes[$0].minX < 300 } == true)
    #expect(edge.to.map { boxes[$0].minX > 300 } == true)
    let all = page.blocks.flatMap(\.strokes) + page.edges.flatMap(\.strokes)
    #expect((all + page.marks.flatMap(\.strokes)).sorted() == Array(ink.strokes.indices))
  }

  @Test("A stray dash at the tail of an arrow is no head; two heads are")
  func dash() throws {
    let (ink, kinds) = Self.diagram
    let shaft = ink.strokes[ink.strokes.count - 3].points
    let tail = try #require(shaft.first)
    func arrow(_ more: [Stroke]) throws -> PageStructure.Edge.Arrow {
      let ink = Ink(strokes: ink.strokes + more)
      let kinds = kinds + more.map { _ in StrokeKind.connector }
      let page = PageStructure(ink, layout: PageLayout(ink, kinds: kinds), kinds: kinds)
      let all = page.blocks.flatMap(\.strokes) + page.edges.flatMap(\.strokes)
      #expect((all + page.marks.flatMap(\.strokes)).sorted() == Array(ink.strokes.indices))
      return try #require(page.edges.first).arrow
    }
    let (x, y) = (tail.x, tail.y)
    #expect(try arrow([Self.line(x, y, x + 7, y + 5)]) == .end)
    #expect(try arrow([Self.line(x, y, x + 8, y - 6), Self.line(x, y, x + 8, y + 6)]) == .both)
    let bent = Stroke(
      points: [(8.0, -6.0), (0, 0), (8, 6)].map { StrokePoint(x: x + $0.0, y: y + $0.1) })
    #expect(try arrow([bent]) == .both)
  }

  @Test("Words between rules are the cells of a table, row by row")
  func table() throws {
    var page = WrittenPage(seed: 4)
    for row in 0..<3 {
      for column in 0..<2 {
        page.write(
          words: [3], x: 60 + 240 * Double(column), y: 60 + 60 * Double(row), line: 2 * row + column
        )
      }
    }
    let text = page.ink.strokes
    let rules = [
      Self.line(30, 90, 480, 90), Self.line(30, 150, 480, 150), Self.line(270, 20, 270, 210),
    ]
    let ink = Ink(strokes: text + rules)
    let kinds = text.map { _ in StrokeKind.text } + rules.map { _ in .tableRule }
    let found = PageStructure(ink, layout: PageLayout(ink, kinds: kinds), kinds: kinds)
    let block = try #require(found.blocks.first { $0.kind == .table })
    #expect(found.blocks.count == 1)
    #expect(block.rows.count == 3 && block.rows.allSatisfy { $0.count == 2 })
    #expect(block.rows.allSatisfy { $0.allSatisfy { $0.count == 1 } })
    #expect(block.strokes == Array(ink.strokes.indices))
  }

  @Test("A page of text alone has text blocks only, each stroke once")
  func text() {
    var page = WrittenPage(seed: 2)
    for line in 0..<4 {
      page.write(words: [4, 3, 5], x: 40, y: 50 + 42 * Double(line), line: line)
    }
    let found = PageStructure(page.ink, layout: PageLayout(page.ink), kinds: nil)
    #expect(found.blocks.allSatisfy { $0.kind == .text })
    #expect(found.blocks.flatMap(\.strokes).sorted() == Array(page.ink.strokes.indices))
    #expect(found.edges.isEmpty && found.marks.isEmpty)
  }
}
