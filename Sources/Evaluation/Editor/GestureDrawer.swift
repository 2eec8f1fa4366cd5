import Foundation
import InkCore
import InkEditor

/// Draws gestures over words as a hand does: not straight, not level, too long or too short. It
/// shares no code with the synthesiser that makes the training data of the model of gestures.
package struct GestureDrawer {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The place of the small letters of a line.
  package struct Row {
    var baseline: Double
    var top: Double
    var height: Double { baseline - top }

    /// Makes a row of letters between two heights in millimetres, y down.
    package init(baseline: Double, top: Double) { (self.baseline, self.top) = (baseline, top) }

    /// Finds the place by the letters that stand on the line; nil if there are none.
    init?(_ words: [TextWord]) { self.init(letters: words.flatMap(\.characters), least: 3) }

    /// Finds the place by letters.
    ///
    /// - Parameter least: The least number of letters that stand on the line, and of small ones.
    init?(letters: [TextCharacter], least: Int) {
      let standing = letters.filter { !"gjpqy,;_'\"-.".contains($0.label) }.compactMap(\.box)
      let small = letters.filter { "acemnorsuvwxz".contains($0.label) }.compactMap(\.box)
      guard standing.count >= least, small.count >= least else { return nil }
      baseline = standing.map(\.maxY).sorted()[standing.count / 2]
      top = small.map(\.minY).sorted()[small.count / 2]
      guard height > 0 else { return nil }
    }
  }

  private mutating func between(_ low: Double, _ high: Double) -> Double {
    Double.random(in: low...high, using: &random)
  }

  mutating func index(below count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// A line that bends and trembles.
  private mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), tremor: Double
  ) -> [StrokePoint] {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let size = max((dx * dx + dy * dy).squareRoot(), 1e-9)
    let count = max(4, Int(size / between(0.4, 1.2)))
    let (bend, phase, waves) = (between(-1, 1), between(0, 6), between(1, 3))
    return (0...count).map { step in
      let part = Double(step) / Double(count)
      let away = tremor * (bend * sin(part * .pi) + 0.4 * sin(phase + waves * part * 6))
      return StrokePoint(
        x: from.x + part * dx - away * dy / size, y: from.y + part * dy + away * dx / size)
    }
  }

  /// A level line over some width, at a height.
  private mutating func level(_ box: BoundingBox, at y: Double, _ row: Row) -> [StrokePoint] {
    let slope = between(-0.04, 0.04) * box.width
    let (before, behind) = (between(-0.1, 0.7) * row.height, between(-0.1, 0.7) * row.height)
    var from = (x: box.minX - before, y: y - slope / 2)
    var to = (x: box.maxX + behind, y: y + slope / 2)
    if between(0, 1) < 0.15 { swap(&from, &to) }
    return line(from, to, tremor: 0.06 * row.height)
  }

  mutating func strikeThrough(_ box: BoundingBox, _ row: Row) -> [StrokePoint] {
    level(box, at: row.baseline - between(0.35, 0.65) * row.height, row)
  }

  mutating func underline(_ box: BoundingBox, _ row: Row) -> [StrokePoint] {
    level(box, at: row.baseline + between(0.15, 0.7) * row.height, row)
  }

  mutating func surround(_ box: BoundingBox, _ row: Row) -> [StrokePoint] {
    let (a, b) = (
      box.width / 2 + between(0.3, 0.8) * row.height,
      box.height / 2 + between(0.3, 0.7) * row.height
    )
    // A loop between an ellipse and a box, which ends a little before or after its start.
    let power = between(2.2, 4)
    let start = between(0, 2 * .pi)
    let turn = 2 * Double.pi * between(0.96, 1.06) * (between(0, 1) < 0.5 ? -1 : 1)
    let count = max(24, Int(2 * (a + b) / between(0.6, 1.4)))
    let drift = between(-0.1, 0.1) * row.height
    return (0...count).map { step in
      let part = Double(step) / Double(count)
      let angle = start + turn * part
      let (c, s) = (cos(angle), sin(angle))
      let r = pow(pow(abs(c), power) + pow(abs(s), power), -1 / power)
      return StrokePoint(x: box.midX + a * r * c, y: box.midY + b * r * s + drift * part)
    }
  }

  mutating func scratchOut(_ box: BoundingBox, _ row: Row) -> [StrokePoint] {
    let ways = 5 + index(below: 6)
    let (left, right) = (box.minX - 0.2 * row.height, box.maxX + 0.2 * row.height)
    let (top, bottom) = (box.minY - 0.1 * row.height, box.maxY + 0.1 * row.height)
    var points: [StrokePoint] = []
    let isSteep = box.width > 2 * box.height && between(0, 1) < 0.5
    var last: (x: Double, y: Double)?
    for way in 0...ways {
      let part = Double(way) / Double(ways)
      let isEven = way.isMultiple(of: 2)
      let next: (x: Double, y: Double) =
        isSteep
        ? (left + part * (right - left), (isEven ? bottom : top) + between(-0.2, 0.2) * row.height)
        : (
          (isEven ? left : right) + between(-0.3, 0.3) * row.height,
          top + part * (bottom - top) + between(-0.1, 0.1) * row.height
        )
      if let last { points += line(last, next, tremor: 0.08 * row.height) }
      last = next
    }
    return points
  }

  /// An upright line, downward to insert and upward to join.
  mutating func upright(at x: Double, top: Double, _ row: Row, isDown: Bool) -> [StrokePoint] {
    let lean = between(-0.25, 0.35) * row.height
    let high = (x: x + lean / 2, y: top - between(0.1, 0.9) * row.height)
    let low = (x: x - lean / 2, y: row.baseline + between(0.4, 1.3) * row.height)
    return line(isDown ? high : low, isDown ? low : high, tremor: 0.05 * row.height)
  }

  /// A caret from below, with its tip at a place.
  mutating func caret(at x: Double, _ row: Row) -> [StrokePoint] {
    let tip = (x: x, y: row.baseline - between(-0.1, 0.5) * row.height)
    let (left, right) = (between(0.3, 0.7) * row.height, between(0.3, 0.7) * row.height)
    let depth = between(0.8, 1.8) * row.height
    let first = line(
      (x - left, tip.y + depth * between(0.85, 1.15)), tip, tremor: 0.05 * row.height)
    let second = line(
      tip, (x + right, tip.y + depth * between(0.85, 1.15)), tremor: 0.05 * row.height)
    return first + second.dropFirst()
  }

  /// An arch from word to word, above or below a gap.
  mutating func arch(
    from left: Double, to right: Double, top: Double, bottom: Double, _ row: Row
  ) -> [StrokePoint] {
    let isAbove = between(0, 1) < 0.5
    let (from, to) = (
      left - between(0.1, 0.7) * row.height, right + between(0.1, 0.7) * row.height
    )
    let height = between(0.4, 0.9) * min(1.5 * row.height, to - from)
    let (a, b) = ((to - from) / 2, isAbove ? -height : height)
    let y = isAbove ? top - between(0, 0.4) * row.height : bottom + between(0, 0.4) * row.height
    let slope = between(-0.1, 0.1) * height
    let count = max(10, Int((to - from) / between(0.3, 0.8)))
    let isBackward = between(0, 1) < 0.2
    let points = (0...count).map { step in
      let part = Double(step) / Double(count)
      return StrokePoint(
        x: from + a * (1 - cos(part * .pi)), y: y + b * sin(part * .pi) + slope * part)
    }
    return isBackward ? points.reversed() : points
  }

  /// A value from 0 to 1.
  mutating func share() -> Double { between(0, 1) }
}
