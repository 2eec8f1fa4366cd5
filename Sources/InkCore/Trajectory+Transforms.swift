/// A smooth displacement of the plane: a sum of sine waves, for elastic distortion.
public struct ElasticField: Sendable {
  /// One wave: every point moves along (dx, dy) by the sine of its phase.
  public struct Wave: Hashable, Sendable {
    /// Displacement at the crest, in local units.
    public var dx, dy: Float
    /// Phase = kx * x + ky * y + phase, in radians.
    public var kx, ky, phase: Float
  }

  /// The waves that are added up.
  public var waves: [Wave]

  /// Draws `count` waves of 0.5 to 1.5 periods across the ink.
  ///
  /// - Parameter amplitude: root mean square displacement of a point, in local units.
  public init(amplitude: Float, count: Int = 3, using generator: inout SeededGenerator) {
    let each = amplitude / Float(count).squareRoot()
    waves = (0..<count).map { _ in
      let direction = generator.uniform(0...(2 * .pi))
      let frequency = generator.uniform(0.5...1.5) * 2 * .pi
      return Wave(
        dx: each * generator.normal(), dy: each * generator.normal(),
        kx: frequency * cosine(direction), ky: frequency * sine(direction),
        phase: generator.uniform(0...(2 * .pi)))
    }
  }
}

extension Trajectory {
  /// Maps every point by x' = a x + b y, y' = c x + d y. O(points).
  public mutating func apply(a: Float, b: Float, c: Float, d: Float) {
    for index in x.indices {
      let (px, py) = (x[index], y[index])
      x[index] = a * px + b * py
      y[index] = c * px + d * py
    }
  }

  /// Moves every point by the field's displacement there. O(points x waves).
  public mutating func apply(_ field: ElasticField) {
    for index in x.indices {
      let (px, py) = (x[index], y[index])
      var dx: Float = 0
      var dy: Float = 0
      for wave in field.waves {
        let amount = sine(wave.kx * px + wave.ky * py + wave.phase)
        dx += wave.dx * amount
        dy += wave.dy * amount
      }
      x[index] = px + dx
      y[index] = py + dy
    }
  }

  /// Moves the points of one stroke. O(its points).
  public mutating func shift(stroke index: Int, dx: Float, dy: Float) {
    for point in stroke(index) {
      x[point] += dx
      y[point] += dy
    }
  }

  /// Draws one stroke from its end to its start; its times no longer hold and become missing.
  /// O(its points).
  public mutating func reverse(stroke index: Int) {
    let range = stroke(index)
    x[range].reverse()
    y[range].reverse()
    for point in range { time[point] = .nan }
  }

  /// Exchanges two consecutive strokes in the writing order; their times become missing.
  /// O(their points).
  public mutating func exchangeStrokes(_ first: Int) {
    let left = stroke(first)
    let right = stroke(first + 1)
    rotate(&x, left, right)
    rotate(&y, left, right)
    for point in left.lowerBound..<right.upperBound { time[point] = .nan }
    strokeEnds[first] = left.lowerBound + right.count
  }

  private func rotate(_ values: inout [Float], _ left: Range<Int>, _ right: Range<Int>) {
    values[left].reverse()
    values[right].reverse()
    values[left.lowerBound..<right.upperBound].reverse()
  }
}

/// sin by range reduction and a degree-7 polynomial, absolute error below 2e-4: fast
/// and the same on every platform, which distortion needs more than accuracy.
func sine(_ angle: Float) -> Float {
  let turns = (angle * 0.159_154_94).rounded()
  var r = angle - turns * 6.283_185_5
  if r > .pi / 2 { r = .pi - r } else if r < -.pi / 2 { r = -.pi - r }
  let square = r * r
  return r * (1 + square * (-0.166_666_57 + square * (0.008_332_977 - square * 0.000_195_152_96)))
}

/// cos by `sine`.
func cosine(_ angle: Float) -> Float { sine(angle + .pi / 2) }
