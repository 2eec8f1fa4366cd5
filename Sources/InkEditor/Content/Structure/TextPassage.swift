import InkCore
import Recognition

/// A part of a text as people see it. A text block is a sequence of passages in reading order.
///
///     for passage in block.passages {
///       switch passage {
///       case .heading(let level, let lines): print(level, lines.map(\.text))
///       case .paragraph(let lines): print(lines.map(\.text))
///       case .item(let item, let lines): print(item.level, item.bullet, lines.map(\.textOfItem))
///       case .table(let table): print(table.texts)
///       }
///     }
public enum TextPassage: Hashable, Sendable {
  /// A heading of a level, 1 for the largest letters.
  case heading(level: Int, lines: [TextLineReading])
  /// Lines that are none of the others.
  case paragraph([TextLineReading])
  /// An item of a list. The first line begins it, further lines are indented below it.
  case item(ListItem, lines: [TextLineReading])
  /// A table.
  case table(TextTable)

  /// The lines, for a table cell by cell.
  public var lines: [TextLineReading] {
    switch self {
    case .heading(_, let lines), .paragraph(let lines), .item(_, let lines): lines
    case .table(let table): table.rows.flatMap { $0.flatMap(\.self) }
    }
  }
}

/// A table of a text block.
public struct TextTable: Hashable, Sendable {
  /// The lines of each cell, row by row. All rows have as many cells; an empty cell has no lines.
  public var rows: [[[TextLineReading]]]

  /// The number of columns.
  public var columns: Int { rows.first?.count ?? 0 }

  /// The text of each cell, row by row; lines of a cell are joined by spaces.
  public var texts: [[String]] {
    rows.map { row in
      row.map { $0.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }
    }
  }
}

extension TextLineReading {
  /// The text without the bullet that begins it; see ``ListItem``.
  public var textOfItem: String {
    guard let item, item.isInText, text.hasPrefix(item.bullet) else { return text }
    return String(text.dropFirst(item.bullet.count).drop(while: \.isWhitespace))
  }
}

extension ContentBlock {
  /// The headings, paragraphs, items of lists and tables of a text in reading order; empty for all
  /// other blocks. O(lines² of the part).
  public var passages: [TextPassage] { TextPassage.passages(of: lines) }

  /// The level of the heading that a text is, 1 for the largest letters; 0 if it has other lines as
  /// well, and for all other blocks.
  public var heading: Int {
    let levels = Set(read { _, node in node.lines.map(\.role.heading) } ?? [])
    return levels.count == 1 ? levels.first ?? 0 : 0
  }
}

extension TextPassage {
  /// The passages of lines in reading order. O(lines).
  static func passages(of lines: [TextLineReading]) -> [TextPassage] {
    var result: [TextPassage] = []
    for group in TextTable.groups(of: lines, by: \.cell?.table) {
      guard group[0].cell == nil else {
        result.append(.table(TextTable(rows: TextTable.rows(of: group, by: \.cell))))
        continue
      }
      for line in group { add(line, to: &result) }
    }
    return result
  }

  private static func add(_ line: TextLineReading, to passages: inout [TextPassage]) {
    if let item = line.item {
      passages.append(.item(item, lines: [line]))
      return
    }
    switch passages.last {
    case .heading(line.heading, let lines)? where line.heading > 0:
      passages[passages.count - 1] = .heading(level: line.heading, lines: lines + [line])
    case _ where line.heading > 0:
      passages.append(.heading(level: line.heading, lines: [line]))
    case .item(let item, let lines)? where continues(lines, with: line):
      passages[passages.count - 1] = .item(item, lines: lines + [line])
    case .paragraph(let lines)?:
      passages[passages.count - 1] = .paragraph(lines + [line])
    default:
      passages.append(.paragraph([line]))
    }
  }

  /// Returns true if a line is indented below the first line of an item.
  private static func continues(_ lines: [TextLineReading], with line: TextLineReading) -> Bool {
    guard let first = lines.first, let item = first.item, let last = lines.last else {
      return false
    }
    // The text of an item whose bullet is a drawing begins behind it.
    let indent = item.isInText ? ListItems.indent * first.box.height : -first.box.height
    let frame = ReadingFrame(first.direction)
    return frame.start(line.box) > frame.start(first.box) + indent
      && line.box.minY < last.box.maxY + Chosen.nextLine * first.box.height
  }
}

extension TextTable {
  /// Groups values that follow each other and are of one table, or of none. O(values).
  static func groups<Value>(of values: [Value], by table: (Value) -> Int?) -> [[Value]] {
    var result: [[Value]] = []
    var last: Int?
    for value in values {
      let own = table(value)
      if result.isEmpty || own != last { result.append([]) }
      result[result.count - 1].append(value)
      last = own
    }
    return result
  }

  /// Arranges the values of one table: rows and columns without any are left out. O(values · rows).
  static func rows<Value>(of values: [Value], by cell: (Value) -> TableCell?) -> [[[Value]]] {
    let cells = values.map(cell)
    let columns = Set(cells.compactMap { $0?.column }).sorted()
    return Set(cells.compactMap { $0?.row }).sorted().map { row in
      let own = zip(values, cells).filter { $1?.row == row }
      return columns.map { column in own.filter { $1?.column == column }.map(\.0) }
    }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The largest gap above a line that continues an item, in heights of its first line. It is that
  /// between lines of one block.
  static let nextLine = 2.5
}
