import Foundation
import InkCore

/// The habits of a virtual writer of characters with many strokes.
struct CharacterHabits: Hashable, Sendable {
  /// Factor of all errors of place and size.
  let care: Double
  /// Width relative to the height, compared with the drawings.
  let aspect: Double
  /// Horizontal shift divided by height; positive leans right.
  let slant: Double
  /// Rise of horizontal strokes to the right, divided by their length.
  let rise: Double
  /// Bending of whole characters, as a share of their size.
  let bend: Double
  /// Probability that the pen is not lifted between two strokes that are near each other.
  let joins: Double
  /// Probability for each character that two neighbouring strokes are exchanged.
  let exchanges: Double
  /// Probability for each character that one stroke is written at another place of the order.
  let moves: Double
  /// Probability that a stroke is drawn from its end.
  let reverses: Double
  /// Probability for each character of many strokes that one is left out.
  let drops: Double
  /// Probability that a stroke is interrupted at a corner.
  let interrupts: Double
  /// Probability that the hook at the end of a stroke is left out.
  let dropsHooks: Double
  /// Probability of a hook towards the next stroke.
  let addsHooks: Double

  /// Draws the habits.
  init(using random: inout SeededGenerator) {
    care = exp(random.normal(0.35))
    aspect = exp(random.normal(0.13))
    slant = random.normal(0.09)
    rise = 0.05 + random.normal(0.07)
    bend = random.number(0.015...0.07)
    let isCursive = random.number(0...1)
    joins =
      isCursive < 0.4
      ? random.number(0...0.03)
      : isCursive < 0.75 ? random.number(0.05...0.35) : random.number(0.35...0.85)
    exchanges = random.chance(0.4) ? random.number(0.1...0.5) : 0.05
    moves = random.chance(0.3) ? random.number(0.05...0.4) : 0.03
    reverses = random.chance(0.3) ? random.number(0.02...0.12) : 0.01
    drops = random.chance(0.3) ? random.number(0.05...0.35) : 0.01
    interrupts = random.chance(0.3) ? random.number(0.02...0.15) : 0.01
    dropsHooks = random.chance(0.5) ? random.number(0.2...1) : 0.1
    addsHooks = random.chance(0.5) ? random.number(0.05...0.4) : 0.03
  }

  /// The fewest strokes of a character of which one may be left out: without one of its strokes, a
  /// character of few is another.
  private static let manyStrokes = 7
  /// The distance between strokes, in units, at which they are joined 2.7 times less often.
  private static let nearness = 45.0

  /// Applies the habits to strokes in their order.
  func apply(to strokes: inout [[Knot]], using generator: inout SeededGenerator) {
    for index in strokes.indices { shapeHook(&strokes[index], using: &generator) }
    if strokes.count >= Self.manyStrokes, generator.chance(drops) {
      strokes.remove(at: Self.shortStroke(strokes, using: &generator))
    }
    interrupt(&strokes, using: &generator)
    reorder(&strokes, using: &generator)
    join(&strokes, using: &generator)
  }

  private func shapeHook(_ stroke: inout [Knot], using generator: inout SeededGenerator) {
    guard stroke.count > 2 else { return }
    let (before, corner, tip) = (
      stroke[stroke.count - 3], stroke[stroke.count - 2], stroke[stroke.count - 1]
    )
    let isHook =
      abs(Prototype.turn(before, corner, tip)) > 1.2
      && Self.distance(corner, tip) < 0.35 * Self.distance(before, corner)
    if isHook, generator.chance(dropsHooks) { stroke.removeLast() }
  }

  /// Returns one of three random strokes: the shortest.
  private static func shortStroke(
    _ strokes: [[Knot]], using generator: inout SeededGenerator
  ) -> Int {
    let drawn = (0..<3).map { _ in generator.index(below: strokes.count) }
    return drawn.min { length(strokes[$0]) < length(strokes[$1]) } ?? 0
  }

  private static func length(_ stroke: [Knot]) -> Double {
    zip(stroke, stroke.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
  }

  private static func distance(_ first: Knot, _ second: Knot) -> Double {
    let (dx, dy) = (second.x - first.x, second.y - first.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  private func interrupt(_ strokes: inout [[Knot]], using generator: inout SeededGenerator) {
    var result: [[Knot]] = []
    result.reserveCapacity(strokes.count + 1)
    for stroke in strokes {
      let corner = stroke.indices.dropFirst().dropLast().first { stroke[$0].isCorner }
      if let corner, generator.chance(interrupts) {
        result.append(Array(stroke[...corner]))
        result.append(Array(stroke[corner...]))
      } else {
        result.append(stroke)
      }
    }
    strokes = result
  }

  private func reorder(_ strokes: inout [[Knot]], using generator: inout SeededGenerator) {
    if strokes.count > 1, generator.chance(exchanges) {
      let index = generator.index(below: strokes.count - 1)
      strokes.swapAt(index, index + 1)
    }
    if strokes.count > 2, generator.chance(moves) {
      let stroke = strokes.remove(at: generator.index(below: strokes.count))
      strokes.insert(stroke, at: generator.index(below: strokes.count + 1))
    }
    for index in strokes.indices where generator.chance(reverses) { strokes[index].reverse() }
  }

  /// Joins strokes to the next ones, or ends them with a hook towards these.
  private func join(_ strokes: inout [[Knot]], using generator: inout SeededGenerator) {
    var result: [[Knot]] = []
    result.reserveCapacity(strokes.count)
    for stroke in strokes {
      guard var last = result.last, let end = last.last, let start = stroke.first else {
        result.append(stroke)
        continue
      }
      let gap = Self.distance(end, start)
      if generator.chance(joins * exp(-gap / Self.nearness)) {
        var next = stroke
        let isSharp = generator.chance(0.6)
        last[last.count - 1].isCorner = isSharp
        next[0].isCorner = isSharp
        // A pen that does not move on the way has one knot there.
        if gap < 1 { next.removeFirst() }
        result[result.count - 1] = last + next
        continue
      }
      if gap > 8, generator.chance(addsHooks) {
        let share = generator.number(0.08...0.3)
        last[last.count - 1].isCorner = generator.chance(0.7)
        last.append(
          Knot(end.x + share * (start.x - end.x), end.y + share * (start.y - end.y)))
        result[result.count - 1] = last
      }
      result.append(stroke)
    }
    strokes = result
  }
}
