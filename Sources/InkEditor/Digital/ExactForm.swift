import Foundation
import InkCore

// Exact forms of shapes: right angles where they are nearly right, true circles, and their lines.
extension RecognizedShape.Form {

  /// The box of the form, without arrow heads.
  var box: BoundingBox {
    switch self {
    case .rectangle(let box): box
    case .circle(let center, let radius): Self.box(center, radius, radius)
    case .ellipse(let center, let radiusX, let radiusY): Self.box(center, radiusX, radiusY)
    case .polygon(_, let corners), .polyline(let corners): Self.box(of: corners)
    case .line(let from, let to, _, _): Self.box(of: [from, to])
    }
  }

  private static func box(_ center: RecognizedShape.Point, _ x: Double, _ y: Double) -> BoundingBox
  {
    BoundingBox(minX: center.x - x, minY: center.y - y, maxX: center.x + x, maxY: center.y + y)
  }

  private static func box(of points: [RecognizedShape.Point]) -> BoundingBox {
    let first = points.first ?? RecognizedShape.Point(x: 0, y: 0)
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for point in points { box.formUnion(x: point.x, y: point.y) }
    return box
  }

  /// Returns a closed form that fills another box. A circle in a box of other sides is an ellipse.
  func fitted(to new: BoundingBox) -> Self {
    let old = box
    func moved(_ point: RecognizedShape.Point) -> RecognizedShape.Point {
      RecognizedShape.Point(
        x: new.minX + (point.x - old.minX) * (old.width > 0 ? new.width / old.width : 1),
        y: new.minY + (point.y - old.minY) * (old.height > 0 ? new.height / old.height : 1))
    }
    switch self {
    case .rectangle: return .rectangle(new)
    case .circle, .ellipse:
      let center = RecognizedShape.Point(x: new.midX, y: new.midY)
      return abs(new.width - new.height) < 1e-9
        ? .circle(center: center, radius: new.width / 2)
        : .ellipse(center: center, radiusX: new.width / 2, radiusY: new.height / 2)
    case .polygon(let kind, let corners): return .polygon(kind: kind, corners.map(moved))
    case .polyline(let corners): return .polyline(corners.map(moved))
    case .line(let from, let to, let start, let end):
      return .line(from: moved(from), to: moved(to), startArrow: start, endArrow: end)
    }
  }

  // MARK: - Fitting

  /// Returns a circle that is nearest to its ink, an ellipse where the ink is none, and the bends of
  /// the longest stroke of a line that bends. Other forms stay.
  package func fitted(toInk ink: [InkStroke]) -> Self {
    switch self {
    case .circle:
      guard let box = BoundingBox(holding: ink.map(\.box)) else { return self }
      let (width, height) = (box.width, box.height)
      guard abs(width - height) < Chosen.roundness * max(width, height) else {
        return .ellipse(
          center: RecognizedShape.Point(x: box.midX, y: box.midY), radiusX: width / 2,
          radiusY: height / 2)
      }
      return Self.circle(through: ink.flatMap(\.points)) ?? self
    case .polyline:
      guard let longest = ink.max(by: { $0.length < $1.length }) else { return self }
      let path = longest.points.map { RecognizedShape.Point(x: $0.x, y: $0.y) }
      let bends = Self.bends(of: path[...], within: Chosen.bend * longest.extent)
      return bends.count > 1 ? .polyline(bends) : self
    default: return self
    }
  }

  /// Returns the circle with the least sum of squares (Kåsa 1976); nil if there is none.
  private static func circle(through points: [StrokePoint]) -> Self? {
    let count = Double(points.count)
    guard count > 2 else { return nil }
    let (mx, my) = (
      points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count
    )
    var (xx, yy, xy, xz, yz) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (x, y) = (point.x - mx, point.y - my)
      let z = x * x + y * y
      (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y)
      (xz, yz) = (xz + x * z, yz + y * z)
    }
    let determinant = 2 * (xx * yy - xy * xy)
    guard determinant > 0 else { return nil }
    let (x, y) = (
      (xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant
    )
    let radius = (x * x + y * y + (xx + yy) / count).squareRoot()
    return .circle(center: RecognizedShape.Point(x: mx + x, y: my + y), radius: radius)
  }

