import InkCore

/// Finds tables without rules: rows of short pieces of text in columns.
///
/// A table has three rows or more with a piece in two columns or more. The columns have free space
/// between them from the first row to the last, and the pieces of a column are aligned at their left
/// edges, at their right edges or at their middles. Columns of prose and lists are no tables: their
/// lines are long, or fill the column, or the first piece is the mark of an item.
struct TableFinder {
  /// A table: for each row the cell of each column, nil where it is empty.
  typealias Table = [[LineShape?]]

  private let lines: [LineShape]
  private let height: Double
  /// The slope of the lines of the page, dy per dx.
  private let slope: Double

  // All distances are in heights of the writing.

  /// The least space between two columns. Spaces between words are narrower, as a rule. Few rows need
  /// more: the number of rows times the widest space is at least the second number.
  private static let (gutter, evidence) = (2.0, 8.0)
  /// Pieces of one row are at one height, within this distance. It may be larger for pieces side by side
  /// that share half of their height: a word of tall letters is beside one of small letters.
  private static let (sameRow, besides) = (0.6, 1.0)
  /// The next row is nearer.
  private static let nextRow = 5.0
  /// The fewest rows, and the share of rows that have pieces in several columns.
  private static let (leastRows, full) = (3, 0.6)
  /// The least share of the rows that have a piece in a column.
  private static let leastFilled = 0.5
  /// The pieces of a column are aligned within this mean distance.
  private static let aligned = 0.8
  /// One column may hold longer pieces than this; two are columns of prose.
  private static let wide = 9.0
  /// A column is filled by lines of prose if its lines are longer than the first of these, and most of
  /// them longer than the second share of the longest.
  private static let (line, filled, most) = (5.0, 0.75, 0.7)
  /// A first column that is narrower holds the marks or the numbers of a list.
  private static let mark = 1.7
  /// Text this near above or below goes on if it covers this share of the width. If the rows are farther
  /// apart than usual, the limit is this many times their distance.
  private static let (goesOn, ofDistance, covered) = (2.5, 1.5, 0.5)
  /// Pages with more rows or pieces are not searched.
  private static let (mostRows, mostPieces) = (1000, 4000)

  /// A piece of a line, with space around it.
  private struct Piece {
    var shape: LineShape
    /// The height of its middle where the page is level.
    var level: Double
  }

  private struct Row {
    var pieces: [Piece]
    var level: Double { pieces.reduce(0) { $0 + $1.level } / Double(pieces.count) }
    var minX: Double { pieces.map(\.shape.box.minX).min() ?? 0 }
    var maxX: Double { pieces.map(\.shape.box.maxX).max() ?? 0 }

    /// Returns true if a piece is beside all others, and shares half of its height with the nearest of them.
    func isBeside(_ box: BoundingBox) -> Bool {
      let boxes = pieces.map(\.shape.box)
      guard let nearest = boxes.min(by: { $0.gap(to: box) < $1.gap(to: box) }) else { return false }
      let shared = min(nearest.maxY, box.maxY) - max(nearest.minY, box.minY)
      return boxes.allSatisfy { $0.minX > box.maxX || $0.maxX < box.minX }
        && shared > 0.5 * min(nearest.height, box.height)
    }
  }

  init(_ lines: [LineShape], height: Double) {
    self.lines = lines
    self.height = height
    slope = LineFinder.slope(of: lines)
  }

