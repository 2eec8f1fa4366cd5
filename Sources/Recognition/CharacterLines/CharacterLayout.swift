import Foundation
import InkCore
import Layout

/// Finds the rows of a page of characters that do not touch.
///
/// Strokes of such characters are short, many, and mostly no letters, so that what tells lines of joined
/// letters from drawings does not apply. A stroke goes to the row whose ink near it is at its height; a row
/// begins where the pen goes back and down. Strokes much longer than a character are drawing.
struct CharacterLayout {
  // All lengths are in character sizes.

  /// A stroke is drawing if it is longer.
  private static let longest = 2.4
  /// A stroke is in a row if the middle of the ink near it is no farther.
  private static let reach = 0.75
  /// A row begins where the pen goes back by the first, and on to the next row by the second.
  private static let (back, down) = (1.5, 0.3)
  /// The ink of a row this near tells its height at a place.
  private static let near = 2.5
  /// A gap wider than this parts a row.
  private static let widest = 3.0
  /// Rows of a block are no farther apart, and share this part of the shorter one.
  private static let (pitch, shared) = (2.4, 0.3)
  /// The share of pieces of ink that are not as large as a character, and the share of its box that it fills.
  private static let (quantile, filled) = (0.8, 0.86)
  /// Pieces larger than so many median ones are drawing.
  private static let largest = 5.0

  private struct Mark {
    var stroke: Int
    var box: BoundingBox
  }

  private struct Row {
    var marks: [Mark]
    var box: BoundingBox

    init(_ mark: Mark) { (marks, box) = ([mark], mark.box) }

    mutating func add(_ mark: Mark) {
      marks.append(mark)
      box.formUnion(mark.box)
    }

    /// Returns whether a place is in the row, or no farther before or behind it than `reach`.
    func reaches(_ x: Double, _ reach: Double) -> Bool {
      x > box.minX - reach && x < box.maxX + reach
    }

    /// The middle of the ink near a place.
    func middle(at x: Double, within reach: Double) -> Double {
      let close = marks.suffix(60).filter { abs($0.box.midX - x) <= reach }
      let used = close.isEmpty ? marks.suffix(12) : close[...]
      let (low, high) = used.reduce((Double.infinity, -Double.infinity)) {
        (min($0.0, $1.box.minY), max($0.1, $1.box.maxY))
      }
      return (low + high) / 2
    }
  }

  private let marks: [Mark]
  private let empty: [Int]
  private let isOrdered: Bool
  /// The side of the box of a character, in units of the ink.
  let size: Double

  /// Measures a page whose rows run to the right. O(strokes²) at most.
  ///
  /// - Parameter isOrdered: False if the order of the strokes is not that of writing.
  init(_ ink: Ink, isOrdered: Bool) {
    let boxes = ink.strokes.map { Ink(strokes: [$0]).boundingBox }
    marks = boxes.enumerated().compactMap { index, box in
      box.map { Mark(stroke: index, box: $0) }
    }
    empty = boxes.indices.filter { boxes[$0] == nil }
    self.isOrdered = isOrdered
    size = Self.size(of: marks)
  }

  /// The blocks of rows, from top to bottom, and the drawing.
  func layout() -> PageLayout {
    let drawing = marks.filter { max($0.box.width, $0.box.height) > Self.longest * size }
    let drawn = Set(drawing.map(\.stroke))
    let rows = parted(rows(of: marks.filter { !drawn.contains($0.stroke) }))
    var result = PageLayout(
      blocks: blocks(rows).map { rows in
        let lines = rows.map { row in
          PageLayout.Line(strokes: order(row), box: row.box)
        }
        var box = rows[0].box
        for row in rows { box.formUnion(row.box) }
        return PageLayout.Block(lines: lines, box: box)
      }, drawing: drawing.map(\.stroke))
    // Strokes without points are nowhere.
    if let first = result.blocks.indices.first {
      result.blocks[first].lines[0].strokes += empty
    } else {
      result.drawing += empty
    }
    return result
  }

