import InkCore
import Layout
import Testing

@Suite("Layout in the direction of writing")
struct DirectionTests {
  /// A page of two columns with a dot and a word that were written last.
  private static var page: WrittenPage {
    var page = WrittenPage(seed: 21)
    for line in 0..<4 { page.write(words: [4, 3], x: 40, y: 50 + 42 * Double(line), line: line) }
    for line in 0..<4 {
      page.write(words: [3, 4], x: 330, y: 50 + 42 * Double(line), line: 4 + line)
    }
    page.add([StrokePoint(x: 75, y: 36)], line: 0)
    return page
  }

  @Test(
    "A turned page has the same lines in the same order, in turned boxes",
    arguments: WritingDirection.allCases)
  func turned(direction: WritingDirection) {
    let plain = PageLayout(Self.page.ink)
    let turned = PageLayout(Self.page.ink.turned(direction), direction: direction)
    #expect(plain.blocks.count == 2)
    #expect(turned.lines.map(\.strokes) == plain.lines.map(\.strokes))
    #expect(turned.blocks.map { $0.box.turned(direction) } == plain.blocks.map(\.box))
    #expect(turned.lines.map { $0.box.turned(direction) } == plain.lines.map(\.box))
    #expect(turned.drawing == plain.drawing)
  }

  @Test("From right to left, the right column is read first")
  func columns() throws {
    let layout = PageLayout(Self.page.ink, direction: .rightToLeft)
    let first = try #require(layout.blocks.first)
    #expect(layout.blocks.allSatisfy { $0.box.midX <= first.box.midX })
  }

  /// Letters or digits of a line, as tall as wide, at the places of their left edges.
  private func line(_ places: [Double]) -> Ink {
    Ink(
      strokes: places.map { x in
        Stroke(
          points: [(0.0, 0.0), (12, 4), (2, 12), (12, 20)].map {
            StrokePoint(x: x + $0.0, y: $0.1)
          })
      })
  }

  @Test("A number in a line from right to left stays in the order of writing")
  func numbers() throws {
    // A word, a number from left to right, and a word.
    let text = line([300, 284, 268, 170, 186, 202, 218, 120, 104, 88])
    for ink in [text, line((0..<10).map { 100 + 16 * Double($0) }), line([200, 216])] {
      let layout = PageLayout(ink, direction: .rightToLeft)
      #expect(layout.lines.map(\.strokes) == [Array(ink.strokes.indices)])
      #expect(WritingOrder(ink, direction: .rightToLeft).isOfWriting(isTimed: false))
    }
    // The first word was written last.
    let late = line([170, 186, 202, 218, 120, 104, 88, 300, 284, 268])
    let layout = PageLayout(late, direction: .rightToLeft)
    #expect(layout.lines.map(\.strokes) == [[7, 8, 9, 0, 1, 2, 3, 4, 5, 6]])
  }

  @Test("Lines are joined and split until there are as many as the label has")
  func counted() {
    var page = WrittenPage(seed: 22)
    for line in 0..<4 { page.write(words: [4, 3], x: 40, y: 50 + 42 * Double(line), line: line) }
    let found = PageLayout(page.ink).linesWithDrawing(of: page.ink)
    #expect(found.count == 4)
    let expected = found.map { $0.sorted() }
    // Two lines as one.
    var joined = CountedLines(
      [found[0] + found[1], found[2], found[3]], of: page.ink, direction: .leftToRight)
    let isJoined = joined.adjust(to: 4)
    #expect(isJoined)
    #expect(joined.lines.map { $0.strokes.sorted() } == expected)
    // Two letters as a line of their own.
    let marks = Array(found[2].suffix(2))
    var scraps = CountedLines(
      [found[0], found[1], Array(found[2].dropLast(2)), marks, found[3]], of: page.ink,
      direction: .leftToRight)
    let isWhole = scraps.adjust(to: 4)
    #expect(isWhole)
    #expect(scraps.lines.map { $0.strokes.sorted() } == expected)
    var few = CountedLines([[0]], of: page.ink, direction: .leftToRight)
    let hasEnough = few.adjust(to: 3)
    #expect(!hasEnough)
  }

  @Test("What seems drawn belongs to the nearest line of a page of text")
  func drawing() {
    var page = WrittenPage(seed: 12)
    page.write(words: [5, 4], x: 40, y: 50, line: 0)
    page.drawRectangle(x: 40, y: 100, width: 160, height: 90)
    page.write(words: [4, 5], x: 40, y: 260, line: 1)
    let layout = PageLayout(page.ink)
    #expect(!layout.drawing.isEmpty)
    let lines = layout.linesWithDrawing(of: page.ink)
    #expect(lines.count == layout.lines.count)
    #expect(lines.flatMap(\.self).sorted() == Array(page.ink.strokes.indices))
  }
}
