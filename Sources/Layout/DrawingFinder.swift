import InkCore

/// Finds strokes that are not writing: large figures, frames, long straight lines, and the heads of
/// arrows.
struct DrawingFinder {
  private let page: PageInk
  /// True if the strokes are in the order of writing.
  private let isOrdered: Bool

  // All sizes are in heights of the writing. They were chosen by hand on pages of forms with shapes
  // between their lines.

  /// The least width and height of a figure.
  private static let figure = (width: 2.5, height: 3.2)
  /// The greatest length of a figure's path, in diagonals of its box; joined letters wind more.
  private static let winding = 3.2
  /// The least length of a straight line that is not part of a letter.
  private static let ruler = 7.0
  /// The greatest length of a straight path, as a multiple of the distance between its ends.
  private static let straight = 1.08
  /// The least height of an upright bar.
  private static let bar = 4.0
  /// The least number of strokes of a page from which the height of the writing is certain.
  private static let certain = 6

  init(_ page: PageInk, isOrdered: Bool = true) {
    self.page = page
    self.isOrdered = isOrdered
  }

  /// Returns the indices of the strokes that are drawn. O(strokes), plus O(strokes) for each drawn
  /// stroke.
  func drawing() -> Set<Int> {
    guard page.strokes.count >= Self.certain else { return [] }
    let height = page.height
    let drawn = page.strokes.filter { isDrawn($0, height) }
    guard !drawn.isEmpty, drawn.count < page.strokes.count else { return [] }
    var result = Set(drawn.map(\.item))
    // A stroke without neighbours that touches the end of a figure belongs to it, like the head of
    // an arrow.
    for stroke in page.strokes where !result.contains(stroke.item) {
      let isHead = drawn.contains {
        (!isOrdered || abs($0.number - stroke.number) <= 2)
          && $0.box.gap(to: stroke.box) < 0.1 * height
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
  /// Returns the distance between two boxes; 0 if they touch.
  package func gap(to other: BoundingBox) -> Double {
    let dx = max(other.minX - maxX, minX - other.maxX, 0)
    let dy = max(other.minY - maxY, minY - other.maxY, 0)
    return (dx * dx + dy * dy).squareRoot()
  }
}
