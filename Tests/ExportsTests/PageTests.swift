import Exports
import Foundation
import InkCore
import InkEditor
import Recognition
import Testing

@Suite("Pages of what was read")
struct PageTests {
  /// A stroke from one place to another.
  private func stroke(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double) -> Stroke {
    Stroke(points: [StrokePoint(x: x, y: y), StrokePoint(x: x2, y: y2)])
  }

  /// A line whose words have one stroke each.
  private func line(_ words: [String], strokes: [Int], level: Int = 0) -> RecognizedLine {
    var characters: [CharacterInk] = []
    var read: [RecognizedWord] = []
    for (word, stroke) in zip(words, strokes) {
      if !read.isEmpty { characters.append(CharacterInk(parts: [])) }
      let start = characters.count
      for _ in word {
        characters.append(
          CharacterInk(parts: [CharacterInk.Part(stroke: stroke, points: 0..<2)]))
      }
      read.append(
        RecognizedWord(text: word, characters: start..<characters.count, confidence: 1))
    }
    var line = RecognizedLine(
      block: 0, strokes: strokes,
      candidates: [
        RecognitionCandidate(
          text: words.joined(separator: " "), score: 0, characters: characters, words: read)
      ])
    line.level = level
    return line
  }

  private func result(
    _ lines: [RecognizedLine], _ blocks: [RecognizedBlock]
  ) -> RecognitionResult {
    var result = RecognitionResult(candidates: [], lines: lines)
    result.blocks = blocks
    return result
  }

  @Test("Words lie at the ink of their characters, in millimetres of the sheet")
  func places() {
    let ink = Ink(strokes: [stroke(0, 0, 10, 20), stroke(30, 0, 50, 20)])
    let block = RecognizedBlock(kind: .text, bounds: nil, strokes: [0, 1], lines: [0])
    let page = ExportPage(
      PageInk(ink, scale: 0.5), result([line(["ab", "c"], strokes: [0, 1])], [block]))
    // 10 mm of margin.
    #expect(page.box == BoundingBox(minX: 0, minY: 0, maxX: 45, maxY: 30))
    let words = page.lines[0].words
    #expect(words.map(\.text) == ["ab", "c"])
    #expect(words.map(\.followsSpace) == [false, true])
    #expect(words[0].place?.box == BoundingBox(minX: 10, minY: 10, maxX: 15, maxY: 20))
    #expect(words[1].place?.pageBox == BoundingBox(minX: 25, minY: 10, maxX: 35, maxY: 20))
    #expect(page.drawing.count == 2)
  }

  @Test("The sheet of a file is kept, and grows only for ink beside it")
  func sheet() {
    let sheet = BoundingBox(minX: 0, minY: 0, maxX: 200, maxY: 300)
    let inside = ExportPage(PageInk(Ink(strokes: [stroke(50, 50, 60, 60)]), sheet: sheet, scale: 1))
    #expect(inside.box == sheet)
    let beside = ExportPage(
      PageInk(Ink(strokes: [stroke(150, 50, 400, 60)]), sheet: sheet, scale: 1))
    #expect(beside.box == BoundingBox(minX: 0, minY: 0, maxX: 410, maxY: 300))
  }

  @Test("Ink of no unit gets the size of handwriting, and fits on paper")
  func size() throws {
    let small = ExportPage(PageInk(Ink(strokes: [stroke(0, 0, 0.01, 0.03)])))
    #expect(abs(small.box.height - 23) < 1e-9)
    let wide = (0..<100).map { stroke(Double($0) * 1000, 0, Double($0) * 1000, 10) }
    #expect(ExportPage(PageInk(Ink(strokes: wide))).box.width < 421)
    let empty = ExportPage(PageInk(Ink()))
    #expect(empty.box.width > 0 && empty.drawing.isEmpty)
  }

