import InkCore

// In which order the strokes of a line are read where some were added later: forgotten dots, bars
// that waited for the end of the line. A network that has learned from what people write at once
// looks for them near their words.

extension Trajectory {
  /// Puts strokes that are late, and the indices of their points, behind the strokes that begin left
  /// of them. O(points), and O(strokes) more for each late stroke.
  ///
  /// - Returns: For each stroke where it stood, or nil where none has moved.
  package mutating func placeLateStrokes(sources: inout [Int32]) -> [Int]? {
    guard let order = strokeOrder() else { return nil }
    let (line, lineSources) = (self, sources)
    removeAll()
    sources.removeAll(keepingCapacity: true)
    for stroke in order {
      for point in line.stroke(stroke) {
        append(x: line.x[point], y: line.y[point], time: line.time[point])
        sources.append(lineSources[point])
      }
      endStroke()
    }
    return order
  }

  /// The strokes in the order that they are read, or nil where none is late.
  private func strokeOrder() -> [Int]? {
    var pen = PenProgress()
    guard strokeEnds.indices.contains(where: { pen.isLate(box(of: $0)) }) else { return nil }
    pen = PenProgress()
    var order: [Int] = []
    var lefts: [Float] = []
    for stroke in strokeEnds.indices {
      let box = box(of: stroke)
      lefts.append(box.minX)
      if pen.isLate(box) {
        let center = (box.minX + box.maxX) / 2
        order.insert(stroke, at: order.lastIndex { lefts[$0] <= center }.map { $0 + 1 } ?? 0)
      } else {
        order.append(stroke)
      }
    }
    return order
  }

  private func box(of stroke: Int) -> StrokeBox {
    let range = self.stroke(stroke)
    var box: StrokeBox = (
      x[range.lowerBound], y[range.lowerBound], x[range.lowerBound], y[range.lowerBound]
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

private typealias StrokeBox = (minX: Float, minY: Float, maxX: Float, maxY: Float)

/// How far the pen has come along a line, stroke by stroke, in line heights.
private struct PenProgress {
  /// A stroke is late where the pen is so much farther right: a word ends sooner.
  private static let distance: Float = 6
  /// Dots, commas, bars and hyphens are no larger.
  private static let (width, height): (Float, Float) = (0.6, 0.3)

  private var right = -Float.infinity

  /// Goes on to the next stroke, and says whether it belongs to what was written long before.
  mutating func isLate(_ box: StrokeBox) -> Bool {
    let isBehind = (box.minX + box.maxX) / 2 < right - Self.distance
    if isBehind, box.maxX - box.minX < Self.width, box.maxY - box.minY < Self.height { return true }
    // What is no dot begins again at the left: another line, or a word put in.
    right = isBehind ? box.maxX : max(right, box.maxX)
    return false
  }
}
