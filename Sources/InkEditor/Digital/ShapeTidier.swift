import Foundation
import InkCore

/// Tidies the shapes of a diagram together: equal sizes, common lines, connections that end at their
/// shapes.
struct ShapeTidier {
  typealias Form = RecognizedShape.Form
  typealias Point = RecognizedShape.Point

  /// Returns closed shapes with equal sizes where they are nearly equal, in rows and columns where
  /// they nearly are. O(shapes²).
  ///
  /// - Parameter forms: The forms of the shapes, tidied one by one.
  static func arranged(_ forms: [Form]) -> [Form] {
    var forms = forms
    let boxes = forms.map(\.box)
    let widths = likened(boxes.map(\.width)) { one, other in
      kind(of: forms[one]) == kind(of: forms[other])
        && isLike(boxes[one].width, boxes[other].width)
        && isLike(boxes[one].height, boxes[other].height)
    }
    let heights = likened(boxes.map(\.height)) { one, other in
      kind(of: forms[one]) == kind(of: forms[other])
        && isLike(boxes[one].width, boxes[other].width)
        && isLike(boxes[one].height, boxes[other].height)
    }
    func reach(_ one: Int, _ other: Int, _ size: (BoundingBox) -> Double) -> Double {
      Chosen.lineShare * min(size(boxes[one]), size(boxes[other]))
    }
    let columns = likened(boxes.map(\.midX)) { one, other in
      abs(boxes[one].midX - boxes[other].midX) < reach(one, other, \.width)
    }
    let rows = likened(boxes.map(\.midY)) { one, other in
      abs(boxes[one].midY - boxes[other].midY) < reach(one, other, \.height)
    }
    for index in forms.indices {
      let (width, height) = (widths[index], heights[index])
      forms[index] = forms[index].fitted(
        to: BoundingBox(
          minX: columns[index] - width / 2, minY: rows[index] - height / 2,
          maxX: columns[index] + width / 2, maxY: rows[index] + height / 2))
    }
    return forms
  }

  /// Returns a connection whose ends are on the outlines of its shapes.
  ///
  /// - Parameters:
  ///   - edge: The form of the connection.
  ///   - nodes: The forms of the shapes at its start and end; nil where there is none.
  ///   - follows: True if a shape has moved: a line ends where its way to the middle of the shape
  ///     meets the outline. Otherwise it ends near the place where it was drawn.
  static func connected(_ edge: Form, _ nodes: [Form?], follows: Bool) -> Form {
    func point(_ index: Int, _ own: Point, _ next: Point) -> Point {
      guard let node = nodes[index] else { return own }
      guard follows else { return node.nearest(to: own) }
      guard node.distance(to: own) > Chosen.touch else { return own }
      let middle = Point(x: node.box.midX, y: node.box.midY)
      return node.entry(from: next, to: middle)
    }
    func middle(_ index: Int, _ otherwise: Point) -> Point {
      nodes[index].map { Point(x: $0.box.midX, y: $0.box.midY) } ?? otherwise
    }
    switch edge {
    case .line(let from, let to, let startArrow, let endArrow):
      if let straight = level(from, to, nodes, follows) {
        return .line(
          from: straight.0, to: straight.1, startArrow: startArrow, endArrow: endArrow)
      }
      return .line(
        from: point(0, from, follows ? middle(1, to) : to),
        to: point(1, to, follows ? middle(0, from) : from), startArrow: startArrow,
        endArrow: endArrow)
    case .polyline(var corners):
      guard corners.count > 2 else { return edge }
      corners[0] = point(0, corners[0], corners[1])
      let last = corners.count - 1
      corners[last] = point(1, corners[last], corners[last - 1])
      return .polyline(corners)
    default: return edge
    }
  }

  /// Returns the ends of a level or upright line between two shapes that are beside or below each
  /// other; nil if the line is none.
  private static func level(
    _ from: Point, _ to: Point, _ nodes: [Form?], _ follows: Bool
  ) -> (Point, Point)? {
    guard let one = nodes[0], let other = nodes[1] else { return nil }
    let (dx, dy) = (abs(to.x - from.x), abs(to.y - from.y))
    let isLevel = dy < Chosen.slope * dx
    guard isLevel || dx < Chosen.slope * dy else { return nil }
    let (a, b) = (one.box, other.box)
    let (low, high) =
      isLevel
      ? (max(a.minY, b.minY), min(a.maxY, b.maxY)) : (max(a.minX, b.minX), min(a.maxX, b.maxX))
    guard low < high else { return nil }
    let own = isLevel ? (from.y + to.y) / 2 : (from.x + to.x) / 2
    let centres = isLevel ? [a.midY, b.midY] : [a.midX, b.midX]
    let reach = Chosen.lineShare * (high - low)
    var place = min(
      max(own, low + Chosen.cornerShare * (high - low)), high - Chosen.cornerShare * (high - low))
    if let centre = centres.filter({ $0 >= low && $0 <= high }).min(by: {
      abs($0 - place) < abs($1 - place)
    }), abs(centre - place) < reach || follows {
      place = centre
    }
    func end(_ node: Form, _ outside: BoundingBox) -> Point {
      let box = node.box
      return isLevel
        ? node.entry(
          from: Point(x: outside.midX, y: place), to: Point(x: box.midX, y: place))
        : node.entry(
          from: Point(x: place, y: outside.midY), to: Point(x: place, y: box.midY))
    }
    let ends = (end(one, b), end(other, a))
    let straight = isLevel ? ends.0.y == ends.1.y : ends.0.x == ends.1.x
    return straight ? ends : nil
  }

  // MARK: - Groups

  private static func kind(of form: Form) -> Int {
    switch form {
    case .rectangle: 0
    case .circle: 1
    case .ellipse: 2
    case .polygon(_, let corners): 10 + corners.count
    case .line, .polyline: 3
    }
  }

  private static func isLike(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= Chosen.likeSize * max(one, other)
  }

  /// Returns values of which those that are alike are equal: the mean of their group.
  private static func likened(_ values: [Double], _ areAlike: (Int, Int) -> Bool) -> [Double] {
    var group = Array(values.indices)
    for one in values.indices {
      for other in values.indices where other > one && areAlike(one, other) {
        let (old, new) = (group[other], group[one])
        for index in group.indices where group[index] == old { group[index] = new }
      }
    }
    var result = values
    for members in Dictionary(grouping: values.indices, by: { group[$0] }).values {
      let mean = members.reduce(0) { $0 + values[$1] } / Double(members.count)
      for index in members { result[index] = mean }
    }
    return result
  }
}

/// Numbers that were chosen and not derived. Diagrams of the flowchart set were looked at.
private enum Chosen {
  /// The greatest difference of two sizes that become equal, as a share.
  static let likeSize = 0.15
  /// The greatest distance of the middles of two shapes in one row or column, as a share of the
  /// smaller one.
  static let lineShare = 0.25
  /// The least distance of a level line from a corner, as a share of the side.
  static let cornerShare = 0.1
  /// The greatest slope of a line that becomes level.
  static let slope = 0.18
  /// The distance from an outline at which a line ends there, millimetres.
  static let touch = 0.05
}
