/// Rows of cells as lines, in columns.
enum TextTable {
  /// The lines. Columns are as wide as their widest cell, two blanks apart; lines end without
  /// blanks.
  ///
  /// - Parameters:
  ///   - rows: All of the same number of cells.
  ///   - right: The columns that are aligned to the right.
  static func lines(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    guard let columns = rows.first?.indices else { return [] }
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = columns.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return right.contains(column) ? blanks + row[column] : row[column] + blanks
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
