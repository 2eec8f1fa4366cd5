import Foundation
import InkCore

/// The geometry of one stroke, as far as gestures differ from each other and from writing in it. It
/// does not depend on the content below.
struct GestureShape: Sendable {
  /// A position in millimetres.
  struct Point: Hashable, Sendable {
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double {
      ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
  }

  /// The points of the stroke that are numbers.
  let points: [Point]
  let box: BoundingBox
  /// The length of the path.
  let length: Double
  /// The number of long ways back and forth: 1 for a line, 3 for a Z.
  let traverses: Int
  /// The points of the loop that the stroke closes, or nil if it closes none.
  let loop: [Point]?

  /// Measures a stroke. O(n log n) for n points.
  ///
  /// - Returns: nil for a dot.
  init?(_ stroke: [StrokePoint]) {
    let points = Self.points(of: stroke, most: Chosen.mostPoints)
    guard let first = points.first else { return nil }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    var length = 0.0
    for (from, to) in zip(points, points.dropFirst()) {
      box.formUnion(x: to.x, y: to.y)
      length += from.distance(to: to)
    }
    guard length > 0 else { return nil }
    self.points = points
    self.box = box
    self.length = length
    let diagonal = hypot(box.width, box.height)
    traverses = Self.traverses(points)
    loop = Self.loop(points, length: length, diagonal: diagonal)
  }

  var start: Point { points[0] }
  var end: Point { points[points.count - 1] }
  /// The distance between the ends.
  var chord: Double { start.distance(to: end) }
  /// The distance between the ends as a share of the length: 1 for a straight line.
  var straightness: Double { chord / length }
  /// The diagonal of the box.
  var diagonal: Double { hypot(box.width, box.height) }

  /// The greatest distance of a point from the line through both ends, as a share of their
  /// distance.
  var deviation: Double {
    guard chord > 0 else { return .infinity }
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let most = points.reduce(0.0) { most, point in
      max(most, abs((point.x - start.x) * dy - (point.y - start.y) * dx))
    }
    return most / (chord * chord)
  }

  /// True if the stroke is a nearly level line.
  var isLevel: Bool {
    straightness > Chosen.levelStraightness && deviation < Chosen.levelDeviation
      && box.height < Chosen.levelSlope * box.width
  }

  /// True if the stroke is a nearly upright line.
  var isUpright: Bool {
    straightness > Chosen.uprightStraightness && deviation < Chosen.uprightDeviation
      && box.width < Chosen.uprightSlope * box.height
  }

  /// True if the stroke goes back and forth often enough to cross something out.
  var isZigzag: Bool { traverses >= Chosen.leastTraverses && length > Chosen.zigzag * diagonal }

  /// True if the stroke may be a gesture on some content. Nearly all handwriting is not.
  var mayBeGesture: Bool { isLevel || isUpright || loop != nil || isZigzag }

  /// A line with a turn between its ends: a caret or an arch.
  struct Bend: Hashable, Sendable {
    /// The place of the turn.
    var tip: Point
    /// True if the tip is above the ends.
    var opensDown: Bool
    /// The height as a share of the width.
    var steepness: Double
  }

  /// The turn of a caret or an arch; nil if the stroke is neither.
  var bend: Bend? {
    guard box.width > Chosen.bendWidth * box.height, box.height > Chosen.bendHeight * box.width,
      let highest = points.indices.min(by: { points[$0].y < points[$1].y }),
      let lowest = points.indices.max(by: { points[$0].y < points[$1].y })
    else { return nil }
    // The tip is on the side from which both ends are far.
    let up = min(start.y, end.y) - points[highest].y
    let down = points[lowest].y - max(start.y, end.y)
    let place = up >= down ? highest : lowest
    let tip = points[place]
    guard max(up, down) > Chosen.leastLeg * box.height, (start.x - tip.x) * (end.x - tip.x) < 0
    else { return nil }
    // Each leg goes its way without turning back.
    let way = zip(points, points.dropFirst()).reduce(0.0) { $0 + abs($1.1.x - $1.0.x) }
    let climb = zip(points, points.dropFirst()).reduce(0.0) { $0 + abs($1.1.y - $1.0.y) }
    let legs = abs(start.y - tip.y) + abs(end.y - tip.y)
    guard way < Chosen.mostDetour * abs(end.x - start.x), climb < Chosen.mostDetour * legs else {
      return nil
    }
    return Bend(
      tip: tip, opensDown: up >= down, steepness: box.width > 0 ? box.height / box.width : .infinity
    )
  }

  /// The height of a line at a place, between those of its ends.
  func y(at x: Double) -> Double {
    guard end.x != start.x else { return (start.y + end.y) / 2 }
    let share = min(1, max(0, (x - start.x) / (end.x - start.x)))
    return start.y + share * (end.y - start.y)
  }

  /// The place of an upright line at a height, also beyond its ends.
  func x(at y: Double) -> Double {
    guard end.y != start.y else { return middleX }
    return start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x)
  }

