import InkCore

/// Writes labelled-ink JSON Lines without loss; see ``InkReader`` for the format.
///
/// Numbers are written in the shortest form that gives the same double. The file appears at its
/// path when ``finish()`` returns. Until then the lines go to a temporary file next to it, which is
/// removed if the writer is released before. Links are followed and kept. Lines for a device, a
/// pipe or a socket are written directly. Not thread-safe.
///
///     let writer = try InkJSONLinesWriter(path: "mine.jsonl")
///     try writer.write(LabeledInk(ink: ink, label: "7"))
///     try writer.finish()
public final class InkJSONLinesWriter {
  private let file: InkOutputFile

  /// True if the path names a file, and not a device, pipe or socket.
  public var writesFile: Bool { temporaryPath != nil }

  /// The temporary file until ``finish()``. Code that ends the process before that must remove it.
  /// Nil for a device, a pipe or a socket.
  public var temporaryPath: String? { file.temporaryPath }

  /// Opens a temporary file next to the path, or the device, pipe or socket at the path. Opening a
  /// pipe waits for its reader.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`.
  public init(path: String) throws(InkFormatError) {
    file = try InkOutputFile(path: path)
  }

  /// Appends a record.
  ///
  /// - Throws: ``InkFormatError``: `nonFiniteNumber` for a coordinate or value that JSON cannot
  ///   represent, `unequalLengths` or `malformed` for kinds that are not one known name for each
  ///   stroke (nothing is written then), `unwritableFile` if writing fails.
  public func write(_ labeled: LabeledInk) throws(InkFormatError) {
    try labeled.checkKinds(at: SourceLocation(path: file.path))
    let start = file.buffer.count
    guard Self.append(labeled, to: &file.buffer) else {
      file.buffer.removeLast(file.buffer.count - start)
      throw InkFormatError(
        .nonFiniteNumber, at: SourceLocation(path: file.path),
        expected: "finite numbers in the ink",
        found: "NaN or infinity", advice: "remove the point before writing")
    }
    try file.flushIfFull()
  }

  /// Writes the remaining lines, syncs the file and moves it to its path. Nothing can be written
  /// afterwards.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`; an existing file is then unchanged.
  public func finish() throws(InkFormatError) { try file.finish() }
}

extension InkJSONLinesWriter {
  /// Returns the line of a record without its newline; nil if a number is not finite.
  package static func line(of labeled: LabeledInk) -> [UInt8]? {
    var bytes: [UInt8] = []
    guard append(labeled, to: &bytes) else { return nil }
    bytes.removeLast()
    return bytes
  }

  /// Appends one line with its newline.
  ///
  /// - Returns: True if all numbers are finite.
  static func append(_ labeled: LabeledInk, to bytes: inout [UInt8]) -> Bool {
    bytes.append(UInt8(ascii: "{"))
    if !labeled.label.isEmpty {
      bytes.append(contentsOf: #""label":"#.utf8)
      append(labeled.label, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    if let writer = labeled.writer {
      bytes.append(contentsOf: #""writer":"#.utf8)
      append(writer, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    if let quality = labeled.quality {
      bytes.append(contentsOf: #""quality":"\#(quality.rawValue)","#.utf8)
    }
    if let area = labeled.writingArea {
      let sizes = #""width":\#(area.width),"height":\#(area.height)"#
      bytes.append(contentsOf: #""area":{"x":\#(area.x),"y":\#(area.y),\#(sizes)},"#.utf8)
    }
    if let kinds = labeled.kinds {
      bytes.append(contentsOf: #""kinds":["#.utf8)
      for (index, kind) in kinds.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(kind, to: &bytes)
      }
      bytes.append(contentsOf: "],".utf8)
    }
    bytes.append(contentsOf: #""strokes":["#.utf8)
    var isFinite = true
    for (index, stroke) in labeled.ink.strokes.enumerated() {
      bytes.append(contentsOf: index == 0 ? "{".utf8 : ",{".utf8)
      isFinite = append(stroke, to: &bytes) && isFinite
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(contentsOf: "]}\n".utf8)
    return isFinite
  }

  private static func append(_ stroke: Stroke, to bytes: inout [UInt8]) -> Bool {
    let points = stroke.points
    var isFinite = append("x", points) { $0.x }
    bytes.append(UInt8(ascii: ","))
    isFinite = append("y", points) { $0.y } && isFinite
    let optional: [(String, (StrokePoint) -> Double?)] = [
      ("t", { $0.t }), ("force", { $0.force }), ("azimuth", { $0.azimuth }),
      ("altitude", { $0.altitude }), ("roll", { $0.roll }),
    ]
    for (name, value) in optional where points.contains(where: { value($0) != nil }) {
      bytes.append(UInt8(ascii: ","))
      isFinite = append(name, points, value) && isFinite
    }
    return isFinite

    func append(
      _ name: String, _ points: [StrokePoint], _ value: (StrokePoint) -> Double?
    ) -> Bool {
      bytes.append(contentsOf: #""\#(name)":["#.utf8)
      var isFinite = true
      for (index, point) in points.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        guard let number = value(point) else {
          bytes.append(contentsOf: "null".utf8)
          continue
        }
        if !number.isFinite { isFinite = false }
        bytes.append(number: number)
      }
      bytes.append(UInt8(ascii: "]"))
      return isFinite
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: #"\u00\#(digits.count == 1 ? "0" : "")\#(digits)"#.utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
