import Foundation
import InkCore

/// Finds the line of text that a stroke belongs to, as strokes arrive.
///
/// A stroke goes to the line whose middle, near the stroke, is at its height; the line written last
/// is preferred. Small marks go to the nearest line. A pen that has gone far back and down begins a
/// line even where the last one is near.
struct LineGrouper {
  /// The last heights of strokes of text, the oldest first.
  private var heights: [Double] = []
  private var sorted: [Double] = []
  /// The line written last, and where.
  private var last: (line: Int, x: Double)?

  private static let memory = 100
  /// So many strokes tell the height of the writing.
  private static let certain = 8
  private static let settled = 12
  private static let quantile = 0.7
  private static let expectations = 12
  private static let reach = 1.3
  /// A pen that writes on above the end of the line written last: new lines begin below.
  private static let endReach = 2.0
  /// While the height of the writing is a guess from a few letters, perhaps small ones only.
  private static let firstReach = 1.7
  private static let smallReach = 2.0
  private static let preference = 0.4
  private static let returnDistance = 4.0
  private static let returnDrop = 0.5
  private static let otherReach = 0.6

  /// The height of larger strokes, about that of a letter with an ascender; nil before any text.
  var height: Double? {
    sorted.isEmpty ? nil : max(Self.quantile(of: sorted), 0.1)
  }

  /// The height of larger strokes where a few strokes say little: as if some of an expected height
  /// had been written before them.
  func height(expecting expected: Double) -> Double {
    var all = sorted
    all.insert(
      contentsOf: repeatElement(expected, count: Self.expectations),
      at: Self.place(of: expected, in: sorted))
    return max(Self.quantile(of: all), 0.1)
  }

  private static func quantile(of sorted: [Double]) -> Double {
    sorted[min(sorted.count - 1, Int(quantile * Double(sorted.count)))]
  }

  /// Whether a stroke is a dot, a comma, a hyphen.
  func isSmall(_ box: BoundingBox) -> Bool {
    guard let height else { return false }
    return box.height < 0.4 * height && box.width < 0.6 * height
  }

  /// The line of a stroke, or nil for a new one.
  func line(of stroke: InkStroke, among lines: [TextLine]) -> TextLine? {
    // A quotation mark at the start says little of the height of what follows.
    let own = heights.count < Self.certain ? stroke.box.height : 0
    let height = max(height ?? 0, own, 0.1)
    let x = stroke.box.midX
    var found: [(score: Double, line: TextLine, offset: Double)] = []
    for line in lines
    where stroke.meanY > line.box.minY - 2 * height && stroke.meanY < line.box.maxY + 2 * height {
      let offset = (stroke.meanY - line.centre(at: x, height: height)) / height
      found.append((abs(offset) - (line.id == last?.line ? Self.preference : 0), line, offset))
    }
    found.sort { $0.score != $1.score ? $0.score < $1.score : $0.line.id < $1.line.id }
    guard let best = found.first else { return nil }
    if isSmall(stroke.box), best.score < Self.smallReach { return best.line }
    let isAtEnd =
      best.line.id == last?.line && best.offset < 0
      && stroke.box.minX > best.line.box.maxX - height / 2
    let reach = heights.count < Self.settled ? Self.firstReach : Self.reach
    guard best.score < (isAtEnd ? max(reach, Self.endReach) : reach) else { return nil }
    if let last, best.line.id == last.line, last.x - x > Self.returnDistance * height,
      best.offset > Self.returnDrop
    {
      return found.first { $0.line.id != last.line && $0.score < Self.otherReach }?.line
    }
    return best.line
  }

  /// Remembers that a stroke was put into a line.
  mutating func remember(_ stroke: InkStroke, line: Int) {
    last = (line, stroke.box.midX)
    let height = stroke.box.height
    heights.append(height)
    sorted.insert(height, at: Self.place(of: height, in: sorted))
    if heights.count > Self.memory {
      sorted.remove(at: Self.place(of: heights.removeFirst(), in: sorted))
    }
  }

  /// Forgets the height of a stroke that turned out to be no text.
  mutating func forget(_ stroke: InkStroke) {
    guard let index = heights.lastIndex(of: stroke.box.height) else { return }
    sorted.remove(at: Self.place(of: heights.remove(at: index), in: sorted))
  }

  /// The first place in sorted numbers whose number is not below one.
  private static func place(of number: Double, in sorted: [Double]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
