import Files
import InkCore

/// Reads the notes of Xournal and Xournal++ (`.xopp`, `.xoj`): XML with pages and layers, without
/// labels, plain, compressed by gzip, or packaged as a ZIP archive.
///
/// Each page with pen strokes is a record; a unit asks for layers (`group`), strokes or the whole
/// file, its pages below each other. Strokes of the highlighter and the eraser are no ink. Typed text
/// is kept at its place; a warning counts the pictures. A page with a damaged stroke costs itself. Force is the width at a point over the width
/// of the pen, where these differ. A file may be of any size: only its strokes are in memory.
enum XournalReader {
  /// The file of a packaged note that holds the strokes.
  static let member = "content.xml"
  /// The most strokes and points of a file.
  static let mostStrokes = 1_000_000
  static let mostPoints = 8_000_000
  /// The most bytes of typed text.
  static let mostText = 16 << 20
  /// The bytes that say how a text is encoded.
  private static let declaration = 1 << 10

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var notes = XournalNotes(path: input.path)
    let stream = try xml(input)
    while let tag = try stream.nextTag() { try notes.take(tag, stream) }
    return notes.file
  }

  /// Opens the XML of a file. A text in another encoding than UTF-8, as old versions may have
  /// written it, is converted as a whole.
  private static func xml(
    _ input: InkInput
  ) throws(InkFormatError) -> XMLStream<InkFormatError> {
    let path = input.path
    let bytes = try input.stream(member: member)
    var start = [UInt8](repeating: 0, count: declaration)
    let count = try start.withUnsafeMutableBufferPointer { (raw) throws(InkFormatError) in
      try bytes.read(into: UnsafeMutableRawBufferPointer(raw))
    }
    start.removeLast(start.count - count)
    var isWhole = false
    if XMLText.isConverted(start) {
      start = XMLText.utf8(try bytes.rest(after: start))
      isWhole = true
    }
    let before = UnpackingStream(ByteSource(start), packing: .none)
    var isBefore = true
    return XMLStream { (buffer) throws(InkFormatError) in
      if isBefore {
        if let got = try? before.read(into: buffer), got > 0 { return got }
        isBefore = false
      }
      return isWhole ? 0 : try bytes.read(into: buffer)
    } failure: { problem, line in
      InkFormatError(problem, at: SourceLocation(path: path, line: line))
    }
  }
}

/// Builds pages from the tags of a note file.
private struct XournalNotes {
  private(set) var drawn = DrawnFile()
  private let path: String
  private var strokeCount = 0
  private var pointCount = 0
  private var pictureCount = 0
  private var textBytes = 0

  init(path: String) {
    self.path = path
  }

  /// The file, with a warning if it has pictures.
  var file: DrawnFile {
    guard pictureCount > 0 else { return drawn }
    var file = drawn
    file.warnings = [
      InkFormatError(
        .unsupported, at: SourceLocation(path: path), expected: "strokes",
        found: pictureCount == 1 ? "a picture beside them" : "\(pictureCount) pictures beside them",
        advice: "the strokes are read without it, handwriting in a picture is not")
    ]
    return file
  }

  mutating func take(
    _ tag: XMLTag, _ stream: XMLStream<InkFormatError>
  ) throws(InkFormatError) {
    if tag.kind != .end, tag.name == "image" || tag.name == "teximage" { pictureCount += 1 }
    guard tag.kind == .start else { return }
    switch tag.name {
    case "page":
      var page = DrawnFile.Page(height: tag["height"].flatMap(XMLScanner.double))
      page.width = tag["width"].flatMap(XMLScanner.double)
      drawn.pages.append(page)
    case "layer":
      drawn.lastPage.groups.append(DrawnFile.Group(id: tag["name"]))
    case "stroke":
      guard tag["tool"] == nil || tag["tool"] == "pen" else { return }
      let color = tag["color"].flatMap { XournalColor.text(of: String($0)) }
      guard let stroke = try stroke(tag, stream) else { return }
      strokeCount += 1
      pointCount += stroke.points.count
      guard strokeCount <= XournalReader.mostStrokes, pointCount <= XournalReader.mostPoints else {
        throw InkFormatError(
          .tooLarge, at: SourceLocation(path: path, line: stream.line),
          expected: "at most \(XournalReader.mostStrokes) strokes and "
            + "\(XournalReader.mostPoints) points in a file", found: "more",
          advice: "split the file")
      }
      if drawn.lastPage.groups.isEmpty { drawn.lastPage.groups.append(DrawnFile.Group()) }
      let width = Self.numbersOf(tag["width"] ?? "").first ?? 0
      drawn.lastPage.add(
        stroke, to: drawn.lastPage.groups.count - 1, width: width, color: color)
    case "text": try takeText(tag, stream)
    default: return
    }
  }

  /// Keeps a typed text.
  private mutating func takeText(
    _ tag: XMLTag, _ stream: XMLStream<InkFormatError>
  ) throws(InkFormatError) {
    let text = try stream.content { bytes -> String? in
      UTF8Check.isValid(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    func number(_ name: String) -> Double { tag[name].flatMap(XMLScanner.double) ?? 0 }
    guard let text, !text.allSatisfy(\.isWhitespace) else { return }
    textBytes += text.utf8.count
    guard textBytes <= XournalReader.mostText else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: path, line: stream.line),
        expected: "typed text of at most \(XournalReader.mostText >> 20) MB", found: "more",
        advice: "split the file")
    }
    drawn.lastPage.texts.append(
      PlacedText(text, x: number("x"), y: number("y"), size: number("size")))
  }

  /// Reads a stroke; nil for a damaged one, which is the problem of its page.
  private mutating func stroke(
    _ tag: XMLTag, _ stream: XMLStream<InkFormatError>
  ) throws(InkFormatError) -> Stroke? {
    let numbers = try stream.content(Self.numbers)
    guard let numbers, numbers.count.isMultiple(of: 2) else {
      let problem = InkFormatError(
        .malformed, at: SourceLocation(path: path, line: stream.line),
        expected: "pairs of numbers in a stroke", found: "something else",
        advice: "correct or remove the file")
      drawn.lastPage.problem = drawn.lastPage.problem ?? problem
      return nil
    }
    let widths = Self.numbersOf(tag["width"] ?? "")
    let forces = Self.numbersOf(tag["pressures"] ?? "")
    return Stroke(
      points: (0..<numbers.count / 2).map { index in
        StrokePoint(
          x: numbers[2 * index], y: numbers[2 * index + 1], force: Self.force(index, widths, forces)
        )
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
    Array(text.utf8).withUnsafeBufferPointer(numbers) ?? []
  }

  /// Returns the numbers between blanks; nil if there is anything else, or a number that is not
  /// finite.
  private static func numbers(_ bytes: UnsafeBufferPointer<UInt8>) -> [Double]? {
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

/// The colours of Xournal and Xournal++.
private enum XournalColor {
  private static let named = [
    "black": "#000000FF", "blue": "#3333CCFF", "red": "#FF0000FF", "green": "#008000FF",
    "gray": "#808080FF", "lightblue": "#00C0FFFF", "lightgreen": "#00FF00FF",
    "magenta": "#FF00FFFF", "orange": "#FF8000FF", "yellow": "#FFFF00FF", "white": "#FFFFFFFF",
  ]

  /// Returns a colour as `#RRGGBBAA`; nil for another text.
  static func text(of value: String) -> String? {
    if let color = named[value] { return color }
    guard value.first == "#", value.utf8.count == 7 || value.utf8.count == 9,
      value.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    return value.uppercased() + (value.utf8.count == 7 ? "FF" : "")
  }
}