  /// Returns the corners of a path (Ramer 1972, Douglas and Peucker 1973).
  private static func bends(
    of path: ArraySlice<RecognizedShape.Point>, within distance: Double
  ) -> [RecognizedShape.Point] {
    guard path.count > 2, let first = path.first, let last = path.last else { return Array(path) }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    let length = max(hypot(dx, dy), 1e-12)
    var worst = (distance: 0.0, index: path.startIndex)
    for index in path.indices.dropFirst().dropLast() {
      let point = path[index]
      let away = abs((point.x - first.x) * dy - (point.y - first.y) * dx) / length
      if away > worst.distance { worst = (away, index) }
    }
    guard worst.distance > distance else { return [first, last] }
    return bends(of: path[...worst.index], within: distance).dropLast()
      + bends(of: path[worst.index...], within: distance)
  }

  // MARK: - Tidying

  /// The form with right angles, level sides and equal radii where it nearly has them.
  package var tidied: Self {
    switch self {
    case .rectangle, .circle: return self
    case .ellipse(let center, let radiusX, let radiusY):
      guard abs(radiusX - radiusY) < Chosen.roundness * max(radiusX, radiusY) else { return self }
      return .circle(center: center, radius: (radiusX + radiusY) / 2)
    case .polygon(let kind, let corners): return Self.tidied(kind, corners)
    case .line(let from, let to, let start, let end):
      let ends = Self.levelled([from, to], isClosed: false)
      return .line(from: ends[0], to: ends[1], startArrow: start, endArrow: end)
    case .polyline(let corners): return .polyline(Self.levelled(corners, isClosed: false))
    }
  }

  private static func tidied(_ kind: String, _ corners: [RecognizedShape.Point]) -> Self {
    if corners.count == 4, let rectangle = rectangle(corners) { return rectangle }
    let box = box(of: corners)
    if kind == "rhombus", corners.count == 4 {
      let diamond = [
        RecognizedShape.Point(x: box.midX, y: box.minY),
        RecognizedShape.Point(x: box.maxX, y: box.midY),
        RecognizedShape.Point(x: box.midX, y: box.maxY),
        RecognizedShape.Point(x: box.minX, y: box.midY),
      ]
      let isUpright = diamond.allSatisfy { tip in
        corners.contains {
          abs($0.x - tip.x) < Chosen.cornerShare * box.width
            && abs($0.y - tip.y) < Chosen.cornerShare * box.height
        }
      }
      if isUpright { return .polygon(kind: kind, diamond) }
    }
    var points = levelled(corners, isClosed: true)
    if kind == "triangle", points.count == 3 { points = isosceles(points) }
    if kind == "parallelogram", points.count == 4 {
      // The middle of both diagonals is one point.
      let (dx, dy) = (
        (points[0].x + points[2].x - points[1].x - points[3].x) / 4,
        (points[0].y + points[2].y - points[1].y - points[3].y) / 4
      )
      points = points.enumerated().map { index, point in
        let sign = index % 2 == 0 ? -1.0 : 1.0
        return RecognizedShape.Point(x: point.x + sign * dx, y: point.y + sign * dy)
      }
    }
    return .polygon(kind: kind, points)
  }

