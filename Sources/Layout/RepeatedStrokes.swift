import InkCore

/// Finds strokes that repeat another: stored twice by layers or synchronisation, or traced twice by
/// hand to make a heading bold.
package struct RepeatedStrokes {
  // All distances are in heights of the writing.

  /// The greatest mean distance of two strokes that were traced over each other, and of their ends'
  /// boxes.
  private static let (distance, box) = (0.08, 0.22)
  /// The same for a stroke that is smaller than `small`: two dots, the marks of a quotation.
  private static let (smallDistance, smallBox) = (0.02, 0.05)
  private static let small = 0.5
  /// Their lengths differ by this share at most.
  private static let length = 0.2
  /// The number of points that are compared, evenly spaced along each stroke.
  private static let points = 16
  /// The most strokes of one place that a stroke is compared with.
  private static let mostCompared = 8

  private struct Trace {
    var item: Int
    var measure: StrokeMeasure
    var path: [(x: Double, y: Double)]
  }

  private struct Cell: Hashable {
    var x, y: Int
  }

  /// For each stroke that repeats an earlier one, that stroke. O(points + strokes).
  package static func found(in ink: Ink) -> [Int: Int] {
    let page = PageInk(ink)
    let height = page.height / page.scale
    var cells: [Cell: [Trace]] = [:]
    var result: [Int: Int] = [:]
    let size = box * height
    for item in ink.strokes.indices {
      guard let measure = StrokeMeasure(ink.strokes[item], item: item, number: item) else {
        continue
      }
      let trace = Trace(item: item, measure: measure, path: [])
      let (x, y) = (measure.box.midX / size, measure.box.midY / size)
      guard abs(x) < 1e15, abs(y) < 1e15 else { continue }
      let cell = Cell(x: Int(x.rounded(.down)), y: Int(y.rounded(.down)))
      var same: Int?
      search: for dx in -1...1 {
        for dy in -1...1 {
          guard let near = cells[Cell(x: cell.x + dx, y: cell.y + dy)] else { continue }
          for other in near.suffix(mostCompared) where isSame(trace, other, ink, height) {
            same = other.item
            break search
          }
        }
      }
      if let same { result[item] = same } else { cells[cell, default: []].append(trace) }
    }
    return result
  }

  private static func isSame(_ one: Trace, _ other: Trace, _ ink: Ink, _ height: Double) -> Bool {
    let (first, second) = (one.measure.box, other.measure.box)
    let side = max(first.width, first.height, second.width, second.height) / height
    let limit = (side < small ? smallBox : box) * height
    guard abs(first.minX - second.minX) < limit, abs(first.maxX - second.maxX) < limit,
      abs(first.minY - second.minY) < limit, abs(first.maxY - second.maxY) < limit,
      abs(one.measure.length - other.measure.length)
        <= length * max(one.measure.length, other.measure.length)
    else { return false }
    let a = path(ink.strokes[one.item], one.measure.length)
    let b = path(ink.strokes[other.item], other.measure.length)
    let most = (side < small ? smallDistance : distance) * height
    return mean(a, b) <= most || mean(a, b.reversed()) <= most
  }

  private static func mean(_ one: [(x: Double, y: Double)], _ other: [(x: Double, y: Double)])
    -> Double
  {
    zip(one, other).reduce(0) { sum, pair in
      let (dx, dy) = (pair.0.x - pair.1.x, pair.0.y - pair.1.y)
      return sum + (dx * dx + dy * dy).squareRoot()
    } / Double(points)
  }

  /// Points at even distances along a stroke.
  private static func path(_ stroke: Stroke, _ length: Double) -> [(x: Double, y: Double)] {
    var result: [(x: Double, y: Double)] = []
    var (way, index) = (0.0, 0)
    var last = stroke.points[0]
    for place in 0..<points {
      let target = length * Double(place) / Double(points - 1)
      while index + 1 < stroke.points.count {
        let next = stroke.points[index + 1]
        let (dx, dy) = (next.x - last.x, next.y - last.y)
        let step = (dx * dx + dy * dy).squareRoot()
        guard way + step >= target, step > 0 else {
          way += step
          index += 1
          last = next
          continue
        }
        let share = (target - way) / step
        result.append((last.x + share * dx, last.y + share * dy))
        break
      }
      if result.count == place { result.append((last.x, last.y)) }
    }
    return result
  }
}
