import Files
import Foundation
import InkCore

/// Reads drawings of Excalidraw (`.excalidraw`, JSON): the freehand strokes, without labels.
///
/// A drawing is one record; with a unit, each of its groups or strokes is one. Deleted elements,
/// shapes, arrows, lines, typed text and the highlighter of Obsidian are not ink. Rotations are applied. Force is the pressure
/// of the pen, unless it was simulated. A bad file yields a failure, and reading continues.
enum ExcalidrawReader {
  /// The version of the format that is known to be read.
  private static let known = 2.0

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    try DrawnFile(
      json: input, of: "Excalidraw", key: "elements",
      content: { root in
        root["elements"]?.array.map { ($0, root["version"]?.double ?? 0) }
      }
    ) { (content) throws(InkFormatError) in
      let (elements, version) = content
      var page = DrawnFile.Page()
      for element in elements {
        guard element["type"]?.string == "freedraw", element["isDeleted"]?.truth != true,
          element["customData"]?["strokeOptions"]?["highlighter"]?.truth != true,
          let stroke = try stroke(element, input.path)
        else { continue }
        // The last group is the outermost; a stroke of none is a group of its own.
        let id = element["groupIds"]?.array?.last?.string ?? element["frameId"]?.string
        page.add(stroke, group: id, id: element["id"]?.string)
      }
      var file = DrawnFile(pages: [page])
      if version > known, version < 1e6 {
        file.warnings.append(
          .laterVersion("\(Int(version))", known: "\(Int(known))", path: input.path))
      }
      return file
    }
  }

  private static func stroke(
    _ element: JSONValue, _ path: String
  ) throws(InkFormatError) -> Stroke? {
    let x = element["x"]?.double ?? 0
    let y = element["y"]?.double ?? 0
    let forces = element["simulatePressure"]?.truth == true ? nil : element["pressures"]?.array
    if let points = element["points"], points.array == nil {
      throw InkFormatError(
        .unsupported, at: SourceLocation(path: path), expected: "a list of points of a stroke",
        found: "points in another form, perhaps of a later version",
        advice: "export the drawing as SVG")
    }
    var points: [StrokePoint] = []
    for (index, pair) in (element["points"]?.array ?? []).enumerated() {
      guard let place = pair.array, place.count >= 2, let dx = place[0].double,
        let dy = place[1].double
      else {
        throw InkFormatError(
          .malformed, at: SourceLocation(path: path), expected: "points [x, y] of a stroke",
          found: "something else", advice: "correct or remove the file")
      }
      let force = forces.flatMap { index < $0.count ? $0[index].double : nil }
      points.append(StrokePoint(x: x + dx, y: y + dy, force: force))
    }
    guard !points.isEmpty else { return nil }
    return Stroke(points: points).rotated(by: element["angle"]?.double ?? 0)
  }
}

extension Stroke {
  /// Rotates about the middle of its box; in radians, clockwise as y grows downward.
  fileprivate func rotated(by angle: Double) -> Stroke {
    guard angle != 0, let box = Ink(strokes: [self]).boundingBox else { return self }
    let turn = AffineMatrix.rotation(
      angle, aboutX: box.minX / 2 + box.maxX / 2, y: box.minY / 2 + box.maxY / 2)
    return Stroke(
      points: points.map { point in
        var point = point
        (point.x, point.y) = turn.apply(point.x, point.y)
        return point
      })
  }
}

/// A map of the plane: x' = ax + cy + e, y' = bx + dy + f, in the notation of SVG.
struct AffineMatrix: Hashable {
  var a = 1.0
  var b = 0.0
  var c = 0.0
  var d = 1.0
  var e = 0.0
  var f = 0.0

  /// Returns a rotation about a point.
  static func rotation(_ angle: Double, aboutX x: Double = 0, y: Double = 0) -> AffineMatrix {
    let turn = AffineMatrix(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle))
    return AffineMatrix(e: x, f: y) * turn * AffineMatrix(e: -x, f: -y)
  }

  func apply(_ x: Double, _ y: Double) -> (Double, Double) {
    (a * x + c * y + e, b * x + d * y + f)
  }

  /// Applies the right map first, then the left one.
  static func * (left: AffineMatrix, right: AffineMatrix) -> AffineMatrix {
    let (e, f) = left.apply(right.e, right.f)
    return AffineMatrix(
      a: left.a * right.a + left.c * right.b, b: left.b * right.a + left.d * right.b,
      c: left.a * right.c + left.c * right.d, d: left.b * right.c + left.d * right.d, e: e, f: f)
  }
}
