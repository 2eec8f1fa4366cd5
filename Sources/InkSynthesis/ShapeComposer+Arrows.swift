import Foundation
import InkCore

extension ShapeComposer {
  /// A shaft with a head at its end, or one at each end.
  func arrow(isDouble: Bool, using generator: inout SeededGenerator) -> [[Knot]] {
    let shaft = shaft(isDouble: isDouble, using: &generator)
    let length = generator.number(0.07...0.42)
    let spread = generator.number(0.35...0.9)
    let style = HeadStyle(using: &generator)
    var strokes = [shaft]
    attach(style, to: &strokes, length: 100 * length, spread: spread, using: &generator)
    if isDouble {
      let tail = Array(shaft.reversed())
      var other = [tail]
      attach(
        style.isContinued ? .separate : style, to: &other, length: 100 * length, spread: spread,
        using: &generator)
      strokes += other.dropFirst()
    }
    let angle = direction(using: &generator)
    strokes = strokes.map { turned($0, by: angle) }
    if strokes.count > 1, generator.chance(0.1) { strokes.swapAt(0, strokes.count - 1) }
    if strokes.count > 1, !style.isContinued, generator.chance(0.1) { strokes[0].reverse() }
    return strokes
  }

  /// The style of a head.
  private enum HeadStyle {
    /// Two barbs in a stroke of their own.
    case separate
    /// Two strokes.
    case barbs
    /// Continued from the shaft without lifting the pen.
    case continued
    /// A small triangle.
    case triangle
    /// A triangle that continues the shaft.
    case continuedTriangle
    /// A barb on one side only.
    case half
    /// Barbs that bend into each other.
    case bent

    init(using generator: inout SeededGenerator) {
      switch generator.number(0...1) {
      case ..<0.42: self = .separate
      case ..<0.5: self = .barbs
      case ..<0.72: self = .continued
      case ..<0.8: self = .triangle
      case ..<0.86: self = .continuedTriangle
      case ..<0.9: self = .half
      default: self = .bent
      }
    }

    var isContinued: Bool { self == .continued || self == .continuedTriangle }
  }

  private func shaft(isDouble: Bool, using generator: inout SeededGenerator) -> [Knot] {
    let kind = generator.number(0...1)
    if isDouble || kind < 0.62 {
      let bow = generator.chance(0.2) ? generator.normal(8) : generator.normal(1.5)
      return [Knot(0, 0), Knot(50, bow), Knot(100, generator.normal(2))]
    }
    let side: Double = generator.chance(0.5) ? 1 : -1
    let run = generator.number(15...140)
    let rise = side * generator.number(15...140)
    var corners = [Knot(0, 0), Knot(run, 0), Knot(run, rise)]
    if kind > 0.84 { corners.append(Knot(run + generator.number(-1...1) * 90, rise)) }
    if kind > 0.95, let last = corners.last {
      corners.append(Knot(last.x, last.y + generator.number(-1...1) * 90))
    }
    // A bend may be rounded.
    let isSharp = generator.chance(0.85)
    return corners.map { corner in
      let knot = near(corner.x, corner.y, using: &generator)
      return isSharp ? knot.corner : knot
    }
  }

  /// Adds a head at the end of the first stroke.
  private func attach(
    _ style: HeadStyle, to strokes: inout [[Knot]], length: Double, spread: Double,
    using generator: inout SeededGenerator
  ) {
    let shaft = strokes[0]
    guard let tip = shaft.last, shaft.count > 1 else { return }
    let before = shaft[shaft.count - 2]
    let angle = atan2(tip.y - before.y, tip.x - before.x)
    let offset = generator.normal(3)
    let point = Knot(tip.x + offset * cos(angle), tip.y + offset * sin(angle), isCorner: true)
    func barb(_ side: Double) -> Knot {
      let direction = angle + .pi + side * (spread + generator.normal(0.12))
      let reach = length * exp(generator.normal(0.15))
      return Knot(
        point.x + reach * cos(direction), point.y + reach * sin(direction), isCorner: true)
    }
    let side: Double = generator.chance(0.5) ? 1 : -1
    let (first, second) = (barb(side), barb(-side))
    switch style {
    case .separate: strokes.append([first, point, second])
    case .barbs: strokes += [[point, first], [point, second]]
    case .continued:
      strokes[0][shaft.count - 1] = point
      strokes[0] += generator.chance(0.5) ? [first, point, second] : [first, second, point]
    case .triangle:
      strokes.append([first, point, second, near(first.x, first.y, using: &generator)])
    case .continuedTriangle:
      strokes[0][shaft.count - 1] = point
      strokes[0] += [first, second, near(point.x, point.y, using: &generator)]
    case .half: strokes.append([point, first])
    case .bent:
      let knee = point.toward(first.toward(second, 0.5), -0.1)
      strokes.append([first, Knot(knee.x, knee.y), second])
    }
  }
}