  /// Strokes that cross or touch are pieces of characters; the large ones are as large as these.
  private static func size(of marks: [Mark]) -> Double {
    var pieces: [BoundingBox] = []
    for mark in marks {
      var box = mark.box
      // Later strokes of a character are near in time.
      for index in pieces.indices.suffix(12).reversed() where pieces[index].touches(box) {
        box.formUnion(pieces.remove(at: index))
      }
      pieces.append(box)
    }
    var sizes = pieces.map { max($0.width, $0.height) }.sorted()
    guard let median = sizes.isEmpty ? nil : sizes[sizes.count / 2] else { return 1 }
    sizes.removeAll { $0 > largest * median }
    let large = sizes.isEmpty ? median : sizes[Int(quantile * Double(sizes.count - 1))]
    return large > 0 ? large / filled : 1
  }

  private func rows(of marks: [Mark]) -> [Row] {
    let marks = isOrdered ? marks : marks.sorted { $0.box.minX < $1.box.minX }
    var rows: [Row] = []
    var current: Int?
    for mark in marks {
      let (x, y) = (mark.box.midX, mark.box.midY)
      func distance(_ row: Int) -> Double {
        abs(y - rows[row].middle(at: x, within: Self.near * size))
      }
      if isOrdered, let row = current, let last = rows[row].marks.last {
        let goesBack = last.box.midX - x > Self.back * size
        let isBelow = y - rows[row].middle(at: x, within: Self.near * size) > Self.down * size
        if goesBack, isBelow {
          let others = rows.indices.filter { $0 != row }
          if let nearest = others.min(by: { distance($0) < distance($1) }),
            distance(nearest) < Self.reach * size, rows[nearest].reaches(x, Self.widest * size)
          {
            current = nearest
            rows[nearest].add(mark)
          } else {
            rows.append(Row(mark))
            current = rows.count - 1
          }
          continue
        }
      }
      if let row = current, isOrdered, distance(row) <= Self.reach * size,
        x - rows[row].box.maxX < Self.widest * size
      {
        rows[row].add(mark)
        continue
      }
      let known = rows.indices.filter { rows[$0].reaches(x, Self.widest * size) }
      if let nearest = known.min(by: { distance($0) < distance($1) }),
        distance(nearest) <= Self.reach * size
      {
        rows[nearest].add(mark)
        current = nearest
      } else {
        rows.append(Row(mark))
        current = rows.count - 1
      }
    }
    return rows
  }

  /// Parts rows at wide gaps.
  private func parted(_ rows: [Row]) -> [Row] {
    rows.flatMap { row -> [Row] in
      var parts: [Row] = []
      for mark in row.marks.sorted(by: { $0.box.minX < $1.box.minX }) {
        if let last = parts.indices.last,
          mark.box.minX - parts[last].box.maxX <= Self.widest * size
        {
          parts[last].add(mark)
        } else {
          parts.append(Row(mark))
        }
      }
      return parts
    }
  }

  /// The strokes of a row in the order in which they are read.
  private func order(_ row: Row) -> [Int] {
    isOrdered
      ? row.marks.map(\.stroke).sorted()
      : row.marks.sorted { $0.box.minX < $1.box.minX }.map(\.stroke)
  }

  /// Rows below each other that begin and end at about the same places are one block.
  private func blocks(_ rows: [Row]) -> [[Row]] {
    var blocks: [[Row]] = []
    for row in rows.sorted(by: { ($0.box.midY, $0.box.minX) < ($1.box.midY, $1.box.minX) }) {
      let place = blocks.indices.last { index in
        guard let last = blocks[index].last else { return false }
        let overlap = min(last.box.maxX, row.box.maxX) - max(last.box.minX, row.box.minX)
        return row.box.midY - last.box.midY < Self.pitch * size
          && overlap > Self.shared * min(last.box.width, row.box.width)
      }
      if let place { blocks[place].append(row) } else { blocks.append([row]) }
    }
    return blocks
  }
}

extension BoundingBox {
  /// Returns whether two boxes share a place.
  fileprivate func touches(_ other: BoundingBox) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}
