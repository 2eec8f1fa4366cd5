import InkCore

/// Long straight strokes, such as frames, connectors and rules, which show whether a page is level.
package struct AxisRules {
  /// A stroke is long if its extent is this many heights of the writing.
  private static let leastExtent = 4.0
  /// A side may be off the axis by this slope: the tangent of 7 degrees.
  private static let slope = 0.12
  /// The share of the path of a stroke that runs along an axis.
  private static let share = 0.85
  /// The pieces of a path that are measured are this long, in heights of the writing.
  private static let piece = 0.8
  /// The fewest such strokes of a level page, and their share among the long straight strokes.
  private static let (leastStrokes, leastShare) = (2, 0.6)

  /// Returns true if the frames and connectors of a page run along its edges, so that the page is
  /// level or turned by a right angle. O(points + strokes log strokes).
  package static func areParallel(in ink: Ink) -> Bool {
    let page = PageInk(ink)
    var (along, others) = (0, 0)
    for stroke in page.strokes {
      let (width, height) = (stroke.box.width, stroke.box.height)
      let extent = (width * width + height * height).squareRoot()
      guard extent > leastExtent * page.height else { continue }
      let points = ink.strokes[stroke.item].points
      var (level, sum) = (0.0, 0.0)
      var last = points[0]
      for (index, point) in points.enumerated() {
        let (dx, dy) = ((point.x - last.x) * page.scale, (point.y - last.y) * page.scale)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > piece * page.height || index == points.count - 1 else { continue }
        sum += length
        if min(abs(dx), abs(dy)) < slope * max(abs(dx), abs(dy)) { level += length }
        last = point
      }
      guard sum > 0 else { continue }
      if level > share * sum, stroke.length < 1.3 * sum {
        // The sides of a frame count one by one.
        along += min(width, height) > page.height ? 2 : 1
      } else if stroke.length < 1.15 * extent {
        others += 1
      }
    }
    return along >= leastStrokes && Double(along) > leastShare * Double(along + others)
  }
}
