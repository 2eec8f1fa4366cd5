import InkCore

/// The lines of text of a page. They end where columns and cells of tables begin. Each line knows
/// whether it is a cell or a heading.
package struct TextStructure: Sendable {
  /// A line of text.
  package struct Line: Hashable, Sendable {
    /// The strokes, in reading order.
    package var strokes: [Int]
    /// The box of its ink.
    package var box: BoundingBox
    /// The level of a heading, 0 for other lines.
    package var heading = 0
    /// Its place in a table, which is counted from 0; nil for other lines.
    package var cell: Cell?

    /// Returns true if another line is beside it, at the same height.
    package func isBeside(_ other: Line) -> Bool { box.isBeside(other.box) }
  }

  /// A place in a table.
  package struct Cell: Hashable, Sendable {
    package var table, row, column: Int
  }

  /// The lines in reading order.
  package var lines: [Line]

  /// Finds the lines of a page in the order of writing, as they are found for reading it.
  /// O(points + strokes · lines).
  ///
  /// - Parameters:
  ///   - ink: The strokes of the page.
  ///   - kinds: The kind of each stroke; only text is in lines.
  ///   - direction: The direction of writing. Columns begin where lines begin.
  package init(_ ink: Ink, kinds: [StrokeKind], direction: WritingDirection = .leftToRight) {
    self.init(reading: ink.turned(direction), kinds: kinds)
    for line in lines.indices { lines[line].box = lines[line].box.turned(direction) }
  }

  /// Finds the lines of a page in its reading frame.
  private init(reading ink: Ink, kinds: [StrokeKind]) {
    let layout = PageLayout(ink, kinds: kinds, findsStructure: true)
    var lines: [Line] = []
    // The lines of each cell, row by row.
    var tables: [[[[Int]]]] = []
    for block in layout.blocks {
      if !block.rows.isEmpty {
        tables.append(block.rows.map { $0.map { $0.map { lines.count + $0 } } })
      }
      lines += block.lines.map { Line(strokes: $0.strokes, box: $0.box, heading: block.heading) }
    }
    if kinds.contains(.tableRule) {
      tables = PageStructure(ink, layout: layout, kinds: kinds).blocks.map(\.rows)
    }
    // Rules around a single cell are a frame.
    for (table, rows) in tables.enumerated() where rows.count > 1 || (rows.first?.count ?? 0) > 1 {
      for (row, cells) in rows.enumerated() {
        for (column, own) in cells.enumerated() {
          for line in own { lines[line].cell = Cell(table: table, row: row, column: column) }
        }
      }
    }
    self.lines = lines
  }

  /// Returns level lines in reading order: column by column, and from top to bottom. O(lines²).
  package static func readingOrder(
    of lines: [LineShape], direction: WritingDirection = .leftToRight
  ) -> [LineShape] {
    let turned = lines.map { $0.turned(direction) }
    return BlockOrder(turned, height: PageInk.height(of: lines.lazy.flatMap(\.members))).blocks()
      .flatMap { $0.map { $0.turned(direction) } }
  }
}

extension BoundingBox {
  /// Returns true if another box is to the right or left, and shares half of the smaller height.
  package func isBeside(_ other: BoundingBox) -> Bool {
    let gap = max(minX, other.minX) - min(maxX, other.maxX)
    let shared = min(maxY, other.maxY) - max(minY, other.minY)
    return gap > 0 && shared > 0.5 * min(height, other.height)
  }
}
