import InkCore

/// The ink of a stroke file of IAM-OnDB: `<StrokeSet><Stroke><Point x y time/>…`, time in seconds.
package struct IAMOnDBStrokes {
  /// The non-empty strokes, with times from 0.
  package private(set) var ink = Ink(strokes: [])
  /// The problems that were corrected or noticed.
  private(set) var notes: Set<InkRecord.Note> = []

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its path, for errors.
  ///   - sign: The factor of y.
  /// - Throws: ``InkFormatError`` for malformed XML, missing or invalid numbers, and a file without
  ///   points.
  package init(parsing bytes: [UInt8], path: String, sign: Double = 1) throws(InkFormatError) {
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
    if tag.has("time") {
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

/// The texts of a form of IAM-OnDB.
///
/// A file has a part `OCR:` with the text to copy, and a part `CSR:` with the written text and its
/// line ends.
package enum IAMOnDBTranscription {
  /// The non-blank lines after `CSR:`, without their line ends, in ISO 8859-1.
  ///
  /// - Throws: ``InkFormatError`` of code `missingKey` if there is no line `CSR:`, of code
  ///   `malformed` if there are several.
  package static func lines(of bytes: [UInt8], path: String) throws(InkFormatError) -> [String] {
    var lines: [String] = []
    var isWritten = false
    let all = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in all.enumerated() {
      let content = Latin1.trimmed(raw)
      if content.elementsEqual("CSR:".utf8) {
        guard !isWritten else {
          throw InkFormatError(
            .malformed, at: SourceLocation(path: path, line: index + 1),
            expected: "one line CSR:", found: "another", advice: "correct or remove the file")
        }
        isWritten = true
      } else if isWritten, !content.isEmpty {
        lines.append(Latin1.string(raw.last == 0x0D ? raw.dropLast() : raw))
      }
    }
    guard isWritten else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: path), expected: "a line CSR: before the texts",
        found: "none", advice: "correct or remove the file")
    }
    return lines
  }
}
