import InkCore

/// The order in which the strokes of a line are read: that of writing, except that words and letters
/// that were written later stand where they are.
///
/// Marks (dots, bars, accents) keep their place in time: features place those, as they did when the
/// models were trained.
struct ReadingOrder {
  private let strokes: [StrokeMeasure]
  private let height: Double

  // Distances are in heights of the line's larger strokes.

  /// The pen is so far behind where a stroke begins something that was added.
  private static let back = 0.3
  /// What was added stands free: so much of its width, at most, lies over ink that was there.
  private static let overlap = 0.25

  init(_ strokes: [StrokeMeasure]) {
    self.strokes = strokes.sorted { $0.number < $1.number }
    height = PageInk.height(of: strokes)
  }

  /// A letter or word: strokes written one after another.
  private struct Run {
    var strokes: [StrokeMeasure]
    var box: BoundingBox
  }

  /// The items of the strokes. O(strokes²) where something was added, else O(strokes).
  func items() -> [Int] {
    var order: [StrokeMeasure] = []
    var index = 0
    var right = -Double.infinity
    while index < strokes.count {
      let stroke = strokes[index]
      guard isAdded(stroke, right: right, over: order) else {
        order.append(stroke)
        right = max(right, stroke.box.maxX)
        index += 1
        continue
      }
      // What follows in the same gap was added with it.
      var run = Run(strokes: [stroke], box: stroke.box)
      let limit = order.map(\.box.minX).filter { $0 > stroke.box.midX }.min() ?? .infinity
      index += 1
      while index < strokes.count, strokes[index].box.midX < limit,
        strokes[index].box.midX > run.box.minX - height, run.box.maxX < right
      {
        run.strokes.append(strokes[index])
        run.box.formUnion(strokes[index].box)
        index += 1
      }
      let place = order.lastIndex { $0.box.midX <= stroke.box.midX }.map { $0 + 1 } ?? 0
      order.insert(contentsOf: run.strokes, at: place)
    }
    return order.map(\.item)
  }

  /// Whether a stroke begins something that stands free, left of ink that was there.
  private func isAdded(
    _ stroke: StrokeMeasure, right: Double, over order: [StrokeMeasure]
  ) -> Bool {
    guard stroke.box.maxX < right - Self.back * height else { return false }
    // A dot, a bar, an accent.
    let isMark =
      stroke.box.height < 0.35 * height
      || stroke.box.height < 0.5 * height && stroke.box.width < 0.6 * height
    guard !isMark else { return false }
    var covered = 0.0
    let width = max(stroke.box.width, 0.1 * height)
    for other in order {
      covered = max(
        covered,
        min(other.box.maxX, stroke.box.maxX) - max(other.box.minX, stroke.box.minX))
    }
    return covered < Self.overlap * width
  }
}
