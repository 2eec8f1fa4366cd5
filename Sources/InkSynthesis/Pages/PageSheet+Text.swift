import Foundation
import InkCore
import Layout

/// Paragraphs, headings, lists, notes and the marks on their words.
extension PageSheet {
  /// Lines below each other.
  ///
  /// - Parameters:
  ///   - marks: The share of words that are underlined, ringed or struck through.
  ///   - formulas: The share of words that are formulas.
  mutating func paragraph(
    _ lines: Int, marks: Double, formulas: Double, width: Double? = nil,
    using generator: inout SeededGenerator
  ) -> PagePiece {
    var result = PagePiece()
    for row in 0..<lines {
      let isLast = row == lines - 1 && lines > 1
      let share = isLast ? generator.number(0.2...1) : 1
      var line = line(
        60, width: share * (width ?? self.width), formulas: formulas, using: &generator)
      mark(&line, share: marks, using: &generator)
      result.add(line.piece.moved(generator.normal(0.1), Double(row) * leading))
    }
    return result
  }

  mutating func heading(using generator: inout SeededGenerator) -> PagePiece {
    let scale = generator.number(1...2.4)
    var line = line(
      1 + generator.index(below: 5), width: max(6, width) / scale, using: &generator)
    if generator.chance(0.55), let first = line.boxes.first, let last = line.boxes.last {
      underline(first.minX, last.maxX, of: &line, using: &generator)
    }
    let result = line.piece.scaled(scale)
    if generator.chance(0.05) {
      // Letters that are traced twice.
      var twice = result
      twice.add(result.moved(generator.normal(0.04), generator.normal(0.04)))
      return twice
    }
    return result
  }

  // MARK: - Marks

  private func mark(
    _ line: inout PageScribe.Line, share: Double, using generator: inout SeededGenerator
  ) {
    guard share > 0 else { return }
    var word = 0
    while word < line.boxes.count {
      defer { word += 1 }
      guard generator.chance(share) else { continue }
      let last = min(
        line.boxes.count - 1, word + (generator.chance(0.6) ? 0 : generator.index(below: 4)))
      let (left, right) = (line.boxes[word].minX, line.boxes[last].maxX)
      switch generator.number(0...1) {
      case ..<0.45: underline(left, right, of: &line, using: &generator)
      case ..<0.88: strike(left, right, of: &line, using: &generator)
      default:
        var box = line.boxes[word]
        for other in line.boxes[word...last] { box.formUnion(other) }
        box = box.grown(generator.number(0.1...0.5), generator.number(0.05...0.3))
        line.piece.add(
          generator.chance(0.6)
            ? [pen.round(box.grown(0.1 * box.width, 0.15), using: &generator)]
            : pen.rectangle(box, using: &generator), .frame)
      }
      word = last
    }
  }

  private func underline(
    _ left: Double, _ right: Double, of line: inout PageScribe.Line,
    using generator: inout SeededGenerator
  ) {
    let y = generator.number(0.36...0.8)
    let start = left + generator.normal(0.2)
    let end = max(right + generator.normal(0.3), start + 0.6)
    func straight(_ y: Double) -> [PagePoint] {
      pen.line(
        PagePoint(start + generator.normal(0.1), y),
        PagePoint(end + generator.normal(0.1), y + generator.normal(0.015 * (end - start))),
        bow: generator.normal(0.006), using: &generator)
    }
    switch generator.number(0...1) {
    case ..<0.68: line.piece.add([straight(y)], .underline)
    case ..<0.8:
      line.piece.add([straight(y), straight(y + generator.number(0.12...0.35))], .underline)
    default:
      line.piece.add(
        [
          pen.wave(
            PagePoint(start, y + 0.1), PagePoint(end, y + 0.1 + generator.normal(0.05)),
            height: generator.number(0.05...0.2), length: generator.number(0.3...1.1),
            using: &generator)
        ], .underline)
    }
  }

