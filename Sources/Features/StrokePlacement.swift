import InkCore

/// In which order the strokes of a line are read where some were added later: forgotten dots, bars
/// that waited for the end of the line. A network that has learned from what people write at once
/// looks for them near their words.
struct StrokePlacement: Sendable {
  /// Strokes in the order that they are read.
  private var order: [Int] = []
  /// Left edges of the strokes.
  private var lefts: [Float] = []
  private var spare = Trajectory()
  private var spareSources: [Int32] = []

  /// A stroke is late where the pen is so much farther right, in line heights: a word ends sooner.
  private static let distance: Float = 6
  /// Dots, commas, bars and hyphens are no larger, in line heights.
  private static let (width, height): (Float, Float) = (0.6, 0.3)

  /// Orders the strokes; O(points).
  ///
  /// - Returns: Whether some stroke is not where it was.
  private mutating func order(_ line: Trajectory) -> Bool {
    order.removeAll(keepingCapacity: true)
    lefts.removeAll(keepingCapacity: true)
    var right = -Float.infinity
    var isChanged = false
    for stroke in line.strokeEnds.indices {
      let box = line.box(of: stroke)
      let center = (box.minX + box.maxX) / 2
      let isBehind = center < right - Self.distance
      lefts.append(box.minX)
      guard isBehind, box.maxX - box.minX < Self.width, box.maxY - box.minY < Self.height else {
        // What is no dot begins again at the left: another line, or a word put in.
        right = isBehind ? box.maxX : max(right, box.maxX)
        order.append(stroke)
        continue
      }
      let place = order.lastIndex { lefts[$0] <= center }.map { $0 + 1 } ?? 0
      isChanged = isChanged || place < order.count
      order.insert(stroke, at: place)
    }
    return isChanged
  }

  /// Puts late strokes where they belong. O(points).
  mutating func apply(to line: inout Trajectory, sources: inout [Int32]) {
    guard order(line) else { return }
    line.copy(into: &spare)
    swap(&sources, &spareSources)
    line.removeAll()
    sources.removeAll(keepingCapacity: true)
    for stroke in order {
      for point in spare.stroke(stroke) {
        line.append(x: spare.x[point], y: spare.y[point], time: spare.time[point])
        sources.append(spareSources[point])
      }
      line.endStroke()
    }
  }
}

extension Trajectory {
  /// The box of a stroke.
  fileprivate func box(of stroke: Int) -> (minX: Float, minY: Float, maxX: Float, maxY: Float) {
    let range = self.stroke(stroke)
    var box = (
      minX: x[range.lowerBound], minY: y[range.lowerBound], maxX: x[range.lowerBound],
      maxY: y[range.lowerBound]
    )
    for point in range.dropFirst() {
      box.minX = min(box.minX, x[point])
      box.maxX = max(box.maxX, x[point])
      box.minY = min(box.minY, y[point])
      box.maxY = max(box.maxY, y[point])
    }
    return box
  }
}
