import InkCore

/// The area inside of a closed path, by the nonzero rule.
///
/// The edges are listed by rows, so that a point is compared with few of them.
struct LassoArea {
  private struct Edge {
    var from: PlanePoint
    var to: PlanePoint
  }

  /// The box of the path.
  let box: BoundingBox
  /// For each row, the edges in it.
  private var rows: [[Edge]]
  private let rowHeight: Double

  /// Makes the area of a path, which is closed by a line. Returns nil for fewer than three points.
  /// O(points × rows of each edge).
  init?(_ path: [PlanePoint]) {
    guard path.count > 2 else { return nil }
    var box = BoundingBox(minX: path[0].x, minY: path[0].y, maxX: path[0].x, maxY: path[0].y)
    for point in path { box.formUnion(x: point.x, y: point.y) }
    self.box = box
    let count = min(max(path.count, 1), Self.mostRows)
    rowHeight = max(box.height / Double(count), .leastNormalMagnitude)
    rows = Array(repeating: [], count: count)
    for (from, to) in zip(path, path.dropFirst() + path.prefix(1)) {
      for row in row(of: min(from.y, to.y))...row(of: max(from.y, to.y)) {
        rows[row].append(Edge(from: from, to: to))
      }
    }
  }

  /// The most rows. Chosen by hand.
  private static let mostRows = 256

  private func row(of y: Double) -> Int {
    // A level lasso has rows of no height, in which the quotient has no bounds.
    let row = (y - box.minY) / rowHeight
    guard row > 0 else { return 0 }
    return row >= Double(rows.count) ? rows.count - 1 : Int(row)
  }

  /// Returns whether a point is inside. O(edges in its row).
  func contains(x: Double, y: Double) -> Bool {
    guard x >= box.minX, x <= box.maxX, y >= box.minY, y <= box.maxY else { return false }
    var winding = 0
    for edge in rows[row(of: y)] {
      let side =
        (edge.to.x - edge.from.x) * (y - edge.from.y)
        - (x - edge.from.x) * (edge.to.y - edge.from.y)
      if edge.from.y <= y {
        if edge.to.y > y, side < 0 { winding += 1 }
      } else if edge.to.y <= y, side > 0 {
        winding -= 1
      }
    }
    return winding != 0
  }

  /// Returns whether an edge may pass through a box. O(edges in its rows).
  private func mayCross(_ other: BoundingBox) -> Bool {
    for row in row(of: other.minY)...row(of: other.maxY) {
      for edge in rows[row] {
        if max(edge.from.x, edge.to.x) >= other.minX, min(edge.from.x, edge.to.x) <= other.maxX,
          max(edge.from.y, edge.to.y) >= other.minY, min(edge.from.y, edge.to.y) <= other.maxY
        {
          return true
        }
      }
    }
    return false
  }

  /// Returns the length of a stroke inside, and all of its length. A stroke without length counts a
  /// little. O(points), and O(edges in its rows) for one that no edge passes.
  func share(of stroke: InkStroke) -> (inside: Double, all: Double) {
    guard let first = stroke.points.first else { return (0, 0) }
    let all = max(stroke.length, Self.dot)
    guard stroke.box.overlaps(box) else { return (0, all) }
    var wasInside = contains(x: first.x, y: first.y)
    guard stroke.length > 0, mayCross(stroke.box) else { return (wasInside ? all : 0, all) }
    var inside = 0.0
    var last = first
    for point in stroke.points.dropFirst() {
      let (dx, dy) = (point.x - last.x, point.y - last.y)
      let half = (dx * dx + dy * dy).squareRoot() / 2
      let isInside = contains(x: point.x, y: point.y)
      if isInside { inside += half }
      if wasInside { inside += half }
      (last, wasInside) = (point, isInside)
    }
    return (inside, all)
  }

  /// The length that a dot counts as, in millimetres. Chosen by hand.
  private static let dot = 0.1
}
