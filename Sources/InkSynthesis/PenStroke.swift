import Foundation
import InkCore

/// The movements of one stroke, overlapping in time.
///
/// The pen's position is the sum of all movements up to a time. Overlap rounds the corner between
/// two movements, as in the sigma-lognormal model.
package struct PenStroke: Sendable {
  /// The point where the pen touches the surface.
  let start: Knot
  /// The movements, in the order of their onsets.
  package let arcs: [PenArc]

  /// The manner in which a writer moves along knots.
  package struct Manner: Hashable, Sendable {
    /// Seconds that a movement over 40 units takes.
    var tempo: Double
    /// Asymmetry of the pulses, above 0 and below 1.
    var asymmetry: Double
    /// Share of a movement that the next one overlaps at a smooth knot, 0 ..< 1.
    var smoothOverlap: Double
    /// Share of a movement that the next one overlaps at a corner, 0 ..< 1.
    package var cornerOverlap: Double
    /// Standard deviation of the logarithm of each movement's duration.
    var timeNoise: Double
    /// Standard deviation of each movement's turn, as a share of the turn.
    var turnNoise: Double

    package init(
      tempo: Double, asymmetry: Double, smoothOverlap: Double, cornerOverlap: Double,
      timeNoise: Double, turnNoise: Double
    ) {
      self.tempo = tempo
      self.asymmetry = asymmetry
      self.smoothOverlap = smoothOverlap
      self.cornerOverlap = cornerOverlap
      self.timeNoise = timeNoise
      self.turnNoise = turnNoise
    }
  }

  /// Plans the movements through knots.
  package init(
    knots: [Knot], manner: Manner, using generator: inout SeededGenerator
  ) {
    start = knots.first ?? Knot(0, 0)
    var arcs: [PenArc] = []
    arcs.reserveCapacity(knots.count)
    var onset = 0.0
    let turns = Self.turns(through: knots)
    for index in 1..<max(1, knots.count) {
      let (from, to) = (knots[index - 1], knots[index])
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let length = (dx * dx + dy * dy).squareRoot()
      // Longer movements are faster: their duration grows much less than their length.
      let duration =
        manner.tempo * pow(max(length, 2) / 40, 0.4) * exp(generator.normal(manner.timeNoise))
      let pulse = LognormalPulse(asymmetry: manner.asymmetry, duration: duration)
      let turn = turns[index - 1] * (1 + generator.normal(manner.turnNoise))
      arcs.append(PenArc(onset: onset, pulse: pulse, chordX: dx, chordY: dy, turn: turn))
      let overlap = to.isCorner ? manner.cornerOverlap : manner.smoothOverlap
      onset += duration * (1 - overlap)
    }
    self.arcs = arcs
  }

  /// Seconds from touching to leaving the surface.
  package var duration: Double { arcs.reduce(0) { max($0, $1.end) } }

  /// Returns the pen's position at each multiple of `step` seconds up to the end, and the planned
  /// movement at that time. O(points · movements).
  ///
  /// Overlapping movements blend. In the plan, the first half of the overlap belongs to the earlier
  /// movement, the second half to the later one.
  package func positions(
    every step: Double
  ) -> [(time: Double, x: Double, y: Double, movement: Int)] {
    let duration = duration
    let count = max(2, Int(duration / step) + 1)
    var result: [(time: Double, x: Double, y: Double, movement: Int)] = []
    result.reserveCapacity(count)
    var (first, movement) = (0, 0)
    var (x, y) = (start.x, start.y)
    for index in 0..<count {
      let time = index == count - 1 ? duration : Double(index) * step
      while first < arcs.count, arcs[first].end <= time {
        x += arcs[first].chordX
        y += arcs[first].chordY
        first += 1
      }
      while movement + 1 < arcs.count,
        2 * time >= arcs[movement].end + arcs[movement + 1].onset
      { movement += 1 }
      var (penX, penY) = (x, y)
      for arc in arcs[first...] {
        if arc.onset >= time { break }
        let moved = arc.displacement(at: time)
        penX += moved.x
        penY += moved.y
      }
      result.append((time, penX, penY, movement))
    }
    return result
  }

  /// The turn of each movement: a circle through three knots at a smooth knot, the arc of the
  /// neighbour at a stroke's ends and at corners, a line between corners.
  package static func turns(through knots: [Knot]) -> [Double] {
    let chords = zip(knots, knots.dropFirst()).map { ($1.x - $0.x, $1.y - $0.y) }
    let tangents: [Double?] = knots.indices.map { index in
      guard index > 0, index < knots.count - 1, !knots[index].isCorner else { return nil }
      let (before, after) = (chords[index - 1], chords[index])
      let a = (before.0 * before.0 + before.1 * before.1).squareRoot()
      let b = (after.0 * after.0 + after.1 * after.1).squareRoot()
      guard a > 0, b > 0 else { return nil }
      // The tangent of the circle through the three knots.
      return atan2(
        before.1 / a * b + after.1 / b * a, before.0 / a * b + after.0 / b * a)
    }
    let lengths = chords.map { ($0.0 * $0.0 + $0.1 * $0.1).squareRoot() }
    return chords.indices.map { index in
      let direction = atan2(chords[index].1, chords[index].0)
      // A short neighbour bends only the near end of a long movement.
      let share = { (other: Int) in min(1, 1.5 * lengths[other] / max(lengths[index], 1e-9)) }
      let first = tangents[index].map { wrapped(direction - $0) * share(index - 1) }
      let second = tangents[index + 1].map { wrapped($0 - direction) * share(index + 1) }
      let turn = (first ?? second ?? 0) + (second ?? first ?? 0)
      return min(3.6, max(-3.6, turn))
    }
  }

  private static func wrapped(_ angle: Double) -> Double {
    angle - (angle / (2 * .pi)).rounded() * 2 * .pi
  }
}

