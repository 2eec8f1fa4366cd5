import InkCore
import Layout

/// Reads labelled-ink JSON Lines, the format of ``InkJSONLinesWriter``.
///
/// One object per line:
///
///     {"label":"a","writer":"w1","quality":"good",
///      "area":{"x":0,"y":0,"width":300,"height":80},"kinds":["text"],
///      "strokes":[{"x":[…],"y":[…],"t":[…],"force":[…],"azimuth":[…],"altitude":[…],"roll":[…]}]}
///
/// `strokes` is required, and so are `x` and `y` of a stroke. The columns of a stroke have the same
/// length. Ink without `label` is unlabelled. `kinds` has one name of a kind for each stroke. `id` identifies the ink. `t` is in milliseconds,
/// angles are in radians, and y grows downward. A value that a point lacks is null. Unknown keys
/// are ignored. A bad line yields a failure, and reading continues. Holds one line at a time, of at
/// most 64 MB.
enum InkJSONLinesReader {
  @Sendable
  static func record(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> JSONLineFiles.Line {
    var id: String?
    var strokes: [Stroke]?
    var labeled = LabeledInk(ink: Ink(), label: "")
    try scanner.object("an object with label and strokes") {
      (scanner, key) throws(InkFormatError) in
      switch key {
      case "label": labeled.label = try scanner.label("the string label")
      case "id": id = try scanner.anyIdentifier()
      case "writer": labeled.writer = try scanner.identifier("the string writer")
      case "quality": labeled.quality = try Self.quality(&scanner)
      case "area": labeled.writingArea = try Self.area(&scanner)
      case "kinds": labeled.kinds = try Self.kinds(&scanner)
      case "strokes":
        var read: [Stroke] = []
        try scanner.array("the array strokes") { scanner throws(InkFormatError) in
          read.append(try Self.stroke(&scanner, sign: sign))
        }
        strokes = read
      default: try scanner.skipValue()
      }
    }
    guard let strokes else { throw scanner.missing("strokes") }
    labeled.ink = Ink(strokes: strokes)
    if let kinds = labeled.kinds, kinds.count != strokes.count {
      throw scanner.error(
        .unequalLengths, expected: "\(strokes.count) kinds, one for each stroke",
        found: "\(kinds.count)")
    }
    if sign < 0 {
      labeled.writingArea = labeled.writingArea.flatMap {
        try? WritingArea(x: $0.x, y: 0 - $0.y - $0.height, width: $0.width, height: $0.height)
      }
    }
    return JSONLineFiles.Line(labeled, id: id)
  }

  private static func quality(
    _ scanner: inout JSONScanner
  ) throws(InkFormatError) -> LabeledInk.Quality? {
    if try scanner.null() { return nil }
    let text = try scanner.string("the string quality")
    guard let quality = LabeledInk.Quality(rawValue: text) else {
      throw scanner.error(
        .malformed, expected: "the quality good, ok or bad",
        found: "another string of \(text.utf8.count) bytes")
    }
    return quality
  }

  private static func kinds(
    _ scanner: inout JSONScanner
  ) throws(InkFormatError) -> [String]? {
    if try scanner.null() { return nil }
    var kinds: [String] = []
    try scanner.array("the array kinds") { scanner throws(InkFormatError) in
      let name = try scanner.string("the string with the kind of a stroke")
      guard let kind = StrokeKind(rawValue: name) else {
        throw scanner.error(
          .malformed, expected: "kinds of strokes: \(StrokeKind.names)",
          found: "another string of \(name.utf8.count) bytes")
      }
      kinds.append(kind.rawValue)
    }
    return kinds
  }

  private static func area(
    _ scanner: inout JSONScanner
  ) throws(InkFormatError) -> WritingArea? {
    if try scanner.null() { return nil }
    var x = 0.0
    var y = 0.0
    var width: Double?
    var height: Double?
    try scanner.object("the object area") { (scanner, key) throws(InkFormatError) in
      switch key {
      case "x": x = try scanner.number("the number x of the area")
      case "y": y = try scanner.number("the number y of the area")
      case "width": width = try scanner.number("the number width of the area")
      case "height": height = try scanner.number("the number height of the area")
      default: try scanner.skipValue()
      }
    }
    guard let width else { throw scanner.missing("width of the area") }
    guard let height else { throw scanner.missing("height of the area") }
    do {
      return try WritingArea(x: x, y: y, width: width, height: height)
    } catch {
      throw scanner.error(
        .malformed, expected: "an area with width and height above 0", found: "another area")
    }
  }

  /// The columns of a stroke; a missing value is NaN.
  private static func stroke(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> Stroke {
    var x: [Double]?
    var y: [Double]?
    var rest: [String: [Double]] = [:]
    try scanner.object("a stroke with the columns x and y") {
      (scanner, key) throws(InkFormatError) in
      switch key {
      case "x": x = try scanner.numbers("the array x of numbers")
      case "y": y = try scanner.numbers("the array y of numbers")
      case "t", "force", "azimuth", "altitude", "roll":
        rest[key] = try scanner.optionalNumbers(key)
      default: try scanner.skipValue()
      }
    }
    guard let x else { throw scanner.missing("x of a stroke") }
    guard let y else { throw scanner.missing("y of a stroke") }
    for (name, column) in rest.merging(["y": y], uniquingKeysWith: { first, _ in first })
    where column.count != x.count {
      throw scanner.error(
        .unequalLengths, expected: "\(x.count) values in column \(name) of a stroke, as in x",
        found: "\(column.count)")
    }
    let t = rest["t"]
    let force = rest["force"]
    let azimuth = rest["azimuth"]
    let altitude = rest["altitude"]
    let roll = rest["roll"]
    return Stroke(
      points: x.indices.map { index in
        StrokePoint(
          x: x[index], y: sign * y[index], t: t?[index], force: force?[index],
          azimuth: azimuth?[index], altitude: altitude?[index], roll: roll?[index])
      })
  }
}
