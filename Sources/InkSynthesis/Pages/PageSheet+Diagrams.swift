import Foundation
import InkCore
import Layout

/// Diagrams, mind maps and tables.
extension PageSheet {
  // MARK: - Connectors

  /// A line between two points, with heads.
  ///
  /// - Parameter heads: 0 for none, 1 for one at the end, 2 for one at each end.
  func connector(
    from start: PagePoint, to end: PagePoint, heads: Int, using generator: inout SeededGenerator
  ) -> PagePiece {
    let offset = end - start
    let length = max((offset * offset).sum().squareRoot(), 0.3)
    let size = min(0.45 * length, generator.number(0.25...1.1))
    var shaft: [PagePoint]
    var (before, after) = (start, end)
    switch generator.number(0...1) {
    case ..<0.6: shaft = pen.line(start, end, bow: generator.normal(0.02), using: &generator)
    case ..<0.82:
      let normal = PagePoint(-offset.y, offset.x) * generator.normal(0.3)
      let control = start + 0.5 * offset + normal
      shaft = pen.curve(start, control, end, using: &generator)
      (before, after) = (control, control)
    default:
      let isAcross = generator.chance(0.5)
      let knee = isAcross ? PagePoint(end.x, start.y) : PagePoint(start.x, end.y)
      shaft = pen.path([start, knee, end], using: &generator)
      (before, after) = (knee, knee)
      if abs(offset.x) < 0.5 || abs(offset.y) < 0.5 {
        shaft = pen.line(start, end, using: &generator)
        (before, after) = (start, end)
      }
    }
    if heads == 0 || after == end { after = start }
    if before == start { before = end }
    let isForward: Bool = {
      let (first, last) = (shaft[0] - end, shaft[shaft.count - 1] - end)
      return (last * last).sum() <= (first * first).sum()
    }()
    if !isForward { shaft.reverse() }
    var strokes: [[PagePoint]] = []
    if heads > 0 {
      let head = pen.head(at: end, from: after, size: size, using: &generator)
      shaft += head.continued
      strokes += head.strokes
    }
    if heads > 1 {
      var head = pen.head(at: start, from: before, size: size, using: &generator)
      while head.strokes.isEmpty {
        head = pen.head(at: start, from: before, size: size, using: &generator)
      }
      strokes += head.strokes
    }
    if generator.chance(0.04), length > 2 {
      return PagePiece(pen.dashes(shaft, using: &generator) + strokes, kind: .connector)
    }
    if length > 4, generator.chance(0.06) {
      let cut = shaft.count / 3 + generator.index(below: shaft.count / 3)
      return PagePiece(
        [Array(shaft[...cut]), Array(shaft[cut...])] + strokes, kind: .connector)
    }
    return PagePiece([shaft] + strokes, kind: .connector)
  }

  /// The point of a box's edge on the way to another point, with a random gap.
  private func edge(
    of box: BoundingBox, toward target: PagePoint, using generator: inout SeededGenerator
  ) -> PagePoint {
    let centre = PagePoint(box.midX, box.midY)
    let offset = target - centre
    let (width, height) = (max(box.width / 2, 0.1), max(box.height / 2, 0.1))
    let share = 1 / max(abs(offset.x) / width, abs(offset.y) / height, 1e-6)
    let length = max((offset * offset).sum().squareRoot(), 1e-6)
    let gap = generator.chance(0.8) ? generator.number(-0.15...0.4) : generator.number(0.3...1)
    return centre + (share + gap / length) * offset
      + PagePoint(generator.normal(0.12), generator.normal(0.12))
  }

  // MARK: - Nodes

  /// A label of one to three short lines, centred at the origin.
  mutating func label(_ most: Int = 3, using generator: inout SeededGenerator) -> PagePiece {
    var result = PagePiece()
    let rows = generator.chance(0.7) ? 1 : 1 + generator.index(below: most)
    for row in 0..<rows {
      let piece: PagePiece
      let choice = generator.number(0...1)
      if choice < 0.32 {
        let names = ["A", "B", "S", "x", "1", "2", "3", "yes", "no", "q0", "n", "C", "0", "Y", "N"]
        let word =
          choice < 0.14
          ? names[generator.index(below: names.count)] : assignment(using: &generator)
        var printed = scribe.printed(word, using: &generator)
        let id = newLine([word])
        for index in printed.strokes.indices { printed.strokes[index].line = id }
        piece = printed
      } else {
        piece = line(1 + generator.index(below: 3), width: 9, using: &generator).piece
      }
      let box = piece.box
      result.add(piece.moved(-box.midX, 1.5 * Double(row)))
    }
    let box = result.box
    return result.moved(-box.midX, -box.midY)
  }

