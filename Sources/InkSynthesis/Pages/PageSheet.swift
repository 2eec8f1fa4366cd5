import Foundation
import InkCore
import Layout

/// A page while it is composed: blocks below each other in columns.
struct PageSheet {
  let scribe: PageScribe
  var pen: PagePen { scribe.pen }
  private(set) var piece = PagePiece()
  /// The words of each line.
  private(set) var labels: [String] = []
  /// The width of a column and the distance of lines.
  let width: Double
  let leading: Double
  /// How often words are marked on this page.
  private let markShare: Double
  private let formulaShare: Double
  /// The place of the next block.
  private var x = 0.0
  private var y = 0.0
  /// The lower edge of all blocks.
  private var bottom = 0.0

  init(_ material: PageMaterial, using generator: inout SeededGenerator) {
    scribe = PageScribe(material, using: &generator)
    width = exp(generator.number(log(8)...log(45)))
    leading = generator.number(1.35...2.6)
    markShare = generator.chance(0.7) ? generator.number(0.03...0.3) : 0
    formulaShare = generator.chance(0.35) ? generator.number(0.03...0.3) : 0
  }

  mutating func add(_ other: PagePiece) { piece.add(other) }

  mutating func newLine(_ words: [String]) -> Int {
    labels.append(words.joined(separator: " "))
    return labels.count - 1
  }

  /// Writes a line at the origin.
  mutating func line(
    _ count: Int, width: Double, formulas: Double = 0, using generator: inout SeededGenerator
  ) -> PageScribe.Line {
    let line = scribe.line(
      count, width: width, formulas: formulas, id: labels.count, using: &generator)
    labels.append(line.labels.joined(separator: " "))
    return line
  }

  /// Puts a block below the others.
  private mutating func place(_ block: PagePiece, indent: Double, gap: Double) {
    guard !block.strokes.isEmpty else { return }
    let box = block.box
    piece.add(block.moved(x + indent - box.minX, y - box.minY))
    y += box.height + gap
    bottom = max(bottom, y)
  }

  // MARK: - Pages

  /// Paragraphs alone.
  mutating func writeText(using generator: inout SeededGenerator) {
    let columns = generator.chance(0.8) ? 1 : 2
    for column in 0..<columns {
      (x, y) = (Double(column) * (width + generator.number(2...5)), 0)
      for _ in 0..<(1 + generator.index(below: 3)) {
        let lines = 1 + generator.index(below: generator.chance(0.3) ? 2 : 9)
        place(
          paragraph(lines, marks: 0, formulas: 0, using: &generator),
          indent: generator.number(0...1), gap: generator.number(0.3...2))
      }
    }
  }

  /// Formulas alone.
  mutating func writeFormulas(using generator: inout SeededGenerator) {
    for _ in 0..<(generator.chance(0.6) ? 1 : 1 + generator.index(below: 5)) {
      place(
        scribe.displayedFormula(using: &generator), indent: generator.number(0...4),
        gap: generator.number(0.4...1.5))
    }
  }

  /// Blocks of any kind.
  mutating func writeNotes(using generator: inout SeededGenerator) {
    let columns = generator.chance(0.8) ? 1 : 2
    let isParted = generator.chance(0.4)
    var tops = 0.0
    if generator.chance(0.5) {
      place(
        heading(using: &generator), indent: generator.number(0...4),
        gap: generator.number(0.4...1.5))
      if generator.chance(0.25) { divide(using: &generator) }
      tops = y
    }
    for column in 0..<columns {
      if column > 0 {
        let gap = generator.number(1.5...4)
        let right = piece.box.maxX
        if isParted {
          piece.add(
            [
              pen.line(
                PagePoint(right + gap / 2, tops + generator.normal(0.5)),
                PagePoint(right + gap / 2 + generator.normal(0.3), bottom + generator.normal(0.5)),
                using: &generator)
            ], .divider)
        }
        (x, y) = (right + gap, tops)
      }
      let blocks = 2 + generator.index(below: columns == 1 ? 6 : 4)
      for _ in 0..<blocks { writeBlock(using: &generator) }
    }
  }

