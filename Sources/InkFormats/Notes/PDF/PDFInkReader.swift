import InkCore

/// Reads the ink annotations of PDF files: the lists `InkList` of annotations `Ink`.
///
/// Each page with ink is a record, in points of 1/72 inch from the upper left corner of the page as it is
/// shown. Hidden annotations and broad transparent ones, which are highlighters, are no ink. Lines that
/// are drawn in the page itself are not read: nothing tells them from a drawing.
enum PDFInkReader {
  private static let mostPages = 100_000

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let bytes = try input.content()
    guard bytes.starts(with: "%PDF-".utf8) else {
      throw InkFormatError(
        .malformed, at: SourceLocation(path: input.path), expected: "a PDF file",
        found: "another file", advice: "check which program wrote the file")
    }
    let objects = try PDFObjects(bytes, path: input.path)
    guard !objects.isEncrypted else {
      throw InkFormatError(
        .unsupported, at: SourceLocation(path: input.path), expected: "a PDF without encryption",
        found: "an encrypted one", advice: "save the file without a password")
    }
    var file = DrawnFile()
    var budget = InkBudget()
    for page in try pages(objects) {
      let size = PDFPage(page, objects)
      var drawn = DrawnFile.Page(height: size.height)
      drawn.width = size.width
      drawn.groups = [DrawnFile.Group()]
      for annotation in objects.array(page["Annots"]) ?? [] {
        guard let members = objects.dictionary(annotation) else { continue }
        try add(members, size, objects, to: &drawn, &budget)
      }
      file.pages.append(drawn)
    }
    return file
  }

  /// The pages in their order, with what they inherit.
  private static func pages(
    _ objects: PDFObjects
  ) throws(InkFormatError) -> [[String: PDFValue]] {
    var found: [[String: PDFValue]] = []
    var seen: Set<Int> = []
    func walk(
      _ value: PDFValue?, _ inherited: [String: PDFValue], depth: Int
    ) throws(InkFormatError) {
      if case .reference(let number) = value, !seen.insert(number).inserted { return }
      guard depth < 64, var node = objects.dictionary(value) else { return }
      for key in ["MediaBox", "CropBox", "Rotate"] where node[key] == nil {
        node[key] = inherited[key]
      }
      guard let kids = objects.array(node["Kids"]) else {
        guard found.count < mostPages else {
          throw InkFormatError(
            .tooLarge, at: SourceLocation(path: objects.path),
            expected: "at most \(mostPages) pages", found: "more", advice: "split the file")
        }
        found.append(node)
        return
      }
      for kid in kids { try walk(kid, node, depth: depth + 1) }
    }
    if let root = objects.root, let catalog = objects.dictionary(.reference(root)) {
      try walk(catalog["Pages"], [:], depth: 0)
    }
    guard found.isEmpty else { return found }
    // A file without a catalog still has its pages.
    for number in objects.numbers {
      guard let page = objects.dictionary(.reference(number)), case .name("Page") = page["Type"],
        found.count < mostPages
      else { continue }
      found.append(page)
    }
    return found
  }

  private static func add(
    _ annotation: [String: PDFValue], _ size: PDFPage, _ objects: PDFObjects,
    to page: inout DrawnFile.Page, _ budget: inout InkBudget
  ) throws(InkFormatError) {
    guard case .name("Ink") = annotation["Subtype"] else { return }
    // Invisible, hidden, not viewed.
    let flags = objects.number(annotation["F"]) ?? 0
    guard flags >= 0, flags < 1e6, Int(flags) & 0b10_0011 == 0 else { return }
    let opacity = objects.number(annotation["CA"]) ?? 1
    let border = objects.array(annotation["Border"])
    let width =
      objects.number(objects.dictionary(annotation["BS"])?["W"])
      ?? border.flatMap { $0.count > 2 ? objects.number($0[2]) : nil } ?? 1
    guard !(opacity < 0.6 && width >= 6) else { return }
    let color = objects.array(annotation["C"])?.compactMap(objects.number)
    for list in objects.array(annotation["InkList"]) ?? [] {
      let numbers = (objects.array(list) ?? []).compactMap(objects.number)
      guard numbers.count >= 2 else { continue }
      try budget.add(numbers.count / 2, path: objects.path)
      let points = (0..<(numbers.count / 2)).map { index in
        let place = size.place(numbers[2 * index], numbers[2 * index + 1])
        return StrokePoint(x: place.0, y: place.1)
      }
      page.add(
        Stroke(points: points), to: 0, width: width, color: color.flatMap(Self.color))
    }
  }

  /// A colour of one component (gray) or three (red, green, blue).
  private static func color(_ parts: [Double]) -> String? {
    let rgb = parts.count == 1 ? [parts[0], parts[0], parts[0]] : parts
    guard rgb.count == 3, rgb.allSatisfy({ (0...1).contains($0) }) else { return nil }
    let value = rgb.reduce(Int64(0)) { $0 << 8 | Int64(($1 * 255).rounded()) }
    return WacomSpline.color(value << 8 | 0xFF)
  }
}

/// The part of a page that is shown, and how it is turned.
private struct PDFPage {
  let width: Double
  let height: Double
  private let box: BoundingBox
  private let turns: Int

  init(_ page: [String: PDFValue], _ objects: PDFObjects) {
    let numbers = [page["CropBox"], page["MediaBox"]].lazy.compactMap { value -> [Double]? in
      let numbers = (objects.array(value) ?? []).compactMap(objects.number)
      return numbers.count == 4 ? numbers : nil
    }.first
    let edges = numbers ?? [0, 0, 612, 792]
    box = BoundingBox(
      minX: min(edges[0], edges[2]), minY: min(edges[1], edges[3]), maxX: max(edges[0], edges[2]),
      maxY: max(edges[1], edges[3]))
    let rotation = objects.number(page["Rotate"]) ?? 0
    turns = abs(rotation) < 1e6 ? ((Int(rotation) / 90 % 4) + 4) % 4 : 0
    (width, height) =
      turns.isMultiple(of: 2) ? (box.width, box.height) : (box.height, box.width)
  }

  /// The place on the page as it is shown, from the upper left corner.
  func place(_ x: Double, _ y: Double) -> (Double, Double) {
    let (right, down) = (x - box.minX, box.maxY - y)
    return switch turns {
    case 1: (box.height - down, right)
    case 2: (box.width - right, box.height - down)
    case 3: (down, box.width - right)
    default: (right, down)
    }
  }
}