  /// Returns the rectangle of four corners whose angles are nearly right: an upright one if its sides
  /// are nearly level.
  private static func rectangle(_ corners: [RecognizedShape.Point]) -> Self? {
    var angles: [Double] = []
    for index in 0..<4 {
      let (a, b, c) = (corners[(index + 3) % 4], corners[index], corners[(index + 1) % 4])
      let (ux, uy, vx, vy) = (a.x - b.x, a.y - b.y, c.x - b.x, c.y - b.y)
      let lengths = hypot(ux, uy) * hypot(vx, vy)
      guard lengths > 0 else { return nil }
      angles.append(acos(min(1, max(-1, (ux * vx + uy * vy) / lengths))))
    }
    guard angles.allSatisfy({ abs($0 - .pi / 2) < Chosen.rightAngle }) else { return nil }
    // The direction of the first and the third side, and of the others turned by a right angle.
    let directions = (0..<4).map { index -> Double in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      return atan2(b.y - a.y, b.x - a.x) - Double(index) * .pi / 2
    }
    let turn = atan2(
      directions.reduce(0) { $0 + sin($1) }, directions.reduce(0) { $0 + cos($1) })
    let (c, s) = (cos(turn), sin(turn))
    let centre = RecognizedShape.Point(
      x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
    let local = corners.map {
      RecognizedShape.Point(
        x: c * ($0.x - centre.x) + s * ($0.y - centre.y),
        y: -s * ($0.x - centre.x) + c * ($0.y - centre.y))
    }
    let (x, y) = (local.reduce(0) { $0 + abs($1.x) } / 4, local.reduce(0) { $0 + abs($1.y) } / 4)
    let quarter = (turn / (.pi / 2)).rounded() * .pi / 2
    if abs(turn - quarter) < Chosen.level {
      let isOnSide = 2 * abs(cos(quarter)) < 1
      return .rectangle(box(centre, isOnSide ? y : x, isOnSide ? x : y))
    }
    return .polygon(
      kind: "polygon",
      [(-x, -y), (x, -y), (x, y), (-x, y)].map {
        RecognizedShape.Point(x: centre.x + c * $0.0 - s * $0.1, y: centre.y + s * $0.0 + c * $0.1)
      })
  }

  /// Returns points of which sides that are nearly level or upright are exactly so.
  private static func levelled(_ points: [RecognizedShape.Point], isClosed: Bool)
    -> [RecognizedShape.Point]
  {
    var points = points
    let count = points.count
    guard count > 1 else { return points }
    for index in 0..<(isClosed ? count : count - 1) {
      let next = (index + 1) % count
      let (a, b) = (points[index], points[next])
      let (dx, dy) = (abs(b.x - a.x), abs(b.y - a.y))
      if dy > 0, dx > 0, atan2(dy, dx) < Chosen.level {
        (points[index].y, points[next].y) = ((a.y + b.y) / 2, (a.y + b.y) / 2)
      } else if dx > 0, dy > 0, atan2(dx, dy) < Chosen.level {
        (points[index].x, points[next].x) = ((a.x + b.x) / 2, (a.x + b.x) / 2)
      }
    }
    return points
  }

  /// Puts the tip of a triangle with a level side above or below the middle of that side if it nearly
  /// is.
  private static func isosceles(_ points: [RecognizedShape.Point]) -> [RecognizedShape.Point] {
    var points = points
    for tip in 0..<3 {
      let (a, b) = (points[(tip + 1) % 3], points[(tip + 2) % 3])
      let width = abs(a.x - b.x)
      guard a.y == b.y, abs(points[tip].x - (a.x + b.x) / 2) < Chosen.cornerShare * width else {
        continue
      }
      points[tip].x = (a.x + b.x) / 2
    }
    return points
  }

  // MARK: - Lines

  /// The lines that draw the form: the outline or the shaft first, then the heads of an arrow.
  ///
  /// - Parameter width: The width of the lines, which heads grow with. Millimetres.
  package func outlines(width: Double) -> [[StrokePoint]] {
    func points(_ all: [RecognizedShape.Point], isClosed: Bool) -> [StrokePoint] {
      (isClosed ? all + all.prefix(1) : all).map { StrokePoint(x: $0.x, y: $0.y) }
    }
    switch self {
    case .line(let from, let to, let startArrow, let endArrow):
      return [points([from, to], isClosed: false)]
        + (startArrow ? [Self.head(at: from, from: to, width)] : [])
        + (endArrow ? [Self.head(at: to, from: from, width)] : [])
    case .polyline(let corners): return [points(corners, isClosed: false)]
    default: return [points(corners, isClosed: true)]
    }
  }

  /// The corners of a closed form; of a curve, points at equal steps.
  private var corners: [RecognizedShape.Point] {
    func oval(_ center: RecognizedShape.Point, _ radiusX: Double, _ radiusY: Double)
      -> [RecognizedShape.Point]
    {
      (0..<Chosen.ovalCorners).map {
        let angle = 2 * .pi * Double($0) / Double(Chosen.ovalCorners)
        return RecognizedShape.Point(
          x: center.x + radiusX * cos(angle), y: center.y + radiusY * sin(angle))
      }
    }
    switch self {
    case .rectangle(let box):
      return [
        RecognizedShape.Point(x: box.minX, y: box.minY),
        RecognizedShape.Point(x: box.maxX, y: box.minY),
        RecognizedShape.Point(x: box.maxX, y: box.maxY),
        RecognizedShape.Point(x: box.minX, y: box.maxY),
      ]
    case .circle(let center, let radius): return oval(center, radius, radius)
    case .ellipse(let center, let radiusX, let radiusY): return oval(center, radiusX, radiusY)
    case .polygon(_, let corners), .polyline(let corners): return corners
    case .line(let from, let to, _, _): return [from, to]
    }
  }

  static func head(
    at tip: RecognizedShape.Point, from start: RecognizedShape.Point, _ width: Double
  ) -> [StrokePoint] {
    let angle = atan2(start.y - tip.y, start.x - tip.x)
    let length = min(
      max(Chosen.leastHead, Chosen.headWidths * width),
      Chosen.headShare * hypot(start.x - tip.x, start.y - tip.y))
    func side(_ turn: Double) -> StrokePoint {
      StrokePoint(x: tip.x + length * cos(angle + turn), y: tip.y + length * sin(angle + turn))
    }
    return [side(Chosen.headAngle), StrokePoint(x: tip.x, y: tip.y), side(-Chosen.headAngle)]
  }

  // MARK: - Connections

  /// The least distance of a place from the outline of a closed form.
  func distance(to place: RecognizedShape.Point) -> Double {
    let near = nearest(to: place)
    return hypot(near.x - place.x, near.y - place.y)
  }

  /// Returns the point of the outline that is nearest to a place; near the middle of a straight side,
  /// that middle.
  func nearest(to place: RecognizedShape.Point) -> RecognizedShape.Point {
    if case .circle(let center, let radius) = self {
      let (dx, dy) = (place.x - center.x, place.y - center.y)
      let length = hypot(dx, dy)
      guard length > 0 else { return RecognizedShape.Point(x: center.x + radius, y: center.y) }
      return RecognizedShape.Point(
        x: center.x + dx / length * radius, y: center.y + dy / length * radius)
    }
    let corners = corners
    var best: (distance: Double, point: RecognizedShape.Point) = (.infinity, place)
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let square = dx * dx + dy * dy
      var t = square > 0 ? ((place.x - a.x) * dx + (place.y - a.y) * dy) / square : 0
      t = min(1, max(0, t))
      if corners.count < Chosen.ovalCorners, abs(t - 1 / 2) < Chosen.middle { t = 1 / 2 }
      let point = RecognizedShape.Point(x: a.x + t * dx, y: a.y + t * dy)
      let distance = hypot(point.x - place.x, point.y - place.y)
      if distance < best.distance { best = (distance, point) }
    }
    return best.point
  }

