import Foundation
import InkCore

// Shapes with a closed outline.

extension ShapeComposer {
  func polygon(_ label: String, using generator: inout SeededGenerator) -> [[Knot]] {
    if label == "diamond", generator.chance(0.3) { return gem(using: &generator) }
    let corners = corners(of: label, using: &generator)
      .map { near($0.x, $0.y, using: &generator) }
    return outline(corners, using: &generator)
  }

  private func corners(of label: String, using generator: inout SeededGenerator) -> [Knot] {
    switch label {
    case "triangle":
      let (width, height) = size(0.5...2.2, using: &generator)
      let isRight = generator.chance(0.2)
      let tip =
        isRight ? (generator.chance(0.5) ? 0 : width) : width * (0.5 + generator.normal(0.13))
      let isInverted = generator.chance(0.12)
      return [Knot(tip, height), Knot(0, 0), Knot(width, 0)].map {
        isInverted ? Knot($0.x, -$0.y) : $0
      }
    case "diamond":
      let (width, height) = size(0.6...2, using: &generator)
      return [
        Knot(width / 2, height), Knot(0, height / 2), Knot(width / 2, 0), Knot(width, height / 2),
      ]
    case "parallelogram":
      let (width, height) = size(1.2...4.5, using: &generator)
      let lean = height * generator.number(0.18...1) * (generator.chance(0.75) ? 1 : -1)
      return box(width, height, lean)
    default:
      let isSquare = label == "square"
      let isTall = !isSquare && generator.chance(0.2)
      let (width, height) = size(
        isSquare ? 0.87...1.15 : isTall ? 0.3...0.75 : 1.25...4.5, using: &generator)
      return box(width, height, height * generator.normal(0.03))
    }
  }

  private func box(_ width: Double, _ height: Double, _ lean: Double) -> [Knot] {
    [Knot(lean, height), Knot(0, 0), Knot(width, 0), Knot(width + lean, height)]
  }

  /// A closed polygon in one stroke or several.
  private func outline(
    _ corners: [Knot], using generator: inout SeededGenerator
  ) -> [[Knot]] {
    let first = generator.chance(0.6) ? 0 : generator.index(below: corners.count)
    var path = Array(corners[first...] + corners[..<first])
    if generator.chance(0.4) { path = [path[0]] + path.dropFirst().reversed() }
    let closing = generator.number(-0.06...0.05)
    path.append(path[0].toward(path[path.count - 1], -closing))
    let cuts: Set<Int>
    switch generator.number(0...1) {
    case ..<0.5: cuts = []
    case ..<0.7: cuts = [1 + generator.index(below: path.count - 2)]
    case ..<0.85: cuts = Set(1..<(path.count - 1))
    default:
      cuts = [
        1 + generator.index(below: path.count - 2), 1 + generator.index(below: path.count - 2),
      ]
    }
    var strokes: [[Knot]] = [[path[0]]]
    for index in 1..<path.count {
      let end = path[index]
      let start = path[index - 1]
      strokes[strokes.count - 1].append(bowed(start, end, using: &generator))
      strokes[strokes.count - 1].append(end.corner)
      if cuts.contains(index) {
        strokes.append([near(end.x, end.y, using: &generator).corner])
      }
    }
    return reordered(strokes, using: &generator)
  }

  /// The middle of a side that is slightly curved.
  private func bowed(
    _ start: Knot, _ end: Knot, using generator: inout SeededGenerator
  ) -> Knot {
    let middle = start.toward(end, 0.5)
    let bow = generator.normal(0.02)
    return Knot(middle.x + bow * (end.y - start.y), middle.y - bow * (end.x - start.x))
  }

  /// One stroke, or two or more from knot to knot.
  private func pieces(of knots: [Knot], using generator: inout SeededGenerator) -> [[Knot]] {
    let cuts: [Int]
    switch generator.number(0...1) {
    case ..<0.7: return [knots]
    case ..<0.85: cuts = [1 + generator.index(below: knots.count - 2)]
    default: cuts = Array(stride(from: 2, to: knots.count - 1, by: 2))
    }
    var strokes: [[Knot]] = []
    var start = 0
    for cut in cuts + [knots.count - 1] {
      strokes.append(Array(knots[start...cut]))
      start = cut
    }
    return reordered(strokes, using: &generator)
  }

  /// Strokes of a shape are mostly drawn in order, but sometimes in any order and direction.
  private func reordered(
    _ strokes: [[Knot]], using generator: inout SeededGenerator
  ) -> [[Knot]] {
    guard strokes.count > 1 else { return strokes }
    var result = strokes.map { generator.chance(0.35) ? Array($0.reversed()) : $0 }
    if generator.chance(0.4) {
      result.swapAt(generator.index(below: result.count), generator.index(below: result.count))
    }
    return result
  }

  /// A cut stone, which many people draw for a diamond.
  private func gem(using generator: inout SeededGenerator) -> [[Knot]] {
    let (width, height) = size(0.75...1.5, using: &generator)
    let table = generator.number(0.1...0.3)
    let girdle = height * generator.number(0.6...0.8)
    let isFlat = generator.chance(0.3)
    let corners = [
      Knot(isFlat ? 0 : table * width, height), Knot(0, isFlat ? height : girdle),
      Knot(width / 2, 0), Knot(width, isFlat ? height : girdle),
      Knot((isFlat ? 1 : 1 - table) * width, height),
    ].map { near($0.x, $0.y, using: &generator) }
    var strokes = outline(corners, using: &generator)
    guard generator.chance(0.7) else { return strokes }
    strokes.append([corners[1], corners[3]])
    let facets = 1 + generator.index(below: 3)
    for facet in 0..<facets {
      let x = width * Double(facet + 1) / Double(facets + 1)
      strokes.append([
        near(x, girdle, using: &generator), near(width / 2, 0, using: &generator),
      ])
    }
    return strokes
  }

