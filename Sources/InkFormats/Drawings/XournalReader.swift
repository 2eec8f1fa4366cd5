import Files
import InkCore

/// Reads the notes of Xournal and Xournal++ (`.xopp`, `.xoj`): gzip XML with pages and layers,
/// without labels.
///
/// Each page with pen strokes is a record; a unit asks for layers (`group`), strokes or the whole
/// file, its pages below each other. Strokes of the highlighter and the eraser, typed text and images
/// are no ink. Force is the width at a point over the width of the pen, where these differ. A bad
/// file yields a failure and reading goes on.
public struct XournalReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  private let files: DrawnFiles

  /// Lists the notes anywhere below a folder, or takes one file.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` if there is nothing at the path, or no such
  ///   file in the folder.
  public init(
    path: String, yAxis: YAxis = .down, unit: InkUnit? = nil
  ) throws(InkFormatError) {
    files = try DrawnFiles(
      path: path, extensions: ["xopp", "xoj"], format: .xournal, yAxis: yAxis, unit: unit,
      parse: Self.parse)
  }

  /// Returns an iterator at the first file.
  public func makeIterator() -> AnyIterator<Element> { files.makeIterator() }

  @Sendable
  static func parse(_ bytes: [UInt8], _ path: String) throws(InkFormatError) -> DrawnFile {
    try DrawnFile(xml: bytes, path) { (scanner) throws(InkFormatError) in
      var file = DrawnFile()
      while let tag = try scanner.nextTag() {
        guard tag.kind == .start else { continue }
        switch tag.name {
        case "page":
          file.pages.append(
            DrawnFile.Page(height: tag["height"].flatMap(XMLScanner.double)))
        case "layer":
          file.lastPage.groups.append(DrawnFile.Group(id: tag["name"]))
        case "stroke":
          guard tag["tool"] == nil || tag["tool"] == "pen" else { continue }
          let stroke = try stroke(tag, &scanner)
          if file.lastPage.groups.isEmpty { file.lastPage.groups.append(DrawnFile.Group()) }
          file.lastPage.add(stroke, to: file.lastPage.groups.count - 1)
        default: continue
        }
      }
      return file
    }
  }

  private static func stroke(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) -> Stroke {
    guard let numbers = numbers(try scanner.rawContent()), numbers.count.isMultiple(of: 2) else {
      throw scanner.error(
        .malformed, expected: "pairs of numbers in a stroke", found: "something else")
    }
    let widths = numbersOf(tag["width"] ?? "")
    let forces = numbersOf(tag["pressures"] ?? "")
    return Stroke(
      points: (0..<numbers.count / 2).map { index in
        StrokePoint(
          x: numbers[2 * index], y: numbers[2 * index + 1], force: force(index, widths, forces))
      })
  }

  /// Returns the force at a point, from its own column or from the widths. The first width is that
  /// of the pen.
  private static func force(_ index: Int, _ widths: [Double], _ forces: [Double]) -> Double? {
    if !forces.isEmpty { return forces[Swift.min(index, forces.count - 1)] }
    guard widths.count > 1, widths[0] > 0 else { return nil }
    let force = widths[Swift.min(index + 1, widths.count - 1)] / widths[0]
    return force.isFinite ? force : nil
  }

  private static func numbersOf(_ text: String) -> [Double] {
    numbers(.copy(Array(text.utf8))) ?? []
  }

  /// Returns the numbers between blanks; nil if there is anything else, or a number that is not
  /// finite.
  private static func numbers(_ text: XMLContent) -> [Double]? {
    text.withBytes { bytes in
      var result: [Double] = []
      var position = 0
      while position < bytes.count {
        if bytes[position] <= 0x20 {
          position += 1
          continue
        }
        guard let number = DecimalScanner.number(bytes, &position), number.isFinite else {
          return nil
        }
        result.append(number)
      }
      return result
    }
  }
}
