import InkCore

/// The strokes of a document by item, with an index of their places.
///
/// Every change of ink goes through the table, so that the index is always right and changes can be
/// drawn.
package struct StrokeTable {
  /// A change of a stroke: nil before it was there, or after it is gone.
  struct Change {
    var old: InkStroke?
    var new: InkStroke?
  }

  private var strokes: [Int: InkStroke] = [:]
  private(set) var index = StrokeIndex()
  /// The greatest width of a style of ink in this table so far, in millimetres.
  private(set) var greatestWidth = 0.0
  /// True if changes are recorded.
  var isRecording = false
  /// The items that were added or changed since they were last stored.
  var touched: Set<Int> = []
  /// The changes since they were taken, if they are recorded.
  private var changes: [Change] = []

  var isEmpty: Bool { strokes.isEmpty }
  package var count: Int { strokes.count }
  package var keys: Dictionary<Int, InkStroke>.Keys { strokes.keys }
  package var values: Dictionary<Int, InkStroke>.Values { strokes.values }

  /// Makes room for strokes.
  mutating func reserveCapacity(_ count: Int) { strokes.reserveCapacity(count) }

  /// The stroke of an item. O(1), and O(cells of the stroke) if its place changes.
  package subscript(item: Int) -> InkStroke? {
    get { strokes[item] }
    set {
      guard let newValue else {
        removeValue(forKey: item)
        return
      }
      updateValue(newValue, forKey: item)
    }
  }

  /// Sets the stroke of an item and returns the one before. O(1), and O(cells of the stroke) if its
  /// place changes.
  @discardableResult
  mutating func updateValue(_ stroke: InkStroke, forKey item: Int) -> InkStroke? {
    let old = strokes.updateValue(stroke, forKey: item)
    touched.insert(item)
    if let old, old.box == stroke.box {
      guard old.revision != stroke.revision else { return old }
    } else {
      if let old { index.remove(item, old.box) }
      index.insert(item, stroke.box)
    }
    if let style = stroke.style { greatestWidth = max(greatestWidth, style.greatestWidth) }
    if isRecording { changes.append(Change(old: old, new: stroke)) }
    return old
  }

  /// Removes and returns the stroke of an item. O(cells of the stroke).
  @discardableResult
  mutating func removeValue(forKey item: Int) -> InkStroke? {
    guard let old = strokes.removeValue(forKey: item) else { return nil }
    index.remove(item, old.box)
    if isRecording { changes.append(Change(old: old, new: nil)) }
    return old
  }

  /// Returns the recorded changes and forgets them.
  mutating func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }
}

/// Finds items by place: a grid of square cells. Items that span very many cells are listed apart.
struct StrokeIndex {
  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  private struct Entry {
    var item: Int
    var box: BoundingBox
  }

  private struct Cells {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>

    init(_ box: BoundingBox) {
      columns = Self.cell(box.minX)...Self.cell(box.maxX)
      rows = Self.cell(box.minY)...Self.cell(box.maxY)
    }

    var count: Int { columns.count.multipliedReportingOverflow(by: rows.count).partialValue }

    private static func cell(_ value: Double) -> Int {
      let cell = (value / StrokeIndex.side).rounded(.down)
      return Int(min(max(cell, -1e9), 1e9))
    }
  }

  /// The side of a cell of the index of strokes: about the size of a word. Millimetres, chosen by
  /// hand on bench --only drawing.
  private static let side = 16.0
  private static let mostCells = 256

  private var cells: [Cell: [Entry]] = [:]
  private var large: [Int: BoundingBox] = [:]

  /// Adds an item. O(its cells).
  mutating func insert(_ item: Int, _ box: BoundingBox) {
    let own = Cells(box)
    guard own.count <= Self.mostCells else {
      large[item] = box
      return
    }
    for row in own.rows {
      for column in own.columns {
        cells[Cell(column: column, row: row), default: []].append(Entry(item: item, box: box))
      }
    }
  }

  /// Removes an item from the place where it was added. O(items of its cells).
  mutating func remove(_ item: Int, _ box: BoundingBox) {
    let own = Cells(box)
    guard own.count <= Self.mostCells else {
      large[item] = nil
      return
    }
    for row in own.rows {
      for column in own.columns {
        let cell = Cell(column: column, row: row)
        cells[cell]?.removeAll { $0.item == item }
        if cells[cell]?.isEmpty ?? false { cells[cell] = nil }
      }
    }
  }

  /// Returns the items whose boxes overlap a box, in no order. O(cells and items there).
  func items(in box: BoundingBox) -> [Int] {
    var result = large.filter { $0.value.overlaps(box) }.map(\.key)
    let wanted = Cells(box)
    func take(_ entries: [Entry], _ cell: Cell) {
      for entry in entries where entry.box.overlaps(box) {
        // An item of several cells counts in the first that both it and the box are in.
        let own = Cells(entry.box)
        if max(own.columns.lowerBound, wanted.columns.lowerBound) == cell.column,
          max(own.rows.lowerBound, wanted.rows.lowerBound) == cell.row
        {
          result.append(entry.item)
        }
      }
    }
    if wanted.count > cells.count || wanted.count <= 0 {
      for (cell, entries) in cells
      where wanted.columns.contains(cell.column) && wanted.rows.contains(cell.row) {
        take(entries, cell)
      }
    } else {
      for row in wanted.rows {
        for column in wanted.columns {
          let cell = Cell(column: column, row: row)
          if let entries = cells[cell] { take(entries, cell) }
        }
      }
    }
    return result
  }
}
