import Foundation
import InkCore

/// The movements of one stroke, overlapping in time.
///
/// The pen is at every time where the sum of all movements has brought it: what overlaps rounds
/// the corner between two movements, as in the sigma-lognormal model.
struct PenStroke: Sendable {
  /// Where the pen touches the surface.
  let start: Knot
  /// The movements, their onsets in increasing order.
  let arcs: [PenArc]

  /// How a writer moves along knots.
  struct Manner: Hashable, Sendable {
    /// Seconds that a movement over 40 units takes.
    var tempo: Double
    /// Asymmetry of the pulses, above 0 and below 1.
    var asymmetry: Double
    /// Share of a movement that the next one overlaps at a smooth knot, 0 ..< 1.
    var smoothOverlap: Double
    /// Share of a movement that the next one overlaps at a corner, 0 ..< 1.
    var cornerOverlap: Double
    /// Standard deviation of the logarithm of each movement's duration.
    var timeNoise: Double
    /// Standard deviation of each movement's turn, as a share of the turn.
    var turnNoise: Double
  }

  /// Plans the movements through knots.
  init(
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
  var duration: Double { arcs.reduce(0) { max($0, $1.end) } }

  /// Where the pen is at each multiple of `step` seconds up to the end, and in which movement by the
  /// plan. O(points · movements).
  ///
  /// Movements that overlap blend; by the plan the first half of the overlap is the former's, the
  /// second the latter's.
  func positions(
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

  /// The turn of each movement: circles through three knots where the middle one is smooth, the
  /// arc that continues its neighbour at a stroke's ends and at corners, a line between corners.
  static func turns(through knots: [Knot]) -> [Double] {
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
      // A short neighbour bends the near end of a long movement only, not all of it.
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