  /// Returns the point where the way from outside to the middle of a closed form meets the outline;
  /// the nearest point if it does not.
  func entry(from outside: RecognizedShape.Point, to inside: RecognizedShape.Point)
    -> RecognizedShape.Point
  {
    let corners = corners
    var best: (share: Double, point: RecognizedShape.Point)?
    let (px, py) = (inside.x - outside.x, inside.y - outside.y)
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      let (qx, qy) = (b.x - a.x, b.y - a.y)
      let cross = px * qy - py * qx
      guard abs(cross) > 1e-12 else { continue }
      let share = ((a.x - outside.x) * qy - (a.y - outside.y) * qx) / cross
      let side = ((a.x - outside.x) * py - (a.y - outside.y) * px) / cross
      guard (0...1).contains(share), (0...1).contains(side), share < best?.share ?? .infinity
      else { continue }
      best = (share, RecognizedShape.Point(x: outside.x + share * px, y: outside.y + share * py))
    }
    return best?.point ?? nearest(to: outside)
  }
}

/// Numbers that were chosen and not derived. Shapes of the flowchart set were looked at.
private enum Chosen {
  /// The greatest difference of the radii of a circle, as a share.
  static let roundness = 0.09
  /// The distance from a straight line at which a line bends, as a share of its extent.
  static let bend = 0.05
  /// The greatest angle between a side and the level that it is turned to. Radians: 6 degrees.
  static let level = 0.105
  /// The greatest difference of an angle from a right one. Radians: 11 degrees.
  static let rightAngle = 0.192
  /// The greatest distance of a corner from its exact place, as a share of the sides of the box.
  static let cornerShare = 0.12
  /// The distance from the middle of a side within which a line ends there, as a share of the side.
  static let middle = 0.15
  /// The corners that draw a circle: a circle of 100 mm is exact to 0.02 mm.
  static let ovalCorners = 96
  /// The length of an arrow head: millimetres, widths of the line, and the largest share of the line.
  static let leastHead = 2.0
  static let headWidths = 5.0
  static let headShare = 0.4
  /// The angle between an arrow and each side of its head, radians.
  static let headAngle = 0.5
}
