import InkCore

/// The reading order of a line's points. Marks that were written late, such as the dot of an i after
/// its word, are read at their letters, even within a stroke.
///
/// A recurrent network sees a mark long after its letter otherwise, and would have to remember every
/// place that may still get one (Graves et al. 2009 give each point a feature for late marks above
/// it; this keeps the shape of the mark too). Reuses its memory. Not thread-safe.
package struct LateMarks: Sendable {
  package init() {}

  /// Consecutive points of a stroke that are read one after another.
  package struct Run: Sendable {
    package var points: Range<Int>
    package var stroke: Int
    /// True for a late mark.
    package var isMark = false
  }

  /// A late mark, which is read after a point of an earlier stroke.
  private struct Mark {
    var stroke: Int
    var center: Float
    var place: Int
  }

  /// All points, in reading order.
  package private(set) var runs: [Run] = []
  /// True if the reading order is not that of writing.
  package private(set) var hasMoved = false
  private var marks: [Mark] = []
  private var boxes: [Box] = []
  private var isMark: [Bool] = []

  /// The largest width, height and path of a mark, in line heights.
  private static let (width, height, path): (Float, Float, Float) = (0.8, 0.7, 1.5)
  /// A mark is late if writing has gone farther right by this distance. It is at least the rest of
  /// a printed letter, whose marks directly follow it.
  private static let lateness: Float = 0.5
  /// The greatest horizontal distance between the middle of a mark and its letter.
  private static let reach: Float = 0.3
  /// The weight of vertical distances: the letter below is nearer than the one beside.
  private static let verticalWeight: Float = 0.3
  /// The distance from the middle of a mark to the end of its letter.
  private static let halfLetter: Float = 0.15
  /// The greatest distance between the middles of strokes of one mark, such as two dots.
  private static let pair: Float = 0.25

  /// Finds the reading order of a line in line heights. O(points), plus O(points) for each mark.
  package mutating func arrange(_ line: Trajectory) {
    findMarks(line)
    runs.removeAll(keepingCapacity: true)
    hasMoved = !marks.isEmpty
    var next = 0
    for stroke in line.strokeEnds.indices where !isMark[stroke] {
      let range = line.stroke(stroke)
      var begin = range.lowerBound
      while next < marks.count, marks[next].place < range.upperBound {
        let end = marks[next].place + 1
        if end > begin { runs.append(Run(points: begin..<end, stroke: stroke)) }
        begin = end
        let mark = marks[next].stroke
        runs.append(Run(points: line.stroke(mark), stroke: mark, isMark: true))
        next += 1
      }
      if begin < range.upperBound {
        runs.append(Run(points: begin..<range.upperBound, stroke: stroke))
      }
    }
  }

  /// Reads all strokes in the order of writing.
  mutating func keepOrder(of line: Trajectory) {
    hasMoved = false
    runs.removeAll(keepingCapacity: true)
    for stroke in line.strokeEnds.indices {
      runs.append(Run(points: line.stroke(stroke), stroke: stroke))
    }
  }

  /// Sets the marks, sorted by their places.
  private mutating func findMarks(_ line: Trajectory) {
    marks.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
    isMark.removeAll(keepingCapacity: true)
    var right = -Float.infinity
    for stroke in line.strokeEnds.indices {
      let box = Box(line, stroke)
      let mark = mark(line, stroke, box, right: right)
      boxes.append(box)
      isMark.append(mark != nil)
      if let mark {
        marks.append(mark)
      } else {
        right = max(right, box.maxX)
      }
    }
    // Few marks, nearly sorted; an insertion sort keeps the order of writing and allocates nothing.
    for index in marks.indices.dropFirst() {
      var place = index
      while place > 0, marks[place].place < marks[place - 1].place {
        marks.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  /// Returns a stroke as a late mark; nil if it is none, or if there is no writing at its place.
  private func mark(_ line: Trajectory, _ stroke: Int, _ box: Box, right: Float) -> Mark? {
    let center = (box.minX + box.maxX) / 2
    guard center < right - Self.lateness, box.maxX - box.minX <= Self.width,
      box.maxY - box.minY <= Self.height, Self.length(of: stroke, line) <= Self.path
    else { return nil }
    if let last = marks.last, last.stroke == stroke - 1, abs(last.center - center) < Self.pair {
      return Mark(stroke: stroke, center: center, place: last.place)
    }
    return place(line, box).map { Mark(stroke: stroke, center: center, place: $0) }
  }

  /// The last point of the letter at a mark.
  private func place(_ line: Trajectory, _ box: Box) -> Int? {
    let center = (box.minX + box.maxX) / 2
    let middle = (box.minY + box.maxY) / 2
    var best: (cost: Float, stroke: Int, point: Int)?
    for (stroke, other) in boxes.enumerated() where !isMark[stroke] {
      guard other.minX <= center + Self.reach, other.maxX >= center - Self.reach else { continue }
      for point in line.stroke(stroke) {
        let aside = abs(line.x[point] - center)
        let cost = aside + Self.verticalWeight * abs(line.y[point] - middle)
        if aside <= Self.reach, cost < best?.cost ?? .infinity { best = (cost, stroke, point) }
      }
    }
    guard let best else { return nil }
    let last = line.stroke(best.stroke).upperBound - 1
    let end = max(box.maxX, center + Self.halfLetter)
    var point = best.point
    while point < last, line.x[point + 1] <= end { point += 1 }
    // The stroke is not cut if less than a letter of it remains.
    let rest = line.x[point...last].max() ?? center
    return rest < center + Self.lateness ? last : point
  }

  private static func length(of stroke: Int, _ line: Trajectory) -> Float {
    line.stroke(stroke).dropFirst().reduce(0) { $0 + line.distance($1 - 1, $1) }
  }

  /// The box of a stroke.
  private struct Box {
    var minX, minY, maxX, maxY: Float

    init(_ line: Trajectory, _ stroke: Int) {
      (minX, minY, maxX, maxY) = (.infinity, .infinity, -.infinity, -.infinity)
      for point in line.stroke(stroke) {
        minX = min(minX, line.x[point])
        maxX = max(maxX, line.x[point])
        minY = min(minY, line.y[point])
        maxY = max(maxY, line.y[point])
      }
    }
  }
}
