import InkCore

/// Reads Quick, Draw! raw drawings: `{"word":"cat","drawing":[[[x…],[y…],[t…]],…]}` per line.
///
/// The label is `word`, which may be absent; `key_id` identifies the drawing; there is no writer.
/// `t` is in milliseconds and may be absent, as in the simplified drawings; other keys are ignored.
/// y grows downward unless `yAxis` says otherwise. A bad line yields a failure, and reading
/// continues. Holds one line at a time, of at most 64 MB.
enum QuickDrawReader {
  @Sendable
  static func record(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> JSONLineFiles.Line {
    var word = ""
    var id: String?
    var strokes: [Stroke]?
    try scanner.object("an object with word and drawing") {
      (scanner, key) throws(InkFormatError) in
      switch key {
      case "word": word = try scanner.label("the string word")
      case "key_id": id = try scanner.anyIdentifier()
      case "drawing":
        var read: [Stroke] = []
        try scanner.array("the array drawing") { scanner throws(InkFormatError) in
          let stroke = try Self.stroke(&scanner, sign: sign)
          if !stroke.points.isEmpty { read.append(stroke) }
        }
        strokes = read
      default: try scanner.skipValue()
      }
    }
    guard let strokes else { throw scanner.missing("drawing") }
    return JSONLineFiles.Line(LabeledInk(ink: Ink(strokes: strokes), label: word), id: id)
  }

  private static func stroke(
    _ scanner: inout JSONScanner, sign: Double
  ) throws(InkFormatError) -> Stroke {
    var columns: [[Double]] = []
    try scanner.array("a stroke [[x…], [y…], [t…]]") { scanner throws(InkFormatError) in
      columns.append(try scanner.numbers("an array of numbers"))
    }
    guard columns.count == 2 || columns.count == 3 else {
      throw scanner.error(
        .unequalLengths, expected: "2 or 3 columns in a stroke", found: "\(columns.count)")
    }
    let times = columns.count == 3 ? columns[2] : nil
    guard columns[1].count == columns[0].count, times.map({ $0.count == columns[0].count }) ?? true
    else {
      throw scanner.error(
        .unequalLengths, expected: "columns of one length in a stroke",
        found: columns.map { "\($0.count)" }.joined(separator: ", "))
    }
    return Stroke(
      points: columns[0].indices.map { index in
        StrokePoint(x: columns[0][index], y: columns[1][index] * sign, t: times?[index])
      })
  }
}