  @Test("Colours, widths and forces of the file are drawn")
  func looks() throws {
    var forced = stroke(0, 20, 10, 20)
    forced.points[0].force = 1
    forced.points[1].force = 2
    let page = ExportPage(
      PageInk(
        Ink(strokes: [stroke(0, 0, 10, 0), forced]),
        looks: [PageInk.Look(color: InkColor("#FF0000"), width: 2), PageInk.Look(width: 2)],
        scale: 1))
    guard case .stroke(_, let color, let style) = page.drawing[0] else {
      Issue.record("expected a line of one width")
      return
    }
    #expect(color.description == "#FF0000" && style.width == 2)
    let box = try #require(page.drawing[1].box)
    // The end is twice as wide as the pen.
    #expect(abs(box.height - 4) < 0.1)
  }

  @Test("Underlined, struck and framed words have their decorations")
  func decorations() {
    let ink = Ink(strokes: [stroke(0, 0, 10, 20), stroke(30, 0, 50, 20), stroke(0, 25, 10, 25)])
    var read = result(
      [line(["a", "b"], strokes: [0, 1])],
      [RecognizedBlock(kind: .text, bounds: nil, strokes: [0, 1], lines: [0])])
    read.marks = [
      RecognizedMark(kind: .underline, strokes: [2], words: [.init(line: 0, word: 0)]),
      RecognizedMark(kind: .strikeThrough, strokes: [2], words: [.init(line: 0, word: 1)]),
    ]
    let page = ExportPage(PageInk(ink, scale: 1), read)
    #expect(page.lines[0].words.map(\.decorations) == [[.underline], [.strikeThrough]])
  }

  @Test("Headings, tables, drawings and formulas become their blocks")
  func blocks() {
    let ink = Ink(strokes: (0..<5).map { stroke(0, Double($0) * 30, 10, Double($0) * 30 + 20) })
    var heading = RecognizedBlock(kind: .text, bounds: nil, strokes: [0], lines: [0])
    heading.heading = 2
    let table = RecognizedBlock(
      kind: .table, bounds: nil, strokes: [1, 2], lines: [1, 2], rows: [[[1], [2]]])
    let page = ExportPage(
      PageInk(ink, scale: 1),
      result(
        [
          line(["head"], strokes: [0]), line(["l"], strokes: [1]), line(["r"], strokes: [2]),
        ],
        [
          heading, table, RecognizedBlock(kind: .drawing, bounds: nil, strokes: [3]),
          RecognizedBlock(kind: .formula, bounds: nil, strokes: [4]),
        ]))
    guard page.blocks.count == 4, case .heading(2, let head) = page.blocks[0].content,
      case .table(let rows) = page.blocks[1].content, case .figure = page.blocks[2].content,
      case .formula = page.blocks[3].content
    else {
      Issue.record("expected a heading, a table, a drawing and a formula")
      return
    }
    #expect(head.map(\.text) == ["head"])
    #expect(rows.map { $0.map { $0.map(\.text) } } == [[["l"], ["r"]]])
    #expect(page.blocks.map(\.drawing.count) == [1, 2, 1, 1])
    #expect(page.withoutUnseenDrawings.blocks.map(\.drawing.count) == [0, 0, 1, 1])
  }