  private mutating func writeBlock(using generator: inout SeededGenerator) {
    let gap = generator.number(0.35...1.8)
    let indent = generator.chance(0.6) ? generator.normal(0.2) : generator.number(0...4)
    switch generator.number(0...1) {
    case ..<0.22:
      let lines = 1 + generator.index(below: 6)
      place(
        paragraph(lines, marks: markShare, formulas: formulaShare, using: &generator),
        indent: indent, gap: gap)
    case ..<0.28: place(heading(using: &generator), indent: indent, gap: gap)
    case ..<0.46: place(list(using: &generator), indent: indent, gap: gap)
    case ..<0.55:
      place(scribe.displayedFormula(using: &generator), indent: generator.number(0...6), gap: gap)
    case ..<0.68: place(drawing(using: &generator), indent: generator.number(0...6), gap: gap)
    case ..<0.76: divide(using: &generator)
    case ..<0.83: place(table(using: &generator), indent: indent, gap: gap)
    case ..<0.92: place(note(using: &generator), indent: generator.number(0...5), gap: gap)
    default: place(diagram(most: 4, using: &generator), indent: generator.number(0...3), gap: gap)
    }
  }

  mutating func drawDiagram(using generator: inout SeededGenerator) {
    if generator.chance(0.3) { place(heading(using: &generator), indent: 2, gap: 1.5) }
    place(diagram(most: 12, using: &generator), indent: 0, gap: 1)
    if generator.chance(0.3) {
      place(paragraph(2, marks: 0, formulas: 0, using: &generator), indent: 0, gap: 1)
    }
  }

  mutating func drawMindMap(using generator: inout SeededGenerator) {
    place(mindMap(using: &generator), indent: 0, gap: 1)
  }

  /// Sketches and figures with captions, one or two beside each other.
  mutating func drawSketches(using generator: inout SeededGenerator) {
    if generator.chance(0.4) { place(heading(using: &generator), indent: 0, gap: 1) }
    for _ in 0..<(1 + generator.index(below: 4)) {
      var block = drawing(using: &generator)
      if generator.chance(0.4) {
        let other = drawing(using: &generator)
        block.add(
          other.moved(
            block.box.maxX + generator.number(0.8...3) - other.box.minX, generator.normal(0.5)))
      }
      place(block, indent: generator.number(0...4), gap: generator.number(0.5...2))
      if generator.chance(0.4) {
        place(
          paragraph(1 + generator.index(below: 3), marks: 0, formulas: 0, using: &generator),
          indent: 0, gap: 1)
      }
    }
  }

  mutating func drawTable(using generator: inout SeededGenerator) {
    if generator.chance(0.3) { place(heading(using: &generator), indent: 0, gap: 0.8) }
    place(table(using: &generator), indent: 0, gap: 1)
  }

  // MARK: - Dividers

  private mutating func divide(using generator: inout SeededGenerator) {
    y += generator.number(0...0.6)
    let length = max(8, generator.number(0.7...1.3) * width)
    let left = x + generator.normal(0.6)
    func stroke(_ y: Double) -> [PagePoint] {
      if generator.chance(0.1) {
        return pen.wave(
          PagePoint(left, y), PagePoint(left + length, y), height: generator.number(0.1...0.3),
          length: generator.number(0.7...2), using: &generator)
      }
      return pen.line(
        PagePoint(left + generator.normal(0.3), y),
        PagePoint(left + length + generator.normal(0.3), y + generator.normal(0.004 * length)),
        using: &generator)
    }
    var strokes = [stroke(y)]
    switch generator.number(0...1) {
    case ..<0.1: strokes.append(stroke(y + generator.number(0.15...0.5)))
    case ..<0.15: strokes = pen.dashes(strokes[0], using: &generator)
    default: break
    }
    piece.add(strokes, .divider)
    y += generator.number(0.4...1.6)
    bottom = max(bottom, y)
  }
}
