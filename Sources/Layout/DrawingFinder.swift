import InkCore

/// Tells strokes that are no writing: large figures, frames, long straight lines, and the heads of
/// arrows.
struct DrawingFinder {
  private let page: PageInk

  // All sizes are in heights of the writing; chosen by hand on pages of forms with shapes between
  // their lines.

  /// A figure is as tall and as wide as this.
  private static let figure = (width: 2.5, height: 3.2)
  /// The path of a figure is no longer than this many times its diagonal; joined letters wind more.
  private static let winding = 3.2
  /// A straight line of no letter is as long as this.
  private static let ruler = 7.0
  /// A path is straight that is no longer than this many times the way between its ends.
  private static let straight = 1.08
  /// An upright bar is as tall as this.
  private static let bar = 4.0
  /// So many strokes of writing tell the height of it.
  private static let certain = 6

  init(_ page: PageInk) {
    self.page = page
  }

  /// The indices of the strokes that are drawn. O(strokes), and O(strokes) for each that is drawn.
  func drawing() -> Set<Int> {
    guard page.strokes.count >= Self.certain else { return [] }
    let height = page.height
    let drawn = page.strokes.filter { isDrawn($0, height) }
    guard !drawn.isEmpty, drawn.count < page.strokes.count else { return [] }
    var result = Set(drawn.map(\.item))
    // What touches the end of a figure and stands alone belongs to it, as the head of an arrow.
    for stroke in page.strokes where !result.contains(stroke.item) {
      let isHead = drawn.contains {
        abs($0.number - stroke.number) <= 2 && $0.box.gap(to: stroke.box) < 0.1 * height
          && stroke.box.height < 1.5 * height && stroke.box.width < 1.5 * height
      }
      guard isHead else { continue }
      let hasCompany = page.strokes.contains {
        $0.item != stroke.item && !result.contains($0.item)
          && $0.box.gap(to: stroke.box) < 0.8 * height
          && abs($0.meanY - stroke.meanY) < 0.8 * height && $0.box.height > 0.2 * height
      }
      if !hasCompany { result.insert(stroke.item) }
    }
    return result
  }

  private func isDrawn(_ stroke: StrokeMeasure, _ height: Double) -> Bool {
    let box = stroke.box
    let diagonal = (box.width * box.width + box.height * box.height).squareRoot()
    if box.width > Self.figure.width * height, box.height > Self.figure.height * height {
      return stroke.length < Self.winding * diagonal
    }
    guard stroke.length < Self.straight * diagonal else { return false }
    return diagonal > Self.ruler * height || box.height > Self.bar * height
  }
}

extension BoundingBox {
  /// The distance between two boxes; 0 where they touch.
  package func gap(to other: BoundingBox) -> Double {
    let dx = max(other.minX - maxX, minX - other.maxX, 0)
    let dy = max(other.minY - maxY, minY - other.maxY, 0)
    return (dx * dx + dy * dy).squareRoot()
  }
}
