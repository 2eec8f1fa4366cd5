import Foundation
import InkCore

extension Prototype {
  /// The side of the box of a character in units of ``Knot``: a box reaches from 0 to 100 in both
  /// directions.
  package static let boxSide = 100.0
  /// The larger side of a character whose box is not known.
  private static let inkSide = 88.0
  /// The largest distance of the ink from the path of the knots, in units.
  private static let tolerance = 0.8
  /// The smallest turn of a corner, in radians.
  private static let cornerTurn = 75 * Double.pi / 180

  /// Makes the prototype of a character from one ink of it; nil if the ink has no points.
  ///
  /// The knots are the points that are needed to stay within 0.8 units of the ink, with corners where
  /// the path turns by more than 75 degrees. O(points · log points) for most ink.
  ///
  /// - Parameters:
  ///   - ink: The ink, in any unit.
  ///   - label: The character.
  ///   - area: The box of the character; nil to place the ink in the middle of one.
  package init?(ink: Ink, label: String, area: WritingArea?) {
    guard let box = ink.boundingBox else { return nil }
    let side = area.map(\.height) ?? max(box.width, box.height) * Self.boxSide / Self.inkSide
    let scale = side > 0 ? Self.boxSide / side : 1
    let middleX = area.map { $0.x + $0.width / 2 } ?? box.midX
    let middleY = area.map { $0.y + $0.height / 2 } ?? box.midY
    var strokes: [[Knot]] = []
    for stroke in ink.strokes {
      let path = stroke.points.compactMap { point -> Knot? in
        guard point.x.isFinite, point.y.isFinite else { return nil }
        return Knot(
          (point.x - middleX) * scale + Self.boxSide / 2,
          (middleY - point.y) * scale + Self.boxSide / 2)
      }
      let knots = Self.knots(of: path)
      if !knots.isEmpty { strokes.append(knots) }
    }
    guard !strokes.isEmpty else { return nil }
    self.init(label: label, weight: 1, joints: .none, strokes: strokes)
  }

  /// Returns at least two knots of a path; none for a path without points.
  private static func knots(of path: [Knot]) -> [Knot] {
    guard let first = path.first else { return [] }
    var knots: [Knot] = []
    for place in simplified(path) {
      let knot = path[place]
      if let last = knots.last, distance(last, knot) < 0.05 { continue }
      knots.append(knot)
    }
    // A dot is a short movement.
    if knots.count < 2 { return [first, Knot(first.x + 1, first.y - 1)] }
    for index in knots.indices.dropFirst().dropLast() {
      let turn = abs(Self.turn(knots[index - 1], knots[index], knots[index + 1]))
      knots[index].isCorner = turn > cornerTurn
    }
    return knots
  }

  /// Returns the places of the points to keep (Douglas and Peucker, 1973).
  private static func simplified(_ path: [Knot]) -> [Int] {
    guard path.count > 2 else { return Array(path.indices) }
    var isKept = [Bool](repeating: false, count: path.count)
    (isKept[0], isKept[path.count - 1]) = (true, true)
    var open = [(0, path.count - 1)]
    while let (from, to) = open.popLast() {
      guard to - from > 1 else { continue }
      var (farthest, most) = (from, tolerance)
      for index in (from + 1)..<to {
        let offset = offset(of: path[index], from: path[from], to: path[to])
        if offset > most { (farthest, most) = (index, offset) }
      }
      guard farthest > from else { continue }
      isKept[farthest] = true
      open.append((from, farthest))
      open.append((farthest, to))
    }
    return path.indices.filter { isKept[$0] }
  }

  /// The distance of a point from a line between two others.
  private static func offset(of point: Knot, from: Knot, to: Knot) -> Double {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    guard square > 0 else { return distance(point, from) }
    let share = ((point.x - from.x) * dx + (point.y - from.y) * dy) / square
    let bounded = min(1, max(0, share))
    return distance(point, Knot(from.x + bounded * dx, from.y + bounded * dy))
  }

  private static func distance(_ first: Knot, _ second: Knot) -> Double {
    let (dx, dy) = (second.x - first.x, second.y - first.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The turn at a knot, in -π ... π.
  static func turn(_ before: Knot, _ here: Knot, _ after: Knot) -> Double {
    let turn =
      atan2(after.y - here.y, after.x - here.x) - atan2(here.y - before.y, here.x - before.x)
    return turn - (turn / (2 * .pi)).rounded() * 2 * .pi
  }
}
