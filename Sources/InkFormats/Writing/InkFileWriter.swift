import InkCore

/// The formats that ink can be written in.
public enum InkOutputFormat: String, Hashable, Sendable, CaseIterable {
  /// Ductus JSON Lines, without loss.
  case jsonLines
  /// InkML, in UTF-8.
  case inkML
  /// UNIPEN 1.0, one file.
  case unipen
  /// SVG, one drawing with a group for each ink.
  case svg

  /// Makes the format from the suffix of a path: `.inkml`, `.svg`, `.dat` or `.unp` for UNIPEN;
  /// JSON Lines for all others.
  public init(path: String) {
    let suffix = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    switch suffix {
    case "inkml": self = .inkML
    case "svg": self = .svg
    case "dat", "unp", "unipen": self = .unipen
    default: self = .jsonLines
    }
  }
}

/// A part of labelled ink that a format cannot hold.
public enum InkLoss: String, Hashable, Sendable, CaseIterable {
  /// Times of points.
  case times
  /// Force at points.
  case force
  /// The scale of the force: its median is 1 when it is read again.
  case forceScale = "the scale of the force"
  /// Azimuth, altitude and roll of the pen.
  case tilt
  /// The writing area.
  case writingArea = "writing areas"
  /// The collector's judgement.
  case quality
  /// Line breaks and characters in the label or the writer's id that the format cannot hold.
  case characters = "characters of labels or writers"
  /// The kinds of strokes.
  case kinds = "kinds of strokes"
  /// The place of the ink on its page: it is moved.
  case place
  /// Strokes without points.
  case emptyStrokes = "strokes without points"
}

/// Writes labelled ink as a file of another program's format, and counts the losses.
///
///     let writer = try InkFileWriter(path: "ink.inkml")
///     for record in records { try writer.write(record.labeled) }
///     try writer.finish()
///     print(writer.losses)
///
/// The file appears at its path when ``finish()`` returns, and not before; see
/// ``InkJSONLinesWriter``. Not thread-safe.
public final class InkFileWriter {
  /// The format.
  public let format: InkOutputFormat
  /// The number of inks that lost each kind of content.
  public private(set) var losses: [InkLoss: Int] = [:]
  private let file: InkOutputFile
  private var encoder: any InkEncoder

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file, which appears when the writer finishes.
  ///   - format: The format, or nil to take it from the suffix of the path.
  /// - Throws: ``InkFormatError`` of code `unwritableFile`.
  @usableFromInline package init(path: String, format: InkOutputFormat? = nil)
    throws(InkFormatError)
  {
    let format = format ?? InkOutputFormat(path: path)
    self.format = format
    file = try InkOutputFile(path: path)
    encoder = format.makeEncoder()
    encoder.begin(&file.buffer)
  }

  /// True if the path names a file, and not a device, pipe or socket.
  public var writesFile: Bool { file.temporaryPath != nil }

  /// The temporary file until ``finish()``. Code that ends the process before that must remove it.
  /// Nil for a device, a pipe or a socket.
  public var temporaryPath: String? { file.temporaryPath }

  /// Appends an ink.
  ///
  /// - Parameters:
  ///   - labeled: The ink.
  ///   - penWidth: The width of the pen in the unit of the ink, for drawings; nil to take one from
  ///     the height of the writing.
  /// - Throws: ``InkFormatError``: `nonFiniteNumber` for a coordinate or value that is NaN or
  ///   infinite, `unequalLengths` or `malformed` for kinds that are not one known name for each
  ///   stroke (nothing is written then), `emptyInk` for ink without points if the format cannot
  ///   hold it, `unwritableFile` if writing fails.
  public func write(
    _ labeled: LabeledInk, penWidth: Double? = nil
  ) throws(InkFormatError) {
    guard labeled.ink.hasFiniteNumbers else {
      throw InkFormatError(
        .nonFiniteNumber, at: SourceLocation(path: file.path),
        expected: "finite numbers in the ink", found: "NaN or infinity",
        advice: "remove the point before writing")
    }
    try labeled.checkKinds(at: SourceLocation(path: file.path))
    guard format == .jsonLines || !labeled.ink.isEmpty else {
      throw InkFormatError(
        .emptyInk, at: SourceLocation(path: file.path), expected: "at least one point",
        found: "none", advice: "leave the ink out")
    }
    for loss in encoder.append(labeled, penWidth: penWidth, to: &file.buffer) {
      losses[loss, default: 0] += 1
    }
    try file.flushIfFull()
  }

  /// Writes the remaining bytes and moves the file to its path. Nothing can be written afterwards.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`; an existing file is then unchanged.
  public func finish() throws(InkFormatError) {
    encoder.end(&file.buffer)
    try file.finish()
  }
}

extension Ink {
  /// True if every number is finite.
  var hasFiniteNumbers: Bool {
    strokes.allSatisfy { stroke in
      stroke.points.allSatisfy { point in
        point.hasFinitePosition
          && [point.t, point.force, point.azimuth, point.altitude, point.roll].allSatisfy {
            $0?.isFinite ?? true
          }
      }
    }
  }
}

extension StrokePoint {
  /// True if the direction or the rotation of the pen is known.
  var hasAngles: Bool { azimuth != nil || altitude != nil || roll != nil }
}

/// Converts inks to the bytes of a format.
protocol InkEncoder {
  /// Writes the beginning of the file.
  mutating func begin(_ bytes: inout [UInt8])
  /// Writes an ink with finite numbers and returns the losses.
  mutating func append(
    _ labeled: LabeledInk, penWidth: Double?, to bytes: inout [UInt8]
  ) -> Set<InkLoss>
  /// Writes the end of the file.
  mutating func end(_ bytes: inout [UInt8])
}

/// Ductus JSON Lines.
struct JSONLinesEncoder: InkEncoder {
  mutating func begin(_ bytes: inout [UInt8]) {}
  mutating func append(
    _ labeled: LabeledInk, penWidth: Double?, to bytes: inout [UInt8]
  ) -> Set<InkLoss> {
    _ = InkJSONLinesWriter.append(labeled, to: &bytes)
    return []
  }
  mutating func end(_ bytes: inout [UInt8]) {}
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  mutating func append(text: String) { append(contentsOf: text.utf8) }

  /// Appends the shortest form of a number that reads back as the same double; a whole number has
  /// no point.
  mutating func append(number: Double) {
    if number != 0, let whole = Int32(exactly: number) {
      append(contentsOf: whole.description.utf8)
    } else {
      append(contentsOf: number.description.utf8)
    }
  }

  /// Appends a text as content or as an attribute value of XML.
  ///
  /// - Returns: true if XML can hold all of it: XML has no control characters.
  @discardableResult
  mutating func append(xml text: String) -> Bool {
    var isWhole = true
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append(contentsOf: "&amp;".utf8)
      case "<": append(contentsOf: "&lt;".utf8)
      case ">": append(contentsOf: "&gt;".utf8)
      case "\"": append(contentsOf: "&quot;".utf8)
      case "\t", "\n", "\r": append(contentsOf: "&#\(scalar.value);".utf8)
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        append(contentsOf: "\u{FFFD}".utf8)
        isWhole = false
      default: append(contentsOf: String(scalar).utf8)
      }
    }
    return isWhole
  }
}
