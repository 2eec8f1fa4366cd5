/// The place of a line in a table.
public struct TableCell: Hashable, Sendable {
  /// The table, which differs from the others of its text block.
  public var table: Int
  /// The row from the top, from 0. Rows may be missing, for instance after their ink was erased.
  public var row: Int
  /// The column from the left, from 0. Columns may be missing as well.
  public var column: Int

  /// The rows and columns that a file may name: structure is found on pages of fewer strokes.
  package static let places = 0..<2048

  /// Makes a place.
  public init(table: Int, row: Int, column: Int) {
    (self.table, self.row, self.column) = (table, row, column)
  }
}

/// The part that a line of text has on its page. It is found by looking at the whole page.
package struct LineRole: Hashable, Sendable {
  /// The level of a heading, 0 for other lines.
  package var heading = 0
  /// The place of the line in a table.
  package var cell: TableCell?
  /// True if the line ends where a column begins: ink at the same height is in other lines.
  package var isCut = false

  /// Makes the role of a line of plain text.
  package init() {}

  /// True if ink beside the line may be in another one.
  package var isBounded: Bool { isCut || cell != nil }

  /// True if nothing is known.
  package var isPlain: Bool { self == LineRole() }

  /// The highest level of a heading. A file may say anything.
  package static let mostLevels = 16
}

/// An item of a list.
public struct ListItem: Hashable, Sendable {
  /// The level: 1 for items at the left, more for those that are indented.
  public var level: Int
  /// The sign that begins the item: `•` for a bullet and `☐` for a tick box that were drawn, else the
  /// written dash, number or letter, such as `-`, `1.` or `a)`.
  public var bullet: String
  /// True if the bullet is a part of the text of its line, and not a mark beside it.
  public var isInText: Bool

  /// Makes an item.
  public init(level: Int, bullet: String, isInText: Bool) {
    (self.level, self.bullet, self.isInText) = (level, bullet, isInText)
  }
}