  /// The middle of an upright line.
  var middleX: Double { (start.x + end.x) / 2 }

  /// The outline around the stroke, clockwise or not.
  var hull: [Point] { Self.hull(of: points) }

  // MARK: - Measures

  /// Returns the positions of a stroke that are numbers. Of very many, a regular choice is taken.
  static func points(of stroke: some Collection<StrokePoint>, most: Int) -> [Point] {
    let step = max(1, stroke.count / most)
    var result: [Point] = []
    result.reserveCapacity(stroke.count / step + 2)
    for (index, point) in stroke.enumerated()
    where (index % step == 0 || index == stroke.count - 1) && point.x.isFinite && point.y.isFinite {
      result.append(Point(x: point.x, y: point.y))
    }
    return result
  }

  /// Returns a path with only those points that are farther than a tolerance from the rest.
  static func simplified(_ points: [Point], tolerance: Double) -> [Point] {
    guard points.count > 2 else { return points }
    var keep = [Bool](repeating: false, count: points.count)
    (keep[0], keep[points.count - 1]) = (true, true)
    var open = [(0, points.count - 1)]
    while let (low, high) = open.popLast() {
      guard high > low + 1 else { continue }
      let (a, b) = (points[low], points[high])
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let size = hypot(dx, dy)
      var (most, place) = (0.0, low)
      for index in low + 1..<high {
        let point = points[index]
        let away =
          size > 0
          ? abs((point.x - a.x) * dy - (point.y - a.y) * dx) / size : point.distance(to: a)
        // A path that runs back over itself has its turn beyond an end.
        let beyond = size > 0 ? Self.beyond(point, a, b, dx, dy, size) : 0
        let distance = max(away, beyond)
        if distance > most { (most, place) = (distance, index) }
      }
      guard most > tolerance else { continue }
      keep[place] = true
      open.append((low, place))
      open.append((place, high))
    }
    return zip(points, keep).compactMap { $1 ? $0 : nil }
  }

  private static func beyond(
    _ point: Point, _ a: Point, _ b: Point, _ dx: Double, _ dy: Double, _ size: Double
  ) -> Double {
    let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / size
    return max(-along, along - size, 0)
  }

  /// Returns the number of long ways back and forth: along x, y or a diagonal, whichever has most.
  private static func traverses(_ points: [Point]) -> Int {
    let axes: [(Point) -> Double] = [{ $0.x }, { $0.y }, { $0.x + $0.y }, { $0.x - $0.y }]
    return axes.map { ways(points.map($0)) }.max() ?? 0
  }

  /// Returns the number of long ways up and down of a value.
  private static func ways(_ values: [Double]) -> Int {
    guard let first = values.first, let least = values.min(), let most = values.max(),
      most > least
    else { return 0 }
    let long = Chosen.longWay * (most - least)
    var (low, high, direction, count) = (first, first, 0, 0)
    for value in values {
      (low, high) = (min(low, value), max(high, value))
      if direction >= 0, value < high - long {
        (direction, low) = (-1, value)
        count += 1
      } else if direction <= 0, value > low + long {
        (direction, high) = (1, value)
        count += 1
      }
      // The turn that comes next is measured from here.
      if direction < 0, value <= low { high = value }
      if direction > 0, value >= high { low = value }
    }
    return count
  }

  /// Returns the points of the loop that a path closes, or nil.
  private static func loop(_ points: [Point], length: Double, diagonal: Double) -> [Point]? {
    guard points.count > 4, length > Chosen.loopLength * diagonal else { return nil }
    // The ends may overlap: the loop closes where the first part is nearest to the last part.
    var (way, head) = (0.0, 0)
    while head < points.count - 2, way < Chosen.endShare * length {
      way += points[head].distance(to: points[head + 1])
      head += 1
    }
    var tail = points.count - 1
    way = 0
    while tail > head + 1, way < Chosen.endShare * length {
      way += points[tail].distance(to: points[tail - 1])
      tail -= 1
    }
    var best = (gap: Double.infinity, from: 0, to: points.count - 1)
    for from in 0...head {
      for to in tail..<points.count {
        let gap = points[from].distance(to: points[to])
        if gap < best.gap { best = (gap, from, to) }
      }
    }
    guard best.gap < Chosen.loopGap * diagonal else { return nil }
    let loop = Array(points[best.from...best.to])
    guard let box = box(of: loop), box.width > 0, box.height > 0,
      abs(area(of: loop)) > Chosen.loopArea * box.width * box.height,
      abs(turning(of: loop)) < Chosen.mostTurning
    else { return nil }
    // A loop that winds in itself, as an e or an 8, is none.
    let outline = hull(of: loop)
    guard abs(area(of: loop)) > Chosen.loopFill * abs(area(of: outline)) else { return nil }
    return loop
  }

