import Foundation
import InkCore

/// Draws the lines and outlines of pages as people do: not quite straight, not quite closed.
struct PagePen {
  /// The unevenness of the writer's lines, about 0.3 (a ruler) to 2.
  let unevenness: Double

  /// The distance between points.
  private static let step = 0.12

  /// A line from one point to another.
  func line(
    _ start: PagePoint, _ end: PagePoint, bow: Double = 0, using generator: inout SeededGenerator
  ) -> [PagePoint] {
    let offset = end - start
    let length = max((offset * offset).sum().squareRoot(), 1e-6)
    let normal = PagePoint(-offset.y, offset.x) / length
    let count = max(3, min(120, Int(length / Self.step)))
    // Slow and fast deviations, and the noise of the tablet.
    let sway = unevenness * generator.normal(min(0.012 * length, 0.12))
    let tremor = unevenness * generator.normal(0.015)
    let (phase, second) = (generator.number(0...6.3), generator.number(0...6.3))
    let waves = generator.number(0.5...1.6)
    let shakes = max(1, length / generator.number(1...4))
    let reversed = generator.chance(0.2)
    let points = (0...count).map { index -> PagePoint in
      let t = Double(index) / Double(count)
      let deviation =
        bow * length * 4 * t * (1 - t) + sway * (sin(6.28 * waves * t + phase) - sin(phase))
        + tremor * sin(6.28 * shakes * t + second) + generator.normal(0.006 * unevenness)
      return start + t * offset + deviation * normal
    }
    return reversed ? points.reversed() : points
  }

  /// A line through corners without lifting the pen.
  func path(_ corners: [PagePoint], using generator: inout SeededGenerator) -> [PagePoint] {
    var points: [PagePoint] = []
    let rounding = generator.chance(0.3) ? generator.number(0.05...0.4) : 0
    for index in corners.indices.dropFirst() {
      var (start, end) = (corners[index - 1], corners[index])
      let offset = end - start
      let length = max((offset * offset).sum().squareRoot(), 1e-6)
      let cut = min(rounding, 0.35 * length) / length
      if index > 1 { start += cut * offset }
      if index < corners.count - 1 { end -= cut * offset }
      let side = line(start, end, bow: generator.normal(0.008 * unevenness), using: &generator)
      let isForward = points.isEmpty || near(side[0], start, side[side.count - 1])
      points += isForward ? side : side.reversed()
    }
    return points
  }

  private func near(_ one: PagePoint, _ point: PagePoint, _ other: PagePoint) -> Bool {
    let (first, second) = (one - point, other - point)
    return (first * first).sum() <= (second * second).sum()
  }

  /// A smooth curve through three points.
  func curve(
    _ start: PagePoint, _ control: PagePoint, _ end: PagePoint,
    using generator: inout SeededGenerator
  ) -> [PagePoint] {
    let offset = end - start
    let length = (offset * offset).sum().squareRoot()
    let count = max(6, min(120, Int(1.2 * length / Self.step)))
    let noise = 0.006 * unevenness
    return (0...count).map { index in
      let t = Double(index) / Double(count)
      let (first, second, third) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
      return first * start + second * control + third * end
        + PagePoint(generator.normal(noise), generator.normal(noise))
    }
  }

  /// A wave along a line.
  func wave(
    _ start: PagePoint, _ end: PagePoint, height: Double, length waveLength: Double,
    using generator: inout SeededGenerator
  ) -> [PagePoint] {
    let offset = end - start
    let length = max((offset * offset).sum().squareRoot(), 1e-6)
    let normal = PagePoint(-offset.y, offset.x) / length
    let count = max(12, min(400, Int(length / waveLength * 12)))
    let isSharp = generator.chance(0.35)
    var phase = generator.number(0...6.3)
    var amplitude = height
    return (0...count).map { index in
      let t = Double(index) / Double(count)
      phase += 6.2832 * length / waveLength / Double(count) * (1 + generator.normal(0.18))
      amplitude += 0.15 * (height - amplitude) + generator.normal(0.04 * height)
      let sine = sin(phase)
      let value = isSharp ? 2 / Double.pi * asin(0.98 * sine) : sine
      return start + t * offset + amplitude * value * normal
    }
  }

  /// A rectangle in one stroke or several.
  func rectangle(_ box: BoundingBox, using generator: inout SeededGenerator) -> [[PagePoint]] {
    let error = 0.06 * unevenness * min(1, min(box.width, box.height))
    func corner(_ x: Double, _ y: Double) -> PagePoint {
      PagePoint(x + generator.normal(error), y + generator.normal(error))
    }
    var corners = [
      corner(box.minX, box.minY), corner(box.maxX, box.minY), corner(box.maxX, box.maxY),
      corner(box.minX, box.maxY),
    ]
    if generator.chance(0.5) { corners = [corners[0]] + corners.dropFirst().reversed() }
    return outline(corners, using: &generator)
  }

