/// An ink in little memory: 16 bytes for each point, and 8 for each further value that points have.
package struct PackedInk: Sendable {
  /// The values beside x and y that any point has.
  private struct Columns {
    var t = false
    var force = false
    var azimuth = false
    var altitude = false
    var roll = false

    var count: Int { [t, force, azimuth, altitude, roll].count { $0 } }
  }

  /// The points of each stroke.
  private let counts: [Int]
  private let columns: Columns
  /// The values of each point, one point after the other. NaN is a missing one.
  private let values: [Double]

  /// Packs an ink. O(points).
  package init(_ ink: Ink) {
    var columns = Columns()
    for stroke in ink.strokes {
      for point in stroke.points {
        if point.t != nil { columns.t = true }
        if point.force != nil { columns.force = true }
        if point.azimuth != nil { columns.azimuth = true }
        if point.altitude != nil { columns.altitude = true }
        if point.roll != nil { columns.roll = true }
      }
    }
    var values: [Double] = []
    values.reserveCapacity(ink.pointCount * (2 + columns.count))
    for stroke in ink.strokes {
      for point in stroke.points {
        values.append(point.x)
        values.append(point.y)
        if columns.t { values.append(point.t ?? .nan) }
        if columns.force { values.append(point.force ?? .nan) }
        if columns.azimuth { values.append(point.azimuth ?? .nan) }
        if columns.altitude { values.append(point.altitude ?? .nan) }
        if columns.roll { values.append(point.roll ?? .nan) }
      }
    }
    counts = ink.strokes.map(\.points.count)
    self.columns = columns
    self.values = values
  }

  /// The ink, equal to the one that was packed. O(points).
  package var ink: Ink {
    var next = 0
    func value(_ isThere: Bool) -> Double? {
      guard isThere else { return nil }
      defer { next += 1 }
      return values[next]
    }
    var strokes: [Stroke] = []
    strokes.reserveCapacity(counts.count)
    for count in counts {
      var points: [StrokePoint] = []
      points.reserveCapacity(count)
      for _ in 0..<count {
        let (x, y) = (values[next], values[next + 1])
        next += 2
        points.append(
          StrokePoint(
            x: x, y: y, t: value(columns.t), force: value(columns.force),
            azimuth: value(columns.azimuth), altitude: value(columns.altitude),
            roll: value(columns.roll)))
      }
      strokes.append(Stroke(points: points))
    }
    return Ink(strokes: strokes)
  }
}