  /// Returns a path with points between those that it has, if these are few: a share of its points
  /// is then a share of its way.
  static func dense(_ points: [Point]) -> [Point] {
    guard points.count > 1, points.count < Chosen.fewPoints else { return points }
    let steps = Chosen.fewPoints / points.count + 1
    return zip(points, points.dropFirst()).flatMap { from, to in
      (0..<steps).map { step in
        let part = Double(step) / Double(steps)
        return Point(x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y))
      }
    } + [points[points.count - 1]]
  }

  /// Returns the box of points.
  static func box(of points: some Sequence<Point>) -> BoundingBox? {
    var result: BoundingBox?
    for point in points {
      if result == nil {
        result = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
      } else {
        result?.formUnion(x: point.x, y: point.y)
      }
    }
    return result
  }

  /// Returns the area of a polygon, negative if it runs the other way round.
  static func area(of polygon: [Point]) -> Double {
    var sum = 0.0
    var last = polygon.last
    for point in polygon {
      if let last { sum += last.x * point.y - point.x * last.y }
      last = point
    }
    return sum / 2
  }

  /// Returns the sum of the turns of a path in radians.
  private static func turning(of points: [Point]) -> Double {
    guard let box = box(of: points) else { return 0 }
    let path = simplified(points, tolerance: Chosen.tolerance * hypot(box.width, box.height))
    let legs = zip(path, path.dropFirst()).map { atan2($1.y - $0.y, $1.x - $0.x) }
    return zip(legs, legs.dropFirst()).reduce(0) { sum, pair in
      sum + remainder(pair.1 - pair.0, 2 * .pi)
    }
  }

  /// Returns the convex hull of points. O(n log n).
  static func hull(of points: [Point]) -> [Point] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else { return sorted }
    func half(_ points: some Sequence<Point>) -> [Point] {
      var result: [Point] = []
      for point in points {
        while result.count > 1 {
          let (a, b) = (result[result.count - 2], result[result.count - 1])
          let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
          guard cross <= 0 else { break }
          result.removeLast()
        }
        result.append(point)
      }
      return result
    }
    return half(sorted).dropLast() + half(sorted.reversed()).dropLast()
  }

  /// Returns a polygon scaled about its middle.
  static func scaled(_ polygon: [Point], by factor: Double) -> [Point] {
    guard let box = box(of: polygon) else { return polygon }
    return polygon.map { point in
      Point(
        x: box.midX + factor * (point.x - box.midX), y: box.midY + factor * (point.y - box.midY))
    }
  }

  /// Returns whether a polygon contains a point. O(corners).
  static func contains(_ polygon: [Point], _ point: Point) -> Bool {
    var inside = false
    var last = polygon.last ?? point
    for corner in polygon {
      if (corner.y > point.y) != (last.y > point.y),
        point.x < (last.x - corner.x) * (point.y - corner.y) / (last.y - corner.y) + corner.x
      {
        inside.toggle()
      }
      last = corner
    }
    return inside
  }

  /// Returns the number of times that two paths cross. O(points of one × points of the other).
  static func crossings(_ one: [Point], _ other: [Point]) -> Int {
    var count = 0
    for (a, b) in zip(one, one.dropFirst()) {
      for (c, d) in zip(other, other.dropFirst()) where cross(a, b, c, d) { count += 1 }
    }
    return count
  }

  private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}

/// Numbers that were chosen and not derived: by hand, on lines of handwriting without gestures and
/// on drawn gestures.
private enum Chosen {
  /// The most points of a stroke that are looked at.
  static let mostPoints = 400
  /// The number of points below which a path gets more.
  static let fewPoints = 24
  /// The greatest distance of a point from the simplified path, as a share of the diagonal.
  static let tolerance = 0.06
  /// The least length of a way back or forth, as a share of the extent in its direction.
  static let longWay = 0.4
  static let leastTraverses = 4
  /// The least length of a zigzag in diagonals of its box.
  static let zigzag = 1.3
  static let levelStraightness = 0.85
  static let levelDeviation = 0.12
  /// The greatest height of a level line as a share of its width.
  static let levelSlope = 0.36
  static let uprightStraightness = 0.92
  static let uprightDeviation = 0.1
  static let uprightSlope = 0.36
  /// The least width of a caret or an arch in its heights, and its least height in its widths.
  static let bendWidth = 0.25
  static let bendHeight = 0.12
  /// The least height of each leg of a caret or an arch, as a share of its height.
  static let leastLeg = 0.55
  /// The greatest length of the legs of a caret or an arch, along x and y, in those of straight
  /// legs.
  static let mostDetour = 1.2
  /// The least length of a loop in diagonals of its box.
  static let loopLength = 1.7
  /// The part at each end of a path where a loop may close, as a share of the length.
  static let endShare = 0.2
  /// The greatest gap between the ends of a loop, as a share of the diagonal.
  static let loopGap = 0.25
  /// The least area of a loop as a share of its box.
  static let loopArea = 0.4
  /// The least area of a loop as a share of its convex hull.
  static let loopFill = 0.75
  /// Radians: a circle and a half.
  static let mostTurning = 3 * Double.pi
}
