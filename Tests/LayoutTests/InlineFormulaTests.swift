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

  @Test("Columns widen and narrow a formula")
  func columns() throws {
    let ink = Self.page.ink
    var formula = try Self.formula()
    let (next, word) = (Self.page.lines[1][8], Self.page.lines[1][7])
    (formula.before, formula.words) = ([[next], [word]], [next, word])
    let wide = formula.extended(before: 1, of: ink)
    #expect(wide.strokes == (formula.strokes + [next]).sorted())
    #expect(wide.before == [[word]] && wide.words == [word])
    #expect(wide.place.minX < formula.place.minX && wide.place.maxX == formula.place.maxX)
    #expect(wide.place.minY == formula.place.minY)
    let narrow = try #require(wide.shortened(first: 1, of: ink))
    #expect(narrow.strokes == formula.strokes && narrow.before == formula.before)
    #expect(narrow.place == formula.place)
    // A fraction is one column.
    #expect(formula.shortened(last: 1, of: ink) == nil)
  }

  /// A row of letters, with a wide gap before the last three.
  private static let row: Ink = {
    var page = WrittenPage(seed: 7)
    page.write(words: [4, 4, 3], x: 40, y: 40, line: 0)
    return page.ink
  }()

  @Test("Words that are read as signs are candidates without the network of kinds")
  func evidence() throws {
    let strokes = Self.row.strokes.indices
    let signs = Set(strokes.suffix(3))
    let evidence: [Float] = strokes.map { signs.contains($0) ? 0.4 : -0.9 }
    let none = [Float](repeating: 0, count: strokes.count)
    #expect(InlineFormulas.areNone(none, evidence: none))
    #expect(!InlineFormulas.areNone(none, evidence: evidence))
    let found = InlineFormulas.found(in: Self.row, none, evidence: evidence, kinds: nil)
    #expect(found.map(\.strokes) == [signs.sorted()])
    let formula = try #require(found.first)
    #expect(!formula.before.isEmpty && formula.after.isEmpty && !formula.words.isEmpty)
    #expect(InlineFormulas.found(in: Self.row, none, evidence: none, kinds: nil).isEmpty)
  }

  @Test("Ink that is a formula alone is a candidate in a line, and none on a page")
  func lone() {
    let strokes = Self.row.strokes.indices
    let signs = strokes.map { _ in Float(0.4) }
    let none = strokes.map { _ in Float(0) }
    let line = InlineFormulas.found(in: Self.row, none, evidence: signs, kinds: nil)
    #expect(line.map(\.strokes) == [Array(strokes)] && line.first?.words.isEmpty == true)
    let kinds = strokes.map { _ in StrokeKind.text }
    #expect(InlineFormulas.found(in: Self.row, none, evidence: signs, kinds: kinds).isEmpty)
  }
}
