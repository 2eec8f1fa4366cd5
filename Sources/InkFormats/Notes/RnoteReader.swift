import Files
import Foundation
import InkCore

/// Reads notes of Rnote (`.rnote`) from version 0.5 on: JSON compressed by gzip, or the chunks of later
/// versions, compressed by Zstandard, gzip or not at all.
///
/// A note with pages below each other has a record for each page; a note without edges is one record.
/// Brush strokes are ink, and so are the lines of shapes. Typed text is kept. Pictures are counted.
/// Strokes in the trash and those of the highlighter are no ink.
enum RnoteReader {
  /// The first bytes of later versions, "RNOTE-ΦΛ".
  static let magic: [UInt8] = [0x52, 0x4E, 0x4F, 0x54, 0x45, 0x2D, 0xCE, 0xA6, 0xCE, 0x9B]
  /// The version of the JSON that is known to be read.
  private static let known = (0, 15)

  /// The ways in which chunks are packed.
  private enum Compression: String {
    case plain = "none"
    case gzip, zstd
  }

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var document = RnoteDocument(path: input.path)
    if try input.start(magic.count) == magic {
      try chunks(input, &document)
    } else {
      let (bytes, pictures) = try input.jsonWithoutPictures()
      try document.read(bytes)
      document.pictures = max(document.pictures, pictures)
    }
    return document.file
  }

  /// Reads the chunks of a later version: a header in JSON, the document, and lists of strokes.
  private static func chunks(
    _ input: InkInput, _ document: inout RnoteDocument
  ) throws(InkFormatError) {
    var cursor = ByteCursor(try input.content(), path: input.path)
    try cursor.skip(magic.count)
    let version = try cursor.short()
    guard version == 1 else {
      throw cursor.error(
        .unsupported, expected: "chunks of version 1", found: "version \(version)",
        advice: "export the note as Xournal++ file")
    }
    let (major, minor) = (try cursor.longLong(), try cursor.longLong())
    try cursor.skip(8)
    for _ in 0..<2 { try cursor.skip(Int(try cursor.short())) }
    if (major, minor) > (UInt64(known.0), UInt64(known.1)) {
      document.version = "\(major).\(minor)"
    }
    let header = try JSONValue(
      document: Array(try cursor.array(Int(try cursor.long()))), path: input.path)
    // A word, or an object with the level of the compression.
    let value = header["compression_method"]
    let name = value?.string ?? value?.object?.first?.key
    guard let method = name.flatMap({ Compression(rawValue: $0.lowercased()) }) else {
      throw cursor.error(
        .unsupported, expected: "chunks compressed by gzip or Zstandard",
        found: "another compression", advice: "export the note as Xournal++ file")
    }
    func part(_ info: JSONValue?) throws(InkFormatError) -> [UInt8] {
      guard let size = info?["c_size"]?.double, let count = Int(exactly: size) else {
        throw cursor.error(.malformed, expected: "the size of a chunk", found: "none")
      }
      let bytes = Array(try cursor.array(count))
      return switch method {
      case .plain: bytes
      case .gzip: try ByteFile.unpacked(bytes, path: input.path)
      case .zstd: try ByteFile.unpackedZstandard(bytes, path: input.path)
      }
    }
    try document.read(try part(header["core_info"]))
    for info in header["chunk_info_vec"]?.array ?? [] {
      try document.readPairs(try part(info))
    }
  }
}

/// Collects the strokes of a note and lays them out on pages.
private struct RnoteDocument {
  private struct Item {
    var stroke: Stroke
    var width: Double
    var color: String?
    var order: Double
  }

  let path: String
  var version: String?
  var pictures = 0
  private var items: [Item] = []
  private var texts: [PlacedText] = []
  private var budget = InkBudget()
  private var orders: [Double?] = []
  private var trashed: Set<Int> = []
  private var places: [Int] = []
  private var pageSize: (width: Double, height: Double)?
  private var hasPages = false

  init(path: String) {
    self.path = path
  }