  func star(using generator: inout SeededGenerator) -> [[Knot]] {
    let (width, height) = size(0.7...1.4, using: &generator)
    let isOutline = generator.chance(0.45)
    let inner = generator.number(0.25...0.65)
    let count = isOutline ? 10 : 5
    let wobble = 2.5 + 3.5 * error
    var knots = (0..<count).map { index in
      // An outline passes from point to point through the notches; otherwise each line skips a
      // point.
      let turn = isOutline ? Double(index) / 10 : Double(index * 2) / 5
      let radius = isOutline && index % 2 == 1 ? inner : 1
      let angle = Double.pi / 2 + 2 * Double.pi * turn
      return Knot(
        width / 2 * (1 + radius * cos(angle)) + generator.normal(wobble),
        height / 2 * (1 + radius * sin(angle)) + generator.normal(wobble), isCorner: true)
    }
    let first = isOutline ? 2 * generator.index(below: 5) : generator.index(below: 5)
    knots = Array(knots[first...] + knots[..<first])
    let (endX, endY) = (generator.normal(6), generator.normal(6))
    knots.append(Knot(knots[0].x + endX, knots[0].y + endY, isCorner: true))
    if generator.chance(0.5) { knots.reverse() }
    return pieces(of: knots, using: &generator)
  }

  func round(_ label: String, using generator: inout SeededGenerator) -> [[Knot]] {
    let isCapsule = label == "capsule"
    let isTall = generator.chance(0.25)
    let aspect: ClosedRange<Double>
    switch label {
    case "capsule": aspect = 1.45...4.5
    case "circle": aspect = 0.85...1.18
    // Exclude circles.
    default: aspect = isTall ? 0.5...0.75 : 1.3...1.7
    }
    let (width, height) = size(aspect, using: &generator)
    // The exponent of a superellipse: 2 is an ellipse, larger values are squarer (Lamé 1818).
    let exponent =
      isCapsule ? generator.number(2...5) : generator.number(1.9...2.3)
    let start =
      generator.chance(0.75) ? .pi / 2 + generator.normal(0.5) : generator.number(0...6.28)
    let sense: Double = generator.chance(0.7) ? 1 : -1
    let sweep = 2 * Double.pi * (1 + generator.number(-0.05...0.15))
    let drift = generator.normal(0.05)
    let steps = 14
    let knots = (0...steps).map { step in
      let share = Double(step) / Double(steps)
      let angle = start + sense * sweep * share
      let radius = 1 + drift * (share - 0.5)
      return near(
        width / 2 * radius * Self.lame(cos(angle), exponent),
        height / 2 * radius * Self.lame(sin(angle), exponent), using: &generator)
    }
    guard generator.chance(isCapsule ? 0.35 : 0.12) else { return [knots] }
    let parts = 2 + generator.index(below: 3)
    let bounds = (0...parts).map { steps * $0 / parts }
    return reordered(
      zip(bounds, bounds.dropFirst()).map { Array(knots[$0...$1]) }, using: &generator)
  }

  private static func lame(_ value: Double, _ exponent: Double) -> Double {
    (value < 0 ? -1 : 1) * pow(abs(value), 2 / exponent)
  }

  func cloud(using generator: inout SeededGenerator) -> [[Knot]] {
    let (width, height) = size(1...2.4, using: &generator)
    let count = 5 + generator.index(below: 7)
    let isFlat = generator.chance(0.35)
    let start = generator.number(0...6.28)
    let sense: Double = generator.chance(0.6) ? 1 : -1
    let bulge = generator.number(0.12...0.4)
    var knots: [Knot] = []
    for bump in 0...count {
      let turn = (Double(bump) + generator.normal(0.12)) / Double(count)
      let angle = start + sense * 2 * Double.pi * turn
      knots.append(cloudKnot(angle, 0.8, width, height, isFlat, using: &generator).corner)
      guard bump < count else { break }
      for part in [0.3, 0.7] {
        let between = angle + sense * 2 * Double.pi * part / Double(count)
        let out = 0.8 + bulge * (1 + generator.normal(0.2))
        knots.append(cloudKnot(between, out, width, height, isFlat, using: &generator))
      }
    }
    guard generator.chance(0.2) else { return [knots] }
    // From cusp to cusp, with two knots between.
    let cut = 3 * (1 + generator.index(below: count - 1))
    return reordered([Array(knots[...cut]), Array(knots[cut...])], using: &generator)
  }

  private func cloudKnot(
    _ angle: Double, _ radius: Double, _ width: Double, _ height: Double, _ isFlat: Bool,
    using generator: inout SeededGenerator
  ) -> Knot {
    let y = height / 2 * radius * sin(angle)
    return near(
      width / 2 * radius * cos(angle), isFlat ? max(y, -0.25 * height) : y, using: &generator)
  }
}
