/// A smooth displacement of the plane: a sum of sine waves, for elastic distortion.
package struct ElasticField: Sendable {
  /// One wave: every point moves along (dx, dy) by the sine of its phase.
  package struct Wave: Hashable, Sendable {
    /// Displacement at the crest, in local units.
    package var dx, dy: Float
    /// Phase = kx * x + ky * y + phase, in radians.
    package var kx, ky, phase: Float
  }

  /// The waves that are added up.
  package var first, second, third: Wave

  /// Draws three waves of a quarter to three quarters of a period across the ink.
  ///
  /// - Parameter amplitude: root mean square displacement of a point, in local units.
  package init(amplitude: Float, using generator: inout SeededGenerator) {
    first = Wave(amplitude: amplitude, using: &generator)
    second = Wave(amplitude: amplitude, using: &generator)
    third = Wave(amplitude: amplitude, using: &generator)
  }
}

extension ElasticField.Wave {
  /// A random direction, frequency and phase.
  fileprivate init(amplitude: Float, using generator: inout SeededGenerator) {
    // Three waves, each with the mean square 1/2 of a sine, in two coordinates.
    let each = amplitude * 0.577_350_3
    let direction = generator.uniform(0...(2 * .pi))
    let frequency = generator.uniform(0.25...0.75) * 2 * .pi
    dx = each * generator.normal()
    dy = each * generator.normal()
    kx = frequency * cosine(direction)
    ky = frequency * sine(direction)
    phase = generator.uniform(0...(2 * .pi))
  }

  /// The sine of the phase at a point.
  @inline(__always)
  fileprivate func amount(_ x: Float, _ y: Float) -> Float { sine(kx * x + ky * y + phase) }
}

extension Trajectory {
  /// Maps every point by x' = a x + b y, y' = c x + d y. O(points).
  package mutating func apply(a: Float, b: Float, c: Float, d: Float) {
    for index in x.indices {
      let (px, py) = (x[index], y[index])
      x[index] = a * px + b * py
      y[index] = c * px + d * py
    }
  }

  /// Moves every point by the field's displacement at the point. O(points).
  package mutating func apply(_ field: ElasticField) {
    let (first, second, third) = (field.first, field.second, field.third)
    for index in x.indices {
      let (px, py) = (x[index], y[index])
      let one = first.amount(px, py)
      let two = second.amount(px, py)
      let three = third.amount(px, py)
      x[index] = px + first.dx * one + second.dx * two + third.dx * three
      y[index] = py + first.dy * one + second.dy * two + third.dy * three
    }
  }

  /// Moves the points of one stroke. O(its points).
  package mutating func shift(stroke index: Int, dx: Float, dy: Float) {
    for point in stroke(index) {
      x[point] += dx
      y[point] += dy
    }
  }

  /// Reverses the points of one stroke. Its times become missing, because they are no longer valid.
  /// O(its points).
  package mutating func reverse(stroke index: Int) {
    let range = stroke(index)
    x.reverse(range)
    y.reverse(range)
    for point in range { time[point] = .nan }
  }

  /// Exchanges two consecutive strokes in the writing order; their times become missing.
  /// O(their points).
  package mutating func exchangeStrokes(_ first: Int) {
    let left = stroke(first)
    let right = stroke(first + 1)
    rotate(&x, left, right)
    rotate(&y, left, right)
    for point in left.lowerBound..<right.upperBound { time[point] = .nan }
    strokeEnds[first] = left.lowerBound + right.count
  }

  private func rotate(_ values: inout [Float], _ left: Range<Int>, _ right: Range<Int>) {
    values.reverse(left)
    values.reverse(right)
    values.reverse(left.lowerBound..<right.upperBound)
  }

  /// Splits strokes of at least eight points at a point between their first and last quarter, each
  /// with the same probability. Probability 0 draws no random number. O(strokes).
  package mutating func interruptStrokes(
    probability: Float, using generator: inout SeededGenerator
  ) {
    guard probability > 0 else { return }
    for index in strokeEnds.indices.reversed() where generator.uniform() < probability {
      let range = stroke(index)
      guard range.count >= 8 else { continue }
      let quarter = range.count / 4
      let place = range.lowerBound + quarter + generator.index(below: range.count - 2 * quarter)
      strokeEnds.insert(place, at: index)
    }
  }

  /// Leaves the points of a slower or coarser device: removes those that follow the last kept point of their
  /// stroke by less than a gap along the path, except the last of the stroke, and rounds the others to a grid.
  /// O(points).
  ///
  /// - Parameters:
  ///   - gap: The least distance between points, in local units.
  ///   - step: The step of the grid, in local units; 0 for none.
  /// - Returns: The index that each kept point had.
  @discardableResult
  package mutating func coarsen(gap: Float, step: Float) -> [Int] {
    let ends = strokeEnds
    var kept: [Int] = []
    func rounded(_ place: Float) -> Float { step > 0 ? (place / step).rounded() * step : place }
    for index in strokeEnds.indices {
      let stroke = (index > 0 ? ends[index - 1] : 0)..<ends[index]
      var walked = gap
      for point in stroke {
        if point > stroke.lowerBound { walked += distance(point - 1, point) }
        guard walked >= gap || point == stroke.upperBound - 1 else { continue }
        walked = 0
        kept.append(point)
      }
      strokeEnds[index] = kept.count
    }
    for (place, point) in kept.enumerated() {
      (x[place], y[place], time[place]) = (rounded(x[point]), rounded(y[point]), time[point])
    }
    let removed = count - kept.count
    x.removeLast(removed)
    y.removeLast(removed)
    time.removeLast(removed)
    return kept
  }
}

extension [Float] {
  /// Reverses a part in place. Slicing the array would copy it.
  fileprivate mutating func reverse(_ range: Range<Int>) {
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}

/// Computes sin by range reduction and a degree-7 polynomial, with an absolute error below 2e-4. It
/// is fast and the same on every platform; distortion needs no more accuracy.
package func sine(_ angle: Float) -> Float {
  let turns = (angle * 0.159_154_94).rounded()
  var r = angle - turns * 6.283_185_5
  if r > .pi / 2 { r = .pi - r } else if r < -.pi / 2 { r = -.pi - r }
  let square = r * r
  return r * (1 + square * (-0.166_666_57 + square * (0.008_332_977 - square * 0.000_195_152_96)))
}

/// Computes cos from `sine`.
func cosine(_ angle: Float) -> Float { sine(angle + .pi / 2) }
