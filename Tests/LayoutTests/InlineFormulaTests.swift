import InkCore
import Layout
import Testing

/// Formulas between the words of lines.
@Suite("Formulas inside of lines")
struct InlineFormulaTests {
  /// Three lines; between the words of the second one there is a fraction, higher than the line.
  private static let page: (ink: Ink, fraction: [Int], lines: [[Int]]) = {
    var page = WrittenPage(seed: 3)
    page.write(words: [4, 5, 3, 6], x: 40, y: 40, line: 0)
    page.write(words: [5, 4], x: 40, y: 90, line: 1)
    let right = page.ink.boundingBox?.maxX ?? 0
    let start = page.ink.strokes.count
    let x = (Ink(strokes: Array(page.ink.strokes[(start - 9)...])).boundingBox?.maxX ?? right) + 15
    page.write(words: [2], x: x + 4, y: 75, height: 14, line: 3)
    page.add((0...8).map { StrokePoint(x: x + 4 * Double($0), y: 88) }, line: 3)
    page.write(words: [2], x: x + 4, y: 102, height: 14, line: 3)
    let fraction = Array(start..<page.ink.strokes.count)
    page.write(words: [4, 5], x: x + 50, y: 90, line: 1)
    page.write(words: [5, 5, 4, 3], x: 40, y: 140, line: 2)
    return (page.ink, fraction, (0...2).map { page.strokes(of: $0) })
  }()

  private static func formula() throws -> InlineFormula {
    let box = try #require(
      Ink(strokes: page.fraction.map { page.ink.strokes[$0] }).boundingBox)
    return InlineFormula(
      strokes: page.fraction,
      place: BoundingBox(minX: box.minX, minY: 80, maxX: box.maxX, maxY: 98))
  }

  @Test("A line keeps its fraction between its words, and no other line takes a part of it")
  func line() throws {
    let layout = PageLayout(Self.page.ink, formulas: [try Self.formula()])
    #expect(layout.lines.count == 3 && layout.drawing.isEmpty)
    let line = try #require(layout.lines.first { !$0.formulas.isEmpty })
    #expect(line.formulas == [0])
    #expect(Set(line.strokes) == Set(Self.page.lines[1] + Self.page.fraction))
    #expect(line.strokes.count == Set(line.strokes).count)
    let first = try #require(line.strokes.firstIndex(of: Self.page.fraction[0]))
    #expect(Array(line.strokes[first..<first + Self.page.fraction.count]) == Self.page.fraction)
    #expect(Set(line.strokes[..<first]).isSubset(of: Self.page.lines[1]))
    #expect(first > 0 && first + Self.page.fraction.count < line.strokes.count)
  }

  @Test("The box of the line holds the fraction")
  func box() throws {
    let layout = PageLayout(Self.page.ink, formulas: [try Self.formula()])
    let line = try #require(layout.lines.first { !$0.formulas.isEmpty })
    let box = try #require(Ink(strokes: line.strokes.map { Self.page.ink.strokes[$0] }).boundingBox)
    #expect(line.box == box)
  }

  @Test("A formula with nothing beside it is no line")
  func alone() throws {
    let ink = Ink(strokes: Self.page.fraction.map { Self.page.ink.strokes[$0] })
    let box = try #require(ink.boundingBox)
    let formula = InlineFormula(strokes: Array(ink.strokes.indices), place: box)
    let layout = PageLayout(ink, formulas: [formula])
    #expect(layout.lines.isEmpty && layout.drawing == Array(ink.strokes.indices))
  }

  @Test("Words alone have no candidates, and take no formula")
  func words() {
    var page = WrittenPage(seed: 5)
    for line in 0..<4 {
      page.write(words: [4, 6, 3, 5], x: 40, y: 40 + 50 * Double(line), line: line)
    }
    let plain = PageLayout(page.ink)
    #expect(plain.lines.allSatisfy { $0.formulas.isEmpty })
    #expect(PageLayout(page.ink, formulas: []) == plain)
    let found = PageKinds.foundWithFormulas(in: page.ink, isOrdered: true)
    #expect(found.kinds == PageKinds.found(in: page.ink, isOrdered: true))
  }

  @Test("More strokes widen a formula and are no longer beside it")
  func extended() throws {
    var formula = try Self.formula()
    formula.before = [Self.page.lines[1][8], Self.page.lines[1][7]]
    let wide = formula.extended(by: [formula.before[0]], of: Self.page.ink)
    #expect(wide.strokes.contains(formula.before[0]) && wide.before == [formula.before[1]])
    #expect(wide.place.minX < formula.place.minX && wide.place.maxX == formula.place.maxX)
    #expect(wide.place.minY == formula.place.minY)
  }
}
