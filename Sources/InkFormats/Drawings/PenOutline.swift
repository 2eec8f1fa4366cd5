import Foundation

/// The middle line of a stroke that a program saved as its filled outline.
///
/// An outline goes along one side of the stroke, around its end, and back along the other side. Two
/// points go along the sides from the start at once, each time by the step that keeps them closest
/// together; their middle is on the line.
enum PenOutline {
  /// A pen's outline is longer than so many of its widths.
  private static let slenderness = 2.0
  /// No place of it is wider than so many of its middle widths.
  private static let bulge = 8.0
  /// Few points are no outline.
  private static let fewest = 6

  /// Returns the middle line and the widths at its points; nil for a shape that no pen draws.
  ///
  /// - Complexity: O(points).
  static func line(
    of outline: [(x: Double, y: Double)]
  ) -> (points: [(x: Double, y: Double)], widths: [Double])? {
    var outline = outline
    if let first = outline.first, let last = outline.last, first == last { outline.removeLast() }
    guard outline.count >= fewest else { return nil }
    var (left, right) = (0, outline.count - 1)
    var points: [(x: Double, y: Double)] = []
    var widths: [Double] = []
    func distance(_ a: Int, _ b: Int) -> Double {
      hypot(outline[a].x - outline[b].x, outline[a].y - outline[b].y)
    }
    while left < right {
      points.append(
        ((outline[left].x + outline[right].x) / 2, (outline[left].y + outline[right].y) / 2))
      widths.append(distance(left, right))
      guard right - left > 2 else { break }
      let both = distance(left + 1, right - 1)
      let one = distance(left + 1, right)
      let other = distance(left, right - 1)
      // Both steps at once are preferred: sides have as many points as a rule.
      if both <= 1.05 * min(one, other) || both <= min(one, other) + 1e-9 {
        (left, right) = (left + 1, right - 1)
      } else if one < other {
        left += 1
      } else {
        right -= 1
      }
    }
    let sorted = widths.sorted()
    let middle = sorted[sorted.count / 2]
    let length = zip(points, points.dropFirst()).reduce(0) {
      $0 + hypot($1.0.x - $1.1.x, $1.0.y - $1.1.y)
    }
    guard middle.isFinite, length.isFinite, length > slenderness * middle,
      sorted[sorted.count - 1] <= max(bulge * middle, 1e-9)
    else { return nil }
    return (points, widths)
  }
}