  /// An expression of one line, as in the boxes of flowcharts. It is read as text.
  private func assignment(using generator: inout SeededGenerator) -> String {
    let names = ["x", "y", "n", "k", "i", "R", "N", "sum", "max", "err", "f(x)", "a", "V", "X"]
    func name() -> String { names[generator.index(below: names.count)] }
    func value() -> String {
      generator.chance(0.5) ? name() : String(generator.index(below: 12))
    }
    let relations = ["=", "=", "<", ">", "==", ">=", "<=", "?"]
    var text = name() + relations[generator.index(below: relations.count)] + value()
    if generator.chance(0.4) {
      text += ["+", "-", "*", "/"][generator.index(below: 4)] + value()
    }
    return text
  }

  /// An outline with nothing in it.
  private func emptyNode(using generator: inout SeededGenerator) -> PagePiece {
    let (width, height) = (generator.number(0.4...3), generator.number(0.3...1.4))
    var place = PagePiece()
    let isRing = generator.chance(0.25)
    let size = generator.number(0.3...0.9)
    let points =
      isRing
      ? [PagePoint(-size, -size), PagePoint(size, size)]
      : [PagePoint(-width, -height), PagePoint(width, height)]
    if isRing {
      let box = BoundingBox(minX: -size, minY: -size, maxX: size, maxY: size)
      return PagePiece([pen.round(box, using: &generator)], kind: .frame)
    }
    place.add([points], .frame)
    return outline(of: place, using: &generator)
  }

  /// Boxes in rows, joined by arrows.
  mutating func diagram(most: Int, using generator: inout SeededGenerator) -> PagePiece {
    var result = PagePiece()
    let columns = 1 + generator.index(below: 4)
    let rows = max(1, min(1 + generator.index(below: 5), most / columns))
    let isFramed = generator.chance(0.9)
    let (gapX, gapY) = (generator.number(1.5...5), generator.number(1.2...4.5))
    let headShare = generator.chance(0.8) ? 1.0 : 0.2
    let emptyShare = generator.chance(0.12) ? 1 : generator.chance(0.5) ? 0 : 0.15
    var boxes: [[BoundingBox?]] = []
    var top = 0.0
    for _ in 0..<rows {
      var line: [BoundingBox?] = []
      var (left, low) = (generator.number(0...2), top)
      for _ in 0..<columns {
        guard generator.chance(0.85) else {
          line.append(nil)
          left += generator.number(3...8)
          continue
        }
        var node = label(using: &generator)
        if generator.chance(0.03) {
          node = scribe.inlineFormula(using: &generator)
        }
        if isFramed, generator.chance(emptyShare) {
          node = emptyNode(using: &generator)
        } else if isFramed, generator.chance(0.95) {
          node.add(outline(of: node, using: &generator))
        }
        let box = node.box
        let moved = node.moved(left - box.minX, top - box.minY + generator.number(0...0.5))
        result.add(moved)
        line.append(moved.box)
        left += box.width + gapX
        low = max(low, moved.box.maxY)
      }
      boxes.append(line)
      top = low + gapY
    }
    var pairs: [(BoundingBox, BoundingBox)] = []
    for row in 0..<rows {
      for column in 0..<columns {
        guard let box = boxes[row][column] else { continue }
        if column + 1 < columns, let next = boxes[row][column + 1], generator.chance(0.7) {
          pairs.append((box, next))
        }
        guard row + 1 < rows else { continue }
        if let next = boxes[row + 1][column], generator.chance(0.6) { pairs.append((box, next)) }
        if column + 1 < columns, let next = boxes[row + 1][column + 1], generator.chance(0.15) {
          pairs.append((box, next))
        }
      }
    }
    if let loop = loop(boxes.flatMap { $0 }.compactMap(\.self), using: &generator) {
      result.add(loop)
    }
    for (one, other) in pairs {
      let isReversed = generator.chance(0.2)
      let (from, to) = isReversed ? (other, one) : (one, other)
      let start = edge(of: from, toward: PagePoint(to.midX, to.midY), using: &generator)
      let end = edge(of: to, toward: PagePoint(from.midX, from.midY), using: &generator)
      let heads = generator.chance(headShare) ? (generator.chance(0.08) ? 2 : 1) : 0
      result.add(connector(from: start, to: end, heads: heads, using: &generator))
      guard generator.chance(0.18) else { continue }
      var text = line(1, width: 5, using: &generator).piece
      text = text.scaled(generator.number(0.7...1))
      let (middle, box) = (0.5 * (start + end), text.box)
      if abs(end.x - start.x) > abs(end.y - start.y) {
        result.add(text.moved(middle.x - box.midX, middle.y - 0.35 - box.maxY))
      } else {
        result.add(text.moved(middle.x + 0.4 - box.minX, middle.y - box.midY))
      }
    }
    return result
  }

