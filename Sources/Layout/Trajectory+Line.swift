import InkCore

// Measures the slope and the height of a line of writing along its path.

extension Trajectory {
  /// Returns the slope, dy per dx, of the straight line that fits the path best; 0 for ink that is
  /// not at least twice as wide as tall. O(points).
  package func slope(
    of box: (minX: Float, minY: Float, maxX: Float, maxY: Float)
  ) -> Float {
    let width = box.maxX - box.minX
    guard width > 2 * (box.maxY - box.minY), width > 0 else { return 0 }
    var (length, sumX, sumY, sumXX, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    forEachSegment { x, y, dx, dy, weight in
      let (px, py) = (Double(x - box.minX), Double(y - box.minY))
      length += weight
      sumX += weight * px
      sumY += weight * py
      sumXX += weight * (px * px + dx * dx / 12)
      sumXY += weight * (px * py + dx * dy / 12)
    }
    let spread = length * sumXX - sumX * sumX
    guard spread > 0 else { return 0 }
    // Steeper directions are not the slope of a line of writing.
    return Float(min(0.3, max(-0.3, (length * sumXY - sumX * sumY) / spread)))
  }

  /// Returns the mean and standard deviation of y - slope (x - centre) along the path. O(points).
  package func heightMoments(slope: Float) -> (mean: Float, deviation: Float) {
    guard let box = bounds else { return (0, 0) }
    let centerX = (box.minX + box.maxX) / 2
    var (length, sum, squares) = (0.0, 0.0, 0.0)
    forEachSegment { x, y, dx, dy, weight in
      let height = Double(y - slope * (x - centerX))
      let rise = dy - Double(slope) * dx
      length += weight
      sum += weight * height
      squares += weight * (height * height + rise * rise / 12)
    }
    guard length > 0 else { return ((box.minY + box.maxY) / 2, 0) }
    let mean = sum / length
    return (Float(mean), Float(max(0, squares / length - mean * mean).squareRoot()))
  }

  /// Calls `body` with the middle, the extent and the length of every pen-down segment. The mean
  /// square of a coordinate along a segment is the square of its middle plus 1/12 of the square of
  /// its extent, which does not depend on the number of points.
  private func forEachSegment(
    _ body: (_ x: Float, _ y: Float, _ dx: Double, _ dy: Double, _ length: Double) -> Void
  ) {
    for stroke in strokeEnds.indices {
      for point in self.stroke(stroke).dropFirst() {
        body(
          (x[point] + x[point - 1]) / 2, (y[point] + y[point - 1]) / 2,
          Double(x[point] - x[point - 1]), Double(y[point] - y[point - 1]),
          Double(distance(point - 1, point)))
      }
    }
  }
}