/// One movement of the pen: an arc of a circle, travelled with a lognormal speed.
package struct PenArc: Sendable {
  /// Seconds from the start of the stroke to the onset.
  package var onset: Double
  /// The speed over time.
  var pulse: LognormalPulse
  /// The horizontal distance from start to end.
  let chordX: Double
  /// The vertical distance from start to end.
  let chordY: Double
  /// Direction at the start, radians.
  private let startAngle: Double
  /// The angle from the direction at the start to that at the end, radians.
  private let turn: Double
  /// The radius, with the sign of the turn; 0 for a straight line.
  private let radius: Double

  /// Makes an arc.
  ///
  /// - Parameter turn: The angle from the direction at the start to that at the end, in ±2π,
  ///   radians.
  package init(onset: Double, pulse: LognormalPulse, chordX: Double, chordY: Double, turn: Double) {
    self.onset = onset
    self.pulse = pulse
    self.chordX = chordX
    self.chordY = chordY
    self.turn = turn
    startAngle = atan2(chordY, chordX) - turn / 2
    let half = sin(turn / 2)
    let chord = (chordX * chordX + chordY * chordY).squareRoot()
    radius = abs(half) < 1e-4 ? 0 : chord / (2 * half)
  }

  /// Seconds from the start of the stroke to the end of the movement.
  package var end: Double { onset + pulse.duration }

  /// The displacement of the pen at a time since the start of the stroke.
  package func displacement(at time: Double) -> (x: Double, y: Double) {
    let progress = pulse.progress(at: time - onset)
    guard radius != 0 else { return (chordX * progress, chordY * progress) }
    let angle = startAngle + turn * progress
    return (
      radius * (sin(angle) - sin(startAngle)), radius * (cos(startAngle) - cos(angle))
    )
  }
}

