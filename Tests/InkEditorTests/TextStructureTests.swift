import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Columns, tables, headings and lists in documents")
struct TextStructureTests {
  /// Writes cells row by row; an empty text is an empty cell.
  private func writeTable(
    _ rows: [[String]], at columns: [Double] = [20, 70, 120], y: Double = 40, on desk: Desk
  ) throws {
    for (row, cells) in rows.enumerated() {
      for (column, text) in cells.enumerated() where !text.isEmpty {
        try desk.write(text, x: columns[column], y: y + 9 * Double(row))
        try desk.editor.waitUntilIdle()
      }
    }
  }

  private static let cells = [
    ["name", "age", "town"], ["anna", "ten", ""], ["ben", "two", "rome"],
  ]
  private static let text = "name\tage\ttown\nanna\tten\t\nben\ttwo\trome"

  private func tables(_ desk: Desk) throws -> [[[String]]] {
    try desk.editor.waitUntilIdle()
    func blocks(_ block: ContentBlock) -> [ContentBlock] {
      [block] + block.children.flatMap(blocks)
    }
    return try blocks(desk.root).flatMap(\.passages).compactMap {
      if case .table(let table) = $0 { table.texts } else { nil }
    }
  }

  @Test(
    "rows of short texts in columns are a table, cell by cell", arguments: ["Text", "Raw Content"])
  func table(type: String) throws {
    let desk = try Desk(type: type)
    try writeTable(Self.cells, on: desk)
    #expect(try desk.text() == Self.text)
    #expect(try tables(desk) == [Self.cells])
  }

