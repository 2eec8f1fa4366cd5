import InkCore
import Layout
import Testing

/// A page and its mirror image, which is read from right to left, have the same structure.
@Suite("Structure of pages from right to left")
struct MirroredStructureTests {
  private static func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double) -> Stroke {
    Stroke(
      points: (0...10).map { step in
        let share = Double(step) / 10
        return StrokePoint(x: x + share * (x2 - x), y: y + share * (y2 - y))
      })
  }

  /// A heading, two lines of text, and cells in three columns.
  private static var table: WrittenPage {
    var page = WrittenPage(seed: 8)
    page.write(words: [6, 5], x: 40, y: 40, height: 52, line: 0)
    for row in 1...2 {
      page.write(words: [5, 4, 6, 5], x: 40, y: 70 + 44 * Double(row), line: row)
    }
    for row in 0..<4 {
      for column in 0..<3 {
        page.write(
          words: [2 + (row + column) % 3], x: 40 + 210 * Double(column), y: 320 + 44 * Double(row),
          line: 3 + row)
      }
    }
    return page
  }

  /// Compares a page with its mirror image and returns the structure of the page.
  private static func compare(_ ink: Ink, kinds: [StrokeKind]? = nil) -> PageStructure {
    let mirrored = ink.turned(.rightToLeft)
    let layout = PageLayout(ink, kinds: kinds, findsStructure: true)
    let other = PageLayout(mirrored, direction: .rightToLeft, kinds: kinds, findsStructure: true)
    let found = PageStructure(ink, layout: layout, kinds: kinds)
    var turned = PageStructure(mirrored, layout: other, kinds: kinds, direction: .rightToLeft)
    for block in turned.blocks.indices {
      turned.blocks[block].box = turned.blocks[block].box.turned(.rightToLeft)
    }
    for mark in turned.marks.indices {
      turned.marks[mark].box = turned.marks[mark].box.turned(.rightToLeft)
    }
    #expect(turned == found)
    #expect(other.lines.map(\.strokes) == layout.lines.map(\.strokes))
    return found
  }

  @Test("Headings and tables without rules")
  func tables() throws {
    let found = Self.compare(Self.table.ink)
    #expect(found.blocks.map(\.kind) == [.text, .text, .table])
    #expect(found.blocks.map(\.heading) == [1, 0, 0])
    #expect(found.blocks[2].rows.map(\.count) == [3, 3, 3, 3])
  }

  @Test("The first cell of a row is the rightmost one, also between rules")
  func rules() throws {
    var page = WrittenPage(seed: 5)
    for row in 0..<2 {
      for column in 0..<2 {
        page.write(
          words: [4], x: 60 + 200 * Double(column), y: 60 + 60 * Double(row),
          line: 2 * row + column)
      }
    }
    let rules = [
      Self.line(30, 30, 430, 30), Self.line(30, 90, 430, 90), Self.line(30, 150, 430, 150),
      Self.line(30, 30, 30, 150), Self.line(230, 30, 230, 150), Self.line(430, 30, 430, 150),
    ]
    let ink = Ink(strokes: page.ink.strokes + rules)
    let kinds = page.ink.strokes.map { _ in StrokeKind.text } + rules.map { _ in .tableRule }
    let found = Self.compare(ink, kinds: kinds)
    #expect(found.blocks.map(\.kind) == [.table])
    // Written from left to right, and read from the right.
    let layout = PageLayout(ink, direction: .rightToLeft, kinds: kinds, findsStructure: true)
    let read = PageStructure(ink, layout: layout, kinds: kinds, direction: .rightToLeft)
    let first = try #require(read.blocks.first?.rows.first?.first?.first)
    #expect(read.blocks.map { $0.rows.map(\.count) } == [[2, 2]])
    #expect(layout.lines[first].box.minX > 230)
  }

  @Test("Frames, an arrow between them, and a drawing beside text")
  func diagram() {
    var page = WrittenPage(seed: 9)
    page.drawRectangle(x: 20, y: 20, width: 150, height: 70)
    page.write(words: [5], x: 40, y: 56, line: 0)
    page.drawRectangle(x: 380, y: 20, width: 150, height: 70)
    page.write(words: [5], x: 400, y: 56, line: 1)
    let arrow = [
      Self.line(180, 55, 370, 55), Self.line(360, 48, 370, 55), Self.line(360, 62, 370, 55),
    ]
    let ink = Ink(strokes: page.ink.strokes + arrow)
    var kinds = page.lines.map { $0 == nil ? StrokeKind.frame : .text }
    kinds += arrow.map { _ in .connector }
    let found = Self.compare(ink, kinds: kinds)
    #expect(found.edges.map(\.arrow) == [.end] && found.marks.map(\.kind) == [.frame, .frame])
    #expect(found.edges.map(\.from) == [0] && found.edges.map(\.to) == [1])
  }

  @Test("The kinds of strokes are those of the reading frame")
  func kinds() {
    let ink = Self.table.ink
    let mirrored = ink.turned(.rightToLeft)
    let kinds = PageKinds.found(in: ink, isOrdered: true)
    #expect(kinds != nil)
    #expect(PageKinds.found(in: mirrored, isOrdered: true, direction: .rightToLeft) == kinds)
    #expect(
      PageKinds.foundWithFormulas(in: mirrored, isOrdered: true, direction: .rightToLeft).kinds
        == kinds)
  }

  @Test("Lines upward beside a page are downward in its mirror image, and as near")
  func turned() throws {
    var page = WrittenPage(seed: 23)
    for line in 0..<4 {
      page.write(words: [4, 3, 5], x: 40, y: 60 + 42 * Double(line), line: line)
    }
    let note = Array(page.ink.strokes.count..<page.ink.strokes.count + 9)
    page.write(words: [5, 4], x: 60, y: -420, line: 4)
    var ink = page.ink
    for stroke in note {
      for point in ink.strokes[stroke].points.indices {
        let (x, y) = (ink.strokes[stroke].points[point].x, ink.strokes[stroke].points[point].y)
        (ink.strokes[stroke].points[point].x, ink.strokes[stroke].points[point].y) = (-y, x)
      }
    }
    let part = TurnedPart(strokes: note, angle: 90)
    let layout = PageLayout(ink, turned: [part], isOrdered: true, kinds: nil)
    let other = PageLayout(
      ink.turned(.rightToLeft), turned: [part.turned(.rightToLeft)], isOrdered: true, kinds: nil,
      direction: .rightToLeft)
    #expect(layout.blocks.map(\.angle).sorted() == [0, 90])
    #expect(other.blocks.map(\.angle) == layout.blocks.map { $0.angle == 0 ? 0 : -$0.angle })
    #expect(other.lines.map(\.strokes) == layout.lines.map(\.strokes))
    #expect(other.blocks.map { $0.box.turned(.rightToLeft) } == layout.blocks.map(\.box))
  }
}