/// The speed of one ballistic pen movement over time: a lognormal function.
///
/// The sigma-lognormal model of Plamondon: speed(t) = length · lognormal(t - t0; μ, σ). The pulse
/// lasts from its onset, three σ before the logarithmic mean, to its end, three σ after. Outside
/// this interval the speed is almost zero.
package struct LognormalPulse: Hashable, Sendable {
  /// Logarithmic time delay.
  package let mu: Double
  /// Logarithmic response time.
  package let sigma: Double
  /// Seconds from the model's t0 to the onset.
  package let delay: Double
  /// Seconds from onset to end.
  let duration: Double
  private let scale: Double

  /// The share of the lognormal's area before the onset, and after the end: Φ(-3).
  private static let tail = 0.001_349_898_031_630_1

  /// Makes a pulse from its asymmetry and duration.
  ///
  /// σ² = -ln(1 - Ac) and μ = 3σ - ln((e^6σ - 1) / T).
  ///
  /// - Parameters:
  ///   - asymmetry: Ac, above 0 and below 1; 0 would be a symmetric pulse.
  ///   - duration: T, seconds, above 0.
  package init(asymmetry: Double, duration: Double) {
    sigma = (-log(1 - asymmetry)).squareRoot()
    mu = 3 * sigma - log((exp(6 * sigma) - 1) / duration)
    delay = exp(mu - 3 * sigma)
    self.duration = duration
    scale = 1 / (sigma * 2.0.squareRoot())
  }

  /// The speed at a time after t0, for a movement of length 1: the lognormal density.
  package func speed(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    let z = (log(time) - mu) / sigma
    return exp(-z * z / 2) / (sigma * (2 * Double.pi).squareRoot() * time)
  }

  /// The share of the movement done at a time after its onset, 0 ... 1; exactly 0 before and
  /// exactly 1 after the pulse. This is w(t) of the model, rescaled to make up for the missing
  /// tails.
  package func progress(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < duration else { return 1 }
    let share = (1 + erf((log(time + delay) - mu) * scale)) / 2
    return min(1, max(0, (share - Self.tail) / (1 - 2 * Self.tail)))
  }
}

/// A smooth distortion of a form: scales, shear and second-order bending about its centre.
package struct Bend: Sendable {
  private let x: [Double]
  private let y: [Double]

  /// Draws a distortion; `amount` is the standard deviation of each term, as a share of the size.
  init(amount: Double, using generator: inout SeededGenerator) {
    x = (0..<5).map { _ in generator.normal(amount) }
    y = (0..<5).map { _ in generator.normal(amount) }
  }

  /// Returns the knot after the distortion of a form with this box and size.
  func applied(to knot: Knot, box: BoundingBox, size: Double) -> Knot {
    let u = (knot.x - box.midX) / size
    let v = (knot.y - box.midY) / size
    var knot = knot
    let terms = (u, v, u * u * 2, u * v * 2, v * v * 2)
    knot.x +=
      size
      * (x[0] * terms.0 + x[1] * terms.1 + x[2] * terms.2 + x[3] * terms.3 + x[4] * terms.4)
    knot.y +=
      size
      * (y[0] * terms.0 + y[1] * terms.1 + y[2] * terms.2 + y[3] * terms.3 + y[4] * terms.4)
    return knot
  }
}

/// A point on a prototype's path.
///
/// In hundredths of the cap height: 0 is the baseline, 50 the x-height, 100 the height of capitals
/// and ascenders, -50 the bottom of descenders; x grows to the right, y upward.
package struct Knot: Hashable, Sendable {
  /// Horizontal position.
  package var x: Double
  /// Height over the baseline.
  package var y: Double
  /// True if the path turns sharply here; false if it bends smoothly.
  var isCorner: Bool

  package init(_ x: Double, _ y: Double, isCorner: Bool = false) {
    self.x = x
    self.y = y
    self.isCorner = isCorner
  }
}

/// A stroke of a text to be written.
package struct PlannedStroke: Sendable {
  /// The knots of the stroke.
  package private(set) var knots: [Knot]
  /// The character of the text that each knot belongs to, from 0, never decreasing.
  private(set) var characters: [Int]

  /// Makes a stroke of one character.
  init(_ knots: [Knot], character: Int) {
    self.knots = knots
    characters = [Int](repeating: character, count: knots.count)
  }

  /// Continues into another stroke without lifting the pen.
  mutating func append(_ knots: some Collection<Knot>, character: Int) {
    self.knots += knots
    characters += repeatElement(character, count: knots.count)
  }

  /// Changes the position of every knot.
  mutating func move(_ change: (inout Knot) -> Void) {
    for index in knots.indices { change(&knots[index]) }
  }

  /// The characters of the movement from a knot to the next: one character, or two if the movement
  /// leads from one to the other.
  package func characters(ofMovement index: Int) -> ClosedRange<Int> {
    characters[index]...characters[min(index + 1, characters.count - 1)]
  }
}
