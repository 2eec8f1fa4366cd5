import Files

/// The names of members of JSON that say what they hold.
enum StrokeKeys {
  /// Returns a name without case, `_` and `-`.
  static func plain(_ key: String) -> String {
    let isPlain = key.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    return isPlain ? key : key.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  /// Members that hold the points of one stroke, the first that is there.
  static let points = [
    "points", "strokepoints", "pointcoordinatepairs", "coordinates", "coords", "positions",
    "samples", "vertices", "segments", "pathdata", "path", "d", "xy", "dots", "trace", "curve",
  ]

  /// Members that hold strokes, or parts that do.
  static let containers: Set<String> = [
    "strokes", "lines", "paths", "objects", "shapes", "children", "layers", "strokegroups",
    "groups", "elements", "items", "ink", "inks", "drawing", "drawings", "traces", "curves",
    "requests", "canvas", "data", "signature", "content", "polylines", "pages", "stroke", "line",
  ]

  /// Members of objects whose other members may hold ink that are no ink themselves.
  static let others: Set<String> = [
    "transform", "matrix", "viewporttransform", "background", "backgroundimage", "clippath",
    "boundingbox", "bounds", "box", "viewbox", "writingguide", "shadow", "style", "metadata",
  ]

  static let x: Set<String> = ["x", "xs"]
  static let y: Set<String> = ["y", "ys"]
  static let time = [
    "t", "ts", "time", "times", "timestamp", "timestamps", "toffset", "timeoffset", "elapsed",
  ]
  static let force = ["force", "f", "p", "pressure", "pressures", "forces"]
  static let places = ["position", "location", "pos", "point", "coord", "coords", "coordinates"]
}

/// The members of an object by their plain names.
struct StrokeMembers {
  private let values: [String: JSONValue]

  init(_ members: [String: JSONValue]) {
    values = Dictionary(
      members.map { (StrokeKeys.plain($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(key: String) -> JSONValue? { values[key] }

  /// The names in a fixed order.
  var keys: [String] { values.keys.sorted() }

  /// The names that say nothing.
  var otherKeys: Set<String> {
    Set(values.keys).subtracting(StrokeKeys.containers).subtracting(StrokeKeys.others)
  }

  func first(of keys: some Sequence<String>) -> JSONValue? {
    for key in keys { if let value = values[key] { return value } }
    return nil
  }

  func number(_ key: String) -> Double? { values[key]?.coordinate }

  /// True for what was erased, deleted or hidden, and for what erases.
  var isErased: Bool {
    let tools = ["tool", "mode", "brush", "type", "classname"].compactMap {
      values[$0]?.string?.lowercased()
    }
    if tools.contains(where: { ["eraser", "erase", "erasedlinepath"].contains($0) }) {
      return true
    }
    let composition = values["globalcompositeoperation"] ?? values["compositeoperation"]
    if composition?.string == "destination-out" { return true }
    if ["drawmode", "visible"].contains(where: { values[$0]?.truth == false }) { return true }
    return ["iseraser", "erased", "isdeleted", "deleted", "hidden"].contains {
      values[$0]?.truth == true
    }
  }

  /// False for an area that is filled and has no line around it, as in a drawing.
  var isDrawn: Bool {
    let fill = values["fill"]?.string ?? ""
    let hasFill = !["", "none", "transparent"].contains(fill)
    guard hasFill, values.keys.contains("stroke") else { return true }
    return !["", "none", "transparent"].contains(values["stroke"]?.string ?? "")
  }

  /// True if the object is placed by members of its own.
  var hasTransform: Bool {
    ["left", "top", "scalex", "scaley", "angle", "flipx", "flipy", "skewx", "skewy"].contains(
      where: values.keys.contains)
  }

  /// The width of the pen, 0 if it is not stated.
  var penWidth: Double {
    for key in ["strokewidth", "linewidth", "penwidth", "brushsize", "thickness", "maxwidth"] {
      if let width = number(key), width > 0 { return width }
    }
    return 2 * max(0, number("brushradius") ?? 0)
  }
}