  private func strike(
    _ left: Double, _ right: Double, of line: inout PageScribe.Line,
    using generator: inout SeededGenerator
  ) {
    let start = left + generator.normal(0.2)
    let end = max(right + generator.normal(0.2), start + 0.5)
    func straight(_ slope: Double) -> [PagePoint] {
      let y = generator.normal(0.1)
      return pen.line(
        PagePoint(start + generator.normal(0.08), y + slope),
        PagePoint(end + generator.normal(0.08), y - slope), using: &generator)
    }
    switch generator.number(0...1) {
    case ..<0.5: line.piece.add([straight(generator.normal(0.08))], .strikeThrough)
    case ..<0.66:
      line.piece.add(
        [straight(generator.normal(0.1)), straight(generator.normal(0.1))], .strikeThrough)
    case ..<0.74: line.piece.add([straight(generator.number(0.2...0.5))], .strikeThrough)
    case ..<0.82:
      line.piece.add(
        [straight(generator.number(0.25...0.55)), straight(-generator.number(0.25...0.55))],
        .strikeThrough)
    case ..<0.92:
      line.piece.add(
        [
          pen.wave(
            PagePoint(start, 0), PagePoint(end, generator.normal(0.06)),
            height: generator.number(0.1...0.45), length: generator.number(0.3...0.9),
            using: &generator)
        ], .strikeThrough)
    default:
      // Scribbled over from end to end.
      var corners = [PagePoint(start, generator.normal(0.15))]
      for turn in 0..<(2 + generator.index(below: 5)) {
        corners.append(
          PagePoint((turn % 2 == 0 ? end : start) + generator.normal(0.2), generator.normal(0.2)))
      }
      line.piece.add([pen.path(corners, using: &generator)], .strikeThrough)
    }
  }

  // MARK: - Lists

  mutating func list(using generator: inout SeededGenerator) -> PagePiece {
    var result = PagePiece()
    let style = generator.number(0...1)
    let bullet = generator.index(below: 7)
    let gap = generator.number(0.35...1.2)
    let size = generator.number(0.6...1.15)
    var y = 0.0
    for _ in 0..<(1 + generator.index(below: 6)) {
      let indent = generator.chance(0.2) ? generator.number(1...2.5) : generator.normal(0.1)
      let lines = generator.chance(0.8) ? 1 : 2
      let text = paragraph(
        lines, marks: generator.chance(0.3) ? 0.1 : 0, formulas: 0,
        width: generator.number(0.3...1) * width, using: &generator)
      guard !text.strokes.isEmpty else { continue }
      var mark = PagePiece()
      switch style {
      case ..<0.5: mark = PagePiece(bulletStrokes(bullet, using: &generator), kind: .bullet)
      case ..<0.9: mark = tickBox(size, using: &generator)
      default:
        // Numbers are text.
        mark = scribe.printed(
          "\(1 + generator.index(below: 12))" + (generator.chance(0.5) ? "." : ")"),
          using: &generator)
      }
      let box = mark.box
      result.add(mark.moved(indent - box.maxX, y + generator.normal(0.05)))
      result.add(text.moved(indent + gap - text.box.minX, y))
      y += Double(lines) * leading
    }
    return result
  }

