import Foundation
import InkCore

/// Reads Windows ink (`.isf`, Ink Serialized Format 1.0).
///
/// A file is one record, in units of 0.01 mm. Pressure is the force, 0 to 1; the ticks of the clock are
/// milliseconds. Highlighters are no ink. Properties of strokes, buttons and tables of codes of a
/// program's own are not read.
enum ISFReader {
  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    var cursor = ByteCursor(try input.content(), path: input.path)
    let version = try cursor.groups()
    guard version == 0 else {
      throw cursor.error(
        .unsupported, expected: "ISF of version 1.0", found: "version number \(version)",
        advice: "save the ink as InkML")
    }
    var stream = try cursor.part(Int(clamping: try cursor.groups()))
    var ink = ISFInk(path: input.path)
    while !stream.isAtEnd { try ink.take(&stream) }
    return DrawnFile(pages: [ink.page])
  }

  /// Returns true for the first bytes of a stream: the version 0, the number of bytes that follow, and a
  /// tag that may come first.
  static func isStream(_ bytes: [UInt8]) -> Bool {
    var cursor = ByteCursor(bytes, path: "")
    guard (try? cursor.groups()) == 0, let count = try? cursor.groups(), count >= 3,
      bytes.count >= 1 << 12 || UInt64(cursor.count) == count, let tag = try? cursor.groups()
    else { return false }
    return tag <= 5 || tag == 10 || (14...21).contains(tag) || (24...31).contains(tag)
  }
}

/// The tables and the strokes of a stream.
private struct ISFInk {
  private struct Pen {
    var color: UInt64 = 0
    var transparency: UInt64 = 0
    var width: Double?
    var isHighlighter = false
  }

  /// The columns of strokes behind x and y.
  private struct Columns {
    var hasX = true
    var hasY = true
    var tags: [UInt64] = []
  }

  private static let x: UInt64 = 50
  private static let y: UInt64 = 51
  private static let clock: UInt64 = 54
  private static let pressure: UInt64 = 56
  /// The usual range of pressure.
  private static let usualPressure = 0.0...1023.0
  /// The bytes of the values of known properties from tag 50 on; 0 where their number stands before them.
  private static let sizes = [
    4, 4, 4, 4, 8, 4, 2, 2, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4, 4, 1, 4, 4, 0, 0, 20, 12, 16, 2, 1,
    4, 0, 4, 4, 4, 4, 4,
  ]

  let path: String
  private(set) var page = DrawnFile.Page()
  private var pens: [Pen] = []
  private var columns: [Columns] = []
  private var matrices: [AffineMatrix] = []
  private var ranges: [ClosedRange<Double>] = []
  private var (pen, column, matrix, range) = (0, 0, 0, 0)
  private var budget = InkBudget()

  init(path: String) {
    self.path = path
    page.groups = [DrawnFile.Group()]
  }

  /// Takes the next part of the stream.
  mutating func take(_ stream: inout ByteCursor) throws(InkFormatError) {
    let tag = try stream.groups()
    switch tag {
    case 0: for _ in 0..<4 { _ = try stream.groups() }
    case 2: try each(&stream) { ink, block throws(InkFormatError) in try ink.takePen(&block) }
    case 3: try one(&stream) { ink, block throws(InkFormatError) in try ink.takePen(&block) }
    case 4: try each(&stream) { ink, block throws(InkFormatError) in try ink.takeColumns(&block) }
    case 5: try one(&stream) { ink, block throws(InkFormatError) in try ink.takeColumns(&block) }
    case 24: try each(&stream) { ink, block throws(InkFormatError) in try ink.takeMetric(&block) }
    case 25: try one(&stream) { ink, block throws(InkFormatError) in try ink.takeMetric(&block) }
    case 15:
      try one(&stream) { ink, block throws(InkFormatError) in
        while !block.isAtEnd { try ink.takeMatrix(try block.groups(), &block) }
      }
    case 16...21: try takeMatrix(tag, &stream)
    case 9: pen = Int(clamping: try stream.groups())
    case 13: column = Int(clamping: try stream.groups())
    case 23: matrix = Int(clamping: try stream.groups())
    case 26: range = Int(clamping: try stream.groups())
    case 10: try one(&stream) { ink, block throws(InkFormatError) in try ink.takeStroke(&block) }
    case 1, 14, 28, 29, 30, 31: try one(&stream) { _, _ in }
    case 50...: try skipProperty(tag, &stream)
    default:
      throw stream.error(.malformed, expected: "a known part of ISF", found: "the tag \(tag)")
    }
  }

  private typealias Body = (inout ISFInk, inout ByteCursor) throws(InkFormatError) -> Void

  /// Reads a block with its length.
  private mutating func one(
    _ stream: inout ByteCursor, _ body: Body
  ) throws(InkFormatError) {
    var block = try stream.part(Int(clamping: try stream.groups()))
    try body(&self, &block)
  }

  /// Reads a table of blocks.
  private mutating func each(
    _ stream: inout ByteCursor, _ body: Body
  ) throws(InkFormatError) {
    var table = try stream.part(Int(clamping: try stream.groups()))
    while !table.isAtEnd { try one(&table, body) }
  }

  private func skipProperty(
    _ tag: UInt64, _ block: inout ByteCursor
  ) throws(InkFormatError) {
    let place = Int(clamping: tag) - 50
    let size = Self.sizes.indices.contains(place) ? Self.sizes[place] : 0
    // The first byte of a packed property is not in its number.
    try block.skip(size > 0 ? size : Int(clamping: try block.groups()) + 1)
  }

