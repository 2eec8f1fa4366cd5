import InkCore

extension Trajectory {
  /// Length of the pen-down path. O(points).
  package var pathLength: Float {
    var length: Float = 0
    for stroke in strokeEnds.indices {
      for point in self.stroke(stroke).dropFirst() { length += distance(point - 1, point) }
    }
    return length
  }

  /// Places points every `spacing` along each stroke, including its first and last point. Widens
  /// the spacing if there would be more than `limit` points. O(points in and out).
  package func resample(spacing: Float, limit: Int, into target: inout Trajectory) {
    let length = pathLength
    let room = Float(max(1, limit - 2 * strokeEnds.count))
    let step = max(spacing, length / room)
    target.removeAll()
    for stroke in strokeEnds.indices where target.count < limit {
      let range = self.stroke(stroke)
      let strokeLength = range.dropFirst().reduce(0) { $0 + distance($1 - 1, $1) }
      let intervals = step > 0 ? Int((strokeLength / step).rounded(.up)) : 0
      place(points: min(intervals + 1, limit - target.count), along: range, strokeLength, &target)
      target.endStroke()
    }
  }

  /// Places points every `interval` milliseconds of each stroke, including its first and last
  /// point; at most `limit` points. A stroke without increasing times is resampled by distance to
  /// its previous number of points. O(points in and out).
  package func resample(interval: Float, limit: Int, into target: inout Trajectory) {
    target.removeAll()
    for stroke in strokeEnds.indices where target.count < limit {
      let range = self.stroke(stroke)
      let duration = time[range.upperBound - 1] - time[range.lowerBound]
      let isOrdered = range.dropFirst().allSatisfy { time[$0] >= time[$0 - 1] }
      let room = limit - target.count
      if isOrdered, duration > 0 {
        let points = min(room, Int(min(duration / interval, 1e6).rounded(.up)) + 1)
        placeByTime(points: points, in: range, duration, &target)
      } else {
        let length = range.dropFirst().reduce(0) { $0 + distance($1 - 1, $1) }
        place(points: min(range.count, room), along: range, length, &target)
      }
      target.endStroke()
    }
  }

  /// Places exactly `total` points at equal distances along the strokes. Each stroke gets one
  /// point; the others are shared out by length. If there are more strokes than `total`, the
  /// shortest are dropped. O(points + strokes log strokes).
  package func resample(total: Int, into target: inout Trajectory, scratch: inout ResamplingScratch)
  {
    target.removeAll()
    scratch.measure(self)
    scratch.share(total: total)
    for stroke in strokeEnds.indices where scratch.shares[stroke] > 0 {
      place(
        points: scratch.shares[stroke], along: self.stroke(stroke), scratch.lengths[stroke],
        &target)
      target.endStroke()
    }
  }

  /// Appends `points` points at equal distances from the first to the last of `range`.
  private func place(
    points: Int, along range: Range<Int>, _ length: Float, _ target: inout Trajectory
  ) {
    let first = range.lowerBound
    if points == 1 || range.count == 1 || !(length > 0) {
      for _ in 0..<points { target.append(x: x[first], y: y[first], time: time[first]) }
      return
    }
    let step = length / Float(points - 1)
    var segment = first + 1
    var segmentStart: Float = 0
    var segmentLength = distance(first, segment)
    for index in 0..<(points - 1) {
      let position = step * Float(index)
      while segmentStart + segmentLength < position, segment + 1 < range.upperBound {
        segmentStart += segmentLength
        segment += 1
        segmentLength = distance(segment - 1, segment)
      }
      let part = segmentLength > 0 ? min(1, (position - segmentStart) / segmentLength) : 0
      appendPoint(between: segment - 1, segment, part, &target)
    }
    appendPoint(between: range.upperBound - 2, range.upperBound - 1, 1, &target)
  }

  private func placeByTime(
    points: Int, in range: Range<Int>, _ duration: Float, _ target: inout Trajectory
  ) {
    let start = time[range.lowerBound]
    var segment = range.lowerBound + 1
    for index in 0..<points {
      let moment =
        points > 1 ? start + duration * Float(index) / Float(points - 1) : start
      while time[segment] < moment, segment + 1 < range.upperBound { segment += 1 }
      let span = time[segment] - time[segment - 1]
      let part = span > 0 ? max(0, min(1, (moment - time[segment - 1]) / span)) : 1
      appendPoint(between: segment - 1, segment, part, &target)
    }
  }

  private func appendPoint(
    between first: Int, _ second: Int, _ part: Float, _ target: inout Trajectory
  ) {
    target.append(
      x: x[first] + part * (x[second] - x[first]), y: y[first] + part * (y[second] - y[first]),
      time: time[first] + part * (time[second] - time[first]))
  }
}

/// Memory for sharing points among strokes, reused between inks.
package struct ResamplingScratch: Sendable {
  package init() {}

  /// Length of each stroke.
  private(set) var lengths: [Float] = []
  /// The number of points of each stroke; 0 for a dropped one.
  private(set) var shares: [Int] = []
  private var order: [Int] = []

  mutating func measure(_ trajectory: Trajectory) {
    lengths.removeAll(keepingCapacity: true)
    for stroke in trajectory.strokeEnds.indices {
      var length: Float = 0
      for point in trajectory.stroke(stroke).dropFirst() {
        length += trajectory.distance(point - 1, point)
      }
      lengths.append(length)
    }
  }

  /// Gives one point to each stroke and the others by length, rounding up the largest remainders.
  /// The earlier stroke wins ties.
  mutating func share(total: Int) {
    shares.removeAll(keepingCapacity: true)
    let strokes = lengths.count
    guard strokes > 0 else { return }
    if strokes > total {
      keepLongest(total)
      return
    }
    let length = lengths.reduce(0, +)
    let spare = total - strokes
    guard length > 0 else {
      for stroke in 0..<strokes { shares.append(stroke == 0 ? 1 + spare : 1) }
      return
    }
    var left = spare
    for stroke in 0..<strokes {
      let part = Int(Float(spare) * (lengths[stroke] / length))
      shares.append(1 + min(part, left))
      left -= min(part, left)
    }
    while left > 0 {
      var neediest = 0
      var need = -Float.infinity
      for stroke in 0..<strokes {
        let gap = Float(spare) * (lengths[stroke] / length) - Float(shares[stroke] - 1)
        if gap > need { (neediest, need) = (stroke, gap) }
      }
      shares[neediest] += 1
      left -= 1
    }
  }

  private mutating func keepLongest(_ total: Int) {
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: lengths.indices)
    order.sort { (lengths[$1], $0) < (lengths[$0], $1) }
    shares.append(contentsOf: repeatElement(0, count: lengths.count))
    for stroke in order.prefix(total) { shares[stroke] = 1 }
  }
}
