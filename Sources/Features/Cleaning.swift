import InkCore

// Cleaning works in the trajectory's frame, in which the larger side of the loaded ink is 1. A step
// that changes the number of points writes into another trajectory, whose memory is reused.

extension Trajectory {
  /// Copies the points except those closer than `distance` to the last kept point of their stroke.
  /// The first point of each stroke is kept. O(points).
  package func removeDuplicates(distance: Float, into target: inout Trajectory) {
    let limit = distance * distance
    copyPoints(into: &target) { point, range, last in
      guard let last else { return true }
      let dx = x[point] - x[last]
      let dy = y[point] - y[last]
      return dx * dx + dy * dy > limit
    }
  }

  /// Copies the points except single ones that jump out and back. Both segments of such a point are
  /// longer than `leg`, or than ``spikeLeg`` if that is less, and their ends are closer together
  /// than a quarter of the shorter segment. O(points).
  package func removeSpikes(leg: Float, into target: inout Trajectory) {
    let leg = min(leg, spikeLeg)
    copyPoints(into: &target) { point, range, _ in !isSpike(point, of: range, leg: leg) }
  }

  /// Returns whether a point of a stroke jumps out and back from its neighbours.
  func isSpike(_ point: Int, of stroke: Range<Int>, leg: Float) -> Bool {
    guard point > stroke.lowerBound, point + 1 < stroke.upperBound else { return false }
    let shorter = min(distance(point - 1, point), distance(point, point + 1))
    return shorter > leg && distance(point - 1, point + 1) < 0.25 * shorter
  }

  /// The distance from both neighbours above which a point does not come from the pen: eight times
  /// the median distance between neighbours, to within a factor of 1.5. O(points).
  package var spikeLeg: Float {
    // Two buckets for each power of two.
    let (lowest, count) = (-40, 128)
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { buckets in
      buckets.initialize(repeating: 0)
      var steps: Int32 = 0
      for stroke in strokeEnds.indices {
        for point in self.stroke(stroke).dropFirst() {
          let step = distance(point - 1, point)
          guard step.isNormal else { continue }
          let half = step.significand >= 1.5 ? 1 : 0
          buckets[min(max(2 * (Int(step.exponent) - lowest) + half, 0), count - 1)] += 1
          steps += 1
        }
      }
      guard steps > 0 else { return .infinity }
      var (bucket, below) = (0, buckets[0])
      while 2 * below < steps {
        bucket += 1
        below += buckets[bucket]
      }
      let power = Float(sign: .plus, exponent: Float.Exponent(bucket / 2 + lowest), significand: 1)
      return 8 * power * (bucket.isMultiple(of: 2) ? 1.25 : 1.75)
    }
  }

  /// Lengths as shares of the ink's larger side: the mean segment length above which ink is little
  /// more than corners, and the longest segment after division.
  private static let (cornerSegment, longestSegment): (Float, Float) = (0.25, 0.125)

  /// Copies the points. If the ink is little more than corners, long segments are divided, so that
  /// smoothing keeps the corners. O(points).
  func divideLongSegments(into target: inout Trajectory) {
    target.removeAll()
    let side = bounds.map { max($0.maxX - $0.minX, $0.maxY - $0.minY) } ?? 0
    let segments = Float(count - strokeEnds.count)
    let isCorners = pathLength > Self.cornerSegment * side * segments
    let limit = isCorners ? Self.longestSegment * side : 0
    for stroke in strokeEnds.indices {
      let range = self.stroke(stroke)
      target.append(x: x[range.lowerBound], y: y[range.lowerBound], time: time[range.lowerBound])
      for point in range.dropFirst() {
        // No segment is longer than the diagonal of the box.
        let pieces = limit > 0 ? Int(min(12, (distance(point - 1, point) / limit).rounded(.up))) : 1
        for piece in 1..<max(1, pieces) {
          let part = Float(piece) / Float(pieces)
          target.append(
            x: x[point - 1] + part * (x[point] - x[point - 1]),
            y: y[point - 1] + part * (y[point] - y[point - 1]),
            time: time[point - 1] + part * (time[point] - time[point - 1]))
        }
        target.append(x: x[point], y: y[point], time: time[point])
      }
      target.endStroke()
    }
  }

  /// Replaces each inner point by (previous + 2 itself + next) / 4, `passes` times. O(points).
  package mutating func smooth(passes: Int) {
    for _ in 0..<passes {
      for stroke in strokeEnds.indices {
        let range = self.stroke(stroke)
        guard range.count > 2 else { continue }
        var beforeX = x[range.lowerBound]
        var beforeY = y[range.lowerBound]
        for point in (range.lowerBound + 1)..<(range.upperBound - 1) {
          let (hereX, hereY) = (x[point], y[point])
          x[point] = (beforeX + 2 * hereX + x[point + 1]) / 4
          y[point] = (beforeY + 2 * hereY + y[point + 1]) / 4
          (beforeX, beforeY) = (hereX, hereY)
        }
      }
    }
  }

  /// Shears the ink upright. The slant is the mean of dx against dy over the steps that go down
  /// rather than across, weighted by their length. O(points).
  ///
  /// - Parameter limit: the largest shear, as dx per dy.
  package mutating func removeSlant(limit: Float) {
    var across: Float = 0
    var down: Float = 0
    for stroke in strokeEnds.indices {
      for point in self.stroke(stroke).dropFirst() {
        let dx = x[point] - x[point - 1]
        let dy = y[point] - y[point - 1]
        guard abs(dy) > abs(dx) else { continue }
        across += dy > 0 ? dx : -dx
        down += abs(dy)
      }
    }
    guard down > 0 else { return }
    let shear = max(-limit, min(limit, across / down))
    apply(a: 1, b: -shear, c: 0, d: 1)
  }

  /// Copies the points that `keep` accepts. It gets a point, the range of its stroke, and the last
  /// kept point of that stroke.
  private func copyPoints(
    into target: inout Trajectory, keep: (_ point: Int, _ range: Range<Int>, _ last: Int?) -> Bool
  ) {
    target.removeAll()
    for stroke in strokeEnds.indices {
      let range = self.stroke(stroke)
      var last: Int?
      for point in range where keep(point, range, last) {
        target.append(x: x[point], y: y[point], time: time[point])
        last = point
      }
      target.endStroke()
    }
  }
}
