import Files
import Foundation
import InkCore

/// Reads notes of Saber (`.sbn2`, BSON) and its archives (`.sba`).
///
/// Each page is a record. Strokes of the highlighter are no ink; circles and rectangles are their lines.
/// Typed text is kept at the top of its page; pictures are counted.
enum SaberReader {
  /// The note of an archive.
  static let member = "main.sbn2"
  /// The latest version of the format that is known.
  static let known = 19
  private static let largestNote = 256 << 20

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let bytes: [UInt8]
    if ZipArchive.isArchive(try input.start(4)) {
      let archive = try input.archive()
      guard let entry = archive[member] else {
        throw InkFormatError(
          .missingKey, at: SourceLocation(path: input.path),
          expected: "the file \(member) in the archive", found: "none",
          advice: "check that the archive is of Saber")
      }
      bytes = try input.bytes(of: entry, in: archive, limit: largestNote)
    } else {
      bytes = try input.content()
    }
    var cursor = ByteCursor(bytes, path: input.path)
    var note = SaberNote(path: input.path)
    try note.read(try BSONReader(&cursor))
    return note.file
  }

  /// Returns true for the first bytes of a note: a document of BSON whose first member is its version.
  static func isNote(_ bytes: [UInt8]) -> Bool {
    bytes.count > 8 && bytes[4] == 0x10 && bytes[5] == UInt8(ascii: "v") && bytes[6] == 0
  }
}

private struct SaberNote {
  private static let defaultSize = (width: 1000.0, height: 1400.0)
  private static let mostPages = 20_000

  let path: String
  private(set) var drawn = DrawnFile()
  private var version = SaberReader.known
  private var pictures = 0
  private var lineHeight = 40.0
  private var budget = InkBudget()

  init(path: String) {
    self.path = path
  }

  var file: DrawnFile {
    var file = drawn
    if pictures > 0 { file.warnings.append(.pictures(pictures, path: path)) }
    if version > SaberReader.known {
      file.warnings.append(
        .laterVersion("\(version)", known: "\(SaberReader.known)", path: path))
    }
    return file
  }

  mutating func read(_ note: BSONReader) throws(InkFormatError) {
    // Members may come in any order, and the version says how points are written.
    var members = note
    while let (name, value) = try members.next() {
      if name == "v" { version = Int(clamping: Int64(clampingNumber: value.double ?? 0)) }
      if name == "l", let height = value.double, height > 0 { lineHeight = height }
    }
    guard version >= 1 else {
      throw InkFormatError(
        .unsupported, at: SourceLocation(path: path), expected: "a note of version 1 or later",
        found: "version \(version)", advice: "open and save the note with a later version")
    }
    members = note
    while let (name, value) = try members.next() {
      guard var list = value.document else { continue }
      switch name {
      case "z":
        while let (_, value) = try list.next() {
          guard drawn.pages.count < Self.mostPages else {
            throw InkFormatError(
              .tooLarge, at: SourceLocation(path: path),
              expected: "at most \(Self.mostPages) pages", found: "more", advice: "split the note")
          }
          drawn.pages.append(Self.empty())
          guard let page = value.document else { continue }
          do throws(InkFormatError) {
            try readPage(page, drawn.pages.count - 1)
          } catch {
            guard error.code != .tooLarge else { throw error }
            drawn.pages[drawn.pages.count - 1].problem = error
          }
        }
      case "s": try readStrokes(list, page: nil)
      case "i": while try list.next() != nil { pictures += 1 }
      default: continue
      }
    }
  }

  private static func empty() -> DrawnFile.Page {
    var page = DrawnFile.Page(height: defaultSize.height)
    page.width = defaultSize.width
    page.groups = [DrawnFile.Group()]
    return page
  }

  private mutating func readPage(
    _ page: BSONReader, _ number: Int
  ) throws(InkFormatError) {
    var page = page
    while let (name, value) = try page.next() {
      switch name {
      // The first versions have a list of the width and the height.
      case "w", "0": drawn.pages[number].width = value.double ?? Self.defaultSize.width
      case "h", "1": drawn.pages[number].height = value.double ?? Self.defaultSize.height
      case "s": if let list = value.document { try readStrokes(list, page: number) }
      case "i":
        guard var list = value.document else { continue }
        while try list.next() != nil { pictures += 1 }
      case "q": if let list = value.document { try readText(list, number) }
      default: continue
      }
    }
  }