  /// Reads the JSON of a note.
  mutating func read(_ bytes: [UInt8]) throws(InkFormatError) {
    let first = items.count
    places = []
    try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) in
      var scanner = JSONScanner(document: buffer, path: path)
      try read(&scanner, depth: 0)
    }
    // Times and the trash are lists beside that of the strokes.
    for (index, place) in places.enumerated() where first + index < items.count {
      if place < orders.count, let order = orders[place] { items[first + index].order = order }
    }
    if !trashed.isEmpty {
      let kept = items.indices.filter { index in
        index < first || index - first >= places.count || !trashed.contains(places[index - first])
      }
      items = kept.map { items[$0] }
    }
  }

  /// Reads a list of pairs of a stroke and its time.
  mutating func readPairs(_ bytes: [UInt8]) throws(InkFormatError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) in
      var scanner = JSONScanner(document: buffer, path: path)
      try scanner.array("a list of strokes") { (scanner) throws(InkFormatError) in
        let pair = try scanner.tree().array ?? []
        guard let stroke = pair.first else { return }
        try add(stroke, order: pair.dropFirst().first?["t"]?.double ?? Double(items.count))
      }
    }
  }

  private mutating func read(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(InkFormatError) {
    guard scanner.isAtObject, depth < 8 else { return try scanner.skipValue() }
    try scanner.object("an object of Rnote") { (scanner, key) throws(InkFormatError) in
      switch key {
      case "version" where depth == 0 && scanner.isAtString:
        try take(version: try scanner.string("a version"))
      case "document": take(document: try scanner.tree())
      case "stroke_components" where scanner.isAtArray:
        var place = 0
        try scanner.array("the strokes") { (scanner) throws(InkFormatError) in
          defer { place += 1 }
          let element = try scanner.tree()
          guard let value = element["value"], value.object != nil else { return }
          let count = items.count
          try add(value, order: Double(place))
          places += Array(repeating: place, count: items.count - count)
        }
      case "chrono_components" where scanner.isAtArray:
        try scanner.array("the times") { (scanner) throws(InkFormatError) in
          orders.append(try scanner.tree()["value"]?["t"]?.double)
        }
      case "trash_components" where scanner.isAtArray:
        var place = 0
        try scanner.array("the trash") { (scanner) throws(InkFormatError) in
          if try scanner.tree()["value"]?["trashed"]?.truth == true { trashed.insert(place) }
          place += 1
        }
      default: try read(&scanner, depth: depth + 1)
      }
    }
  }

  private mutating func take(version text: String) throws(InkFormatError) {
    let parts = text.split(separator: ".").prefix(2).map { Int($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1], major >= 0, minor >= 0
    else {
      throw InkFormatError(
        .malformed, at: SourceLocation(path: path), expected: "a version such as 0.9.0",
        found: "another text", advice: "check that the file is of Rnote")
    }
    guard (major, minor) >= (0, 5) else {
      throw InkFormatError(
        .unsupported, at: SourceLocation(path: path), expected: "a note of Rnote 0.5 or later",
        found: "version \(major).\(minor)", advice: "open and save the note with a later version")
    }
    if (major, minor) > (0, 15) { version = "\(major).\(minor)" }
  }

  private mutating func take(document: JSONValue) {
    let format = document["config"]?["format"] ?? document["format"]
    let layout = (document["config"]?["layout"] ?? document["layout"])?.string ?? ""
    guard let width = format?["width"]?.double, let height = format?["height"]?.double,
      width > 1, height > 1
    else { return }
    pageSize = (width, height)
    hasPages = layout.contains("fixed") || layout.contains("continuous")
  }

  // MARK: - Strokes

  private mutating func add(_ value: JSONValue, order: Double) throws(InkFormatError) {
    if let brush = value["brushstroke"] {
      try addBrush(brush, order)
    } else if let shape = value["shapestroke"] {
      for run in RnoteShape.runs(of: shape["shape"] ?? .null) {
        try add(run.map { StrokePoint(x: $0.x, y: $0.y) }, shape["style"], order)
      }
    } else if let text = value["textstroke"], let string = text["text"]?.string, !string.isEmpty {
      let place = RnoteShape.translation(text["transform"]) ?? (0, 0)
      let size = text["text_style"]?["font_size"]?.double ?? 32
      texts.append(PlacedText(string, x: place.0, y: place.1, size: size))
    } else if value["bitmapimage"] != nil || value["vectorimage"] != nil {
      pictures += 1
    }
  }

  private mutating func addBrush(_ brush: JSONValue, _ order: Double) throws(InkFormatError) {
    let path = brush["path"] ?? .null
    var points: [StrokePoint] = []
    func append(_ element: JSONValue?) {
      guard let point = RnoteShape.point(element) else { return }
      points.append(point)
    }
    append(path["start"])
    for segment in path["segments"]?.array ?? path.array ?? [] {
      guard let (kind, value) = segment.object?.first else { continue }
      if let start = value["start"], points.isEmpty { append(start) }
      switch kind {
      case "dot": append(value["element"] ?? value)
      case "lineto", "line": append(value["end"])
      case "quadbezto", "quadbez", "cubbezto", "cubbez":
        guard let last = points.last, let end = RnoteShape.point(value["end"]) else { continue }
        let controls = ["cp", "cp1", "cp2"].compactMap { RnoteShape.pair(value[$0]) }
        points += RnoteShape.curve(from: last, controls, to: end)
      default: continue
      }
    }
    try add(points, brush["style"], order)
  }

  private mutating func add(
    _ points: [StrokePoint], _ style: JSONValue?, _ order: Double
  ) throws(InkFormatError) {
    let (kind, value) = style?.object?.first ?? ("", .null)
    let color = value["stroke_color"]
    // A broad pen that one sees through is a highlighter.
    let width = value["stroke_width"]?.double ?? 0
    let alpha = color?["a"]?.double ?? 1
    guard !points.isEmpty, !(alpha < 0.6 && width >= 8), kind != "marker" else { return }
    try budget.add(points.count, path: path)
    items.append(
      Item(
        stroke: Stroke(points: points), width: width, color: color.flatMap(RnoteShape.color),
        order: order))
  }

  // MARK: - Pages

  var file: DrawnFile {
    var file = DrawnFile()
    let sorted = items.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }
    func page(at y: Double) -> Int {
      guard hasPages, let height = pageSize?.height, y.isFinite else { return 0 }
      return max(0, min(19_999, Int((y / height).rounded(.down).clamped)))
    }
    func place(_ number: Int) -> Int {
      while file.pages.count <= number {
        var new = DrawnFile.Page(height: hasPages ? pageSize?.height : nil)
        new.width = hasPages ? pageSize?.width : nil
        new.groups = [DrawnFile.Group()]
        file.pages.append(new)
      }
      return number
    }
    for (_, item) in sorted {
      let box = Ink(strokes: [item.stroke]).boundingBox
      let number = place(page(at: box?.midY ?? 0))
      var stroke = item.stroke
      if number > 0, let height = pageSize?.height {
        for index in stroke.points.indices { stroke.points[index].y -= Double(number) * height }
      }
      file.pages[number].add(stroke, to: 0, width: item.width, color: item.color)
    }
    for text in texts {
      let number = place(page(at: text.box.midY))
      let top = Double(number) * (pageSize?.height ?? 0)
      file.pages[number].texts.append(PlacedText(text: text.text, box: text.box.moved(y: -top)))
    }
    if pictures > 0 { file.warnings.append(.pictures(pictures, path: path)) }
    if let version { file.warnings.append(.laterVersion(version, known: "0.15", path: path)) }
    return file
  }
}

