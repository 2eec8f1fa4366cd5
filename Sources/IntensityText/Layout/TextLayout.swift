/// The lines of a rendered text in a width: where each character is.
///
///     let layout = TextLayout(rendered, width: 320, sizes: DefaultGlyphSizes())
///     print(layout.height, layout.lines.count)
///
/// Lines break behind spaces and hyphens, between ideographs, at the breaks of the text, and within
/// words that are wider than a line. Text runs from left to right.
public struct TextLayout: Hashable, Sendable {
  /// A line.
  public struct Line: Hashable, Sendable {
    /// The UTF-16 units, with the spaces and the break at its end.
    public let range: Range<Int>
    /// The box of the line, as wide as its text.
    public let box: TextBox
    /// The y of the baseline.
    public let baseline: Double
  }

  /// A part of a run on one line.
  public struct Piece: Hashable, Sendable {
    /// The UTF-16 units.
    public let range: Range<Int>
    /// The index of the run in ``RenderedText/runs``.
    public let run: Int
    /// The index of the line.
    public let line: Int
    /// The left edge.
    public let x: Double
    /// The width.
    public let width: Double
  }

  /// The width that the lines are broken at.
  public let width: Double
  /// The height of all lines.
  public let height: Double
  /// The lines, at least one.
  public let lines: [Line]
  /// The parts of runs, in the order of the text.
  public let pieces: [Piece]
  /// The start and left edge of each character, in the order of the text.
  private let starts: [Int]
  private let edges: [Double]
  /// The boxes of attachments by their index.
  public let attachments: [Int: TextBox]

  /// The least width, in points.
  private static let leastWidth = 1.0
  /// The line height of text without characters.
  private static let emptyFont = TextFont(BaseAttributes())

  /// Breaks a text into lines. O(n).
  ///
  /// - Parameters:
  ///   - rendered: The text.
  ///   - width: The width in points, at least 1.
  ///   - sizes: The sizes of characters.
  public init(_ rendered: RenderedText, width: Double, sizes: any GlyphSizes) {
    let width = width.isNaN ? Self.leastWidth : max(width, Self.leastWidth)
    self.width = width
    let cells = Self.cells(rendered, width: width, sizes: sizes)
    var lines: [Line] = []
    var pieces: [Piece] = []
    var edges: [Double] = []
    var boxes: [Int: TextBox] = [:]
    var y = 0.0
    let empty = sizes.extent(of: Self.emptyFont)
    for range in Self.breaks(cells, width: width) {
      let line = cells[range]
      let ascent = line.map(\.ascent).max() ?? empty.ascent
      let descent = line.map(\.descent).max() ?? empty.descent
      var x = 0.0
      for cell in line {
        if cell.isAttachment {
          boxes[cell.start] = TextBox(
            x: x, y: y + ascent - cell.ascent, width: cell.width, height: cell.ascent)
        }
        if let last = pieces.last, last.run == cell.run, last.line == lines.count {
          pieces[pieces.count - 1] = Piece(
            range: last.range.lowerBound..<cell.end, run: cell.run, line: lines.count, x: last.x,
            width: last.width + cell.width)
        } else {
          pieces.append(
            Piece(
              range: cell.start..<cell.end, run: cell.run, line: lines.count, x: x,
              width: cell.width))
        }
        edges.append(x)
        x += cell.width
      }
      let end = line.last?.end ?? rendered.text.utf16.count
      lines.append(
        Line(
          range: (line.first?.start ?? end)..<end,
          box: TextBox(x: 0, y: y, width: x, height: ascent + descent), baseline: y + ascent))
      y += ascent + descent
    }
    self.lines = lines
    self.pieces = pieces
    self.edges = edges
    starts = cells.map(\.start)
    attachments = boxes
    height = y
  }

  // MARK: - Places

  /// Returns the caret before a unit: a box without width. The caret at the end of a line that the
  /// width broke is at the start of the next one. O(log n).
  public func caret(at index: Int) -> TextBox {
    let number = line(of: index)
    let line = lines[number]
    let cell = firstCell(from: index)
    let isOnLine = cell < starts.count && line.range.contains(starts[cell])
    let x = isOnLine ? edges[cell] : line.box.width
    return TextBox(x: x, y: line.box.y, width: 0, height: line.box.height)
  }