  @Test("Items of lists have their levels and marks, and go on over lines")
  func items() {
    let ink = Ink(strokes: (0..<6).map { stroke(0, Double($0) * 30, 10, Double($0) * 30 + 20) })
    let page = ExportPage(
      PageInk(ink, scale: 1),
      result(
        [
          line(["before"], strokes: [0]), line(["1.", "one"], strokes: [1, 1], level: 1),
          line(["more"], strokes: [2]), line(["-", "inner"], strokes: [3, 3], level: 2),
          line(["two"], strokes: [4], level: 1),
        ],
        [
          RecognizedBlock(
            kind: .text, bounds: nil, strokes: [0, 1, 2, 3, 4], lines: [0, 1, 2, 3, 4])
        ]
      ))
    let contents = page.blocks.map { block -> String in
      switch block.content {
      case .paragraph(let lines): "p " + lines.map(\.text).joined(separator: "/")
      case .item(let level, let mark, let lines):
        "\(level) \(mark) " + lines.map(\.text).joined(separator: "/")
      default: "?"
      }
    }
    #expect(
      contents == [
        "p before", "1 number(\"1.\") one/more", "2 bullet inner", "1 bullet two",
      ])
  }

  @Test("Text below a list is a paragraph, unless it is indented or the line above was full")
  func textAfterItem() {
    func page(_ third: (left: Double, top: Double), secondEnd: Double) -> [String] {
      // A heading line gives the block its width.
      let ink = Ink(strokes: [
        stroke(0, 0, 200, 20), stroke(0, 30, 5, 50), stroke(15, 30, secondEnd, 50),
        stroke(third.left, third.top, third.left + 30, third.top + 20),
      ])
      let page = ExportPage(
        PageInk(ink, scale: 1),
        result(
          [
            line(["wide"], strokes: [0]), line(["-", "item"], strokes: [1, 2], level: 1),
            line(["next"], strokes: [3]),
          ],
          [RecognizedBlock(kind: .text, bounds: nil, strokes: [0, 1, 2, 3], lines: [0, 1, 2])]))
      return page.blocks.map { block in
        switch block.content {
        case .paragraph(let lines): "p " + lines.map(\.text).joined(separator: "/")
        case .item(_, _, let lines): "i " + lines.map(\.text).joined(separator: "/")
        default: "?"
        }
      }
    }
    // At the left edge, below a short line.
    #expect(page((0, 60), secondEnd: 60) == ["p wide", "i item", "p next"])
    // Indented.
    #expect(page((14, 60), secondEnd: 60) == ["p wide", "i item/next"])
    // Below a full line.
    #expect(page((0, 60), secondEnd: 190) == ["p wide", "i item/next"])
    // Indented, after a gap.
    #expect(page((14, 110), secondEnd: 60) == ["p wide", "i item", "p next"])
  }

  @Test("Edges keep their ends and heads")
  func edges() {
    var read = result(
      [], [RecognizedBlock(kind: .drawing, bounds: nil, strokes: [0])])
    read.edges = [
      RecognizedEdge(from: 0, to: nil, arrow: .end, strokes: []),
      RecognizedEdge(from: 0, to: 0, arrow: .both, strokes: []),
    ]
    let page = ExportPage(PageInk(Ink(strokes: [stroke(0, 0, 1, 1)]), scale: 1), read)
    #expect(
      page.edges == [
        ExportEdge(from: 0, to: nil, endArrow: true),
        ExportEdge(from: 0, to: 0, startArrow: true, endArrow: true),
      ])
  }

  @Test("A character that was read without a page is a word")
  func glyph() {
    let page = ExportPage(
      PageInk(Ink(strokes: [stroke(0, 0, 10, 20)]), scale: 1),
      RecognitionResult(candidates: [RecognitionCandidate(text: "A", score: 0)]))
    #expect(page.lines.map(\.text) == ["A"])
    #expect(page.lines[0].words[0].place != nil)
  }

  @Test("A format has its names, and others are refused")
  func names() {
    for format in ExportFormat.allCases {
      #expect(ExportFormat(named: format.rawValue.uppercased()) == format)
      #expect(ExportFormat(named: format.ending) == format)
    }
    #expect(ExportFormat(named: "jpeg") == .jpeg && ExportFormat(named: "JPG") == .jpeg)
    #expect(ExportFormat(named: "doc") == nil && ExportFormat(named: "") == nil)
    #expect(ExportFormat(endingOf: URL(fileURLWithPath: "/a.b/c.PDF")) == .pdf)
    #expect(ExportFormat(endingOf: URL(fileURLWithPath: "/a.pdf/c")) == nil)
  }
}
