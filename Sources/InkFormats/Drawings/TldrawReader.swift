import Files
import Foundation
import InkCore

/// Reads drawings of tldraw (`.tldr`, JSON): the freehand strokes, without labels.
///
/// Each page with strokes is a record; with a unit, each group or stroke, or the whole file, is
/// one. Shapes, arrows, notes, typed text and the highlighter are not ink. Positions, rotations and
/// scales of groups and frames are applied. Force is the third value of a point, if a pen drew it.
/// Files of the first and the current version of the format are read, with points as objects or
/// packed. A bad file yields a failure, and reading continues.
enum TldrawReader {
  /// The version of strokes in the current format that is known to be read, and of the format.
  private static let known = (stroke: 5.0, file: 1.0)
  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    try DrawnFile(
      json: input, of: "tldraw", key: "records", content: Self.content
    ) { (content) throws(InkFormatError) in
      switch content {
      case .pages(let pages): return try first(pages, input.path)
      case .records(let records, let later):
        var file = try TldrawStore(records).file(input.path)
        if let later { file.warnings.append(later(input.path)) }
        return file
      }
    }
  }

  /// What a file holds, by its form.
  private enum Content {
    /// Pages of shapes by their ids: the first form.
    case pages([String: JSONValue])
    /// Records, and the notice of a later version.
    case records([JSONValue], (@Sendable (_ path: String) -> InkFormatError)?)
  }

  private static func content(_ root: JSONValue) -> Content? {
    if let pages = root["document"]?["pages"]?.object { return .pages(pages) }
    let store = root["store"] ?? root["document"]?["store"] ?? root["records"]
    let later = laterVersion(root)
    if let records = store?.array { return .records(records, later) }
    return store?.object.map { .records($0.sorted { $0.key < $1.key }.map(\.value), later) }
  }

  /// The notice of a file whose strokes may be of another form.
  private static func laterVersion(
    _ root: JSONValue
  ) -> (@Sendable (_ path: String) -> InkFormatError)? {
    let schema = root["schema"] ?? root["document"]?["schema"]
    let stroke = schema?["sequences"]?["com.tldraw.shape.draw"]?.double ?? 0
    let file = root["tldrawFileFormatVersion"]?.double ?? 0
    guard stroke > known.stroke || file > known.file else { return nil }
    // Other numbers than these are no versions.
    let version = file > known.file ? file : stroke
    guard version < 1e6 else { return nil }
    let name = file > known.file ? "\(Int(version))" : "\(Int(version)) of strokes"
    let last = file > known.file ? "\(Int(known.file))" : "\(Int(known.stroke)) of strokes"
    return { .laterVersion(name, known: last, path: $0) }
  }

  /// Reads a file of the first version: pages of shapes by their ids.
  private static func first(
    _ pages: [String: JSONValue], _ path: String
  ) throws(InkFormatError) -> DrawnFile {
    var file = DrawnFile()
    for (id, page) in ordered(pages) {
      let shapes = ordered(page["shapes"]?.object ?? [:]).map(\.value).filter {
        $0["type"]?.string == "draw"
      }
      var drawn = DrawnFile.Page(id: id)
      for shape in shapes {
        let origin = shape["point"]?.array ?? []
        let place = AffineMatrix(
          e: origin.first?.double ?? 0, f: origin.dropFirst().first?.double ?? 0)
        let points = try (shape["points"]?.array ?? []).map { (point) throws(InkFormatError) in
          try TldrawStore.point(point, place, hasForce: true, path)
        }
        drawn.add(Stroke(points: points), group: nil, id: shape["id"]?.string)
      }
      file.pages.append(drawn)
    }
    return file
  }

  /// Returns the members of an object in the order of their index.
  private static func ordered(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    let indexed = members.map { member in
      (member: member, index: member.value["childIndex"]?.double ?? 0)
    }
    return indexed.sorted {
      $0.index != $1.index ? $0.index < $1.index : $0.member.key < $1.member.key
    }.map(\.member)
  }
}

/// The records of a tldraw document by their ids.
private struct TldrawStore {
  /// The deepest nesting of groups.
  private static let deepest = 32

  private var shapes: [String: JSONValue] = [:]
  private var drawn: [JSONValue] = []
  private var pages: [(id: String, index: String)] = []

  init(_ records: [JSONValue]) {
    for record in records {
      guard let id = record["id"]?.string else { continue }
      switch record["typeName"]?.string {
      case "page": pages.append((id, record["index"]?.string ?? ""))
      case "shape":
        shapes[id] = record
        if record["type"]?.string == "draw" { drawn.append(record) }
      default: continue
      }
    }
    pages.sort { ($0.index, $0.id) < ($1.index, $1.id) }
    // Fractional indexes are texts that sort in the order of drawing.
    drawn.sort { ($0["index"]?.string ?? "") < ($1["index"]?.string ?? "") }
  }

