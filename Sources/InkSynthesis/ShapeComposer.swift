import Foundation
import InkCore

/// Draws the shapes of diagrams in the ways that people do: in one stroke or several, from any
/// corner, in both directions, not quite closed.
///
/// Shapes are in units of ``Knot`` with y upward; the square root of their area is about 100.
package struct ShapeComposer {
  /// The labels it can draw.
  package static let labels = [
    "rectangle", "square", "ellipse", "circle", "triangle", "parallelogram", "capsule", "arrow",
    "double-arrow", "line", "polyline", "arch", "star", "diamond", "cloud",
  ]

  /// Standard deviation of the position of a corner, in units.
  let error: Double

  /// Makes a composer with this error.
  package init(error: Double) { self.error = error }

  /// The strokes of a shape; nil if the label is not one of ``labels``.
  package func strokes(of label: String, using generator: inout SeededGenerator) -> [[Knot]]? {
    switch label {
    case "rectangle", "square", "triangle", "parallelogram", "diamond":
      polygon(label, using: &generator)
    case "ellipse", "circle", "capsule": round(label, using: &generator)
    case "star": star(using: &generator)
    case "cloud": cloud(using: &generator)
    case "arch": [arch(using: &generator)]
    case "line": line(using: &generator)
    case "polyline": [polyline(using: &generator)]
    case "arrow", "double-arrow": arrow(isDouble: label == "double-arrow", using: &generator)
    default: nil
    }
  }

  /// A point near another.
  func near(_ x: Double, _ y: Double, using generator: inout SeededGenerator) -> Knot {
    Knot(x + generator.normal(error), y + generator.normal(error))
  }

  /// Width and height of a box of area 100 x 100. The aspect is drawn uniformly in its logarithm.
  func size(
    _ aspect: ClosedRange<Double>, using generator: inout SeededGenerator
  ) -> (width: Double, height: Double) {
    let half = generator.number(log(aspect.lowerBound)...log(aspect.upperBound)) / 2
    return (100 * exp(half), 100 * exp(-half))
  }

  // MARK: - Open shapes

  /// One stroke; sometimes with another over it or next to it.
  private func line(using generator: inout SeededGenerator) -> [[Knot]] {
    let bow = generator.chance(0.3) ? generator.normal(5) : generator.normal(1.5)
    let angle = direction(using: &generator)
    var strokes = [turned([Knot(0, 0), Knot(50, bow), Knot(100, 0)], by: angle)]
    while strokes.count < 4, generator.chance(0.12) {
      let (start, end) = (generator.number(-5...40), generator.number(60...110))
      let (from, to) = (generator.normal(6), generator.normal(6))
      let again = turned([Knot(start, from), Knot(end, to)], by: angle)
      strokes.append(generator.chance(0.5) ? again : again.reversed())
    }
    return strokes
  }

  private func polyline(using generator: inout SeededGenerator) -> [Knot] {
    let count = 2 + generator.index(below: 4)
    let isStair = generator.chance(0.35)
    var knots = [Knot(0, 0, isCorner: true)]
    for index in 0..<count {
      let last = knots[index]
      let step = generator.number(25...60)
      let rise = generator.number(25...80) * (index % 2 == 0 ? 1 : -1)
      var next = Knot(last.x + step, last.y + rise)
      if isStair {
        next =
          index % 2 == 0 ? Knot(last.x + step, last.y) : Knot(last.x, last.y + abs(rise))
      }
      knots.append(near(next.x, next.y, using: &generator).corner)
    }
    let isReversed = generator.chance(0.3)
    return turned(isReversed ? knots.reversed() : knots, by: direction(using: &generator))
  }

  private func arch(using generator: inout SeededGenerator) -> [Knot] {
    let (width, height) = size(0.7...2.2, using: &generator)
    let leg = generator.chance(0.5) ? generator.number(0...0.5) * height : 0
    var knots = leg > 0 ? [near(0, -leg, using: &generator)] : []
    for step in 0...6 {
      let angle = .pi * (1 - Double(step) / 6)
      knots.append(
        near(width / 2 * (1 + cos(angle)), height * sin(angle), using: &generator))
    }
    if leg > 0 { knots.append(near(width, -leg, using: &generator)) }
    return generator.chance(0.3) ? knots.reversed() : knots
  }

  /// A random direction, mostly along an axis of the page.
  func direction(using generator: inout SeededGenerator) -> Double {
    generator.chance(0.75)
      ? Double(generator.index(below: 4)) * .pi / 2 + generator.normal(0.06)
      : generator.number(-.pi...(.pi))
  }

  /// Rotates knots about the origin.
  func turned(_ knots: [Knot], by angle: Double) -> [Knot] {
    let (sine, cosine) = (sin(angle), cos(angle))
    return knots.map {
      Knot(cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y, isCorner: $0.isCorner)
    }
  }
}

extension Knot {
  /// The same point as a corner.
  var corner: Knot { Knot(x, y, isCorner: true) }

  /// A point part of the way to another.
  func toward(_ other: Knot, _ share: Double) -> Knot {
    Knot(x + share * (other.x - x), y + share * (other.y - y))
  }
}
