import InkCore
import Layout

/// A line of ink made level and scaled to its own line height: what is augmented and encoded.
public struct NormalizedLine: Sendable {
  /// The points: x from 0 at the left edge, y from 0 at the mean of the writing, growing downward,
  /// both in line heights.
  public var trajectory = Trajectory()
  /// For each point its index in the ink, counted over all strokes.
  public var sources: [Int32] = []
  /// For each stroke that was loaded, in the order they are read, its place in the order they were
  /// drawn; nil where none was moved.
  public private(set) var strokeOrder: [Int]?
  /// Where several rows were laid side by side, the strokes of each, counted in the order they were
  /// drawn; nil for one row.
  public private(set) var rows: [[Int]]?
  /// How far each stroke of several rows was moved to the right, in the order they were drawn and in
  /// the units of the trajectory that was loaded; nil for one row.
  public private(set) var rowShifts: [Float]?
  /// The writing area in the same units; nil where none is known that is one line.
  public var area: LocalArea?
  /// The line height in the units of the trajectory it was made of, above 0.
  public private(set) var unit: Float = 1
  /// The mean height of the writing, which became y = 0, in the trajectory it was made of.
  public private(set) var middle: Float = 0

  /// Makes a line of nothing.
  public init() {}

  /// Copies everything into another line, reusing its memory. O(points).
  public func copy(into target: inout NormalizedLine) {
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

  /// Normalises a line. O(points + strokes log strokes), and the square of the strokes where there may
  /// be rows; keeps its memory, and takes more for strokes that are late and for rows.
  ///
  /// Single points that jump out and back are left out. A dot or bar that comes when the pen is six
  /// line heights beyond it, later than after its word, is put where its word is. Rows of writing, one
  /// under another, are laid side by side.
  ///
  /// The line height is four standard deviations of y along the path, which is about the height
  /// from descender to ascender and hardly depends on which letters there are; at least a 64th
  /// of the ink's larger side, of a row on average, and at most that side, so that a dash or a dot has
  /// a height too. A row of writing, whose path is longer than dashes and dots have, may be longer.
  ///
  /// An area of several lines tells nothing of the one that the ink is: where the ink is several
  /// letters, and the area twice as tall as its line height or taller, there is no area. There is none
  /// for rows either.
  ///
  /// - Parameter isOneRow: Whether the ink is known to be one row, so that none are looked for.
  public mutating func load(_ ink: Trajectory, area: LocalArea?, isOneRow: Bool = false) {
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
    guard let box = trajectory.bounds else { return }
    let slope = trajectory.slope(of: box)
    let moments = trajectory.heightMoments(slope: slope)
    middle = layout?.middle ?? moments.mean
    let side = max(box.maxX - box.minX, box.maxY - box.minY)
    let length = side / Float(layout?.rows.count ?? 1)
    let isWriting = trajectory.pathLength > Self.writingPath * side
    let least = length / (isWriting ? Self.longestRow : Self.longestDash)
    unit = min(max(4 * moments.deviation, least), max(side, 1e-6))
    if side <= 1e-6 { unit = 1 }
    let centerX = (box.minX + box.maxX) / 2
    for point in trajectory.x.indices {
      let (x, y) = (trajectory.x[point], trajectory.y[point])
      trajectory.x[point] = (x - box.minX) / unit
      trajectory.y[point] = (y - slope * (x - centerX) - moments.mean) / unit
    }
    let order = trajectory.placeLateStrokes(sources: &sources)
    strokeOrder =
      layout.map { layout in
        let rows = layout.order
        return order?.map { rows[$0] } ?? rows
      } ?? order
    (rows, rowShifts) = (layout?.rows, layout?.shifts)
    if let area, layout == nil {
      let local = LocalArea(top: (area.top - moments.mean) / unit, height: area.height / unit)
      let width = (box.maxX - box.minX) / unit
      let holdsLines = width > Self.letters && local.height > Self.tallestLine
      self.area = holdsLines ? nil : local
    }
  }

  /// A row of dashes or dots is no longer than this, in line heights.
  private static let longestDash: Float = 64
  /// A row of writing is no longer than this, in line heights: some 2,000 characters.
  private static let longestRow: Float = 1024
  /// The path of writing is longer than this, in widths of the ink: that of print is 2 or more.
  private static let writingPath: Float = 1.5
  /// The height of an area that is one line of writing, at most, in line heights: a line from
  /// descenders to capitals is 1.3 line heights tall, a line of small letters alone up to 1.9.
  private static let tallestLine: Float = 2
  /// The width, in line heights, from which ink is several letters, whose heights tell the line's.
  private static let letters: Float = 1.5
}

extension NormalizedLine {
  /// Reverses the order of a stroke's points, in place. O(points).
  public mutating func reverse(stroke index: Int) {
    trajectory.reverse(stroke: index)
    let range = trajectory.stroke(index)
    // A slice of the array would be a copy.
    for offset in 0..<(range.count / 2) {
      sources.swapAt(range.lowerBound + offset, range.upperBound - 1 - offset)
    }
  }

  /// Takes a stroke out. O(points).
  public mutating func removeStroke(_ index: Int) {
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