  /// Returns the tables, and the lines that are in none. O(strokes log strokes) for a page without
  /// wide spaces above each other, plus O(rows²) else.
  func found() -> (tables: [Table], others: [LineShape]) {
    let rows = rows()
    guard rows.count >= Self.leastRows, rows.count <= Self.mostRows,
      rows.count(where: { $0.pieces.count > 1 }) >= Self.leastRows
    else { return ([], lines) }
    var tables: [(columns: [Range<Double>], rows: Range<Int>)] = []
    var first = 0
    while first < rows.count {
      if let table = table(from: first, in: rows) {
        tables.append(table)
        first = table.rows.upperBound
      } else {
        first += 1
      }
    }
    guard !tables.isEmpty else { return ([], lines) }
    var next = (lines.map(\.id).max() ?? 0) + 1
    var taken: Set<Int> = []
    let found = tables.map { table in
      rows[table.rows].map { row in
        table.columns.map { column -> LineShape? in
          let members = row.pieces.filter { column.contains($0.shape.box.midX) }
            .flatMap(\.shape.members)
          guard !members.isEmpty else { return nil }
          taken.formUnion(members.map(\.item))
          defer { next += 1 }
          return LineShape(id: next, members: members)
        }
      }
    }
    let others = lines.compactMap { line -> LineShape? in
      let members = line.members.filter { !taken.contains($0.item) }
      if members.count == line.members.count { return line }
      return members.isEmpty ? nil : LineShape(id: line.id, members: members)
    }
    return (found, others)
  }

  // MARK: - Rows

  /// The pieces of all lines, gathered by their heights.
  private func rows() -> [Row] {
    let pieces = lines.flatMap(pieces).sorted { $0.level < $1.level }
    guard pieces.count <= Self.mostPieces else { return [] }
    var rows: [Row] = []
    for piece in pieces {
      if let last = rows.last,
        piece.level - last.level < Self.sameRow * height
          || piece.level - last.level < Self.besides * height && last.isBeside(piece.shape.box)
      {
        rows[rows.count - 1].pieces.append(piece)
      } else {
        rows.append(Row(pieces: [piece]))
      }
    }
    for row in rows.indices {
      rows[row].pieces.sort { $0.shape.box.minX < $1.shape.box.minX }
    }
    return rows
  }

  /// The parts of a line between wide spaces.
  private func pieces(of line: LineShape) -> [Piece] {
    let members = line.members.sorted { $0.box.minX < $1.box.minX }
    var groups: [[StrokeMeasure]] = []
    var right = -Double.infinity
    for member in members {
      if member.box.minX - right > Self.gutter * height || groups.isEmpty { groups.append([]) }
      groups[groups.count - 1].append(member)
      right = max(right, member.box.maxX)
    }
    return groups.map { group in
      let shape = LineShape(id: line.id, members: group)
      return Piece(shape: shape, level: shape.mean - slope * shape.box.midX)
    }
  }

  // MARK: - Tables

  /// The table that begins with a row; nil if there is none.
  private func table(
    from first: Int, in rows: [Row]
  ) -> (columns: [Range<Double>], rows: Range<Int>)? {
    guard rows[first].pieces.count > 1 else { return nil }
    var covered: [Range<Double>] = []
    var end = first
    while end < rows.count {
      if end > first, rows[end].level - rows[end - 1].level > Self.nextRow * height { break }
      let next = rows[end].pieces.reduce(covered) { Self.adding($1.shape.box, to: $0) }
      guard gutters(next).count > 0 else { break }
      covered = next
      end += 1
    }
    while end > first, rows[end - 1].pieces.count < 2 { end -= 1 }
    let range = first..<end
    guard range.count >= Self.leastRows else { return nil }
    // The last rows may have closed gutters only by pieces that were dropped again.
    covered = rows[range].flatMap(\.pieces).reduce([]) { Self.adding($1.shape.box, to: $0) }
    let places = gutters(covered)
    let edges = [-Double.infinity] + places + [Double.infinity]
    let columns = zip(edges, edges.dropFirst()).map { $0..<$1 }
    return isTable(columns, rows[range], in: rows) ? (columns, range) : nil
  }

