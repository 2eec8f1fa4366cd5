import InkCore

// Puts the strokes of a line into reading order if some were added later, such as forgotten dots,
// or bars that were written at the end of the line. A network that was trained on strokes in the
// usual order expects them near their words.

extension Trajectory {
  /// Moves late strokes, and the indices of their points, after the strokes that begin left of
  /// them. O(points), plus O(strokes) for each late stroke.
  ///
  /// - Returns: The previous place of each stroke, or nil if none has moved.
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

  /// Returns the strokes in reading order, or nil if none is late.
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

/// The progress of the pen along a line, stroke by stroke, in line heights.
private struct PenProgress {
  /// A stroke is late if the pen is farther right by this distance. Words are usually shorter.
  private static let distance: Float = 6
  /// The largest size of dots, commas, bars and hyphens.
  private static let (width, height): (Float, Float) = (0.6, 0.3)

  private var right = -Float.infinity

  /// Advances to the next stroke, and returns true if it belongs to writing from long before.
  mutating func isLate(_ box: StrokeBox) -> Bool {
    let isBehind = (box.minX + box.maxX) / 2 < right - Self.distance
    if isBehind, box.maxX - box.minX < Self.width, box.maxY - box.minY < Self.height { return true }
    // A larger stroke starts again at the left: another line, or an inserted word.
    right = isBehind ? box.maxX : max(right, box.maxX)
    return false
  }
}
