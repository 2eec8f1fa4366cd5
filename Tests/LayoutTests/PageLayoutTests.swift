import InkCore
import Layout
import Testing

@Suite("Page layout")
struct PageLayoutTests {
  private static let words = [4, 2, 6, 3, 5, 3]

  @Test("Seven lines are found from top to bottom", arguments: [UInt64(1), 2, 3, 4])
  func lines(seed: UInt64) {
    var page = WrittenPage(seed: seed)
    for line in 0..<7 {
      page.write(words: Self.words, x: 40, y: 50 + 42 * Double(line), line: line)
    }
    expectLines(page, count: 7, seed: seed)
  }

  @Test("Lines that run up or down the page are found", arguments: [-0.25, -0.1, 0.1, 0.25])
  func sloped(slope: Double) {
    var page = WrittenPage(seed: 5)
    for line in 0..<6 {
      page.write(words: Self.words, x: 40, y: 200 + 44 * Double(line), slope: slope, line: line)
    }
    expectLines(page, count: 6, seed: 5)
  }

  @Test("Dense lines of different sizes are found")
  func sizes() {
    var page = WrittenPage(seed: 6)
    var y = 60.0
    for (line, height) in [44.0, 20, 20, 20, 26, 26].enumerated() {
      y += height * 0.8
      page.write(words: [4, 3, 5, 4], x: 40, y: y, height: height, line: line)
      y += height * 0.8
    }
    expectLines(page, count: 6, seed: 6)
  }

  @Test("Marks and frames do not count for the height of the writing")
  func height() {
    let letters = (0..<10).map { 8 + 0.4 * Double($0) }
    let few = WritingHeight.ofLetters([1.0] + letters)
    #expect((10...11).contains(few) && (10...11).contains(WritingHeight.ofLetters(letters)))
    let marks = [Double](repeating: 1, count: 14)
    #expect(WritingHeight.ofLetters(marks + letters) == few)
    // Few tall strokes are frames.
    let frames = [Double](repeating: 60, count: 2)
    #expect((10...12).contains(WritingHeight.ofLetters([1] + letters + frames)))
    #expect(WritingHeight.ofLetters([3.0]) == 3)
  }

  @Test("Two columns written one after the other are two blocks")
  func columns() {
    var page = WrittenPage(seed: 7)
    for line in 0..<5 { page.write(words: [4, 3], x: 40, y: 50 + 42 * Double(line), line: line) }
    for line in 0..<5 {
      page.write(words: [3, 4], x: 330, y: 50 + 42 * Double(line), line: 5 + line)
    }
    let layout = PageLayout(page.ink)
    #expect(layout.blocks.count == 2)
    expectLines(page, count: 10, seed: 7)
  }

