import InkCore
import LanguageModels

// The items of lists: lines that begin with a bullet, a tick box, a dash or a number.

extension RecognitionResult {
  /// Sets the levels of the lines that begin an item of a list. O(lines² + strokes).
  ///
  /// - Parameters:
  ///   - ink: The ink that the lines and marks are counted in.
  ///   - direction: The direction of writing. Items begin, and are indented, where lines begin.
  package mutating func markItems(in ink: Ink, direction: WritingDirection = .leftToRight) {
    func box(_ strokes: [Int]) -> BoundingBox? {
      Ink(strokes: strokes.map { ink.strokes[$0] }).boundingBox?.turned(direction)
    }
    var edges: [Int: Double] = [:]
    for mark in marks where mark.kind == .bullet || mark.kind == .tickBox {
      guard let line = mark.words.first?.line, let box = box(mark.strokes) else {
        continue
      }
      edges[line] = min(edges[line] ?? .infinity, box.minX)
    }
    let items = ListItems.found(
      in: lines.indices.map { ListItems.Line(text: lines[$0].text, markEdge: edges[$0]) },
      blocks: blocks.filter { $0.kind == .text }.map(\.lines)
    ) { box(lines[$0].strokes) }
    for (line, item) in items { lines[line].level = item.level }
  }
}

/// Finds the lines of text that begin an item of a list, and their levels.
///
/// A bullet or a tick box is sure. A dash, a number or a letter at the beginning of a text needs
/// another item: a dash again, or the number before or after it.
package enum ListItems {
  /// A line of text.
  package struct Line {
    /// What it says.
    var text: String
    /// The beginning of the bullet or tick box before it in the reading frame; nil without one.
    var markEdge: Double?

    /// Makes a line.
    package init(text: String, markEdge: Double?) {
      (self.text, self.markEdge) = (text, markEdge)
    }
  }

  /// The item that a line begins.
  package struct Item: Hashable, Sendable {
    /// The level: 1 at the margin, more for items that are indented.
    package var level: Int
    /// The dash, number or letter at the beginning of the text; nil where a bullet was drawn.
    package var label: String?
  }

  /// Returns the items by the indices of their lines. O(lines²), and O(lines) without items.
  ///
  /// - Parameters:
  ///   - lines: The lines of a page.
  ///   - blocks: The lines of each text, from top to bottom.
  ///   - box: The box of the ink of a line in the reading frame; nil if it has none.
  package static func found(
    in lines: [Line], blocks: [[Int]], box: (Int) -> BoundingBox?
  ) -> [Int: Item] {
    let written = lines.map { ItemMark($0.text) }
    guard lines.contains(where: { $0.markEdge != nil }) || written.contains(where: { $0 != nil })
    else { return [:] }
    let boxes = lines.indices.map(box)
    var result: [Int: Item] = [:]
    for column in columns(of: blocks, boxes) {
      var items: [(line: Int, left: Double, label: String?)] = []
      for line in column {
        guard let box = boxes[line] else { continue }
        if let edge = lines[line].markEdge {
          items.append((line, min(edge, box.minX), nil))
        } else if let mark = written[line],
          column.contains(where: { $0 != line && written[$0].map(mark.goesWith) == true })
        {
          items.append((line, box.minX, mark.label))
        }
      }
      let levels = levels(
        of: items.map(\.left), heights: items.compactMap { boxes[$0.line]?.height })
      for (item, level) in zip(items, levels) {
        result[item.line] = Item(level: level, label: item.label)
      }
    }
    return result
  }

  /// Indentation is wider than this share of the height of a line.
  package static let indent = 0.6

  /// The levels of the items of a column by their left edges, from top to bottom.
  private static func levels(of edges: [Double], heights: [Double]) -> [Int] {
    let heights = heights.sorted()
    guard !heights.isEmpty else { return [] }
    let indent = indent * heights[heights.count / 2]
    // The left edges of the items that the next one may be part of.
    var open: [Double] = []
    return edges.map { left in
      while open.count > 1, let last = open.last, left < last - indent { open.removeLast() }
      if let last = open.last, left <= last + indent {
        // Margins that are not ruled move from line to line.
        open[open.count - 1] = left
      } else {
        open.append(left)
      }
      return open.count
    }
  }

  /// The lines of upright text, by columns: those of blocks that stand above each other.
  private static func columns(of blocks: [[Int]], _ boxes: [BoundingBox?]) -> [[Int]] {
    var columns: [(range: ClosedRange<Double>, lines: [Int])] = []
    for block in blocks {
      let own = block.compactMap { boxes[$0] }
      guard let first = own.first else { continue }
      let box = own.dropFirst().reduce(into: first) { $0.formUnion($1) }
      let place = columns.firstIndex { column in
        let shared =
          min(box.maxX, column.range.upperBound) - max(box.minX, column.range.lowerBound)
        let width = column.range.upperBound - column.range.lowerBound
        return shared > 0.5 * min(box.width, width)
      }
      if let place {
        columns[place].lines += block
        let range = columns[place].range
        columns[place].range =
          min(range.lowerBound, box.minX)...max(range.upperBound, box.maxX)
      } else {
        columns.append((box.minX...box.maxX, block))
      }
    }
    return columns.map(\.lines)
  }
}

/// The mark of an item at the beginning of a text.
struct ItemMark: Hashable {
  /// The number of the item; the place in the alphabet for a letter; nil for a dash or a bullet.
  private var number: Int?
  /// The sign behind the number, or the dash or bullet; with the sort of the number.
  private var sign: String
  /// The mark as it is written.
  let label: String

  /// The largest number of an item, and the most digits.
  private static let mostDigits = 3
  private static let bullets: Set<Character> = ["-", "–", "—", "•", "*", "·", "+", ">", "→", "←"]

  /// The mark at the beginning of a text; nil if there is none, or nothing after it.
  init?(_ text: String) {
    let text = text.drop(while: \.isWhitespace)
    guard let first = text.first else { return nil }
    if Self.bullets.contains(first) {
      let rest = text.dropFirst()
      guard rest.first?.isWhitespace == true, rest.contains(where: \.isLetter) else { return nil }
      (number, sign) = (nil, ["–", "—"].contains(first) ? "-" : String(first))
      self.label = String(first)
      return
    }
    let digits = text.prefix { $0.unicodeScalars.allSatisfy(CharacterClass.digits.contains) }
    let label = digits.isEmpty ? text.prefix(1) : digits
    let rest = text.dropFirst(label.count)
    guard label.count <= Self.mostDigits, let end = rest.first, end == "." || end == ")",
      // 3.5 is a number, and e.g. an abbreviation.
      rest.dropFirst().first.map({ $0.isWhitespace }) ?? false,
      rest.dropFirst().contains(where: { !$0.isWhitespace })
    else { return nil }
    self.label = label + String(end)
    if digits.isEmpty {
      // Initials have a full stop.
      guard let place = first.asciiValue, first.isLowercase, end == ")" else { return nil }
      (number, sign) = (Int(place), "a" + String(end))
    } else {
      guard let value = Int(DigitSystem.folded(String(digits))) else { return nil }
      (number, sign) = (value, "1" + String(end))
    }
  }

  /// Returns true if another mark makes both items of one list: the same dash, or the next number.
  func goesWith(_ other: ItemMark) -> Bool {
    guard sign == other.sign else { return false }
    guard let number, let next = other.number else { return number == nil && other.number == nil }
    return abs(number - next) == 1
  }
}