  @Test("a table that is written column by column is read row by row")
  func byColumns() throws {
    let desk = try Desk()
    for column in 0..<3 {
      for row in 0..<3 {
        try desk.write("cell", x: 20 + 50 * Double(column), y: 40 + 9 * Double(row))
        try desk.editor.waitUntilIdle()
      }
    }
    #expect(
      try tables(desk) == [
        [["cell", "cell", "cell"], ["cell", "cell", "cell"], ["cell", "cell", "cell"]]
      ])
  }

  @Test("a table is in JIIX, valid by the schema, and comes back from there")
  func jiix() throws {
    let desk = try Desk(type: "Raw Content")
    try writeTable(Self.cells, on: desk)
    try desk.editor.waitUntilIdle()
    let json = try desk.editor.export(
      as: .jiix, overrides: #"{"export": {"jiix": {"text": {"chars": true}}}}"#)
    #expect(try JSONSchema.jiix().faults(json) == [])
    let document = try JIIXBlock(parsing: Data(json.utf8))
    let text = try #require(document.elements?.first { $0.type == "Text" })
    let table = try #require(text.tables?.first)
    #expect(table.rows == 3 && table.columns == 3 && table.cells.count == 8)
    let characters = Array(text.chars ?? [])
    let last = try #require(table.cells.last)
    try #require(last.lastChar < characters.count)
    #expect(
      characters[last.firstChar...last.lastChar].map(\.label).joined() == "rome"
        && last.row == 2 && last.column == 2)
    #expect(characters.map(\.label).joined() == text.label)

    let copy = try Desk(type: "Raw Content")
    try copy.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try tables(copy) == [Self.cells])
    #expect(try copy.text() == Self.text)
  }

  @Test("a table is undone with its block, and keeps its cells when ink is erased")
  func undo() throws {
    let desk = try Desk(type: "Raw Content")
    try writeTable(Self.cells, on: desk)
    let word = try #require(
      try desk.root.children.flatMap(\.lines).first { $0.text == "ten" })
    try desk.editor.removeItems(word.items)
    #expect(
      try tables(desk) == [[["name", "age", "town"], ["anna", "", ""], ["ben", "two", "rome"]]])
    try desk.editor.undo()
    #expect(try tables(desk) == [Self.cells])
    try desk.editor.clear()
    #expect(try tables(desk) == [])
    try desk.editor.undo()
    #expect(try tables(desk) == [Self.cells])
  }

  @Test("a table is copied and moved with its block")
  func copied() throws {
    let desk = try Desk(type: "Raw Content")
    try writeTable(Self.cells, on: desk)
    let block = try #require(try desk.root.children.first { $0.type == .text })
    try desk.editor.copy(block)
    try desk.editor.paste(x: 20, y: 140)
    #expect(try tables(desk) == [Self.cells, Self.cells])
  }

  @Test("words that are added to a cell belong to it, and a further row to the table")
  func continued() throws {
    let desk = try Desk()
    try writeTable(Self.cells, on: desk)
    #expect(try desk.text() == Self.text)
    try desk.write("b", x: 84, y: 49)
    #expect(try desk.text() == "name\tage\ttown\nanna\tten b\t\nben\ttwo\trome")
    try writeTable([["carla", "six", "bonn"]], y: 67, on: desk)
    #expect(try desk.text().hasSuffix("\ncarla\tsix\tbonn"))
  }

  @Test("two columns of prose are read one after the other", arguments: ["Text", "Raw Content"])
  func columns(type: String) throws {
    let desk = try Desk(type: type)
    let words = ["the first column", "goes on with this", "and is at its end", "before the next"]
    for x in [10.0, 110.0] {
      for (row, text) in words.enumerated() {
        try desk.write(text, x: x, y: 30 + 9 * Double(row))
        try desk.editor.waitUntilIdle()
      }
    }
    #expect(try desk.text() == (words + words).joined(separator: "\n"))
    #expect(try tables(desk) == [])
    // A word at the end of a line of the first column stays there, and one in the second does, too.
    try desk.write("x", x: 60, y: 30)
    try desk.write("y", x: 160, y: 39)
    let lines = try desk.text().split(separator: "\n")
    #expect(lines.count == 8 && lines[0].hasSuffix("columnx") || lines[0].hasSuffix("column x"))
    #expect(lines[5].hasSuffix("y"))
  }

  @Test("a line with a wide gap stays one line if nothing else says that columns are there")
  func wideGap() throws {
    let desk = try Desk()
    try desk.write("a line of words", x: 20, y: 30)
    try desk.write("and a date", x: 120, y: 30)
    try desk.write("another line of words that follows", x: 20, y: 39)
    #expect(try desk.root.lines.count == 2)
  }

  @Test("large letters above a text are a heading", arguments: ["Text", "Raw Content"])
  func heading(type: String) throws {
    let desk = try Desk(type: type)
    for stroke in Pen.strokes("heading", x: 20, y: 30) {
      let large = stroke.map { StrokePoint(x: 20 + ($0.x - 20) * 2.2, y: 30 + ($0.y - 30) * 2.6) }
      try desk.draw([large])
    }
    // Large letters that are sorted together with small ones may be taken for drawings.
    try desk.editor.waitUntilIdle()
    for row in 0..<3 { try desk.write("plain words of a text", x: 20, y: 44 + 9 * Double(row)) }
    try desk.editor.waitUntilIdle()
    func blocks(_ block: ContentBlock) -> [ContentBlock] {
      [block] + block.children.flatMap(blocks)
    }
    let passages = try blocks(desk.root).flatMap(\.passages)
    #expect(passages.map(\.lines.count) == [1, 3])
    guard case .heading(let level, _) = passages[0] else {
      Issue.record("no heading but \(passages[0])")
      return
    }
    #expect(level == 1)
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json) == [])
    #expect(json.contains(#""headings":[{"#))
    let copy = try Desk(type: type)
    try copy.editor.importDocument(Data(json.utf8), as: .jiix)
    try copy.editor.waitUntilIdle()
    #expect(try copy.editor.export(as: .jiix).contains(#""headings":[{"#))
  }

  /// A text of JIIX with lines of words; each line has a left edge.
  private func imported(_ lines: [(text: String, x: Double)], marks: [JIIXBlock] = []) throws
    -> Desk
  {
    var text = JIIXBlock(type: "Text")
    text.words = lines.enumerated().flatMap { row, line -> [JIIXWord] in
      let words = line.text.split(separator: " ").enumerated().map { index, label in
        var word = JIIXWord(label: String(label))
        let x = line.x + 12 * Double(index)
        var stroke = JIIXStroke(id: "\(row * 10 + index + 1)")
        (stroke.X, stroke.Y) = ([x, x + 8], [30 + 9 * Double(row), 33 + 9 * Double(row)])
        word.items = [stroke]
        return word
      }
      let gap = row + 1 < lines.count ? [JIIXWord(label: "\n")] : []
      return words.flatMap { [$0, JIIXWord(label: " ")] }.dropLast() + gap
    }
    var root = JIIXBlock(type: "Raw Content")
    root.version = "3"
    root.elements = [text] + marks
    let desk = try Desk(type: "Raw Content")
    try desk.editor.importDocument(try root.json(), as: .jiix)
    try desk.editor.waitUntilIdle()
    return desk
  }

  private func items(_ desk: Desk) throws -> [String] {
    try desk.root.children.flatMap(\.passages).map { passage in
      switch passage {
      case .item(let item, let lines):
        "\(item.level) \(item.bullet) \(lines.map(\.textOfItem).joined(separator: "/"))"
      default: passage.lines.map(\.text).joined(separator: "/")
      }
    }
  }

  @Test("numbers, letters and dashes that follow each other are items of a list with levels")
  func list() throws {
    let desk = try imported([
      ("what to buy", 20), ("1. milk and", 20), ("more milk", 26), ("2. tools", 20),
      ("a) saw", 30), ("b) nail", 30), ("3. bread", 20), ("done", 20),
    ])
    #expect(
      try items(desk) == [
        "what to buy", "1 1. milk and/more milk", "1 2. tools", "2 a) saw", "2 b) nail",
        "1 3. bread", "done",
      ])
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json) == [])
    let text = try #require(try JIIXBlock(parsing: Data(json.utf8)).elements?.first)
    #expect(text.listItems?.map(\.level) == [1, 1, 2, 2, 1])
    #expect(text.listItems?.map(\.bullet) == ["1.", "2.", "a)", "b)", "3."])
    // Plain text has the bullets as they are read.
    #expect(try desk.text().contains("1. milk and\nmore milk\n2. tools\na) saw"))
    // A text that changes changes its items.
    let first = try #require(try desk.root.children.first { $0.type == .text })
    try desk.editor.removeItems(first.lines[1].items)
    #expect(try items(desk).first == "what to buy/more milk")
  }

  @Test("bullets and tick boxes that are drawn begin items")
  func bullets() throws {
    func mark(_ kind: String, row: Int, x: Double) -> JIIXBlock {
      var block = JIIXBlock(type: "Drawing")
      block.kind = kind
      var stroke = JIIXStroke(id: "\(100 + row)")
      let y = 31 + 9 * Double(row)
      (stroke.X, stroke.Y) = ([x, x + 1], [y, y + 1])
      block.items = [stroke]
      return block
    }
    let desk = try imported(
      [("one bullet", 20), ("one box", 28), ("a plain line", 20)],
      marks: [mark("bullet", row: 0, x: 16), mark("tick-box", row: 1, x: 24)])
    #expect(try items(desk).prefix(3) == ["1 • one bullet", "2 ☐ one box", "a plain line"])
    #expect(try desk.text() == "one bullet\none box\na plain line")
  }
}
