import InkCore

/// Reads notes of Supernote tablets (`.note`), as far as their pages hold the path of the pen.
///
/// Older files hold pictures of their pages alone; such a page is a failure that says so. Strokes of the
/// eraser and the lasso are no ink. Coordinates are pixels of the page; force is the pressure, 0 to 1.
/// Typed text and recognised words are not read.
enum SupernoteReader {
  private static let mostPages = 20_000
  /// The most bytes of a block of names and values.
  private static let largestBlock = 16 << 20
  private static let pressureRange = 4095.0

  /// Returns true for the first bytes of a note.
  static func isNote(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: "noteSN_FILE_VER_".utf8) || bytes.starts(with: "SN_FILE_ASA_".utf8)
      || bytes.starts(with: "markSN_FILE_VER_".utf8)
  }

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var cursor = ByteCursor(try input.content(), path: input.path)
    guard isNote(try cursor.array(min(16, cursor.count))) else {
      throw cursor.error(
        .malformed, expected: "a note of a Supernote tablet", found: "another file",
        advice: "check which program wrote the file")
    }
    guard cursor.end >= 28 else {
      throw cursor.error(.truncated, expected: "the address of the contents", found: "none")
    }
    // The last four bytes are the address of the block that has all others.
    try cursor.seek(cursor.end - 4)
    let footer = try block(at: Int(try cursor.long()), &cursor)
    let header = footer["FILE_FEATURE"].flatMap { Int($0) }
    let device =
      try header.map { (place) throws(InkFormatError) in
        try block(at: place, &cursor)["APPLY_EQUIPMENT"] ?? ""
      } ?? ""
    let size = device == "N5" ? (width: 1920.0, height: 2560.0) : (width: 1404.0, height: 1872.0)
    let numbered = footer.compactMap { key, value -> (Int, Int)? in
      guard key.hasPrefix("PAGE"), let number = Int(key.dropFirst(4)), let place = Int(value) else {
        return nil
      }
      return (number, place)
    }
    guard numbered.count <= mostPages else {
      throw cursor.error(.tooLarge, expected: "at most \(mostPages) pages", found: "more")
    }
    var file = DrawnFile()
    var budget = InkBudget()
    for (_, place) in numbered.sorted(by: { $0 < $1 }) {
      var page = DrawnFile.Page(height: size.height)
      page.width = size.width
      do throws(InkFormatError) {
        let names = try block(at: place, &cursor)
        page.id = names["PAGEID"]
        if names["ORIENTATION"] == "1090" {
          (page.width, page.height) = (size.height, size.width)
        }
        guard let path = names["TOTALPATH"].flatMap({ Int($0) }), path > 0 else {
          throw cursor.error(
            .unsupported, expected: "the path of the pen",
            found: "a picture alone, on page \(file.pages.count + 1)",
            advice: "export the note as SVG or PDF with vectors on the tablet")
        }
        try readPath(at: path, &cursor, into: &page, &budget)
      } catch {
        guard error.code != .tooLarge else { throw error }
        page.problem = error
      }
      file.pages.append(page)
    }
    return file
  }

  /// Reads a block of names and values, `<NAME:VALUE>`.
  private static func block(
    at place: Int, _ cursor: inout ByteCursor
  ) throws(InkFormatError) -> [String: String] {
    try cursor.seek(place)
    let count = Int(try cursor.long())
    guard count <= largestBlock else {
      throw cursor.error(
        .tooLarge, expected: "a block of at most \(largestBlock >> 20) MB", found: "a larger one")
    }
    let text = String(decoding: try cursor.array(count), as: UTF8.self)
    var names: [String: String] = [:]
    for part in text.split(separator: "<") {
      let pair = part.prefix { $0 != ">" }.split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { continue }
      names[String(pair[0])] = String(pair[1])
    }
    return names
  }

  private static func readPath(
    at place: Int, _ cursor: inout ByteCursor, into page: inout DrawnFile.Page,
    _ budget: inout InkBudget
  ) throws(InkFormatError) {
    page.groups = [DrawnFile.Group()]
    try cursor.seek(place)
    var path = try cursor.part(Int(try cursor.long()))
    guard path.count >= 4 else { return }
    for _ in 0..<(try path.check(Int(try path.long()), 4)) {
      var record = try path.part(Int(try path.long()))
      guard let stroke = try stroke(&record, page) else { continue }
      try budget.add(stroke.stroke.points.count, path: cursor.path)
      page.add(stroke.stroke, to: 0, width: stroke.width, color: stroke.color)
    }
  }

  /// Reads a stroke; nil for what is no ink.
  private static func stroke(
    _ record: inout ByteCursor, _ page: DrawnFile.Page
  ) throws(InkFormatError) -> (stroke: Stroke, width: Double, color: String?)? {
    let pen = try record.long()
    let gray = try record.long()
    let thickness = Double(try record.long())
    try record.skip(28)
    // What the record is: ink, 0 for shapes, below 0 for the eraser and the lasso.
    let kind = try record.signedLong()
    try record.skip(4)
    let name = Array(try record.array(52)).prefix { $0 != 0 }
    try record.skip(28)
    let screenHeight = Double(try record.long())
    try record.skip(208 - 132)
    let skipped = try record.check(Int(try record.long()), 24)
    try record.skip(24 * skipped)
    let count = try record.check(Int(try record.long()), 8)
    let isBox = name.elementsEqual("0000".utf8) || name.elementsEqual("0001".utf8)
    guard kind >= 0, pen != 4, gray != 255, !isBox, count > 0, screenHeight > 0,
      let width = page.width, let height = page.height
    else { return nil }
    // y comes first, and x runs from the right.
    let scale = screenHeight / height
    var points: [StrokePoint] = []
    points.reserveCapacity(count)
    for _ in 0..<count {
      let y = Double(try record.long())
      let x = Double(try record.long())
      points.append(StrokePoint(x: width - x / scale, y: y / scale))
    }
    if record.count >= 4, let next = try? record.check(Int(try record.long()), 2), next == count {
      for index in points.indices {
        points[index].force = min(1, Double(try record.short()) / pressureRange)
      }
    }
    return (
      Stroke(points: points), thickness / 100,
      gray <= 254 ? WacomSpline.color(Int64(gray << 24 | gray << 16 | gray << 8 | 0xFF)) : nil
    )
  }
}