  private func bulletStrokes(
    _ style: Int, using generator: inout SeededGenerator
  ) -> [[PagePoint]] {
    switch style {
    case 0, 1:
      let radius = generator.number(0.02...0.13)
      let ring = BoundingBox(minX: -radius, minY: -radius, maxX: radius, maxY: radius)
      return radius < 0.04
        ? [[PagePoint(0, 0), PagePoint(radius, radius / 2)]]
        : [
          pen.round(ring, using: &generator)
            + pen.round(ring.grown(-radius / 2, -radius / 2), using: &generator)
        ]
    case 2, 3:
      let width = generator.number(0.3...0.8)
      return [
        pen.line(PagePoint(0, 0), PagePoint(width, generator.normal(0.05)), using: &generator)
      ]
    case 4:
      let radius = generator.number(0.12...0.28)
      return [
        pen.round(
          BoundingBox(minX: -radius, minY: -radius, maxX: radius, maxY: radius), using: &generator)
      ]
    case 5:
      let width = generator.number(0.6...1.3)
      let tip = PagePoint(width, 0)
      let head = pen.head(
        at: tip, from: .zero, size: generator.number(0.2...0.4), using: &generator)
      return [pen.line(.zero, tip, using: &generator) + head.continued] + head.strokes
    default:
      let radius = generator.number(0.15...0.3)
      let count = 2 + generator.index(below: 2)
      return (0..<count).map { index in
        let angle = Double.pi * Double(index) / Double(count) + generator.normal(0.1)
        let arm = radius * PagePoint(cos(angle), sin(angle))
        return pen.line(arm, -arm, using: &generator)
      }
    }
  }

  private func tickBox(_ size: Double, using generator: inout SeededGenerator) -> PagePiece {
    let half = size / 2
    let box = BoundingBox(minX: -half, minY: -half, maxX: half, maxY: half)
    var result = PagePiece(
      generator.chance(0.9)
        ? pen.rectangle(box, using: &generator) : [pen.round(box, using: &generator)],
      kind: .tickBox)
    switch generator.number(0...1) {
    case ..<0.35:
      let reach = generator.number(0.5...1.1) * size
      result.add(
        [
          pen.path(
            [
              PagePoint(-0.35 * size, generator.normal(0.1)), PagePoint(-0.05 * size, 0.35 * size),
              PagePoint(reach, -reach + generator.normal(0.1)),
            ], using: &generator)
        ], .tickBox)
    case ..<0.5:
      let arm = generator.number(0.3...0.55) * size
      result.add(
        [
          pen.line(PagePoint(-arm, -arm), PagePoint(arm, arm), using: &generator),
          pen.line(PagePoint(arm, -arm), PagePoint(-arm, arm), using: &generator),
        ], .tickBox)
    default: break
    }
    return result
  }

  // MARK: - Drawings and notes

  /// A sketch or figure, sometimes with a caption or a label beside it.
  mutating func drawing(using generator: inout SeededGenerator) -> PagePiece {
    let size = exp(generator.number(log(2.5)...log(14)))
    var result = PagePiece()
    if generator.chance(0.8), !scribe.material.drawings.isEmpty {
      let drawings = scribe.material.drawings
      result = PagePiece(drawings[generator.index(below: drawings.count)], kind: .drawing)
    } else {
      let labels = ShapeComposer.labels.filter { !$0.contains("arrow") && $0 != "line" }
      let label = labels[generator.index(below: labels.count)]
      let knots = ShapeComposer(error: 3).strokes(of: label, using: &generator) ?? []
      result = PagePiece(
        knots.map { pen.spline($0, scale: 0.01 * size, using: &generator) }, kind: .drawing)
    }
    let box = result.box
    let extent = max(box.width, box.height)
    guard extent > 0 else { return PagePiece() }
    result = result.moved(-box.midX, -box.midY).scaled(size / extent)
    if generator.chance(0.35) {
      let caption = line(1 + generator.index(below: 3), width: 10, using: &generator).piece
      let (own, other) = (result.box, caption.box)
      if generator.chance(0.5) {
        result.add(caption.moved(own.midX - other.midX, own.maxY + 0.4 - other.minY))
      } else {
        result.add(caption.moved(own.maxX + 0.6 - other.minX, own.midY))
        if generator.chance(0.4) {
          result.add(
            connector(
              from: PagePoint(own.maxX + 3, own.midY), to: PagePoint(own.midX, own.midY),
              heads: 1, using: &generator
            ).moved(0, generator.number(0.8...1.2)))
        }
      }
    }
    return result
  }

