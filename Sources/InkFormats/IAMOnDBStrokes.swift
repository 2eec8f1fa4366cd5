import InkCore

/// The ink of a stroke file of IAM-OnDB: `<StrokeSet><Stroke><Point x y time/>…`, time in seconds.
struct IAMOnDBStrokes {
  /// The strokes that have points, with times from 0.
  private(set) var ink = Ink(strokes: [])
  /// What was mended or is odd.
  private(set) var notes: Set<InkRecord.Note> = []

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its path, for errors.
  ///   - sign: The factor of y.
  /// - Throws: ``InkFormatError`` for malformed XML, missing or wrong numbers, and no point at all.
  init(parsing bytes: [UInt8], path: String, sign: Double = 1) throws(InkFormatError) {
    var strokes: [[StrokePoint]] = []
    var clock = LineClock()
    try bytes.withUnsafeBufferPointer { buffer throws(InkFormatError) in
      var scanner = XMLScanner(buffer, path: path)
      while let tag = try scanner.nextTag() {
        guard tag.kind != .end else { continue }
        if tag.name == "Stroke" {
          strokes.append([])
        } else if tag.name == "Point" {
          guard !strokes.isEmpty else {
            throw scanner.error(
              .malformed, expected: "points inside an element Stroke", found: "a Point before it")
          }
          strokes[strokes.count - 1].append(
            try Self.point(tag, from: scanner, sign: sign, clock: &clock))
        }
      }
      strokes.removeAll(where: \.isEmpty)
      guard !strokes.isEmpty else {
        throw scanner.error(.emptyInk, expected: "at least one Point", found: "none")
      }
    }
    ink = Ink(strokes: strokes.map(Stroke.init(points:)))
    notes = clock.notes
  }

  private static func point(
    _ tag: XMLScanner.Tag, from scanner: XMLScanner, sign: Double, clock: inout LineClock
  ) throws(InkFormatError) -> StrokePoint {
    var point = StrokePoint(
      x: try scanner.number("x", of: tag), y: sign * (try scanner.number("y", of: tag)))
    if tag["time"] != nil {
      guard let time = clock.milliseconds(at: try scanner.number("time", of: tag)) else {
        throw scanner.error(
          .nonFiniteNumber, expected: "times that a double can hold in milliseconds",
          found: "larger ones")
      }
      point.t = time
    }
    return point
  }
}