  /// A closed outline through corners, in one stroke or several.
  func outline(_ corners: [PagePoint], using generator: inout SeededGenerator) -> [[PagePoint]] {
    let first = generator.index(below: corners.count)
    var ring = Array(corners[first...] + corners[..<first])
    let error = min(0.12, 0.05 * unevenness)
    ring.append(ring[0] + PagePoint(generator.normal(error), generator.normal(error)))
    switch generator.number(0...1) {
    case ..<0.55: return [path(ring, using: &generator)]
    case ..<0.8:
      let cut = 1 + generator.index(below: ring.count - 2)
      return [
        path(Array(ring[...cut]), using: &generator), path(Array(ring[cut...]), using: &generator),
      ]
    default:
      return (1..<ring.count).map { line(ring[$0 - 1], ring[$0], using: &generator) }
    }
  }

  /// An ellipse or a rectangle with round corners: the exponent of its outline is 2 or more.
  func round(
    _ box: BoundingBox, exponent: Double = 2, using generator: inout SeededGenerator
  ) -> [PagePoint] {
    let start = generator.number(0...6.2832)
    let sweep = (generator.chance(0.5) ? 1 : -1) * (6.2832 + generator.number(-0.25...0.5))
    let count = max(16, min(160, Int(2 * (box.width + box.height) / Self.step)))
    let (drift, wave) = (generator.normal(0.03), unevenness * generator.normal(0.02))
    let phase = generator.number(0...6.3)
    return (0...count).map { index in
      let t = Double(index) / Double(count)
      let angle = start + sweep * t
      let (sine, cosine) = (sin(angle), cos(angle))
      let power = 2 / exponent
      let radius = 1 + drift * (t - 0.5) + wave * sin(3 * angle + phase)
      return PagePoint(
        box.midX + box.width / 2 * radius * (cosine < 0 ? -1 : 1) * pow(abs(cosine), power),
        box.midY + box.height / 2 * radius * (sine < 0 ? -1 : 1) * pow(abs(sine), power))
    }
  }

  /// The bumps of a cloud around a box.
  func cloud(_ box: BoundingBox, using generator: inout SeededGenerator) -> [PagePoint] {
    let bumps = 7 + generator.index(below: 7)
    let start = generator.number(0...6.2832)
    return (0...(12 * bumps)).map { index in
      let t = Double(index) / Double(12 * bumps)
      let angle = start + 6.2832 * t
      let radius = 0.9 + 0.16 * abs(sin(Double(bumps) * .pi * t)) + generator.normal(0.005)
      return PagePoint(
        box.midX + box.width / 2 * radius * cos(angle),
        box.midY + box.height / 2 * radius * sin(angle))
    }
  }

  /// A line as dashes.
  func dashes(
    _ points: [PagePoint], using generator: inout SeededGenerator
  ) -> [[PagePoint]] {
    var result: [[PagePoint]] = [[]]
    var (isDrawn, left) = (true, generator.number(0.3...0.7))
    for (last, point) in zip(points, points.dropFirst()) {
      let offset = point - last
      left -= (offset * offset).sum().squareRoot()
      if isDrawn { result[result.count - 1].append(point) }
      guard left < 0 else { continue }
      isDrawn.toggle()
      left = isDrawn ? generator.number(0.3...0.7) : generator.number(0.2...0.45)
      if isDrawn { result.append([]) }
    }
    return result.filter { $0.count > 1 }
  }

  /// The head of an arrow: strokes of its own, or points that continue the shaft.
  func head(
    at tip: PagePoint, from before: PagePoint, size: Double, using generator: inout SeededGenerator
  ) -> (strokes: [[PagePoint]], continued: [PagePoint]) {
    let offset = tip - before
    let angle = atan2(offset.y, offset.x)
    let spread = generator.number(0.3...0.9)
    func barb(_ side: Double) -> PagePoint {
      let direction = angle + .pi + side * (spread + generator.normal(0.1))
      return tip + size * exp(generator.normal(0.15)) * PagePoint(cos(direction), sin(direction))
    }
    let (first, second) = (barb(1), barb(-1))
    switch generator.number(0...1) {
    case ..<0.45: return ([path([first, tip, second], using: &generator)], [])
    case ..<0.6:
      return ([line(tip, first, using: &generator), line(tip, second, using: &generator)], [])
    case ..<0.78: return ([], path([tip, first, tip, second], using: &generator))
    case ..<0.94: return ([path([first, tip, second, first], using: &generator)], [])
    default: return ([], path([tip, first, second, tip], using: &generator))
    }
  }

  /// A smooth line through the knots of a shape; corners stay sharp.
  func spline(_ knots: [Knot], scale: Double, using generator: inout SeededGenerator) -> [PagePoint]
  {
    let points = knots.map { PagePoint($0.x * scale, -$0.y * scale) }
    guard points.count > 1 else { return points }
    var result: [PagePoint] = []
    for index in 1..<points.count {
      let (start, end) = (points[index - 1], points[index])
      let before =
        index > 1 && !knots[index - 1].isCorner ? points[index - 2] : start - (end - start)
      let after =
        index + 1 < points.count && !knots[index].isCorner
        ? points[index + 1] : end + (end - start)
      for step in 0..<12 {
        let t = Double(step) / 12
        let first = 2 * start + t * (end - before)
        let second = (t * t) * (2 * before - 5 * start + 4 * end - after)
        let third = (t * t * t) * (3 * start - before - 3 * end + after)
        result.append(
          0.5 * (first + second + third)
            + PagePoint(generator.normal(0.008), generator.normal(0.008)))
      }
    }
    result.append(points[points.count - 1])
    return result
  }
}