extension Double {
  /// The value in the range of page numbers.
  fileprivate var clamped: Double { Swift.max(-1, Swift.min(1e6, self)) }
}

/// The values of Rnote's strokes and shapes.
private enum RnoteShape {
  /// The points of a curve.
  private static let steps = 8

  /// Reads `[x, y]` or `{"x": …, "y": …}`.
  static func pair(_ value: JSONValue?) -> (x: Double, y: Double)? {
    if let numbers = value?.array, numbers.count >= 2, let x = numbers[0].double,
      let y = numbers[1].double
    {
      return (x, y)
    }
    guard let x = value?["x"]?.double, let y = value?["y"]?.double else { return nil }
    return (x, y)
  }

  /// Reads a point of a brush: its place and pressure.
  static func point(_ value: JSONValue?) -> StrokePoint? {
    pair(value?["pos"]).map {
      StrokePoint(x: $0.x, y: $0.y, force: value?["pressure"]?.double)
    }
  }

  /// The points of a quadratic or cubic curve, without its start.
  static func curve(
    from start: StrokePoint, _ controls: [(x: Double, y: Double)], to end: StrokePoint
  ) -> [StrokePoint] {
    let corners = [(start.x, start.y)] + controls.map { ($0.x, $0.y) } + [(end.x, end.y)]
    return (1...steps).map { step in
      let part = Double(step) / Double(steps)
      var row = corners
      while row.count > 1 {
        row = zip(row, row.dropFirst()).map {
          ($0.0 + part * ($1.0 - $0.0), $0.1 + part * ($1.1 - $0.1))
        }
      }
      let force = start.force.flatMap { first in end.force.map { first + part * ($0 - first) } }
      return StrokePoint(x: row[0].0, y: row[0].1, force: force)
    }
  }

