import InkCore
import Layout

/// A stroke of a document, in millimetres, with the measures for grouping.
package struct InkStroke: Sendable {
  /// The item's id.
  package let id: Int
  /// The type of the pointer.
  package let pointer: PointerType
  /// Positions in millimetres, times in milliseconds since 1970.
  package private(set) var points: [StrokePoint]
  /// The points as they were drawn, if the stroke was moved.
  private var drawn: [StrokePoint]?
  /// The way from the place where it was drawn.
  private(set) var shift = Shift.none
  /// The box of the points.
  package private(set) var box: BoundingBox
  /// The length of the path.
  private(set) var length: Double
  /// The mean of y along the path.
  private(set) var meanY: Double
  /// The session: strokes of one session are kept together, and a long pause begins another.
  package var session = 0
  /// The style of the tool that drew it, or nil if the tool had none.
  package var style: StrokeStyle? { didSet { revision += 1 } }
  /// The number of changes of its look.
  private(set) var revision = 0
  /// The position in the order of writing. The parts of an erased stroke take it over.
  package var number = 0
  /// The content of an item that is no ink: typed text, an exact line, a picture.
  package var digital: DigitalContent? { didSet { revision += 1 } }

  /// Makes a stroke of at least one point.
  package init(id: Int, pointer: PointerType, points: [StrokePoint]) {
    self.id = id
    self.pointer = pointer
    self.points = points
    (box, length, meanY) = Self.measure(points)
  }

  /// Replaces the points.
  ///
  /// - Parameter points: The points at the place where the stroke was drawn.
  mutating func replace(points: [StrokePoint]) {
    drawn = shift == .none ? nil : points
    self.points = shift == .none ? points : shift.moved(points)
    revision += 1
    (box, length, meanY) = Self.measure(self.points)
  }

  /// Puts each point elsewhere; the stroke counts as drawn there.
  mutating func put(points: [StrokePoint]) {
    (drawn, shift) = (nil, .none)
    replace(points: points)
  }

  /// Moves the stroke to a place: the same place always gives the same points, and none the points
  /// as they were drawn.
  mutating func move(to shift: Shift) {
    guard shift != self.shift else { return }
    let points = drawn ?? self.points
    self.shift = shift
    replace(points: points)
  }

  /// Returns the stroke at another place with another id.
  func copy(id: Int, dx: Double, dy: Double) -> InkStroke {
    var copy = InkStroke(
      id: id, pointer: pointer,
      points: points.map { point in
        var point = point
        (point.x, point.y) = (point.x + dx, point.y + dy)
        return point
      })
    (copy.session, copy.style, copy.number) = (session, style, number)
    copy.digital = digital
    return copy
  }

  /// The measures for line finding.
  var measure: StrokeMeasure {
    StrokeMeasure(item: id, number: number, box: box, meanY: meanY, length: length)
  }

  /// Height or width, whichever is larger.
  var extent: Double { max(box.width, box.height) }

  /// True if the path hardly winds, as in a line or an arrow's head.
  var isPlain: Bool { length < Self.plainWinding * extent }
  /// Path length over extent, chosen by hand on flow charts and notes of evaluate --through editor.
  private static let plainWinding = 5.0

  /// The least distance of the path from a point; of typed text and pictures, that of their box.
  /// O(points).
  func distance(to place: StrokePoint) -> Double {
    if typed != nil || picture != nil { return box.distance(toX: place.x, y: place.y) }
    var least = Double.infinity
    var previous = points.first
    for point in points {
      let from = previous ?? point
      let (dx, dy) = (point.x - from.x, point.y - from.y)
      let square = dx * dx + dy * dy
      let along = (place.x - from.x) * dx + (place.y - from.y) * dy
      let t = square > 0 ? min(1, max(0, along / square)) : 0
      let (ex, ey) = (place.x - from.x - t * dx, place.y - from.y - t * dy)
      least = min(least, ex * ex + ey * ey)
      previous = point
    }
    return least.squareRoot()
  }

  private static func measure(
    _ points: [StrokePoint]
  ) -> (box: BoundingBox, length: Double, meanY: Double) {
    guard let first = points.first else {
      return (BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0), 0, 0)
    }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    var (length, sum, previous) = (0.0, 0.0, first)
    for point in points.dropFirst() {
      box.formUnion(x: point.x, y: point.y)
      let (dx, dy) = (point.x - previous.x, point.y - previous.y)
      let step = (dx * dx + dy * dy).squareRoot()
      length += step
      sum += step * (point.y + previous.y) / 2
      previous = point
    }
    return (box, length, length > 0 ? sum / length : box.midY)
  }
}

/// The way of ink from the place where it was drawn, in millimetres.
struct Shift: Hashable, Sendable {
  var dx: Double
  var dy: Double

  static let none = Shift(dx: 0, dy: 0)

  /// Returns points at the place.
  func moved(_ points: [StrokePoint]) -> [StrokePoint] {
    points.map { point in
      var point = point
      (point.x, point.y) = (point.x + dx, point.y + dy)
      return point
    }
  }
}

extension BoundingBox {
  /// Returns the box at another place.
  func moved(dx: Double, dy: Double) -> BoundingBox {
    BoundingBox(minX: minX + dx, minY: minY + dy, maxX: maxX + dx, maxY: maxY + dy)
  }

  /// Makes the smallest box that contains all boxes, or nil if there are none.
  package init?(holding boxes: some Sequence<BoundingBox>) {
    var result: BoundingBox?
    for box in boxes {
      if result == nil { result = box } else { result?.formUnion(box) }
    }
    guard let result else { return nil }
    self = result
  }

  /// Returns the horizontal gap between two boxes; 0 if they overlap in x.
  func gapX(to other: BoundingBox) -> Double {
    max(0, other.minX - maxX, minX - other.maxX)
  }

  /// Returns the vertical gap between two boxes; 0 if they overlap in y.
  func gapY(to other: BoundingBox) -> Double {
    max(0, other.minY - maxY, minY - other.maxY)
  }

  /// Returns the shared width of two boxes.
  func sharedWidth(with other: BoundingBox) -> Double {
    max(0, min(maxX, other.maxX) - max(minX, other.minX))
  }

  /// Returns whether another box reaches an edge of this one.
  func isTouched(by other: BoundingBox) -> Bool {
    other.minX <= minX || other.maxX >= maxX || other.minY <= minY || other.maxY >= maxY
  }

  /// Returns whether another box is inside this one.
  package func holds(_ other: BoundingBox) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  /// Returns whether the box is near an edge of an enclosing box, within a share of that box's
  /// sides.
  func reachesEdge(of other: BoundingBox, within share: Double) -> Bool {
    minX < other.minX + share * other.width || maxX > other.maxX - share * other.width
      || minY < other.minY + share * other.height || maxY > other.maxY - share * other.height
  }
}
