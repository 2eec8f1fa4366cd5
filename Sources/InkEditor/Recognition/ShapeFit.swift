import Foundation
import InkCore

/// Fits the ideal form of a shape to ink.
package struct ShapeFit {
  private typealias Point = RecognizedShape.Point
  private let ink: Ink
  private let box: BoundingBox
  private let size: Double
  /// Points at almost equal distances along the path, at most 48 per stroke.
  private let samples: [Point]
  /// The samples of each stroke.
  private let strokes: [[Point]]

  // The numbers below were chosen by hand on flow charts and notes of evaluate --through editor.
  /// Samples.
  private static let samplesPerStroke = 48

  /// Returns nil for ink without extent.
  package init?(_ ink: Ink) {
    guard let box = ink.boundingBox, max(box.width, box.height) > 0 else { return nil }
    self.ink = ink
    self.box = box
    size = max(box.width, box.height)
    strokes = ink.strokes.map { Self.sample($0.points) }
    samples = strokes.flatMap { $0 }
  }

  /// The winding of the ink: the length of the path divided by the diagonal of the box.
  var winding: Double {
    let length = strokes.reduce(0.0) { sum, stroke in
      sum
        + zip(stroke, stroke.dropFirst()).reduce(0.0) {
          $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
        }
    }
    return length / max(hypot(box.width, box.height), 1e-9)
  }

  /// Returns the form of a label, and the mean distance of the ink from it divided by its size.
  package func form(of label: String) -> (form: RecognizedShape.Form, deviation: Double) {
    switch label {
    case "rectangle", "square": return best([rectangle, rotatedBox(kind: "polygon")])
    case "circle": return scored(circle)
    case "ellipse": return scored(ellipse)
    case "triangle": return best(corners(3).map { .polygon(kind: "triangle", $0) })
    case "diamond", "rhombus":
      return best(
        [.polygon(kind: "rhombus", diamond)] + corners(4).map { .polygon(kind: "rhombus", $0) })
    case "parallelogram":
      return best(corners(4).map { .polygon(kind: "parallelogram", $0) })
    case "capsule": return scored(.polygon(kind: "polygon", capsule))
    case "line": return scored(line(startArrow: false, endArrow: false))
    case "arrow": return arrow(both: false)
    case "double-arrow": return arrow(both: true)
    case "polyline", "tick", "arch", "cross":
      return (.polyline(simplified(closed: false)), 0)
    default: return (.polygon(kind: "polygon", simplified(closed: true)), 0)
    }
  }

  // MARK: - Forms

  private var rectangle: RecognizedShape.Form { .rectangle(box) }

  private var circle: RecognizedShape.Form {
    .circle(center: center, radius: (box.width + box.height) / 4)
  }

  private var ellipse: RecognizedShape.Form {
    .ellipse(center: center, radiusX: box.width / 2, radiusY: box.height / 2)
  }

  private var center: Point { Point(x: box.midX, y: box.midY) }

  private var diamond: [Point] {
    [
      Point(x: box.midX, y: box.minY), Point(x: box.maxX, y: box.midY),
      Point(x: box.midX, y: box.maxY), Point(x: box.minX, y: box.midY),
    ]
  }

  /// The outline of the box with its two shorter sides rounded.
  private var capsule: [Point] {
    let radius = min(box.width, box.height) / 2
    let (reachX, reachY) = (box.width / 2 - radius, box.height / 2 - radius)
    return (0..<Chosen.capsuleCorners).map {
      let angle = (2 * Double($0) + 1) * .pi / Double(Chosen.capsuleCorners)
      let (c, s) = (cos(angle), sin(angle))
      return Point(
        x: box.midX + radius * c + (c < 0 ? -reachX : reachX),
        y: box.midY + radius * s + (s < 0 ? -reachY : reachY))
    }
  }

  /// Returns the box rotated, within a quarter turn, by the angle at which it is smallest.
  private func rotatedBox(kind: String) -> RecognizedShape.Form {
    var best: (area: Double, corners: [Point]) = (.infinity, [])
    for step in -Chosen.turns...Chosen.turns {
      let angle = Double(step) * Chosen.turn * .pi / 180
      let (c, s) = (cos(angle), sin(angle))
      let turned = samples.map { Point(x: c * $0.x + s * $0.y, y: -s * $0.x + c * $0.y) }
      let xs = turned.map(\.x)
      let ys = turned.map(\.y)
      guard let x0 = xs.min(), let x1 = xs.max(), let y0 = ys.min(), let y1 = ys.max() else {
        continue
      }
      let area = (x1 - x0) * (y1 - y0)
      if area < best.area {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map {
          Point(x: c * $0.0 - s * $0.1, y: s * $0.0 + c * $0.1)
        }
        best = (area, corners)
      }
    }
    return .polygon(kind: kind, best.corners)
  }

  /// Returns polygons with a number of corners: the farthest points of the hull, improved one by
  /// one.
  private func corners(_ count: Int) -> [[Point]] {
    let hull = convexHull(samples)
    guard hull.count >= count else { return [hull] }
    var chosen = (0..<count).map { $0 * hull.count / count }
    for _ in 0..<Chosen.cornerPasses {
      for index in chosen.indices {
        var best = (area: -1.0, place: chosen[index])
        for place in hull.indices {
          var attempt = chosen
          attempt[index] = place
          let area = abs(area(attempt.sorted().map { hull[$0] }))
          if area > best.area { best = (area, place) }
        }
        chosen[index] = best.place
      }
    }
    return [chosen.sorted().map { hull[$0] }]
  }

  /// Returns the straight line through the ends of the greatest extent.
  private func line(startArrow: Bool, endArrow: Bool) -> RecognizedShape.Form {
    let path = strokes.max { $0.count < $1.count } ?? []
    var ends = (first: path.first ?? center, last: path.last ?? center)
    var longest = hypot(ends.first.x - ends.last.x, ends.first.y - ends.last.y)
    if longest < size * Chosen.shortLine {
      for a in samples {
        for b in samples where hypot(a.x - b.x, a.y - b.y) > longest {
          longest = hypot(a.x - b.x, a.y - b.y)
          ends = (a, b)
        }
      }
    }
    return .line(from: ends.first, to: ends.last, startArrow: startArrow, endArrow: endArrow)
  }

  /// Returns an arrow: the two points farthest apart, with the head at the end that has more ink.
  private func arrow(both: Bool) -> (form: RecognizedShape.Form, deviation: Double) {
    var ends = (center, center)
    var longest = -1.0
    let hull = convexHull(samples)
    for a in hull {
      for b in hull where hypot(a.x - b.x, a.y - b.y) > longest {
        longest = hypot(a.x - b.x, a.y - b.y)
        ends = (a, b)
      }
    }
    func weight(at end: Point) -> Int {
      samples.count { hypot($0.x - end.x, $0.y - end.y) < longest * Chosen.headWeight }
    }
    if weight(at: ends.0) > weight(at: ends.1) { swap(&ends.0, &ends.1) }
    let form = RecognizedShape.Form.line(
      from: ends.0, to: ends.1, startArrow: both, endArrow: true)
    // Most of the ink is on the shaft; ignore the head.
    let far = samples.filter {
      hypot($0.x - ends.1.x, $0.y - ends.1.y) > longest * Chosen.headLength
        && (!both || hypot($0.x - ends.0.x, $0.y - ends.0.y) > longest * Chosen.headLength)
    }
    let sum = far.reduce(0) { $0 + segmentDistance($1, ends.0, ends.1) }
    return (form, far.isEmpty ? 1 : sum / Double(far.count) / size)
  }

  // MARK: - Distance

  private func scored(_ form: RecognizedShape.Form) -> (
    form: RecognizedShape.Form, deviation: Double
  ) {
    (form, deviation(from: form))
  }

  private func best(
    _ forms: [RecognizedShape.Form]
  ) -> (form: RecognizedShape.Form, deviation: Double) {
    forms.map(scored).min { $0.deviation < $1.deviation } ?? (rectangle, 1)
  }

  /// Returns the greatest mean distance of a stroke from the outline of a form, divided by the
  /// smaller side.
  package func farthestStroke(from form: RecognizedShape.Form) -> Double {
    let outline = outline(of: form)
    let distances = strokes.map { stroke in
      stroke.reduce(0) { $0 + distance($1, outline) } / Double(max(1, stroke.count))
    }
    return (distances.max() ?? 0) / max(min(box.width, box.height), 1e-9)
  }

  private func distance(_ point: Point, _ outline: [Point]) -> Double {
    zip(outline, outline.dropFirst()).reduce(Double.infinity) {
      min($0, segmentDistance(point, $1.0, $1.1))
    }
  }

  /// Returns the mean distance of the ink from a form, and of a closed form from the ink, divided
  /// by the size.
  private func deviation(from form: RecognizedShape.Form) -> Double {
    let outline = outline(of: form)
    guard outline.count > 1, !samples.isEmpty else { return 1 }
    let sum = samples.reduce(0) { $0 + distance($1, outline) }
    var result = sum / Double(samples.count) / size
    // Parts of an outline that were not drawn are far from the ink: a C is not a circle.
    let dense = densified(outline)
    let back = dense.reduce(0) { total, point in
      total + samples.reduce(Double.infinity) { min($0, hypot($1.x - point.x, $1.y - point.y)) }
    }
    result = max(result, back / Double(dense.count) / size - Chosen.outlineTolerance)
    return result
  }

  private func outline(of form: RecognizedShape.Form) -> [Point] {
    switch form {
    case .rectangle(let box):
      return [
        Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.minY),
        Point(x: box.maxX, y: box.maxY), Point(x: box.minX, y: box.maxY),
        Point(x: box.minX, y: box.minY),
      ]
    case .circle(let center, let radius): return oval(center, radius, radius)
    case .ellipse(let center, let radiusX, let radiusY): return oval(center, radiusX, radiusY)
    case .polygon(_, let points): return points + points.prefix(1)
    case .line(let from, let to, _, _): return [from, to]
    case .polyline(let points): return points
    }
  }

  private func oval(_ center: Point, _ radiusX: Double, _ radiusY: Double) -> [Point] {
    (0...36).map {
      let angle = Double($0) * .pi / 18
      return Point(x: center.x + radiusX * cos(angle), y: center.y + radiusY * sin(angle))
    }
  }

  private func densified(_ outline: [Point]) -> [Point] {
    Self.resampled(outline, count: 64)
  }

  private func segmentDistance(_ point: Point, _ a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let t = square > 0 ? min(1, max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square)) : 0
    return hypot(point.x - a.x - t * dx, point.y - a.y - t * dy)
  }

  // MARK: - Points

  private static func sample(_ points: [StrokePoint]) -> [Point] {
    resampled(points.map { Point(x: $0.x, y: $0.y) }, count: samplesPerStroke)
  }

  private static func resampled(_ path: [Point], count: Int) -> [Point] {
    guard path.count > 1, let first = path.first, let last = path.last else { return path }
    let lengths = zip(path, path.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
    let total = lengths.reduce(0, +)
    guard total > 0 else { return [first] }
    let step = total / Double(count - 1)
    var result = [first]
    var (walked, due) = (0.0, step)
    for (index, length) in lengths.enumerated() {
      while due <= walked + length, result.count < count - 1, length > 0 {
        let t = (due - walked) / length
        let (a, b) = (path[index], path[index + 1])
        result.append(Point(x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y)))
        due += step
      }
      walked += length
    }
    return result + [last]
  }

  /// Returns the corners of the path (Ramer 1972, Douglas and Peucker 1973), stroke by stroke.
  private func simplified(closed: Bool) -> [Point] {
    strokes.flatMap { simplify($0[...], within: size * Chosen.cornerDeviation) }
  }

  private func simplify(_ path: ArraySlice<Point>, within distance: Double) -> [Point] {
    guard path.count > 2, let first = path.first, let last = path.last else { return Array(path) }
    var worst = (distance: 0.0, index: path.startIndex)
    for index in path.indices.dropFirst().dropLast() {
      let away = segmentDistance(path[index], first, last)
      if away > worst.distance { worst = (away, index) }
    }
    guard worst.distance > distance else { return [first, last] }
    return simplify(path[...worst.index], within: distance).dropLast()
      + simplify(path[worst.index...], within: distance)
  }

  private func area(_ polygon: [Point]) -> Double {
    zip(polygon, polygon.dropFirst() + polygon.prefix(1))
      .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
  }

  /// Returns the convex hull, counter-clockwise in coordinates that grow upward (Andrew 1979).
  private func convexHull(_ points: [Point]) -> [Point] {
    let sorted = points.sorted { $0.x != $1.x ? $0.x < $1.x : $0.y < $1.y }
    guard sorted.count > 2 else { return sorted }
    func half(_ points: some Sequence<Point>) -> [Point] {
      var chain: [Point] = []
      for point in points {
        while chain.count > 1 {
          let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
          guard (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) <= 0 else { break }
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain
    }
    return half(sorted).dropLast() + half(sorted.reversed()).dropLast()
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Corners.
  static let capsuleCorners = 32
  /// Steps to each side.
  static let turns = 6
  /// Degrees.
  static let turn = 2.5
  /// Passes.
  static let cornerPasses = 6
  /// Share of the size.
  static let shortLine = 0.5
  /// Share of the line's extent.
  static let headWeight = 1.0 / 3
  /// Share of the line's extent.
  static let headLength = 0.4
  /// Mean distance over size.
  static let outlineTolerance = 0.01
  /// Share of the size.
  static let cornerDeviation = 0.06
}