  /// Returns the index whose caret is nearest to a place. O(line + log n).
  public func index(atX x: Double, y: Double) -> Int {
    var low = 0
    while low + 1 < lines.count, lines[low + 1].box.y <= y { low += 1 }
    let line = lines[low]
    var cell = firstCell(from: line.range.lowerBound)
    var best = (index: line.range.lowerBound, distance: Double.infinity)
    while cell < starts.count, line.range.contains(starts[cell]) {
      let distance = abs(edges[cell] - x)
      if distance < best.distance { best = (starts[cell], distance) }
      cell += 1
    }
    // Behind the last character, unless that place is on the next line.
    if low == lines.count - 1, abs(line.box.width - x) < best.distance {
      return line.range.upperBound
    }
    return best.index
  }

  /// Returns a box for each line that a range touches. O(lines + log n).
  public func boxes(of range: Range<Int>) -> [TextBox] {
    guard !range.isEmpty else { return [] }
    return lines.compactMap { line in
      let part = range.clamped(to: line.range)
      guard !part.isEmpty else { return nil }
      let left = caret(at: part.lowerBound).x
      let right =
        part.upperBound == line.range.upperBound ? line.box.width : caret(at: part.upperBound).x
      return TextBox(x: left, y: line.box.y, width: max(right - left, 0), height: line.box.height)
    }
  }

  private func line(of index: Int) -> Int {
    var (low, high) = (0, lines.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if lines[middle].range.lowerBound <= index { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func firstCell(from index: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A character with its size.
private struct Cell {
  var start: Int
  var end: Int
  var run: Int
  var width: Double
  var ascent: Double
  var descent: Double
  var isAttachment = false
  var isBreak = false
  var isSpace = false
  var mayBreakAfter = false
}

extension TextLayout {
  private static func cells(
    _ rendered: RenderedText, width: Double, sizes: any GlyphSizes
  ) -> [Cell] {
    let units = Array(rendered.text.utf16)
    var cells: [Cell] = []
    cells.reserveCapacity(units.count)
    for (number, run) in rendered.runs.enumerated() {
      if let attachment = run.attachment {
        let size = attachment.size(fitting: width)
        cells.append(
          Cell(
            start: run.range.lowerBound, end: run.range.upperBound, run: number, width: size.width,
            ascent: size.height, descent: 0, isAttachment: true, mayBreakAfter: true))
        continue
      }
      let text = String(decoding: units[run.range], as: UTF16.self)
      let extent = sizes.extent(of: run.style.font)
      let widths = sizes.widths(of: text, font: run.style.font)
      var start = run.range.lowerBound
      for (index, character) in text.enumerated() {
        let end = start + character.utf16.count
        let isBreak = character.isNewline
        let own = index < widths.count && widths[index].isFinite ? max(widths[index], 0) : 0
        cells.append(
          Cell(
            start: start, end: end, run: number, width: isBreak ? 0 : own, ascent: extent.ascent,
            descent: extent.descent, isBreak: isBreak, isSpace: character.isWhitespace,
            mayBreakAfter: mayBreak(after: character)))
        start = end
      }
    }
    return cells
  }

  private static func mayBreak(after character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.last else { return false }
    if scalar.value < 0x80 { return scalar == " " || scalar == "-" || scalar == "\t" }
    return scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
      || scalar.properties.generalCategory == .spaceSeparator && scalar.value != 0xA0
  }

  /// The cells of each line; a text that ends with a break has an empty last line.
  private static func breaks(_ cells: [Cell], width: Double) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, x) = (0, 0.0)
    var chance = 0
    var index = 0
    while index < cells.count {
      let cell = cells[index]
      if cell.isBreak {
        lines.append(start..<index + 1)
        (start, x, chance) = (index + 1, 0, index + 1)
        index += 1
        continue
      }
      // Spaces hang over the end of the line.
      if x + cell.width > width, index > start, !cell.isSpace {
        let end = chance > start ? chance : index
        lines.append(start..<end)
        (start, x, chance) = (end, 0, end)
        index = end
        continue
      }
      x += cell.width
      index += 1
      if cell.mayBreakAfter { chance = index }
    }
    lines.append(start..<cells.count)
    return lines
  }

}
