import InkCore

/// The map from ink coordinates to a drawing, in tenths of a CSS pixel.
struct InkProjection {
  /// The space at each edge for caps and numbers.
  static let margin = 110

  /// Width of the drawing.
  let width: Int
  /// Height of the drawing.
  let height: Int
  private let scale: Double
  private let centerX: Double
  private let centerY: Double
  private let area: WritingArea?

  /// Fits ink, and the height of its area, into a style's box, with one scale for both axes.
  ///
  /// The area extends the drawing only vertically, because it may be as wide as a page.
  init(_ ink: Ink, area: WritingArea?, style: InkDrawing.Style) {
    var box = Self.finiteBox(ink)
    if let area {
      if box == nil {
        let middle = area.x + area.width / 2
        box = BoundingBox(minX: middle, minY: area.y, maxX: middle, maxY: area.y)
      }
      if let midX = box?.midX {
        box?.formUnion(x: midX, y: area.y)
        box?.formUnion(x: midX, y: area.y + area.height)
      }
    }
    let found = box ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    self.area = area
    centerX = found.minX / 2 + found.maxX / 2
    centerY = found.minY / 2 + found.maxY / 2
    height = max(Self.margin * 2 + 10, Self.units(10 * style.height))
    let most = max(Self.margin * 2 + 10, Self.units(10 * style.maximumWidth))
    // Halving first keeps the difference of two huge coordinates finite.
    let halfWidth = found.maxX / 2 - found.minX / 2
    let halfHeight = found.maxY / 2 - found.minY / 2
    let fits = [(most, halfWidth), (height, halfHeight)].compactMap { room, half in
      half > 0 ? Double(room / 2 - Self.margin) / half : nil
    }
    // For an extent near the smallest double the quotient is infinite. Then nothing is scaled.
    let quotient = fits.min() ?? 0
    scale = quotient.isFinite ? quotient : 0
    let needed = Self.units(2 * halfWidth * scale) + 2 * Self.margin
    width = min(most, max(needed, min(most, height)))
  }

  /// The vertical positions of the area's edges; nil without an area.
  var areaEdges: (upper: Int, lower: Int)? {
    area.map { (place(x: $0.x, y: $0.y).y, place(x: $0.x, y: $0.y + $0.height).y) }
  }

  /// The position of a finite point.
  func place(x: Double, y: Double) -> InkOutline.Point {
    InkOutline.Point(
      x: Self.units((x / 2 - centerX / 2) * scale * 2) + width / 2,
      y: Self.units((y / 2 - centerY / 2) * scale * 2) + height / 2)
  }

  /// Rounds to an integer, and clamps positions far outside of any drawing.
  private static func units(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(min(max(value, -1e6), 1e6).rounded())
  }

  private static func finiteBox(_ ink: Ink) -> BoundingBox? {
    let strokes = ink.strokes.map { Stroke(points: $0.points.filter(\.hasFinitePosition)) }
    return Ink(strokes: strokes).boundingBox
  }
}

/// The strokes of an ink as integer points of a drawing, without points too close to be visible.
struct InkOutline {
  /// A position in tenths of a CSS pixel.
  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  /// The points of each non-empty stroke; a stroke without length has one point.
  let strokes: [[Point]]

  /// Places every finite point. Leaves out points nearer than half a pixel to the previous one, and
  /// further ones if there are more than `maximumPoints`.
  ///
  /// - Complexity: O(points x log(points)).
  init(_ ink: Ink, _ projection: InkProjection, maximumPoints: Int) {
    let placed = ink.strokes.map { stroke in
      stroke.points.filter(\.hasFinitePosition).map { projection.place(x: $0.x, y: $0.y) }
    }.filter { !$0.isEmpty }.prefix(max(1, maximumPoints / 2))
    // A stroke keeps two points at any distance, so this ends once there are half as many strokes
    // as points.
    var distance = 5
    var thinned = placed.map { Self.thin($0, distance) }
    while thinned.reduce(0, { $0 + $1.count }) > max(2, maximumPoints), distance < 100_000 {
      distance *= 2
      thinned = placed.map { Self.thin($0, distance) }
    }
    strokes = thinned
  }

  private static func thin(_ points: [Point], _ distance: Int) -> [Point] {
    guard let first = points.first, let last = points.last else { return [] }
    var kept = [first]
    var previous = first
    for point in points.dropFirst()
    where abs(point.x - previous.x) + abs(point.y - previous.y) >= distance {
      kept.append(point)
      previous = point
    }
    // Keep the end of a stroke, which distinguishes closed from open strokes. A dot needs no end.
    if kept.count > 1, previous != last { kept.append(last) }
    return kept
  }
}