  static func color(_ value: JSONValue) -> String? {
    let parts = ["r", "g", "b", "a"].map { value[$0]?.double ?? 1 }
    guard parts.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return "#"
      + parts.map { part in
        let text = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
        return text.count < 2 ? "0" + text : text
      }.joined()
  }

  /// The numbers of a matrix, column by column, flat or as lists.
  private static func matrix(_ value: JSONValue?) -> [Double]? {
    let list = value?["affine"]?.array ?? []
    let numbers = list.flatMap { $0.array ?? [$0] }.compactMap(\.double)
    return numbers.count == 9 ? numbers : nil
  }

  static func translation(_ value: JSONValue?) -> (Double, Double)? {
    matrix(value).map { ($0[6], $0[7]) }
  }

  /// The lines of a shape.
  static func runs(of shape: JSONValue) -> [[(x: Double, y: Double)]] {
    guard let (kind, value) = shape.object?.first else { return [] }
    switch kind {
    case "line", "arrow":
      let ends = [pair(value["start"]), pair(value["end"] ?? value["tip"])].compactMap { $0 }
      return ends.count == 2 ? [ends] : []
    case "polyline", "polygon":
      var run = [pair(value["start"])].compactMap { $0 }
      run += (value["path"]?.array ?? []).compactMap(pair)
      if kind == "polygon", let first = run.first { run.append(first) }
      return run.count > 1 ? [run] : []
    case "quadbez", "cubbez":
      guard let start = pair(value["start"]), let end = pair(value["end"]) else { return [] }
      let controls = ["cp", "cp1", "cp2"].compactMap { pair(value[$0]) }
      let first = StrokePoint(x: start.x, y: start.y)
      let points = [first] + curve(from: first, controls, to: StrokePoint(x: end.x, y: end.y))
      return [points.map { ($0.x, $0.y) }]
    case "rect", "rectangle":
      guard let half = pair(value["cuboid"]?["half_extents"]) else { return [] }
      let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
      return [place(corners.map { ($0.0 * half.x, $0.1 * half.y) }, value["transform"])]
    case "ellipse":
      guard let radii = pair(value["radii"]) else { return [] }
      let turn = (0...32).map { Double($0) / 32 * 2 * Double.pi }
      return [place(turn.map { (radii.x * cos($0), radii.y * sin($0)) }, value["transform"])]
    default: return []
    }
  }

  private static func place(
    _ points: [(Double, Double)], _ transform: JSONValue?
  ) -> [(x: Double, y: Double)] {
    let m = matrix(transform) ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
    return points.map { (m[0] * $0.0 + m[3] * $0.1 + m[6], m[1] * $0.0 + m[4] * $0.1 + m[7]) }
  }
}
