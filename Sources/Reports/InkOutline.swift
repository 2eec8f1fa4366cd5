import Evaluation
import InkCore

/// The strokes of an ink as the points of a drawing: integers, and no more than are seen.
struct InkOutline {
  /// A place in tenths of a CSS pixel.
  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  /// The points of each stroke that has any; one point where a stroke has no length.
  let strokes: [[Point]]

  /// Places every finite point, and leaves out those nearer than half a pixel to the one before,
  /// further ones where there are more than `maximumPoints`.
  ///
  /// - Complexity: O(points x log(points)).
  init(_ ink: Ink, _ projection: InkProjection, maximumPoints: Int) {
    let placed = ink.strokes.map { stroke in
      stroke.points.filter(\.hasFinitePosition).map { projection.place(x: $0.x, y: $0.y) }
    }.filter { !$0.isEmpty }.prefix(max(1, maximumPoints / 2))
    // A stroke keeps two points at any distance: with half as many strokes as points this ends.
    var distance = 5
    var thinned = placed.map { Self.thin($0, distance) }
    while thinned.reduce(0, { $0 + $1.count }) > max(2, maximumPoints), distance < 100_000 {
      distance *= 2
      thinned = placed.map { Self.thin($0, distance) }
    }
    strokes = thinned
  }

  private static func thin(_ points: [Point], _ distance: Int) -> [Point] {
    guard let first = points.first, let last = points.last else { return [] }
    var kept = [first]
    var previous = first
    for point in points.dropFirst()
    where abs(point.x - previous.x) + abs(point.y - previous.y) >= distance {
      kept.append(point)
      previous = point
    }
    // The end of a stroke tells a closed one from an open one; of a dot it tells nothing.
    if kept.count > 1, previous != last { kept.append(last) }
    return kept
  }
}