  func file(_ path: String) throws(InkFormatError) -> DrawnFile {
    var file = DrawnFile(pages: pages.map { DrawnFile.Page(id: $0.id) })
    var places = [String: Int](
      pages.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
    for shape in drawn {
      let (matrix, page, group) = place(of: shape)
      let stroke = try stroke(of: shape, matrix, path)
      if places[page] == nil {
        places[page] = file.pages.count
        file.pages.append(DrawnFile.Page(id: page))
      }
      guard let place = places[page] else { continue }
      file.pages[place].add(stroke, group: group, id: shape["id"]?.string)
    }
    return file
  }

  /// Returns the transform of a shape on its page, that page, and the outermost group of the shape.
  private func place(of shape: JSONValue) -> (AffineMatrix, page: String, group: String?) {
    var matrix = AffineMatrix()
    var group: String?
    var next: JSONValue? = shape
    var parent = ""
    for _ in 0..<Self.deepest {
      guard let shape = next else { break }
      matrix =
        AffineMatrix(e: shape["x"]?.double ?? 0, f: shape["y"]?.double ?? 0)
        * AffineMatrix.rotation(shape["rotation"]?.double ?? 0) * matrix
      parent = shape["parentId"]?.string ?? ""
      next = shapes[parent]
      if next != nil { group = parent }
    }
    return (matrix, parent, group)
  }

  private func stroke(
    of shape: JSONValue, _ matrix: AffineMatrix, _ path: String
  ) throws(InkFormatError) -> Stroke {
    let props = shape["props"]
    let scale = AffineMatrix(a: props?["scaleX"]?.double ?? 1, d: props?["scaleY"]?.double ?? 1)
    let hasForce = props?["isPen"]?.truth == true
    var points: [StrokePoint] = []
    for segment in props?["segments"]?.array ?? [] {
      let read: [StrokePoint]
      if let packed = segment["path"]?.string ?? segment["points"]?.string {
        // Without a path, points are not differences. Since version 5, those of a mouse lack force.
        let points =
          segment["path"] == nil
          ? try Self.halves(packed, path)
          : try Self.unpacked(packed, numbers: segment["dim"]?.double == 2 ? 2 : 3, path)
        read = try points.map { (point) throws(InkFormatError) in
          try Self.point(
            .array(point.map { .number($0) }), matrix * scale, hasForce: hasForce, path)
        }
      } else {
        read = try (segment["points"]?.array ?? []).map { (point) throws(InkFormatError) in
          try Self.point(point, matrix * scale, hasForce: hasForce, path)
        }
      }
      // Neighbouring segments share a point.
      points += points.last == read.first ? Array(read.dropFirst()) : read
    }
    return Stroke(points: points)
  }

  /// Reads a point: `{x, y, z}` or `[x, y, z]`.
  static func point(
    _ value: JSONValue, _ matrix: AffineMatrix, hasForce: Bool, _ path: String
  ) throws(InkFormatError) -> StrokePoint {
    let numbers = value.array ?? []
    guard let x = value["x"]?.double ?? numbers.first?.double,
      let y = value["y"]?.double ?? numbers.dropFirst().first?.double
    else { throw fault("points {x, y} of a stroke", path) }
    let z = value["z"]?.double ?? numbers.dropFirst(2).first?.double
    let place = matrix.apply(x, y)
    // Packed numbers may be infinite. Coordinates are checked later.
    let force = hasForce ? z.flatMap { $0.isFinite ? $0 : nil } : nil
    return StrokePoint(x: place.0, y: place.1, force: force)
  }

  /// Reads points that are packed as base64: the first as two or three 32-bit floats, each other as
  /// so many 16-bit differences; little endian.
  private static func unpacked(
    _ text: String, numbers: Int, _ path: String
  ) throws(InkFormatError) -> [[Double]] {
    let bytes = try decoded(text, path)
    let (first, other) = (4 * numbers, 2 * numbers)
    guard bytes.count >= first, (bytes.count - first).isMultiple(of: other) else {
      throw fault("packed points of \(first) bytes and then \(other) each", path)
    }
    var here = (0..<numbers).map { axis in
      Double(Float(bitPattern: word(bytes, 4 * axis) | word(bytes, 4 * axis + 2) << 16))
    }
    var points = [here]
    for start in stride(from: first, to: bytes.count, by: other) {
      for axis in 0..<numbers { here[axis] += half(word(bytes, start + 2 * axis)) }
      points.append(here)
    }
    return points
  }

  /// Reads points that are packed as base64, each as three 16-bit floats: version 3 of strokes.
  private static func halves(_ text: String, _ path: String) throws(InkFormatError) -> [[Double]] {
    let bytes = try decoded(text, path)
    guard bytes.count.isMultiple(of: 6) else { throw fault("packed points of 6 bytes each", path) }
    return stride(from: 0, to: bytes.count, by: 6).map { start in
      (0..<3).map { half(word(bytes, start + 2 * $0)) }
    }
  }

  private static func decoded(_ text: String, _ path: String) throws(InkFormatError) -> [UInt8] {
    guard let data = Data(base64Encoded: text) else { throw fault("packed points in base64", path) }
    return [UInt8](data)
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
  }

  /// Converts a 16-bit float (IEEE 754 binary16).
  private static func half(_ bits: UInt32) -> Double {
    let sign: Double = bits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Double(bits & 0x3FF) / 1024
    switch exponent {
    case 0: return sign * fraction * pow(2, -14)
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default: return sign * (1 + fraction) * pow(2, Double(exponent - 15))
    }
  }

  private static func fault(_ expected: String, _ path: String) -> InkFormatError {
    InkFormatError(
      .malformed, at: SourceLocation(path: path), expected: expected, found: "something else",
      advice: "correct or remove the file")
  }
}
