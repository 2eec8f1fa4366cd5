/// Finds the strokes near a stroke, in bounded time for each.
///
/// Small strokes are in the cells of a grid that their boxes touch. Large ones are in a list.
struct StrokeGrid {
  /// The indices of the largest strokes, larger than ``largest`` heights, in rising order.
  let large: [Int32]
  /// The cells that have strokes, sorted, and the place of their first entry.
  private var entries: [Int32] = []
  private var table: [(key: Int64, start: Int32, end: Int32)] = []
  private let mask: Int

  /// The least size of a large stroke.
  static let largest: Float = 4
  /// The most large strokes in the list; smaller ones are found by the cells of their middles.
  private static let mostLarge = 128
  /// The size of a cell in heights.
  private static let cellSize: Float = 2
  /// The most cells that are looked at for one stroke, and strokes of one cell.
  private static let mostCells = 160
  private static let mostOfCell = 24

  /// Sorts strokes into cells. O(strokes log strokes).
  init(_ outlines: [StrokeOutline]) {
    var sized: [(size: Float, index: Int32)] = []
    for (index, outline) in outlines.enumerated() where outline.size > Self.largest {
      sized.append((outline.length, Int32(index)))
    }
    if sized.count > Self.mostLarge {
      sized.sort { ($0.size, $1.index) > ($1.size, $0.index) }
      sized.removeLast(sized.count - Self.mostLarge)
    }
    large = sized.map(\.index).sorted()
    let listed = Set(large)
    var keyed: [(key: Int64, index: Int32)] = []
    keyed.reserveCapacity(4 * outlines.count)
    for (index, outline) in outlines.enumerated() where !listed.contains(Int32(index)) {
      if outline.size > Self.largest {
        keyed.append(
          (Self.key(Self.place(outline.midX), Self.place(outline.midY)), Int32(index)))
        continue
      }
      for row in Self.place(outline.minY)...Self.place(outline.maxY) {
        for column in Self.place(outline.minX)...Self.place(outline.maxX) {
          keyed.append((Self.key(column, row), Int32(index)))
        }
      }
    }
    keyed.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    entries = keyed.map(\.index)
    var cells: [(key: Int64, start: Int32, end: Int32)] = []
    for (place, entry) in keyed.enumerated() {
      if cells.last?.key == entry.key {
        cells[cells.count - 1].end = Int32(place + 1)
      } else {
        cells.append((entry.key, Int32(place), Int32(place + 1)))
      }
    }
    var capacity = 16
    while capacity < 2 * cells.count { capacity *= 2 }
    mask = capacity - 1
    table = [(key: Int64, start: Int32, end: Int32)](repeating: (0, 0, 0), count: capacity)
    for entry in cells {
      var slot = Self.slot(entry.key) & mask
      while table[slot].end > 0 { slot = (slot + 1) & mask }
      table[slot] = entry
    }
  }

  private static func place(_ value: Float) -> Int {
    Int(max(-1e9, min(1e9, (value / cellSize).rounded(.down))))
  }

  private static func key(_ column: Int, _ row: Int) -> Int64 {
    Int64(row) << 32 ^ Int64(column) & 0xFFFF_FFFF
  }

  private static func slot(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
  }

  private func strokes(_ key: Int64) -> Range<Int> {
    var slot = Self.slot(key) & mask
    while table[slot].end > 0 {
      if table[slot].key == key { return Int(table[slot].start)..<Int(table[slot].end) }
      slot = (slot + 1) & mask
    }
    return 0..<0
  }

  /// Appends the strokes whose cells touch a box, each once, and the large ones that touch it.
  ///
  /// - Parameters:
  ///   - outline: The stroke, which is left out.
  ///   - margin: The width around its box.
  ///   - marks: For each stroke, the last stroke it was found for.
  func near(
    _ index: Int, _ outlines: [StrokeOutline], margin: Float, marks: inout [Int32],
    into found: inout [Int32]
  ) {
    let outline = outlines[index]
    marks[index] = Int32(index)
    let (left, right) = (Self.place(outline.minX - margin), Self.place(outline.maxX + margin))
    let (top, bottom) = (Self.place(outline.minY - margin), Self.place(outline.maxY + margin))
    let cells = Double(right - left + 1) * Double(bottom - top + 1)
    var (stepX, stepY) = (1, 1)
    if cells > Double(Self.mostCells) {
      // A band of cells is thinned along its length alone.
      let (columns, rows) = (Double(right - left + 1), Double(bottom - top + 1))
      let side = Double(Self.mostCells).squareRoot()
      let most = (
        x: max(side, Double(Self.mostCells) / rows), y: max(side, Double(Self.mostCells) / columns)
      )
      stepX = Int((columns / most.x).rounded(.up))
      stepY = Int((rows / most.y).rounded(.up))
    }
    for row in stride(from: top, through: bottom, by: stepY) {
      for column in stride(from: left, through: right, by: stepX) {
        let range = strokes(Self.key(column, row))
        // In a crowded cell, every n-th stroke is looked at.
        let step = 1 + (range.count - 1) / Self.mostOfCell
        var place = range.lowerBound
        while place < range.upperBound {
          let other = entries[place]
          place += step
          if marks[Int(other)] != Int32(index) {
            marks[Int(other)] = Int32(index)
            found.append(other)
          }
        }
      }
    }
    for other in large where marks[Int(other)] != Int32(index) {
      let box = outlines[Int(other)]
      if box.minX <= outline.maxX + margin, box.maxX >= outline.minX - margin,
        box.minY <= outline.maxY + margin, box.maxY >= outline.minY - margin
      {
        marks[Int(other)] = Int32(index)
        found.append(other)
      }
    }
  }
}
