import InkCore

/// The reading order of the strokes of a line: the order of writing, except that words and letters
/// that were written later are where they are read.
///
/// Marks (dots, bars, accents) stay in the order of writing. The feature pipeline moves them, as it
/// did when the models were trained. So do the digits of a number in a line from right to left: each
/// one is behind the one before.
struct ReadingOrder {
  private let strokes: [StrokeMeasure]
  private let height: Double
  /// True if numbers, and words of other scripts, run against the direction of the line.
  private let hasBackwardRuns: Bool

  // Distances are in heights of the line's larger strokes.

  /// An added stroke begins at least this far behind the pen.
  private static let back = 0.3
  /// The largest share of an added stroke's width that is over earlier ink.
  private static let overlap = 0.25
  /// Dots and bars are less tall.
  private static let flat = 0.2
  /// Accents are less tall, and end above the baseline.
  private static let small = 0.35
  /// Small letters end so near to the baseline.
  private static let onBaseline = 0.2
  /// The greatest distance between the digits of a number, and between words from left to right.
  private static let digitGap = 1.0
  /// The greatest overlap of two such digits.
  private static let digitOverlap = 0.4

  init(_ strokes: [StrokeMeasure], _ direction: WritingDirection) {
    self.strokes = strokes.sorted { $0.number < $1.number }
    height = PageInk.height(of: strokes)
    hasBackwardRuns = direction == .rightToLeft
  }

  /// Returns the items of the strokes. O(strokes²) if something was added, else O(strokes).
  func items() -> [Int] {
    var order: [StrokeMeasure] = []
    var index = 0
    var right = -Double.infinity
    while index < strokes.count {
      if !goesBackward(at: index), let run = addedRun(at: index, right: right, over: order) {
        let place = order.lastIndex { $0.box.midX <= run[0].box.midX }.map { $0 + 1 } ?? 0
        order.insert(contentsOf: run, at: place)
        index += run.count
      } else {
        order.append(strokes[index])
        right = max(right, strokes[index].box.maxX)
        index += 1
      }
    }
    return order.map(\.item)
  }

  /// True if a stroke is just behind the one that was written before it, as the next digit of a number
  /// is in a line from right to left.
  private func goesBackward(at index: Int) -> Bool {
    guard hasBackwardRuns, index > 0 else { return false }
    let (last, next) = (strokes[index - 1].box, strokes[index].box)
    let gap = last.minX - next.maxX
    return next.midX < last.midX && gap < Self.digitGap * height
      && gap > -Self.digitOverlap * height
  }

  /// Returns the letter or word that begins with a stroke and is free of the ink before, left of
  /// it. Nil if the stroke continues the line or is a mark.
  private func addedRun(
    at start: Int, right: Double, over order: [StrokeMeasure]
  ) -> [StrokeMeasure]? {
    guard isFree(strokes[start], right: right, over: order) else { return nil }
    var run = [strokes[start]]
    var box = strokes[start].box
    let limit = order.map(\.box.minX).filter { $0 > box.midX }.min() ?? .infinity
    for stroke in strokes[(start + 1)...] {
      guard stroke.box.midX < limit, stroke.box.midX > box.minX - height,
        stroke.box.maxX < right
      else { break }
      run.append(stroke)
      box.formUnion(stroke.box)
    }
    return run.contains { !isMark($0, beside: order) } ? run : nil
  }

  /// Whether a stroke is a dot, a bar or an accent: flat, or small and above the baseline.
  private func isMark(_ stroke: StrokeMeasure, beside order: [StrokeMeasure]) -> Bool {
    let box = stroke.box
    if box.height < Self.flat * height { return true }
    guard
      box.height < Self.small * height || box.height < 0.5 * height && box.width < 0.6 * height
    else { return false }
    return box.maxY < baseline(near: stroke, in: order) - Self.onBaseline * height
  }

  /// Where the nearest strokes end, as a rule.
  private func baseline(near stroke: StrokeMeasure, in order: [StrokeMeasure]) -> Double {
    let nearest = order.sorted {
      abs($0.box.midX - stroke.box.midX) < abs($1.box.midX - stroke.box.midX)
    }
    let ends = nearest.prefix(4).map(\.box.maxY).sorted()
    return ends.isEmpty ? stroke.box.maxY : ends[ends.count / 2]
  }

  /// Returns true if a stroke is behind the pen and not over earlier ink.
  private func isFree(
    _ stroke: StrokeMeasure, right: Double, over order: [StrokeMeasure]
  ) -> Bool {
    guard stroke.box.maxX < right - Self.back * height else { return false }
    let width = max(stroke.box.width, 0.1 * height)
    return order.allSatisfy { other in
      min(other.box.maxX, stroke.box.maxX) - max(other.box.minX, stroke.box.minX)
        < Self.overlap * width
    }
  }
}
