import Files
import InkCore

/// Reads tables of ink (`.csv`): the events of a pen or a finger in rows, or a drawing in each row.
///
/// The first row names the columns, which are separated by commas, semicolons or tabs.
///
/// | Column | Names |
/// |---|---|
/// | place | `x`, `y` |
/// | time | `t`, `time`, `timestamp` |
/// | pressure | `p`, `pressure`, `force` |
/// | event | `action`, `event`, `state`, `type`: 0 or `down`, 1 or `up`, 2 or `move` |
/// | stroke | `stroke`, `stroke_id`, `strokeid`: another value begins a stroke |
/// | drawing | `data`, `strokes`, `drawing`, `ink`: JSON; `label`, `symbol_id`, `class` its label |
enum PenTableReader {
  private static let mostColumns = 64
  private static let longestField = 64 << 20

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var table = PenTable(try input.content(), path: input.path)
    guard let names = try table.next() else {
      throw table.error(.emptyInk, expected: "a row with the names of columns", found: "none")
    }
    let columns = PenColumns(names)
    if let drawing = columns.drawing { return try drawings(&table, columns, drawing) }
    guard let x = columns.x, let y = columns.y else {
      throw table.error(
        .missingKey, expected: "the columns x and y, or data", found: "other columns")
    }
    return try events(&table, columns, x, y)
  }

  /// Returns true for the first bytes of a table of ink.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    var table = PenTable(Array(bytes.prefix(1 << 12)), path: "")
    guard let names = try? table.next(), names.count > 1 else { return false }
    let columns = PenColumns(names)
    return columns.drawing != nil && names.count > 1 && columns.isKnown
      || columns.x != nil && columns.y != nil
  }

  private static func drawings(
    _ table: inout PenTable, _ columns: PenColumns, _ drawing: Int
  ) throws(InkFormatError) -> DrawnFile {
    var file = DrawnFile()
    while let row = try table.next() {
      guard drawing < row.count else { continue }
      do throws(InkFormatError) {
        let input = InkInput(path: table.path, source: "", bytes: Array(row[drawing].utf8))
        guard var page = try StrokeJSONReader.parse(input).pages.first else { continue }
        page.label = columns.label.flatMap { $0 < row.count ? row[$0] : nil }
        file.pages.append(page)
      } catch {
        var page = DrawnFile.Page()
        page.problem = InkFormatError(
          error.code, at: SourceLocation(path: table.path, line: table.line),
          expected: error.expected, found: error.found, advice: error.advice)
        file.pages.append(page)
      }
    }
    return file
  }

  private static func events(
    _ table: inout PenTable, _ columns: PenColumns, _ x: Int, _ y: Int
  ) throws(InkFormatError) -> DrawnFile {
    var page = DrawnFile.Page()
    page.groups = [DrawnFile.Group()]
    var budget = InkBudget()
    var points: [StrokePoint] = []
    var stroke: String?
    func end(_ points: inout [StrokePoint], _ page: inout DrawnFile.Page) throws(InkFormatError) {
      guard !points.isEmpty else { return }
      try budget.add(points.count, path: table.path)
      page.add(Stroke(points: points), to: 0)
      points = []
    }
    while let row = try table.next() {
      func value(_ column: Int?) -> String? { column.flatMap { $0 < row.count ? row[$0] : nil } }
      guard row.count > 1 || row.first?.isEmpty == false else { continue }
      guard let px = value(x).flatMap(Double.init), let py = value(y).flatMap(Double.init) else {
        throw table.error(.wrongType, expected: "numbers in x and y", found: "another text")
      }
      let event = value(columns.event)?.lowercased()
      let name = value(columns.stroke)
      if event.map(PenColumns.isDown) == true || name != stroke { try end(&points, &page) }
      stroke = name
      let isHover = event.map { $0.contains("hover") } ?? false
      if !isHover {
        let force = value(columns.force).flatMap(Double.init)
        points.append(
          StrokePoint(
            x: px, y: py, t: value(columns.time).flatMap(Double.init).flatMap(\.ifFinite),
            force: force.flatMap(\.ifFinite)))
      }
      if event.map(PenColumns.isUp) == true { try end(&points, &page) }
    }
    try end(&points, &page)
    return DrawnFile(pages: [page])
  }
}

