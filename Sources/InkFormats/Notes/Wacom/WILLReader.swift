import Files
import InkCore

/// Reads ink of Wacom's older format (`.will`): a RIFF file, or a ZIP archive with the strokes of each
/// page in a file ending in `.protobuf`.
///
/// Splines become points at their knots. There are no times. The unit is that of the file.
enum WILLReader {
  private static let largestMember = 256 << 20

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var budget = InkBudget()
    guard ZipArchive.isArchive(try input.start(4)) else {
      var page = DrawnFile.Page()
      var chunks = try RIFFChunks(input, form: "WILL")
      while var chunk = try chunks.next() {
        if chunk.id == "HEAD" { try check(&chunk.data) }
        if chunk.id == "INK " { try read(&chunk.data, into: &page, &budget) }
      }
      return DrawnFile(pages: [page])
    }
    let archive = try input.archive()
    let names = archive.entries.map(\.name).filter(isPage).sorted()
    guard !names.isEmpty else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: input.path),
        expected: "a file ending in .protobuf in the archive", found: "none",
        advice: "check that the archive holds Wacom ink")
    }
    var file = DrawnFile()
    for name in names {
      guard let entry = archive[name] else { continue }
      var page = DrawnFile.Page()
      do throws(InkFormatError) {
        var data = ByteCursor(
          try input.bytes(of: entry, in: archive, limit: largestMember), path: input.path)
        try read(&data, into: &page, &budget)
      } catch {
        guard error.code != .tooLarge else { throw error }
        page.problem = error
      }
      file.pages.append(page)
    }
    return file
  }

  /// Returns true for a file of an archive that holds strokes.
  static func isPage(_ name: String) -> Bool {
    name.hasSuffix(".protobuf") && !name.hasPrefix("style")
  }

  private static func check(_ head: inout ByteCursor) throws(InkFormatError) {
    let version = try head.byte()
    // Version 1.0.0 of the chunk is version 2 of the format.
    guard version <= 2 else {
      throw head.error(
        .unsupported, expected: "Wacom ink of version 2", found: "version \(version)",
        advice: "convert the file to .uim")
    }
  }

  private static func read(
    _ data: inout ByteCursor, into page: inout DrawnFile.Page, _ budget: inout InkBudget
  ) throws(InkFormatError) {
    page.groups = [DrawnFile.Group()]
    while !data.isAtEnd {
      let length = try data.count(ofItems: 1)
      let spline = try spline(ProtobufReader(try data.part(length)))
      try budget.add(spline.x.count, path: data.path)
      page.add(spline.stroke(), to: 0, width: spline.width, color: spline.color)
    }
  }

  private static func spline(_ message: ProtobufReader) throws(InkFormatError) -> WacomSpline {
    var message = message
    var spline = WacomSpline()
    var digits = 2
    var (points, widths, colors): ([Int64], [Int64], [Int64]) = ([], [], [])
    while let (number, value) = try message.next() {
      switch number {
      case 1: spline.start = value.float ?? 0
      case 2: spline.end = value.float ?? 1
      case 3: digits = Int(clamping: value.whole ?? 2)
      case 4: try value.append(signed: &points)
      case 5: try value.append(signed: &widths)
      case 6: try value.append(signed: &colors)
      default: continue
      }
    }
    let pairs = points.count / 2
    spline.x = WacomSpline.values((0..<pairs).map { points[2 * $0] }, digits: digits)
    spline.y = WacomSpline.values((0..<pairs).map { points[2 * $0 + 1] }, digits: digits)
    spline.sizes = WacomSpline.values(widths, digits: digits)
    spline.color = colors.first.map(WacomSpline.color)
    return spline
  }
}

/// The chunks of a RIFF file.
struct RIFFChunks {
  private var cursor: ByteCursor

  /// Opens a file of a form, such as `WILL`.
  init(_ input: InkInput, form: String) throws(InkFormatError) {
    cursor = ByteCursor(try input.content(), path: input.path)
    let start = Array(try cursor.array(min(12, cursor.count)))
    guard start.count == 12, start.starts(with: "RIFF".utf8), start[8...].elementsEqual(form.utf8)
    else {
      throw cursor.error(
        .malformed, expected: "a RIFF file of the form \(form)", found: "another file",
        advice: "check which program wrote the file")
    }
  }

  /// Returns the next chunk, or nil at the end.
  mutating func next() throws(InkFormatError) -> (id: String, data: ByteCursor)? {
    guard cursor.count >= 8 else { return nil }
    let id = String(decoding: try cursor.array(4), as: UTF8.self)
    let length = Int(try cursor.long())
    let data = try cursor.part(length)
    // Chunks begin at even places.
    if !length.isMultiple(of: 2), cursor.count > 0 { try cursor.skip(1) }
    return (id, data)
  }
}
