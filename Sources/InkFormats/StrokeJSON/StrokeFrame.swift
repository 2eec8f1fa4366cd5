import Foundation
import InkCore

/// The place of strokes on the sheet, and the width of the pen there.
struct StrokeFrame {
  var matrix = AffineMatrix()
  /// The width on the sheet, 0 if it is not known.
  var penWidth = 0.0

  /// Returns a stroke on the sheet.
  func stroke(_ points: [StrokePoint]) -> Stroke {
    guard matrix != AffineMatrix() else { return Stroke(points: points) }
    return Stroke(
      points: points.map { point in
        var point = point
        (point.x, point.y) = matrix.apply(point.x, point.y)
        return point
      })
  }

  /// Returns the frame of what an object holds.
  ///
  /// - Parameters:
  ///   - members: The object.
  ///   - box: The box of its points, for objects that are placed by their corner or middle.
  ///   - first: The first of its strokes.
  func inside(_ members: StrokeMembers, box: BoundingBox?, first: RawStroke? = nil) -> StrokeFrame {
    var frame = self
    if members.hasCorner {
      frame.matrix = matrix * Self.placed(members, box: box)
    } else if let attributes = members["attrs"]?.object.map(StrokeMembers.init),
      members["children"] != nil
    {
      frame.matrix = matrix * Self.moved(attributes)
    } else if members.hasOrigin || first?.beginsAtZero == true {
      frame.matrix = matrix * Self.moved(members)
    }
    let width = members.penWidth
    if width > 0 {
      let area = abs(frame.matrix.a * frame.matrix.d - frame.matrix.b * frame.matrix.c)
      frame.penWidth = width * area.squareRoot()
    }
    return frame
  }

  /// The map of an object whose points are relative to `x` and `y`, scaled and rotated about there.
  private static func moved(_ members: StrokeMembers) -> AffineMatrix {
    let degrees = members.number("rotation") ?? 0
    return AffineMatrix(e: members.number("x") ?? 0, f: members.number("y") ?? 0)
      * AffineMatrix.rotation(degrees * .pi / 180)
      * AffineMatrix(a: members.number("scalex") ?? 1, d: members.number("scaley") ?? 1)
      * AffineMatrix(e: -(members.number("offsetx") ?? 0), f: -(members.number("offsety") ?? 0))
  }

  /// The map of an object that is placed by its corner or middle (`left`, `top`, `originX`,
  /// `originY`), and rotated about it by `angle` degrees. Its points are about the middle of their
  /// box, or `pathOffset`; those of a group are about the middle of the group.
  private static func placed(_ members: StrokeMembers, box: BoundingBox?) -> AffineMatrix {
    let isGroup = box == nil
    let border = isGroup ? 0 : members.number("strokewidth") ?? 1
    let width = (members.number("width") ?? box?.width ?? 0) + border
    let height = (members.number("height") ?? box?.height ?? 0) + border
    var middle = (x: 0.0, y: 0.0)
    if let box {
      let offset = members["pathoffset"]?.object.map(StrokeMembers.init)
      middle.x = offset?.number("x") ?? (box.minX / 2 + box.maxX / 2)
      middle.y = offset?.number("y") ?? (box.minY / 2 + box.maxY / 2)
    }
    func slope(_ key: String) -> Double { tan((members.number(key) ?? 0) * .pi / 180) }
    func scale(_ axis: String) -> Double {
      (members.number("scale\(axis)") ?? 1) * (members["flip\(axis)"]?.truth == true ? -1 : 1)
    }
    let shape =
      AffineMatrix(a: scale("x"), d: scale("y")) * AffineMatrix(c: slope("skewx"))
      * AffineMatrix(b: slope("skewy"))
    let size = (
      x: abs(shape.a) * width + abs(shape.c) * height,
      y: abs(shape.b) * width + abs(shape.d) * height
    )
    let turn = AffineMatrix.rotation((members.number("angle") ?? 0) * .pi / 180)
    let share = (
      x: Self.share(members["originx"]?.string), y: Self.share(members["originy"]?.string)
    )
    let fromOrigin = turn.apply(size.x * share.x, size.y * share.y)
    // Without a place, the box is where the points say.
    let left = members.number("left") ?? (middle.x - width * share.x)
    let top = members.number("top") ?? (middle.y - height * share.y)
    return AffineMatrix(e: left + fromOrigin.0, f: top + fromOrigin.1) * turn * shape
      * AffineMatrix(e: -middle.x, f: -middle.y)
  }

  /// Returns the way from an origin to the middle, in sizes.
  private static func share(_ origin: String?) -> Double {
    switch origin {
    case "center": 0
    case "right", "bottom": -0.5
    default: 0.5
    }
  }
}

extension StrokeMembers {
  /// True for an object that is placed by its corner or middle.
  fileprivate var hasCorner: Bool { hasTransform && self["x"] == nil && self["y"] == nil }

  /// True for an object whose points are relative to its own origin.
  fileprivate var hasOrigin: Bool {
    ["rotation", "scalex", "scaley", "offsetx", "offsety"].contains { self[$0] != nil }
  }
}

extension RawStroke {
  /// True if the first point is 0, 0: the points are relative to something.
  fileprivate var beginsAtZero: Bool {
    switch shape {
    case .columns(let columns): columns.x.first == 0 && columns.y.first == 0
    case .grid(let rows): rows.first?.starts(with: [0, 0]) == true
    }
  }
}
