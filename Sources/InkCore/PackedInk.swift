/// An ink in little memory: 16 bytes for each point, and 8 for each further value that points have.
package struct PackedInk: Sendable {
  /// The values beside x and y, in this order.
  private static let optional: [WritableKeyPath<StrokePoint, Double?> & Sendable] = [
    \.t, \.force, \.azimuth, \.altitude,
  ]

  /// The points of each stroke.
  private let counts: [Int32]
  /// For each of ``optional``, whether any point has it.
  private let columns: [Bool]
  /// The values of each point, one point after the other. NaN is a missing one.
  private let values: [Double]

  /// Packs an ink. O(points).
  package init(_ ink: Ink) {
    counts = ink.strokes.map { Int32(clamping: $0.points.count) }
    let points = ink.strokes.lazy.flatMap(\.points)
    let columns = Self.optional.map { path in points.contains { $0[keyPath: path] != nil } }
    var values: [Double] = []
    values.reserveCapacity(
      counts.reduce(0) { $0 + Int($1) } * (2 + columns.count { $0 }))
    for point in points {
      values.append(point.x)
      values.append(point.y)
      for (path, isThere) in zip(Self.optional, columns) where isThere {
        values.append(point[keyPath: path] ?? .nan)
      }
    }
    self.columns = columns
    self.values = values
  }

  /// The ink, equal to the one that was packed. O(points).
  package var ink: Ink {
    let paths = zip(Self.optional, columns).filter(\.1).map(\.0)
    var next = 0
    return Ink(
      strokes: counts.map { count in
        Stroke(
          points: (0..<Int(count)).map { _ in
            var point = StrokePoint(x: values[next], y: values[next + 1])
            next += 2
            for path in paths {
              point[keyPath: path] = values[next]
              next += 1
            }
            return point
          })
      })
  }
}
