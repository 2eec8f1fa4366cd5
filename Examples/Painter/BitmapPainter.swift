import DuctusKit

/// Draws commands into a picture of grey pixels: filled paths, lines, clips and groups. Text and
/// pictures need a font and a decoder of the platform; it leaves them out.
struct BitmapPainter: Painter {
  let width: Int
  let height: Int
  /// The pixels by rows, 0 black to 255 white.
  private(set) var pixels: [UInt8]
  /// The map from the unit of the commands to pixels.
  private var transform = PlaneTransform.identity
  private var opacity = 1.0
  /// True where the clips leave a pixel to be drawn; nil for everywhere.
  private var clip: [Bool]?
  /// The rows that the clips leave.
  private var rows: Range<Int>

  init(width: Int, height: Int) {
    (self.width, self.height, rows) = (width, height, 0..<height)
    pixels = Array(repeating: 128, count: width * height)
  }

  mutating func draw(_ command: DrawCommand) {
    switch command {
    case .fill(let path, let color): paint(polygons(of: path), color)
    case .stroke(let path, let color, let style):
      // A line is the union of its segments, each with round ends.
      paint(polygons(of: path).flatMap { outlines(of: $0, half: style.width / 2) }, color)
    case .clip(let path, let commands):
      let outer = (clip, rows)
      var inside = Array(repeating: false, count: width * height)
      var insideRows: [Int] = []
      forEachSpan(of: polygons(of: path)) { row, columns in
        insideRows.append(row)
        for pixel in columns where outer.0?[row * width + pixel] ?? true {
          inside[row * width + pixel] = true
        }
      }
      (clip, rows) = (inside, (insideRows.first ?? 0)..<(insideRows.last ?? -1) + 1)
      draw(commands)
      (clip, rows) = outer
    case .group(let group):
      let outer = (transform, opacity)
      // The inner transform is applied first.
      (transform, opacity) = (group.transform.then(transform), opacity * group.opacity)
      draw(group.commands)
      (transform, opacity) = outer
    case .text, .image: break
    }
  }

  /// Paints the inside of polygons by the nonzero rule.
  private mutating func paint(_ polygons: [[PlanePoint]], _ color: InkColor) {
    let grey = (Double(color.red) + Double(color.green) + Double(color.blue)) / 3
    let share = color.opacity * opacity
    var changed: [Int] = []
    forEachSpan(of: polygons) { row, columns in
      changed += columns.map { row * width + $0 }
    }
    for pixel in changed where clip?[pixel] ?? true {
      pixels[pixel] = UInt8(Double(pixels[pixel]) * (1 - share) + grey * share)
    }
  }

  /// Calls a body with the pixels of each row whose middles are inside of the polygons.
  private func forEachSpan(of polygons: [[PlanePoint]], _ body: (Int, Range<Int>) -> Void) {
    let polygons = polygons.map(transform.applied)
    let ys = polygons.joined().map(\.y)
    let (top, bottom) = (max(0, ys.min() ?? 0), min(Double(height), (ys.max() ?? 0) + 1))
    guard top < bottom else { return }
    for row in (Int(top)..<Int(bottom)).clamped(to: rows) {
      let y = Double(row) + 0.5
      var crossings: [(x: Double, turn: Int)] = []
      for polygon in polygons {
        guard var a = polygon.last else { continue }
        for b in polygon {
          if (a.y <= y) != (b.y <= y) {
            crossings.append((a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), a.y < b.y ? 1 : -1))
          }
          a = b
        }
      }
      crossings.sort { $0.x < $1.x }
      var winding = 0
      for (index, crossing) in crossings.enumerated() {
        winding += crossing.turn
        guard winding != 0, index + 1 < crossings.count else { continue }
        let columns = (crossing.x, crossings[index + 1].x)
        let first = Int(min(max(0, (columns.0 - 0.5).rounded(.up)), Double(width)))
        let end = Int(min(max(0, (columns.1 - 0.5).rounded(.up)), Double(width)))
        if first < end { body(row, first..<end) }
      }
    }
  }
}

/// Returns the parts of a path as polygons; each curve becomes eight straight lines.
func polygons(of path: DrawPath) -> [[PlanePoint]] {
  var parts: [[PlanePoint]] = []
  path.forEach { step in
    switch step {
    case .move(let point): parts.append([point])
    case .line(let point): parts[parts.count - 1].append(point)
    case .quadratic(let control, let end):
      guard let start = parts.last?.last else { return }
      // The cubic curve of the same form.
      let first = between(start, control, 2.0 / 3)
      append(start, first, between(end, control, 2.0 / 3), end)
    case .cubic(let first, let second, let end):
      guard let start = parts.last?.last else { return }
      append(start, first, second, end)
    case .close:
      if let start = parts.last?.first { parts[parts.count - 1].append(start) }
    }
  }
  return parts

  func append(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint) {
    for part in 1...8 {
      let t = Double(part) / 8
      let (ab, bc, cd) = (between(a, b, t), between(b, c, t), between(c, d, t))
      parts[parts.count - 1].append(between(between(ab, bc, t), between(bc, cd, t), t))
    }
  }
}

/// Returns the point between two points; 0 is the first, 1 the second.
private func between(_ a: PlanePoint, _ b: PlanePoint, _ t: Double) -> PlanePoint {
  PlanePoint(x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y))
}

/// Returns a box around each segment of a line, and a disc around each of its points.
private func outlines(of line: [PlanePoint], half: Double) -> [[PlanePoint]] {
  let discs = line.map { center in
    polygons(of: DrawPath(ellipse: center, radiusX: half, radiusY: half)).joined().map(\.self)
  }
  let boxes = zip(line, line.dropFirst()).compactMap { a, b -> [PlanePoint]? in
    let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    guard length > 0 else { return nil }
    let (x, y) = (half * (b.x - a.x) / length, half * (b.y - a.y) / length)
    // Clockwise, as the discs are, so that no winding cancels another.
    return [
      PlanePoint(x: a.x + y, y: a.y - x), PlanePoint(x: b.x + y, y: b.y - x),
      PlanePoint(x: b.x - y, y: b.y + x), PlanePoint(x: a.x - y, y: a.y + x),
    ]
  }
  return discs + boxes
}
