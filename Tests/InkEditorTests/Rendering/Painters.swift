import Foundation
import InkCore
import InkEditor

/// Counts commands, also those inside of groups and clips.
struct CountingPainter: Painter {
  var counts: [String: Int] = [:]

  mutating func draw(_ command: DrawCommand) {
    switch command {
    case .fill: counts["fill", default: 0] += 1
    case .stroke: counts["stroke", default: 0] += 1
    case .text: counts["text", default: 0] += 1
    case .image: counts["image", default: 0] += 1
    case .clip(_, let commands):
      counts["clip", default: 0] += 1
      draw(commands)
    case .group(let group):
      counts["group", default: 0] += 1
      draw(group.commands)
    }
  }
}

/// Marks the points of a grid that fills and strokes cover.
struct RasterPainter: Painter {
  let step: Double
  let columns: Int
  let rows: Int
  var marks: Set<Int> = []

  init(width: Double, height: Double, step: Double) {
    self.step = step
    (columns, rows) = (Int(width / step), Int(height / step))
  }

  func place(_ mark: Int) -> PlanePoint {
    PlanePoint(x: (Double(mark % columns) + 0.5) * step, y: (Double(mark / columns) + 0.5) * step)
  }

  mutating func draw(_ command: DrawCommand) {
    switch command {
    case .fill(let path, _):
      let lines = Flat.polylines(path)
      mark(command.box) { point in
        lines.reduce(0) { $0 + Flat.winding($1, point) } != 0
      }
    case .stroke(let path, _, let style):
      let lines = Flat.polylines(path)
      mark(command.box) { point in
        lines.contains { Flat.distance(point, $0) <= style.width / 2 }
      }
    case .group(let group): draw(group.commands)
    case .clip(_, let commands): draw(commands)
    case .text, .image: break
    }
  }

  private mutating func mark(_ box: BoundingBox?, _ isInside: (PlanePoint) -> Bool) {
    guard let box else { return }
    let left = max(0, Int(box.minX / step) - 1)
    let right = min(columns - 1, Int(box.maxX / step) + 1)
    let top = max(0, Int(box.minY / step) - 1)
    let bottom = min(rows - 1, Int(box.maxY / step) + 1)
    guard left <= right, top <= bottom else { return }
    for row in top...bottom {
      for column in left...right where isInside(place(row * columns + column)) {
        marks.insert(row * columns + column)
      }
    }
  }
}

/// Paths as straight lines.
enum Flat {
  static func polylines(_ path: DrawPath) -> [[PlanePoint]] {
    var result: [[PlanePoint]] = []
    path.forEach { step in
      let last = result.count - 1
      switch step {
      case .move(let point): result.append([point])
      case .line(let point): result[last].append(point)
      case .quadratic(let control, let end):
        let start = result[last].last ?? control
        for index in 1...16 {
          let t = Double(index) / 16
          let s = 1 - t
          result[last].append(
            PlanePoint(
              x: s * s * start.x + 2 * s * t * control.x + t * t * end.x,
              y: s * s * start.y + 2 * s * t * control.y + t * t * end.y))
        }
      case .cubic(let first, let second, let end):
        let curve = InkCurve.Segment(
          from: result[last].last ?? first, control1: first, control2: second, to: end)
        for index in 1...16 { result[last].append(curve.point(at: Double(index) / 16)) }
      case .close: if let first = result[last].first { result[last].append(first) }
      }
    }
    return result
  }

  static func winding(_ polygon: [PlanePoint], _ point: PlanePoint) -> Int {
    var count = 0
    guard var from = polygon.last else { return 0 }
    for to in polygon {
      let side = (to.x - from.x) * (point.y - from.y) - (point.x - from.x) * (to.y - from.y)
      if from.y <= point.y {
        if to.y > point.y, side > 0 { count += 1 }
      } else if to.y <= point.y, side < 0 {
        count -= 1
      }
      from = to
    }
    return count
  }

  /// The distance of a point from a line.
  static func distance(_ point: PlanePoint, _ line: [PlanePoint]) -> Double {
    var least = Double.infinity
    var from = line[0]
    for to in line {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let square = dx * dx + dy * dy
      let along = (point.x - from.x) * dx + (point.y - from.y) * dy
      let t = square > 0 ? min(1, max(0, along / square)) : 0
      least = min(least, hypot(point.x - from.x - t * dx, point.y - from.y - t * dy))
      from = to
    }
    return least
  }

  static func area(_ polygon: [PlanePoint]) -> Double {
    zip(polygon, polygon.dropFirst() + polygon.prefix(1))
      .reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) / 2 }
  }
}