  /// A line from one box around others to another box, at right angles.
  private func loop(
    _ boxes: [BoundingBox], using generator: inout SeededGenerator
  ) -> PagePiece? {
    guard boxes.count > 2, generator.chance(0.45) else { return nil }
    let from = boxes[generator.index(below: boxes.count)]
    let to = boxes[generator.index(below: boxes.count)]
    guard from != to else { return nil }
    let isLeft = generator.chance(0.5)
    let reach = generator.number(0.8...3)
    let side =
      isLeft
      ? boxes.reduce(from.minX) { min($0, $1.minX) } - reach
      : boxes.reduce(from.maxX) { max($0, $1.maxX) } + reach
    let edge = { (box: BoundingBox) in isLeft ? box.minX : box.maxX }
    var corners = [
      PagePoint(edge(from), from.midY), PagePoint(side, from.midY), PagePoint(side, to.midY),
      PagePoint(edge(to) + (isLeft ? -0.2 : 0.2), to.midY),
    ]
    for index in corners.indices {
      corners[index] += PagePoint(generator.normal(0.12), generator.normal(0.12))
    }
    let tip = corners[3]
    let head = pen.head(
      at: tip, from: corners[2], size: generator.number(0.3...0.9), using: &generator)
    return PagePiece(
      legs(corners, head.continued, using: &generator) + head.strokes, kind: .connector)
  }

  /// A line through corners in one stroke or one for each leg.
  private func legs(
    _ corners: [PagePoint], _ continued: [PagePoint], using generator: inout SeededGenerator
  ) -> [[PagePoint]] {
    if generator.chance(0.55) { return [pen.path(corners, using: &generator) + continued] }
    var strokes = zip(corners, corners.dropFirst()).map { pen.path([$0, $1], using: &generator) }
    strokes[strokes.count - 1] += continued
    return strokes
  }

  /// Words around a word, joined by lines.
  mutating func mindMap(using generator: inout SeededGenerator) -> PagePiece {
    var centre = label(2, using: &generator).scaled(generator.number(1...1.8))
    if generator.chance(0.75) { centre.add(outline(of: centre, using: &generator)) }
    var result = centre
    var taken = [centre.box]
    var nodes: [(box: BoundingBox, angle: Double, level: Int)] = [(centre.box, 0, 0)]
    let frames = generator.chance(0.6) ? generator.number(0...1) : 0
    let headShare = generator.chance(0.4) ? 0.85 : 0.05
    var next = 0
    while next < nodes.count, nodes.count < 22 {
      let (box, base, level) = nodes[next]
      next += 1
      guard level < 3, level == 0 || generator.chance(0.55) else { continue }
      let count = level == 0 ? 3 + generator.index(below: 6) : 1 + generator.index(below: 4)
      for child in 0..<count {
        let spread =
          level == 0
          ? 6.2832 * Double(child) / Double(count) : 0.9 * (Double(child) - Double(count - 1) / 2)
        let angle = base + spread + generator.normal(0.15)
        var node = label(2, using: &generator)
        var kind = 0
        if generator.chance(frames) {
          node.add(outline(of: node, using: &generator))
        } else if generator.chance(0.12) {
          kind = 1
        }
        let own = node.box
        let direction = PagePoint(1.3 * cos(angle), sin(angle))
        let reach =
          generator.number(1.5...5) + box.width / 2 * abs(cos(angle)) + box.height / 2
          * abs(sin(angle))
          + own.width / 2 * abs(cos(angle)) + own.height / 2 * abs(sin(angle))
        let place = PagePoint(box.midX, box.midY) + reach * direction
        let moved = node.moved(place.x, place.y)
        guard !taken.contains(where: { $0.grown(0.7, 0.5).meets(moved.box) }) else { continue }
        result.add(moved)
        taken.append(moved.box)
        nodes.append((moved.box, angle, level + 1))
        let start = edge(of: box, toward: place, using: &generator)
        let end = edge(of: moved.box, toward: PagePoint(box.midX, box.midY), using: &generator)
        result.add(
          connector(
            from: start, to: end, heads: generator.chance(headShare) ? 1 : 0, using: &generator))
        if kind == 1 {
          result.add(
            [
              pen.line(
                PagePoint(moved.box.minX - 0.1, moved.box.maxY + 0.2),
                PagePoint(moved.box.maxX + 0.2, moved.box.maxY + 0.2 + generator.normal(0.1)),
                using: &generator)
            ], .underline)
        }
      }
    }
    return result
  }