  /// Lines in a frame, a note beside an arrow, or a note at an angle.
  mutating func note(using generator: inout SeededGenerator) -> PagePiece {
    let lines = 1 + generator.index(below: 4)
    let text = paragraph(
      lines, marks: 0, formulas: generator.chance(0.2) ? 0.3 : 0, width: generator.number(3...14),
      using: &generator)
    switch generator.number(0...1) {
    case ..<0.55:
      var result = text
      result.add(outline(of: text, using: &generator))
      return result
    case ..<0.85:
      var result = text
      let box = text.box
      let isLeft = generator.chance(0.5)
      let start = PagePoint(isLeft ? box.minX - 0.4 : box.maxX + 0.4, box.midY)
      let reach = generator.number(1.2...6) * (isLeft ? -1 : 1)
      result.add(
        connector(
          from: start, to: start + PagePoint(reach, generator.normal(1.2)),
          heads: generator.chance(0.9) ? 1 : 0, using: &generator))
      if generator.chance(0.6) {
        let other = line(1 + generator.index(below: 3), width: 8, using: &generator).piece
        let (own, far) = (result.box, other.box)
        result.add(
          other.moved(isLeft ? own.minX - 0.4 - far.maxX : own.maxX + 0.4 - far.minX, box.midY))
      }
      return result
    default:
      let angle = generator.chance(0.5) ? generator.number(-0.7...0.7) : generator.normal(0.2)
      return text.turned(angle)
    }
  }

  /// An outline around a piece, in any form.
  func outline(of inner: PagePiece, using generator: inout SeededGenerator) -> PagePiece {
    let margin = generator.number(0.08...1)
    let box = inner.box.grown(margin * generator.number(0.8...1.8), margin)
    switch generator.number(0...1) {
    case ..<0.45: return PagePiece(pen.rectangle(box, using: &generator), kind: .frame)
    case ..<0.55:
      // A parallelogram.
      let lean = generator.number(0.15...0.9) * box.height * (generator.chance(0.8) ? 1 : -1)
      let half = abs(lean) / 2
      let wide = box.grown(0.6 * half, 0)
      return PagePiece(
        pen.outline(
          [
            PagePoint(wide.minX + max(lean, 0), wide.minY),
            PagePoint(wide.maxX + min(lean, 0) + half, wide.minY),
            PagePoint(wide.maxX - max(lean, 0) + half, wide.maxY),
            PagePoint(wide.minX - min(lean, 0), wide.maxY),
          ], using: &generator), kind: .frame)
    case ..<0.75:
      let oval = box.grown(0.16 * box.width, 0.16 * box.height)
      return PagePiece([pen.round(oval, using: &generator)], kind: .frame)
    case ..<0.88:
      return PagePiece(
        [pen.round(box, exponent: generator.number(3...6), using: &generator)], kind: .frame)
    case ..<0.905:
      let wide = box.grown(0.35 * box.width, 0.4 * box.height)
      return PagePiece([pen.cloud(wide, using: &generator)], kind: .frame)
    case ..<0.925:
      let ring = pen.rectangle(box, using: &generator).flatMap { $0 }
      return PagePiece(pen.dashes(ring, using: &generator), kind: .frame)
    case ..<0.94:
      let outer = box.grown(0.25, 0.25)
      return PagePiece(
        pen.rectangle(box, using: &generator) + pen.rectangle(outer, using: &generator),
        kind: .frame)
    default:
      // A rhombus.
      let (width, height) = (0.95 * box.width, 0.95 * box.height)
      return PagePiece(
        pen.outline(
          [
            PagePoint(box.midX - width, box.midY), PagePoint(box.midX, box.midY - height),
            PagePoint(box.midX + width, box.midY), PagePoint(box.midX, box.midY + height),
          ], using: &generator), kind: .frame)
    }
  }
}