extension Double {
  fileprivate var ifFinite: Double? { isFinite ? self : nil }
}

/// The columns of a table of ink.
private struct PenColumns {
  var x: Int?
  var y: Int?
  var time: Int?
  var force: Int?
  var event: Int?
  var stroke: Int?
  var drawing: Int?
  var label: Int?
  /// True if a column beside the drawing has a name of this format.
  var isKnown: Bool { label != nil }

  init(_ names: [String]) {
    let names = names.map {
      $0.lowercased().filter { $0 != " " && $0 != "_" && $0 != "\u{FEFF}" }
    }
    func first(_ candidates: [String]) -> Int? {
      candidates.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    x = first(["x", "xpos", "posx"])
    y = first(["y", "ypos", "posy"])
    time = first(["t", "time", "timestamp", "timems"])
    force = first(["pressure", "force", "p"])
    event = first(["action", "event", "state", "type"])
    stroke = first(["stroke", "strokeid", "strokenumber"])
    drawing = first(["data", "strokes", "drawing", "ink"])
    label = first(["label", "symbolid", "class", "word", "text"])
  }

  static func isDown(_ event: String) -> Bool {
    event == "0" || event.hasSuffix("down") || event.hasSuffix("start") || event == "begin"
  }

  static func isUp(_ event: String) -> Bool {
    event == "1" || event.hasSuffix("up") || event.hasSuffix("end")
  }
}

/// The rows of a table with separated values (RFC 4180).
private struct PenTable {
  private let bytes: [UInt8]
  private var position = 0
  private var separator: UInt8?
  private(set) var line = 0
  let path: String

  init(_ bytes: [UInt8], path: String) {
    (self.bytes, self.path) = (bytes, path)
  }

  func error(
    _ code: InkFormatError.Code, expected: String, found: String
  ) -> InkFormatError {
    InkFormatError(
      code, at: SourceLocation(path: path, line: max(1, line)), expected: expected, found: found,
      advice: "correct or remove the file")
  }

  /// Returns the fields of the next row, or nil at the end.
  mutating func next() throws(InkFormatError) -> [String]? {
    guard position < bytes.count else { return nil }
    line += 1
    if separator == nil {
      let head = bytes[position...].prefix { $0 != 0x0A }
      separator =
        [UInt8(ascii: ";"), 0x09, UInt8(ascii: ",")].first(where: head.contains)
        ?? UInt8(ascii: ",")
    }
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if isQuoted {
        if byte == UInt8(ascii: "\"") {
          if position < bytes.count, bytes[position] == byte {
            field.append(byte)
            position += 1
          } else {
            isQuoted = false
          }
        } else {
          if byte == 0x0A { line += 1 }
          field.append(byte)
        }
      } else if byte == UInt8(ascii: "\""), field.isEmpty {
        isQuoted = true
      } else if byte == separator {
        try append(&field, to: &fields)
      } else if byte == 0x0A {
        break
      } else if byte != 0x0D {
        field.append(byte)
      }
    }
    try append(&field, to: &fields)
    return fields
  }

  private func append(
    _ field: inout [UInt8], to fields: inout [String]
  ) throws(InkFormatError) {
    guard fields.count < 256 else {
      throw error(.tooLarge, expected: "at most 256 columns", found: "more")
    }
    guard UTF8Check.isValid(field) else {
      throw error(.invalidEncoding, expected: "text in UTF-8", found: "other bytes")
    }
    fields.append(String(decoding: field, as: UTF8.self))
    field = []
  }
}