  @Test("A letter alone, below a line or above one, is a line")
  func letter() {
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
      var page = WrittenPage(seed: 31)
      for line in order {
        page.write(
          words: line == 1 ? [1] : [4, 3, 5], x: 40, y: 50 + 48 * Double(line), line: line)
      }
      expectLines(page, count: 3, seed: 31)
    }
  }

  @Test("A list with wide spaces has one line for each row")
  func list() {
    var page = WrittenPage(seed: 8)
    for line in 0..<4 {
      let y = 50 + 42 * Double(line)
      page.write(words: [5], x: 40, y: y, line: line)
      page.write(words: [2], x: 300, y: y, line: line)
    }
    expectLines(page, count: 4, seed: 8)
  }

  @Test("A word written last is in its line, where it is read")
  func lateWord() {
    var page = WrittenPage(seed: 9)
    page.write(words: [4], x: 180, y: 50, line: 0)
    page.write(words: [5, 4], x: 40, y: 92, line: 1)
    page.write(words: [4], x: 40, y: 50, line: 0)
    let layout = PageLayout(page.ink)
    #expect(layout.lines.map(\.strokes) == [[13, 14, 15, 16, 0, 1, 2, 3], Array(4...12)])
  }

  @Test("A letter written last stands between its neighbours")
  func lateLetter() {
    var page = WrittenPage(seed: 10)
    page.write(words: [2], x: 40, y: 50, line: 0)
    page.write(words: [3], x: 84, y: 50, line: 0)
    page.write(words: [1], x: 66, y: 50, height: 18, line: 0)
    #expect(PageLayout(page.ink).lines.map(\.strokes) == [[0, 1, 5, 2, 3, 4]])
  }

  @Test("A dot and a bar written last belong to their line")
  func lateMarks() {
    var page = WrittenPage(seed: 11)
    page.write(words: Self.words, x: 40, y: 50, line: 0)
    page.write(words: Self.words, x: 40, y: 92, line: 1)
    page.add([StrokePoint(x: 75, y: 36)], line: 0)
    page.add([StrokePoint(x: 100, y: 80), StrokePoint(x: 112, y: 80)], line: 1)
    expectLines(page, count: 2, seed: 11)
  }

  @Test("A rectangle is drawing, and the words in and beside it are lines")
  func drawing() {
    var page = WrittenPage(seed: 12)
    page.write(words: [5, 4], x: 40, y: 50, line: 0)
    page.drawRectangle(x: 40, y: 100, width: 160, height: 90)
    page.write(words: [4], x: 70, y: 145, line: 1)
    page.write(words: [4, 3], x: 260, y: 145, line: 2)
    let layout = PageLayout(page.ink)
    #expect(layout.drawing == [9])
    let expected = (0..<3).map { Set(page.strokes(of: $0)) }
    #expect(Set(layout.lines.map { Set($0.strokes) }) == Set(expected))
  }

  @Test(
    "Pieces of interrupted strokes are in the line of their stroke, those of another kind are not")
  func pieces() {
    var page = WrittenPage(seed: 3)
    page.write(words: [4, 3, 5], x: 40, y: 50, line: 0)
    let pieces = page.ink.strokes.flatMap { stroke in
      [Stroke(points: Array(stroke.points[...6])), Stroke(points: Array(stroke.points[7...]))]
    }
    let ink = Ink(strokes: pieces)
    #expect(PageLayout(ink).lines.map(\.strokes) == [Array(pieces.indices)])
    let (even, odd) = (
      pieces.indices.filter { $0.isMultiple(of: 2) },
      pieces.indices.filter { !$0.isMultiple(of: 2) }
    )
    let kinds = pieces.indices.map { $0.isMultiple(of: 2) ? StrokeKind.text : .drawing }
    let layout = PageLayout(ink, kinds: kinds)
    #expect(layout.drawing == odd && layout.lines.flatMap(\.strokes).sorted() == even)
  }

  @Test("One tall stroke among letters is in its line")
  func tallStroke() {
    var page = WrittenPage(seed: 13)
    page.write(words: [4], x: 40, y: 50, line: 0)
    page.add((0...8).map { StrokePoint(x: 130 + Double($0 % 2), y: 20 + 8 * Double($0)) }, line: 0)
    page.write(words: [4], x: 145, y: 50, line: 0)
    page.write(words: [4, 4], x: 40, y: 92, line: 1)
    expectLines(page, count: 2, seed: 13)
  }

  @Test("Ink without strokes, of empty strokes, and of one point")
  func little() {
    #expect(PageLayout(Ink()) == PageLayout(blocks: [], drawing: []))
    let empty = Ink(strokes: [Stroke(points: []), Stroke(points: [])])
    #expect(PageLayout(empty).drawing == [0, 1])
    let point = Ink(strokes: [
      Stroke(points: []), Stroke(points: [StrokePoint(x: 3, y: 4)]), Stroke(points: []),
    ])
    #expect(PageLayout(point).lines.map(\.strokes) == [[1, 2]])
    #expect(PageLayout(point).drawing == [0])
  }

  @Test("Every stroke is in exactly one place, whatever the ink")
  func everyStroke() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      let scale = [1e-9, 1, 1000, 1e150][Int(seed % 4)]
      let ink = Ink(
        strokes: (0..<Int.random(in: 1...60, using: &generator)).map { _ in
          let x = Double.random(in: 0...400, using: &generator)
          let y = Double.random(in: 0...300, using: &generator)
          let size = Double.random(in: 0...60, using: &generator)
          return Stroke(
            points: (0..<Int.random(in: 0...9, using: &generator)).map { _ in
              StrokePoint(
                x: scale * (x + Double.random(in: 0...1, using: &generator) * size),
                y: scale * (y + Double.random(in: 0...1, using: &generator) * size))
            })
        })
      for findsStructure in [false, true] {
        let layout = PageLayout(
          ink, isOrdered: seed % 3 != 0, findsStructure: findsStructure)
        let places = layout.lines.flatMap(\.strokes) + layout.drawing
        #expect(places.sorted() == Array(ink.strokes.indices), "seed \(seed)")
        #expect(layout.lines.allSatisfy { !$0.strokes.isEmpty }, "seed \(seed)")
      }
    }
  }

  private func expectLines(
    _ page: WrittenPage, count: Int, seed: UInt64, location: SourceLocation = #_sourceLocation
  ) {
    let found = PageLayout(page.ink).lines.map { $0.strokes.sorted() }
    let expected = (0..<count).map(page.strokes)
    #expect(found == expected, "seed \(seed)", sourceLocation: location)
  }
}