  // MARK: - Tables

  /// Cells in rows and columns, with rules between them.
  mutating func table(using generator: inout SeededGenerator) -> PagePiece {
    let (rows, columns) = (2 + generator.index(below: 6), 2 + generator.index(below: 4))
    var cells: [[PagePiece]] = []
    var widths = [Double](repeating: 1.5, count: columns)
    for _ in 0..<rows {
      var row: [PagePiece] = []
      for column in 0..<columns {
        guard generator.chance(0.88) else {
          row.append(PagePiece())
          continue
        }
        var cell: PagePiece
        if column > 0, generator.chance(0.35) {
          let number = String(generator.index(below: 2000))
          cell = scribe.printed(number, using: &generator)
          let id = newLine([number])
          for index in cell.strokes.indices { cell.strokes[index].line = id }
        } else {
          cell = line(1 + generator.index(below: 2), width: 7, using: &generator).piece
        }
        cell = cell.moved(-cell.box.minX, 0)
        widths[column] = max(widths[column], cell.box.width)
        row.append(cell)
      }
      cells.append(row)
    }
    let padding = generator.number(0.25...0.9)
    let height = generator.number(1.35...2.4)
    var edges = [0.0]
    for width in widths { edges.append(edges[edges.count - 1] + width + 2 * padding) }
    var result = PagePiece()
    for (row, line) in cells.enumerated() {
      for (column, cell) in line.enumerated() {
        result.add(
          cell.moved(
            edges[column] + padding + generator.number(0...0.2), height * (Double(row) + 0.5)))
      }
    }
    addRules(to: &result, edges: edges, rows: rows, height: height, using: &generator)
    return result
  }

  private func addRules(
    to table: inout PagePiece, edges: [Double], rows: Int, height: Double,
    using generator: inout SeededGenerator
  ) {
    let (right, bottom) = (edges[edges.count - 1], height * Double(rows))
    let style = generator.number(0...1)
    func across(_ y: Double) {
      let over = generator.normal(0.2)
      table.add(
        [
          pen.line(
            PagePoint(-abs(over), y + generator.normal(0.06)),
            PagePoint(right + over, y + generator.normal(0.06)), using: &generator)
        ], .tableRule)
    }
    func down(_ x: Double) {
      table.add(
        [
          pen.line(
            PagePoint(x + generator.normal(0.06), generator.normal(0.2)),
            PagePoint(x + generator.normal(0.06), bottom + generator.normal(0.2)),
            using: &generator)
        ], .tableRule)
    }
    let isClosed = style < 0.55
    let hasRows = style < 0.75
    if isClosed {
      let outer = BoundingBox(minX: 0, minY: 0, maxX: right, maxY: bottom)
      if generator.chance(0.5) {
        table.add(pen.rectangle(outer, using: &generator), .tableRule)
      } else {
        across(0)
        across(bottom)
        down(0)
        down(right)
      }
    }
    // One rule beneath the head, or one beneath each row.
    for row in 1..<rows where hasRows || row == 1 { across(height * Double(row)) }
    if style < 0.9 {
      for edge in edges.dropFirst().dropLast() { down(edge) }
    } else if edges.count > 2 {
      down(edges[1])
    }
  }
}
