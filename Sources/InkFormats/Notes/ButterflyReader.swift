import Files
import InkCore

/// Reads notes of Butterfly (`.bfly`): a ZIP archive with a JSON file for each page, or JSON alone of the
/// first versions.
///
/// Each page is a record, its layers are groups. Typed text, also Markdown, is kept; pictures are
/// counted; shapes are no ink.
enum ButterflyReader {
  /// The latest version of the format that is known.
  static let known = 13
  private static let largestPage = 128 << 20

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    guard ZipArchive.isArchive(try input.start(4)) else { return try plain(input) }
    let archive = try input.archive()
    var file = DrawnFile()
    var pictures = 0
    var budget = InkBudget()
    if let entry = archive["meta.json"],
      let version = try JSONValue(
        document: try input.bytes(of: entry, in: archive, limit: 1 << 20), path: input.path)[
          "fileVersion"]?.double, version > Double(known)
    {
      file.warnings.append(
        .laterVersion(
          String(Int(Int64(clampingNumber: version))), known: "\(known)", path: input.path))
    }
    for name in pages(of: archive) {
      guard let entry = archive[name] else { continue }
      var page = DrawnFile.Page(id: String(name.dropFirst("pages/".count).dropLast(".json".count)))
      do throws(InkFormatError) {
        var filter = LongStringFilter()
        let bytes = try input.bytes(of: entry, in: archive, limit: largestPage)
        bytes.withUnsafeBytes { filter.take($0) }
        let tree = try JSONValue(document: filter.kept, path: input.path)
        try ButterflyPage.read(tree, into: &page, &pictures, &budget, input.path)
      } catch {
        guard error.code != .tooLarge else { throw error }
        page.problem = error
      }
      file.pages.append(page)
    }
    guard !file.pages.isEmpty else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: input.path),
        expected: "files pages/….json in the archive", found: "none",
        advice: "check that the archive is of Butterfly")
    }
    if pictures > 0 { file.warnings.append(.pictures(pictures, path: input.path)) }
    return file
  }

  /// The pages of an archive in their order: that of a number before the first dot, then of the names.
  static func pages(of archive: ZipArchive) -> [String] {
    let names = archive.entries.map(\.name).filter {
      $0.hasPrefix("pages/") && $0.hasSuffix(".json")
    }
    return names.sorted {
      (number(of: $0), $0) < (number(of: $1), $1)
    }
  }

  private static func number(of name: String) -> Int {
    let start = name.dropFirst("pages/".count).prefix { $0 != "." }
    return Int(start) ?? .max
  }

  private static func plain(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let (bytes, found) = try input.jsonWithoutPictures()
    let tree = try JSONValue(document: bytes, path: input.path)
    var pictures = 0
    var budget = InkBudget()
    var page = DrawnFile.Page()
    try ButterflyPage.read(tree, into: &page, &pictures, &budget, input.path)
    var file = DrawnFile(pages: [page])
    pictures = max(pictures, found)
    if pictures > 0 { file.warnings.append(.pictures(pictures, path: input.path)) }
    return file
  }
}

/// Reads the elements of a page.
private enum ButterflyPage {
  static func read(
    _ tree: JSONValue, into page: inout DrawnFile.Page, _ pictures: inout Int,
    _ budget: inout InkBudget, _ path: String
  ) throws(InkFormatError) {
    let layers = tree["layers"]?.array ?? [tree]
    for layer in layers {
      guard let content = layer["content"]?.array else { continue }
      page.groups.append(DrawnFile.Group(id: layer["name"]?.string ?? layer["id"]?.string))
      for element in content {
        try add(element, to: &page, &pictures, &budget, path)
      }
    }
  }

  private static func add(
    _ element: JSONValue, to page: inout DrawnFile.Page, _ pictures: inout Int,
    _ budget: inout InkBudget, _ path: String
  ) throws(InkFormatError) {
    switch element["type"]?.string ?? "" {
    case "pen", "paint": try readPen(element, into: &page, &budget, path)
    case "text", "label":
      let text =
        element["text"]?.string
        ?? (element["area"]?["paragraph"]).map(Self.text)
        ?? (element["area"]?["paragraphs"]?.array ?? []).map(Self.text).joined(separator: "\n")
      add(text, element, to: &page)
    case "markdown": add(element["text"]?.string ?? "", element, to: &page)
    case "image", "svg", "pdf": pictures += 1
    default: return
    }
  }

  /// The text of a paragraph's spans.
  private static func text(_ paragraph: JSONValue) -> String {
    (paragraph["textSpans"]?.array ?? []).compactMap { $0["text"]?.string }.joined()
  }

  private static func add(_ text: String, _ element: JSONValue, to page: inout DrawnFile.Page) {
    guard !text.isEmpty else { return }
    let place = element["position"]
    let scale = element["scale"]?.double ?? 1
    page.texts.append(
      PlacedText(
        text, x: place?["x"]?.double ?? 0, y: place?["y"]?.double ?? 0, size: 24 * scale))
  }

  private static func readPen(
    _ element: JSONValue, into page: inout DrawnFile.Page, _ budget: inout InkBudget,
    _ path: String
  ) throws(InkFormatError) {
    var points: [StrokePoint] = []
    for value in element["points"]?.array ?? [] {
      guard let x = value["x"]?.double, let y = value["y"]?.double else {
        throw InkFormatError(
          .malformed, at: SourceLocation(path: path), expected: "points {x, y} of a stroke",
          found: "something else", advice: "correct or remove the file")
      }
      points.append(StrokePoint(x: x, y: y, force: value["pressure"]?.double))
    }
    let property = element["property"]
    // Negative pressures and those of a mouse mean that there is none.
    if points.allSatisfy({ $0.force == points.first?.force }) {
      for index in points.indices { points[index].force = nil }
    }
    let argb = (property?["color"]?.double ?? element["color"]?.double).map {
      UInt32(truncatingIfNeeded: Int64(clampingNumber: $0))
    }
    let alpha = argb.map { Double($0 >> 24) / 255 } ?? 1
    let width = property?["strokeWidth"]?.double ?? 0
    // A broad pen that one sees through is a highlighter.
    guard !points.isEmpty, !(alpha > 0 && alpha < 0.6 && width >= 8) else { return }
    try budget.add(points.count, path: path)
    if page.groups.isEmpty { page.groups.append(DrawnFile.Group()) }
    page.add(
      Stroke(points: points), to: page.groups.count - 1, width: width,
      color: argb.map { WacomSpline.color(Int64($0 << 8 | $0 >> 24)) })
  }
}
