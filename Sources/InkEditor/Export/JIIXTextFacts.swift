import InkCore
import InkFormats
import Layout

/// The headings, items of lists and tables of a text in JIIX.
struct JIIXTextFacts {
  /// The items of lists by the ids of their lines.
  private let items: [Int: ListItem]
  private var headings: [JIIXHeading] = []
  private var listItems: [JIIXListItem] = []
  /// The cells of each table with the places that they have in the document.
  private var tables: [(id: Int, cells: [(cell: TableCell, characters: ClosedRange<Int>)])] = []

  init(items: [Int: ListItem]) {
    self.items = items
  }

  // MARK: - Writing

  /// Adds what is known about a line.
  ///
  /// - Parameter characters: Its characters among those of the text.
  mutating func add(_ line: TextLine, _ characters: ClosedRange<Int>) {
    let (first, last) = (characters.lowerBound, characters.upperBound)
    let level = line.role.heading
    if level > 0 {
      if let heading = headings.last, heading.level == level, heading.lastChar + 2 == first {
        headings[headings.count - 1].lastChar = last
      } else {
        headings.append(JIIXHeading(level: level, firstChar: first, lastChar: last))
      }
    }
    if let item = items[line.id] {
      listItems.append(
        JIIXListItem(level: item.level, bullet: item.bullet, firstChar: first, lastChar: last))
    }
    guard let cell = line.role.cell else { return }
    if tables.last?.id != cell.table { tables.append((cell.table, [])) }
    tables[tables.count - 1].cells.append((cell, characters))
  }

  /// Writes the members of a text.
  func write(to block: inout JIIXBlock) {
    if !headings.isEmpty { block.headings = headings }
    if !listItems.isEmpty { block.listItems = listItems }
    guard !tables.isEmpty else { return }
    block.tables = tables.map { table in
      let rows = Set(table.cells.map(\.cell.row)).sorted()
      let columns = Set(table.cells.map(\.cell.column)).sorted()
      return JIIXTable(
        rows: rows.count, columns: columns.count,
        cells: table.cells.map { cell, characters in
          JIIXCell(
            row: rows.firstIndex(of: cell.row) ?? 0,
            column: columns.firstIndex(of: cell.column) ?? 0,
            firstChar: characters.lowerBound, lastChar: characters.upperBound)
        })
    }
  }

  // MARK: - Reading

  /// Sets what a text of JIIX says about its lines. Items of lists follow from the texts.
  ///
  /// - Parameter starts: The index of the first character of each word of the block among those of
  ///   the text.
  static func read(
    _ source: JIIXBlock, into node: BlockNode, _ starts: [Int]
  ) throws(EditorError) {
    var next = 0
    // The first characters of the lines.
    var places: [Int] = []
    for line in node.lines {
      places.append(next < starts.count ? starts[next] : .max)
      next += line.runs.reduce(0) { $0 + $1.words.count }
    }
    func lines(_ first: Int, _ last: Int) -> [TextLine] {
      zip(places, node.lines).filter { (first...last).contains($0.0) }.map(\.1)
    }
    for heading in source.headings ?? [] {
      try check(heading.firstChar, heading.lastChar, "heading")
      guard 1...LineRole.mostLevels ~= heading.level else {
        throw .unusableImport(
          what: "heading", expected: "a level of 1 to \(LineRole.mostLevels)",
          found: "\(heading.level)")
      }
      for line in lines(heading.firstChar, heading.lastChar) { line.role.heading = heading.level }
    }
    for (table, found) in (source.tables ?? []).enumerated() {
      for cell in found.cells {
        try check(cell.firstChar, cell.lastChar, "cell")
        guard TableCell.places ~= cell.row, TableCell.places ~= cell.column else {
          throw .unusableImport(
            what: "cell", expected: "a row and a column of 0 to \(TableCell.places.upperBound - 1)",
            found: "others")
        }
        for line in lines(cell.firstChar, cell.lastChar) {
          line.role.cell = TableCell(table: table, row: cell.row, column: cell.column)
        }
      }
    }
    for line in node.lines where line.role.cell == nil {
      line.role.isCut = node.lines.contains { $0.box.isBeside(line.box) }
    }
  }

  private static func check(_ first: Int, _ last: Int, _ what: String) throws(EditorError) {
    guard first >= 0, last >= first else {
      throw .unusableImport(
        what: what, expected: "a first character before the last", found: "\(first) and \(last)")
    }
  }
}

extension TextLine {
  /// Returns true if both lines are in cells of one row.
  func isCellBeside(_ other: TextLine) -> Bool {
    guard let own = role.cell, let cell = other.role.cell else { return false }
    return own.table == cell.table && own.row == cell.row && own.column != cell.column
  }
}