  /// Reads the typed text: pieces, of which the `insert` is text or a picture.
  private mutating func readText(_ list: BSONReader, _ number: Int) throws(InkFormatError) {
    var list = list
    var text = ""
    while let (_, value) = try list.next() {
      guard var piece = value.document else { continue }
      while let (name, value) = try piece.next() {
        if name == "insert", let part = value.text { text += part }
      }
    }
    for (line, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !part.isEmpty {
      drawn.pages[number].texts.append(
        PlacedText(
          String(part), x: lineHeight / 2, y: Double(line + 1) * lineHeight,
          size: lineHeight * 0.7))
    }
  }

  private mutating func readStrokes(
    _ list: BSONReader, page: Int?
  ) throws(InkFormatError) {
    var list = list
    while let (_, value) = try list.next() {
      guard let stroke = value.document else { continue }
      try readStroke(stroke, page)
    }
  }

  private mutating func readStroke(
    _ stroke: BSONReader, _ page: Int?
  ) throws(InkFormatError) {
    var stroke = stroke
    var points: [StrokePoint] = []
    var numbers: [String: Double] = [:]
    var (tool, shape) = ("", "")
    var isPressed = true
    while let (name, value) = try stroke.next() {
      if let number = value.double { numbers[name] = number }
      switch name {
      case "ty": tool = value.text?.lowercased() ?? ""
      case "shape": shape = value.text ?? ""
      case "pe": isPressed = value.truth ?? true
      case "p":
        guard var list = value.document else { continue }
        while let (_, value) = try list.next() {
          if let point = try Self.point(value) { points.append(point) }
        }
      default: continue
      }
    }
    guard !tool.contains("highlighter"), !tool.contains("laser"), !tool.contains("eraser") else {
      return
    }
    if shape == "circle" || shape == "rect" || shape == "rectangle" {
      points = Self.outline(shape, numbers)
    }
    let (x, y) = (numbers["ox"] ?? 0, numbers["oy"] ?? 0)
    for index in points.indices {
      points[index].x += x
      points[index].y += y
      if !isPressed { points[index].force = nil }
    }
    guard !points.isEmpty else { return }
    try budget.add(points.count, path: path)
    let number =
      page ?? max(0, min(Self.mostPages - 1, Int(Int64(clampingNumber: numbers["i"] ?? 0))))
    while drawn.pages.count <= number { drawn.pages.append(Self.empty()) }
    drawn.pages[number].add(
      Stroke(points: points), to: 0, width: numbers["s"] ?? 0,
      color: numbers["c"].map(Self.color))
  }

  /// Reads a point: two or three floats, or a document with x, y and p.
  private static func point(_ value: BSONReader.Value) throws(InkFormatError) -> StrokePoint? {
    if var bytes = value.bytes {
      let (x, y) = (try bytes.float(), try bytes.float())
      let force = bytes.count >= 4 ? try bytes.float() : .nan
      return StrokePoint(x: x, y: y, force: force.isFinite ? force : nil)
    }
    guard var members = value.document else { return nil }
    var numbers: [String: Double] = [:]
    while let (name, value) = try members.next() { numbers[name] = value.double }
    guard let x = numbers["x"], let y = numbers["y"] else { return nil }
    return StrokePoint(x: x, y: y, force: numbers["p"].flatMap { $0.isFinite ? $0 : nil })
  }

  private static func outline(_ shape: String, _ numbers: [String: Double]) -> [StrokePoint] {
    if shape == "circle", let x = numbers["cx"], let y = numbers["cy"], let r = numbers["r"] {
      return (0...32).map { step in
        let angle = Double(step) / 32 * 2 * Double.pi
        return StrokePoint(x: x + r * cos(angle), y: y + r * sin(angle))
      }
    }
    guard let x = numbers["rl"], let y = numbers["rt"], let width = numbers["rw"],
      let height = numbers["rh"]
    else { return [] }
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    return corners.map { StrokePoint(x: x + $0.0 * width, y: y + $0.1 * height) }
  }

  /// A colour with the alpha first as `#RRGGBBAA`.
  private static func color(_ value: Double) -> String {
    let bits = UInt32(truncatingIfNeeded: Int64(clampingNumber: value))
    return WacomSpline.color(Int64(bits << 8 | bits >> 24))
  }
}

extension Int64 {
  /// Converts a number; those out of range become the nearest, NaN becomes 0.
  init(clampingNumber value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.max(-9e18, Swift.min(9e18, value)))
  }
}