  private mutating func takePen(_ block: inout ByteCursor) throws(InkFormatError) {
    var pen = Pen()
    while !block.isAtEnd {
      let tag = try block.groups()
      switch tag {
      case 68: pen.color = try block.groups()
      case 80: pen.transparency = try block.groups()
      case 67, 71, 72, 81: _ = try block.groups()
      case 69, 70:
        let value = Double(try block.groups())
        if tag == 69 { pen.width = value }
        // A fraction may follow.
        if block.next == 27 {
          try block.skip(1)
          try block.skip(Int(clamping: try block.groups()) + 1)
        }
      case 87:
        // The operation 9 lets the ink below shine through.
        pen.isHighlighter = try block.byte() == 9
        try block.skip(3)
      default: try skipProperty(tag, &block)
      }
    }
    pens.append(pen)
  }

  private mutating func takeColumns(_ block: inout ByteCursor) throws(InkFormatError) {
    var columns = Columns()
    while !block.isAtEnd {
      let tag = try block.groups()
      switch tag {
      case 7: columns.hasX = false
      case 8: columns.hasY = false
      // Buttons and properties of strokes stand behind the columns.
      case 6, 11: try block.skip(block.count)
      default: columns.tags.append(tag)
      }
    }
    guard columns.tags.count <= 64 else {
      throw block.error(.tooLarge, expected: "at most 64 columns", found: "more")
    }
    self.columns.append(columns)
  }

  /// Reads the range of the pressure.
  private mutating func takeMetric(_ block: inout ByteCursor) throws(InkFormatError) {
    var range = Self.usualPressure
    while !block.isAtEnd {
      let tag = try block.groups()
      var entry = try block.part(Int(clamping: try block.groups()))
      guard tag == Self.pressure, !entry.isAtEnd else { continue }
      let low = Double(try entry.signedGroups())
      let high = entry.isAtEnd ? range.upperBound : Double(try entry.signedGroups())
      if low < high { range = low...high }
    }
    ranges.append(range)
  }

  private mutating func takeMatrix(
    _ tag: UInt64, _ block: inout ByteCursor
  ) throws(InkFormatError) {
    func number() throws(InkFormatError) -> Double {
      let value = try block.float()
      guard value.isFinite else {
        throw block.error(.nonFiniteNumber, expected: "a finite matrix", found: "NaN or infinity")
      }
      return value
    }
    switch tag {
    case 16:
      let (a, b, c, d) = (try number(), try number(), try number(), try number())
      matrices.append(AffineMatrix(a: a, b: b, c: c, d: d, e: try number(), f: try number()))
    case 17:
      let scale = try number()
      matrices.append(AffineMatrix(a: scale, d: scale))
    case 18: matrices.append(AffineMatrix(a: try number(), d: try number()))
    case 19:
      let angle = Double(try block.groups()) / 100
      matrices.append(AffineMatrix.rotation(angle.remainder(dividingBy: 360) / 180 * .pi))
    case 20: matrices.append(AffineMatrix(e: try number(), f: try number()))
    case 21:
      let (a, d) = (try number(), try number())
      matrices.append(AffineMatrix(a: a, d: d, e: try number(), f: try number()))
    default:
      throw block.error(.malformed, expected: "a matrix", found: "the tag \(tag)")
    }
  }

  private mutating func takeStroke(_ block: inout ByteCursor) throws(InkFormatError) {
    let raw = Int(clamping: try block.groups())
    let columns = self.columns.indices.contains(column) ? self.columns[column] : Columns()
    // A column packs 8 points into a byte at best.
    guard raw <= InkBudget.points, raw / 8 <= block.count else {
      throw block.error(.truncated, expected: "the bytes of \(raw) points", found: "fewer")
    }
    var values: [UInt64: [Int64]] = [:]
    let tags = (columns.hasX ? [Self.x] : []) + (columns.hasY ? [Self.y] : []) + columns.tags
    for tag in tags { values[tag] = try ISFPackets.column(&block, count: raw) }
    guard let x = values[Self.x], let y = values[Self.y] else { return }
    let pen = pens.indices.contains(self.pen) ? pens[self.pen] : Pen()
    guard !pen.isHighlighter else { return }
    try budget.add(raw, path: path)
    let map = matrices.indices.contains(matrix) ? matrices[matrix] : AffineMatrix()
    let range = ranges.indices.contains(self.range) ? ranges[self.range] : Self.usualPressure
    let (ticks, forces) = (values[Self.clock], values[Self.pressure])
    let points = (0..<raw).map { index in
      let place = map.apply(Double(x[index]), Double(y[index]))
      return StrokePoint(
        x: place.0, y: place.1, t: ticks.map { Double($0[index]) },
        force: forces.map {
          max(
            0,
            min(1, (Double($0[index]) - range.lowerBound) / (range.upperBound - range.lowerBound)))
        })
    }
    // The lowest byte is red.
    let (red, green, blue) = (pen.color & 0xFF, pen.color >> 8 & 0xFF, pen.color >> 16 & 0xFF)
    let alpha = 255 - min(255, pen.transparency)
    page.add(
      Stroke(points: points), to: 0, width: pen.width ?? 0,
      color: pens.isEmpty
        ? nil : WacomSpline.color(Int64(red << 24 | green << 16 | blue << 8 | alpha)))
  }
}
