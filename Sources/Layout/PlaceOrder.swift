import InkCore

/// The order of the strokes of a line by their places alone: from left to right, with marks after the
/// letters that they belong to.
struct PlaceOrder {
  private let strokes: [StrokeMeasure]

  // All distances are in heights of the line's larger strokes.

  /// Bars, dots and accents are lower.
  private static let mark = 0.3
  /// Letters that marks belong to are taller.
  private static let letter = 0.3

  init(_ strokes: [StrokeMeasure]) {
    self.strokes = strokes
  }

  /// Returns the items of the strokes. O(strokes log strokes + marks · strokes).
  func items() -> [Int] {
    let height = PageInk.height(of: strokes)
    let sorted = strokes.sorted {
      ($0.box.midX, $0.box.minX, $0.item) < ($1.box.midX, $1.box.minX, $1.item)
    }
    let letters = sorted.filter { $0.box.height > Self.letter * height }
    var order: [StrokeMeasure] = []
    var marks: [StrokeMeasure] = []
    for stroke in sorted {
      let x = stroke.box.midX
      let isMark =
        stroke.box.height < Self.mark * height
        && letters.contains { $0.box.minX <= x && x <= $0.box.maxX }
      if isMark { marks.append(stroke) } else { order.append(stroke) }
    }
    for mark in marks {
      let place = order.lastIndex { $0.box.minX <= mark.box.midX }.map { $0 + 1 } ?? 0
      order.insert(mark, at: place)
    }
    return order.map(\.item)
  }
}