  /// The ranges with a box added.
  private static func adding(_ box: BoundingBox, to ranges: [Range<Double>]) -> [Range<Double>] {
    var (low, high) = (box.minX, box.maxX)
    var result: [Range<Double>] = []
    for range in ranges {
      if range.lowerBound <= high, range.upperBound >= low {
        (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
      } else {
        result.append(range)
      }
    }
    return (result + [low..<max(high, low.nextUp)]).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The middles of the spaces between ranges that are wide enough.
  private func gutters(_ covered: [Range<Double>]) -> [Double] {
    zip(covered, covered.dropFirst())
      .filter { $1.lowerBound - $0.upperBound > Self.gutter * height }
      .map { ($0.upperBound + $1.lowerBound) / 2 }
  }

  private func isTable(
    _ columns: [Range<Double>], _ rows: ArraySlice<Row>, in all: [Row]
  ) -> Bool {
    let cells = rows.map { row in
      columns.map { column in
        row.pieces.filter { column.contains($0.shape.box.midX) }.map(\.shape.box)
          .reduce(nil as BoundingBox?) { sum, box in
            var sum = sum ?? box
            sum.formUnion(box)
            return sum
          }
      }
    }
    let several = cells.count { $0.count { $0 != nil } > 1 }
    guard several >= Self.leastRows, Double(several) >= Self.full * Double(rows.count),
      Double(several) * widestGutter(rows) >= Self.evidence * height
    else { return false }
    var (wide, prose, widest) = (0, 0, 0.0)
    for column in columns.indices {
      let boxes = cells.compactMap { $0[column] }
      guard Double(boxes.count) >= max(2, Self.leastFilled * Double(rows.count)),
        isAligned(boxes)
      else { return false }
      let widths = boxes.map(\.width).sorted()
      let (median, longest) = (widths[widths.count / 2], widths[widths.count - 1])
      if column == 0, columns.count == 2, median < Self.mark * height { return false }
      widest = max(widest, median)
      if median > Self.wide * height { wide += 1 }
      let full = widths.count { $0 > Self.filled * longest }
      if median > Self.line * height, Double(full) >= Self.most * Double(widths.count) {
        prose += 1
      }
    }
    return wide < 2 && prose < 2 && !goesOn(rows, in: all, widest)
  }

  /// The width of the widest space between columns.
  private func widestGutter(_ rows: ArraySlice<Row>) -> Double {
    let covered = rows.flatMap(\.pieces).reduce([]) { Self.adding($1.shape.box, to: $0) }
    return zip(covered, covered.dropFirst()).map { $1.lowerBound - $0.upperBound }.max() ?? 0
  }

  /// Returns true if the pieces of a column are aligned.
  private func isAligned(_ boxes: [BoundingBox]) -> Bool {
    func spread(_ places: [Double]) -> Double {
      let sorted = places.sorted()
      let middle = sorted[sorted.count / 2]
      return places.reduce(0) { $0 + abs($1 - middle) } / Double(places.count)
    }
    let least = min(
      spread(boxes.map(\.minX)), spread(boxes.map(\.maxX)), spread(boxes.map(\.midX)))
    return least < Self.aligned * height
  }

  /// Returns true if text goes on above or below rows: then they are lines of a paragraph with a note beside
  /// it, or with wide spaces by chance.
  ///
  /// - Parameter widest: The usual width of the pieces of the widest column.
  private func goesOn(_ rows: ArraySlice<Row>, in all: [Row], _ widest: Double) -> Bool {
    guard let first = rows.first, let last = rows.last else { return false }
    let (left, right) = (rows.map(\.minX).min() ?? 0, rows.map(\.maxX).max() ?? 0)
    let distance = (last.level - first.level) / Double(max(1, rows.count - 1))
    let reach = max(Self.goesOn * height, Self.ofDistance * distance)
    func isNear(_ row: Int, _ edge: Row) -> Bool {
      guard all.indices.contains(row) else { return false }
      let shared = min(all[row].maxX, right) - max(all[row].minX, left)
      return abs(all[row].level - edge.level) < reach
        && (shared > Self.covered * (right - left)
          || widest > Self.line * height && shared > Self.covered * widest)
    }
    return isNear(rows.startIndex - 1, first) || isNear(rows.endIndex, last)
  }
}
