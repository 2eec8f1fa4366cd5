import InkCore

/// Reads strokes, one JSON object per line:
/// `{"label":"a","subject":7,"strokes":[[[x,y,t],…],…]}`.
///
/// `t` is in milliseconds and may be absent. The label is `label`, and the writer is `subject`, a
/// string or a number; both may be absent or null. `id` identifies the ink. Other keys are ignored.
/// y grows downward unless `yAxis` says otherwise. A bad line yields a failure, and reading
/// continues. Holds one line at a time, of at most 64 MB.
enum StrokeNDJSONReader {
  @Sendable
  static func record(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> JSONLineFiles.Line {
    var label = ""
    var id: String?
    var writer: String?
    var strokes: [Stroke]?
    try scanner.object("an object with label and strokes") {
      (scanner, key) throws(InkFormatError) in
      switch key {
      case "label": label = try scanner.label("the string label")
      case "id": id = try scanner.anyIdentifier()
      case "subject": writer = try scanner.identifier("the string or number subject")
      case "strokes": strokes = try Self.strokes(&scanner, sign: sign)
      default: try scanner.skipValue()
      }
    }
    guard let strokes else { throw scanner.missing("strokes") }
    return JSONLineFiles.Line(
      LabeledInk(ink: Ink(strokes: strokes), label: label, writer: writer), id: id)
  }

  private static func strokes(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> [Stroke] {
    var strokes: [Stroke] = []
    try scanner.array("the array strokes") { scanner throws(InkFormatError) in
      var points: [StrokePoint] = []
      try scanner.array("an array of points") { scanner throws(InkFormatError) in
        points.append(try Self.point(&scanner, sign: sign))
      }
      if !points.isEmpty { strokes.append(Stroke(points: points)) }
    }
    return strokes
  }

  private static func point(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> StrokePoint {
    let numbers = try scanner.fewNumbers("a point [x, y] or [x, y, t]")
    guard numbers.count == 2 || numbers.count == 3 else {
      throw scanner.error(
        .unequalLengths, expected: "2 or 3 numbers in a point", found: "\(numbers.count)")
    }
    return StrokePoint(
      x: numbers.first, y: numbers.second * sign, t: numbers.count == 3 ? numbers.third : nil)
  }
}

extension JSONScanner {
  /// Returns the error for an object without a key.
  func missing(_ key: String) -> InkFormatError {
    error(.missingKey, expected: "the key \(key)", found: "an object without it")
  }

  /// Reads a label. Null means no label and gives the empty text.
  mutating func label(_ what: String) throws(InkFormatError) -> String {
    try null() ? "" : try string(what)
  }

  /// Reads an identifier, or returns nil for any other value.
  mutating func anyIdentifier() throws(InkFormatError) -> String? {
    guard isAtString || isAtNumber else {
      try skipValue()
      return nil
    }
    return try identifier("an identifier")
  }

  /// Reads an identifier: a string, a number (a whole one without a point), or nil for null.
  mutating func identifier(_ what: String) throws(InkFormatError) -> String? {
    if try null() { return nil }
    if isAtString { return try string(what) }
    let value = try number(what)
    return Int(exactly: value).map(String.init) ?? value.description
  }
}
