import InkCore
import Layout

/// A line of ink, rotated to be level and scaled to its line height, ready for augmentation and
/// encoding.
public struct NormalizedLine: Sendable {
  /// The points: x from 0 at the left edge, y from 0 at the mean of the writing, growing downward,
  /// both in line heights.
  package var trajectory = Trajectory()
  /// The index of each point in the original ink, counted over all strokes.
  package var sources: [Int32] = []
  /// The drawing index of each loaded stroke, in reading order; nil if no stroke was moved.
  package private(set) var strokeOrder: [Int]?
  /// If several rows were concatenated, the strokes of each row by drawing index; nil for one row.
  package private(set) var rows: [[Int]]?
  /// The distance by which each stroke of several rows was moved to the right, by drawing index, in
  /// units of the loaded trajectory; nil for one row.
  package private(set) var rowShifts: [Float]?
  /// The writing area in the same units; nil if no area of one line is known.
  package var area: LocalArea?
  /// The line height in units of the loaded trajectory, above 0.
  package private(set) var unit: Float = 1
  /// The mean height of the writing in the loaded trajectory, which became y = 0.
  package private(set) var middle: Float = 0

  /// Makes an empty line.
  package init() {}

  /// Copies everything into another line, reusing its memory. O(points).
  package func copy(into target: inout NormalizedLine) {
    trajectory.copy(into: &target.trajectory)
    target.sources.removeAll(keepingCapacity: true)
    target.sources.append(contentsOf: sources)
    target.strokeOrder = strokeOrder
    target.rows = rows
    target.rowShifts = rowShifts
    target.area = area
    target.unit = unit
    target.middle = middle
  }

  /// Normalises a line. O(points + strokes log strokes), plus the square of the strokes if there
  /// may be rows. Reuses its memory, and allocates more for late strokes, rows and
  /// sparse points.
  ///
  /// Single points that jump out and back are removed. Where points are far apart, others are added
  /// on curves between them. A dot or bar that is drawn when the pen is six line heights past it,
  /// and not directly after its word, is moved to its word. Rows of writing, one below another, are
  /// concatenated.
  ///
  /// The line height is four standard deviations of y along the path. This is about the height from
  /// descender to ascender and hardly depends on the letters. It is at least 1/64 of the ink's
  /// larger side (of a row, on average), and at most that side, so that a dash or a dot has a
  /// height too. A row of writing, whose path is longer than that of dashes and dots, may be
  /// longer.
  ///
  /// An area of several lines says nothing about one line. It is dropped if the ink has several
  /// letters and the area is at least twice as tall as the line height. It is also dropped for
  /// rows.
  ///
  /// - Parameter isOneRow: True if the ink is known to be one row, so that rows are not searched
  ///   for.
  package mutating func load(_ ink: Trajectory, area: LocalArea?, isOneRow: Bool = false) {
    trajectory.removeAll()
    sources.removeAll(keepingCapacity: true)
    strokeOrder = nil
    rows = nil
    rowShifts = nil
    self.area = nil
    unit = 1
    middle = 0
    let leg = ink.spikeLeg
    for stroke in ink.strokeEnds.indices {
      let range = ink.stroke(stroke)
      for point in range where !ink.isSpike(point, of: range, leg: leg) {
        trajectory.append(x: ink.x[point], y: ink.y[point], time: ink.time[point])
        sources.append(Int32(point))
      }
      trajectory.endStroke()
    }
    let layout = isOneRow ? nil : trajectory.layRowsSideBySide(sources: &sources)
    let count = layout?.rows.count ?? 1
    guard var size = LineSize(of: trajectory, rows: count) else { return }
    if curveLongSegments(lineHeight: size.unit), let curved = LineSize(of: trajectory, rows: count)
    {
      size = curved
    }
    let (box, slope, mean) = (size.box, size.slope, size.mean)
    middle = layout?.middle ?? mean
    unit = size.unit
    let centerX = (box.minX + box.maxX) / 2
    for point in trajectory.x.indices {
      let (x, y) = (trajectory.x[point], trajectory.y[point])
      trajectory.x[point] = (x - box.minX) / unit
      trajectory.y[point] = (y - slope * (x - centerX) - mean) / unit
    }
    let order = trajectory.placeLateStrokes(sources: &sources)
    strokeOrder =
      layout.map { layout in
        let rows = layout.order
        return order?.map { rows[$0] } ?? rows
      } ?? order
    (rows, rowShifts) = (layout?.rows, layout?.shifts)
    if let area, layout == nil {
      let local = LocalArea(top: (area.top - mean) / unit, height: area.height / unit)
      let width = (box.maxX - box.minX) / unit
      let holdsLines = width > Self.letters && local.height > Self.tallestLine
      self.area = holdsLines ? nil : local
    }
  }

  /// The greatest height of an area of one line of writing, in line heights. A line from descenders
  /// to capitals is 1.3 line heights tall, a line of small letters up to 1.9.
  private static let tallestLine: Float = 2
  /// The width, in line heights, above which ink has several letters, whose heights determine the
  /// line height.
  private static let letters: Float = 1.5
}

extension NormalizedLine {
  /// Reverses the order of a stroke's points, in place. O(points).
  package mutating func reverse(stroke index: Int) {
    trajectory.reverse(stroke: index)
    let range = trajectory.stroke(index)
    // Slicing the array would copy it.
    for offset in 0..<(range.count / 2) {
      sources.swapAt(range.lowerBound + offset, range.upperBound - 1 - offset)
    }
  }

  /// Removes a stroke. O(points).
  package mutating func removeStroke(_ index: Int) {
    let range = trajectory.stroke(index)
    trajectory.x.removeSubrange(range)
    trajectory.y.removeSubrange(range)
    trajectory.time.removeSubrange(range)
    sources.removeSubrange(range)
    trajectory.strokeEnds.remove(at: index)
    for later in index..<trajectory.strokeEnds.count {
      trajectory.strokeEnds[later] -= range.count
    }
  }
}

/// The size and the place of a line in units of the loaded trajectory.
private struct LineSize {
  let box: (minX: Float, minY: Float, maxX: Float, maxY: Float)
  /// The slope of the line, which is taken away.
  let slope: Float
  /// The mean height of the writing.
  let mean: Float
  /// The line height, above 0.
  let unit: Float

  /// The greatest length of a row of dashes or dots, in line heights.
  private static let longestDash: Float = 64
  /// The greatest length of a row of writing, in line heights: about 2,000 characters.
  private static let longestRow: Float = 1024
  /// The shortest path of writing, in widths of the ink; print has 2 or more.
  private static let writingPath: Float = 1.5

  /// Measures rows that stand side by side; nil if there are no points. O(points).
  init?(of trajectory: Trajectory, rows: Int) {
    guard let box = trajectory.bounds else { return nil }
    self.box = box
    slope = trajectory.slope(of: box)
    let moments = trajectory.heightMoments(slope: slope)
    mean = moments.mean
    let side = max(box.maxX - box.minX, box.maxY - box.minY)
    let length = side / Float(rows)
    let isWriting = trajectory.pathLength > Self.writingPath * side
    let least = length / (isWriting ? Self.longestRow : Self.longestDash)
    unit = side > 1e-6 ? min(max(4 * moments.deviation, least), max(side, 1e-6)) : 1
  }
}
