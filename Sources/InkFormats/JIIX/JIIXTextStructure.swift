// Headings, lists and tables of a text. Characters are counted as in the characters of the text, with
// spaces, tabs and line breaks, also if the characters are not written.

/// A heading of a text.
public struct JIIXHeading: Codable, Hashable, Sendable {
  /// The level: 1 for the largest letters.
  public var level: Int
  /// The first and the last of its characters.
  public var firstChar, lastChar: Int

  enum CodingKeys: String, CodingKey {
    case level
    case firstChar = "first-char"
    case lastChar = "last-char"
  }

  /// Makes a heading.
  public init(level: Int, firstChar: Int, lastChar: Int) {
    (self.level, self.firstChar, self.lastChar) = (level, firstChar, lastChar)
  }
}

/// An item of a list of a text.
public struct JIIXListItem: Codable, Hashable, Sendable {
  /// The level: 1 for items at the left.
  public var level: Int
  /// `•` for a bullet and `☐` for a tick box that were drawn, else the dash, number or letter at the
  /// beginning of the characters.
  public var bullet: String
  /// The first and the last character of the line that begins the item.
  public var firstChar, lastChar: Int

  enum CodingKeys: String, CodingKey {
    case level, bullet
    case firstChar = "first-char"
    case lastChar = "last-char"
  }

  /// Makes an item.
  public init(level: Int, bullet: String, firstChar: Int, lastChar: Int) {
    (self.level, self.bullet) = (level, bullet)
    (self.firstChar, self.lastChar) = (firstChar, lastChar)
  }
}

/// A table of a text.
public struct JIIXTable: Codable, Hashable, Sendable {
  /// The numbers of rows and columns.
  public var rows, columns: Int
  /// The cells that have characters, row by row.
  public var cells: [JIIXCell]

  /// Makes a table.
  public init(rows: Int, columns: Int, cells: [JIIXCell]) {
    (self.rows, self.columns, self.cells) = (rows, columns, cells)
  }
}

/// A cell of a table, or one of its lines if it has several.
public struct JIIXCell: Codable, Hashable, Sendable {
  /// The row and the column, from 0.
  public var row, column: Int
  /// The first and the last of its characters.
  public var firstChar, lastChar: Int

  enum CodingKeys: String, CodingKey {
    case row, column
    case firstChar = "first-char"
    case lastChar = "last-char"
  }

  /// Makes a cell.
  public init(row: Int, column: Int, firstChar: Int, lastChar: Int) {
    (self.row, self.column) = (row, column)
    (self.firstChar, self.lastChar) = (firstChar, lastChar)
  }
}
