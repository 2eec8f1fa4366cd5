import InkCore

/// Reads a page of a reMarkable tablet (`.rm`), of version 3, 5 or 6.
///
/// Strokes of the highlighter and the eraser are no ink. Force is the pressure of the pen, 0 to 1.
/// The unit is a pixel of the tablet, 1/226 inch; x grows from the left edge.
enum RemarkablePage {
  /// The width and the height of the sheet.
  static let width = 1404.0
  static let height = 1872.0
  private static let title = "reMarkable .lines file, version="
  private static let headerLength = 43

  /// Returns true for the first bytes of a page.
  static func isPage(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: title.utf8) }

  /// Reads a page.
  ///
  /// - Throws: ``InkFormatError`` of code `unsupported` for another version.
  static func read(
    _ bytes: [UInt8], path: String, _ budget: inout InkBudget
  ) throws(InkFormatError) -> DrawnFile.Page {
    var cursor = ByteCursor(bytes, path: path)
    guard isPage(bytes) else {
      throw cursor.error(
        .malformed, expected: "a page of a reMarkable tablet", found: "another file",
        advice: "check which program wrote the file")
    }
    let header = try cursor.text(headerLength).dropFirst(title.utf8.count)
    let version = header.filter { $0 != " " }
    var page: DrawnFile.Page
    switch version {
    case "3": page = try lines(&cursor, hasExtra: false, &budget)
    case "5": page = try lines(&cursor, hasExtra: true, &budget)
    case "6": page = try RemarkableScene.page(&cursor, &budget)
    default:
      throw cursor.error(
        .unsupported, expected: "a page of version 3, 5 or 6",
        found: "version \(version.allSatisfy { $0.isASCII && $0.isNumber } ? version : "?")",
        advice: "export the page as PDF or SVG")
    }
    page.width = width
    let bottom =
      page.strokes.lazy.compactMap { Ink(strokes: [$0.stroke]).boundingBox?.maxY }.max() ?? 0
    page.height = max(height, bottom.isFinite ? bottom : 0)
    return page
  }

  /// Reads the layers of versions 3 and 5.
  private static func lines(
    _ cursor: inout ByteCursor, hasExtra: Bool, _ budget: inout InkBudget
  ) throws(InkFormatError) -> DrawnFile.Page {
    var page = DrawnFile.Page()
    let layers = try cursor.check(Int(try cursor.long()), 4)
    for _ in 0..<layers {
      page.groups.append(DrawnFile.Group())
      let strokes = try cursor.check(Int(try cursor.long()), 20)
      for _ in 0..<strokes {
        let tool = Int(try cursor.long())
        let color = Int(try cursor.long())
        try cursor.skip(4)
        var width = try cursor.float()
        if hasExtra { try cursor.skip(4) }
        let count = try cursor.check(Int(try cursor.long()), 24)
        var points: [StrokePoint] = []
        points.reserveCapacity(count)
        var widths = 0.0
        for _ in 0..<count {
          let (x, y) = (try cursor.float(), try cursor.float())
          try cursor.skip(8)
          widths += try cursor.float()
          points.append(StrokePoint(x: x, y: y, force: force(try cursor.float())))
        }
        guard RemarkableTool.isPen(tool) else { continue }
        if count > 0, widths.isFinite { width = widths / Double(count) }
        try budget.add(count, path: cursor.path)
        page.add(
          Stroke(points: points), to: page.groups.count - 1, width: width,
          color: RemarkableTool.color(color))
      }
    }
    return page
  }

  static func force(_ pressure: Double) -> Double? { pressure.isFinite ? pressure : nil }
}

/// The pens and colours of reMarkable tablets.
enum RemarkableTool {
  /// Erasers (6, 8), highlighters (5, 18) and the shader (23) are no pens.
  static func isPen(_ tool: Int) -> Bool { ![5, 6, 8, 18, 23].contains(tool) }

  private static let colors = [
    "#000000FF", "#7D7D7DFF", "#FFFFFFFF", "#FBF719FF", "#00FF00FF", "#FFC0CBFF", "#4E69C9FF",
    "#B33E39FF", "#7D7D7DFF", "#FBF719FF", "#A1D87DFF", "#8BD0E5FF", "#B782CDFF", "#F7E851FF",
  ]

  static func color(_ number: Int) -> String? {
    colors.indices.contains(number) ? colors[number] : nil
  }
}
