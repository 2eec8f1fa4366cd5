import InkCore
import Layout
import Testing

@Suite("Tables without rules") struct TableFinderTests {
  /// A page of cells, row by row; the number of letters of each word, nil for an empty cell.
  private static func page(
    _ rows: [[[Int]?]], at columns: [Double], seed: UInt64 = 3, byColumns: Bool = false
  ) -> Ink {
    var page = WrittenPage(seed: seed)
    var cells = rows.enumerated().flatMap { row, cells in
      cells.enumerated().compactMap { column, words in words.map { (row, column, $0) } }
    }
    if byColumns { cells.sort { ($0.1, $0.0) < ($1.1, $1.0) } }
    for (row, column, words) in cells {
      page.write(words: words, x: columns[column], y: 60 + 44 * Double(row), line: row)
    }
    return page.ink
  }

  private static func tables(of ink: Ink, isOrdered: Bool = true) -> [[[Int]]] {
    PageLayout(ink, isOrdered: isOrdered, findsStructure: true).blocks.filter { !$0.rows.isEmpty }
      .map { $0.rows.map { $0.map(\.count) } }
  }

  private static func shuffled(_ ink: Ink) -> Ink {
    var generator = SeededGenerator(seed: 5)
    return Ink(strokes: ink.strokes.shuffled(using: &generator))
  }

  @Test("Short words in columns are a table, in any order of writing", arguments: [2, 3, 4])
  func words(columns: Int) throws {
    let places = (0..<columns).map { 40 + 210 * Double($0) }
    let rows = (0..<4).map { row in (0..<columns).map { column in [2 + (row + column) % 4] } }
    let expected = [rows.map { $0.map { _ in 1 } }]
    for byColumns in [false, true] {
      let ink = Self.page(rows, at: places, byColumns: byColumns)
      #expect(Self.tables(of: ink) == expected)
      #expect(Self.tables(of: Self.shuffled(ink), isOrdered: false) == expected)
    }
  }

  @Test("The lines of a table are its cells, row by row, with the strokes that stand there")
  func cells() throws {
    let ink = Self.page([[[5], [2]], [[3], [4]], [[4], [3]]], at: [40, 300], byColumns: true)
    let layout = PageLayout(ink, findsStructure: true)
    let block = try #require(layout.blocks.first)
    #expect(layout.blocks.count == 1 && block.rows == [[[0], [1]], [[2], [3]], [[4], [5]]])
    for (index, line) in block.lines.enumerated() {
      #expect(line.strokes.allSatisfy { (ink.strokes[$0].points[0].x > 290) == (index % 2 == 1) })
    }
    #expect(layout.lines.flatMap(\.strokes).sorted() == Array(ink.strokes.indices))
    let structure = PageStructure(ink, layout: layout, kinds: nil)
    #expect(structure.blocks.map(\.kind) == [.table])
    #expect(structure.blocks[0].rows == block.rows)
  }

  @Test("An empty cell keeps its place")
  func empty() {
    let ink = Self.page(
      [[[5], [2], [3]], [[3], nil, [4]], [[4], [3], [2]], [[3], [3], nil]], at: [40, 260, 480])
    #expect(Self.tables(of: ink) == [[[1, 1, 1], [1, 0, 1], [1, 1, 1], [1, 1, 0]]])
  }

  @Test("Two columns of prose are no table, in any order of writing")
  func prose() {
    let rows = (0..<5).map { row in [[4, 3 + row % 2, 5], [3, 4, 4 + row % 2]] }
    for byColumns in [false, true] {
      let ink = Self.page(rows, at: [40, 460], byColumns: byColumns)
      #expect(Self.tables(of: ink).isEmpty)
      #expect(Self.tables(of: Self.shuffled(ink), isOrdered: false).isEmpty)
    }
  }

  @Test("A list, a note beside a paragraph and a paragraph with wide spaces are no tables")
  func others() {
    let list = (0..<5).map { _ in [[1], [4, 3]] }
    #expect(Self.tables(of: Self.page(list, at: [40, 110])).isEmpty)
    let note = (0..<6).map { row in [[4, 3, 5, 4], row < 3 ? [3] : nil] }
    #expect(Self.tables(of: Self.page(note, at: [40, 520], byColumns: true)).isEmpty)
    var spaces = WrittenPage(seed: 8)
    for row in 0..<7 {
      let y = 60 + 44 * Double(row)
      if (2..<5).contains(row) {
        spaces.write(words: [4, 3], x: 40, y: y, line: row)
        spaces.write(words: [5, 3, 4], x: 240, y: y, line: row)
      } else {
        spaces.write(words: [4, 3, 5, 3, 4], x: 40, y: y, line: row)
      }
    }
    #expect(Self.tables(of: spaces.ink).isEmpty)
  }

  @Test("Two rows are too few, and a diagram has no table")
  func limits() {
    #expect(Self.tables(of: Self.page([[[3], [4]], [[4], [2]]], at: [40, 300])).isEmpty)
    let ink = Self.page((0..<4).map { _ in [[3], [4]] }, at: [40, 300])
    let kinds = ink.strokes.indices.map { $0 % 8 == 0 ? StrokeKind.frame : .text }
    let layout = PageLayout(ink, kinds: kinds, findsStructure: true)
    #expect(layout.blocks.allSatisfy { $0.rows.isEmpty })
  }
}

@Suite("Headings") struct HeadingTests {
  private static func page(_ heights: [Double]) -> Ink {
    var page = WrittenPage(seed: 12)
    var y = 40.0
    for (line, height) in heights.enumerated() {
      y += height
      page.write(words: [4, 3, 5], x: 40, y: y, height: height, line: line)
      y += height
    }
    return page.ink
  }

  private static func headings(_ heights: [Double]) -> [Int] {
    PageLayout(page(heights), findsStructure: true).blocks.flatMap { block in
      block.lines.map { _ in block.heading }
    }
  }

  @Test("A line of letters twice as high is a heading, a block of its own")
  func heading() {
    #expect(Self.headings([44, 20, 20, 20]) == [1, 0, 0, 0])
    let layout = PageLayout(Self.page([44, 20, 20, 20]), findsStructure: true)
    #expect(layout.blocks.map(\.lines.count) == [1, 3])
  }

  @Test("Lines of one size, and large text without smaller text after it, are no headings")
  func none() {
    #expect(Self.headings([20, 20, 20, 20]) == [0, 0, 0, 0])
    #expect(Self.headings([24, 20, 20, 20]) == [0, 0, 0, 0])
    #expect(Self.headings([20, 20, 44]) == [0, 0, 0])
    #expect(Self.headings([40, 20]) == [0, 0])
  }
}
