import InkCore

/// The lines of a page that is known to have a number of lines.
///
/// While there are more lines than that, the one with the least ink joins the nearest of the lines
/// before and after it: it must be marks of that line. While there are fewer, the line is split
/// whose parts, one written after the other, are farthest apart from line to line.
package struct CountedLines {
  /// The strokes of each line, and the length of its path in units of the ink.
  package private(set) var lines: [(strokes: [Int], length: Double)]
  private let strokes: [Int: StrokeMeasure]

  /// Takes the lines of a layout.
  ///
  /// - Parameters:
  ///   - lines: The strokes of each line, in order.
  ///   - ink: The strokes, on the page.
  ///   - direction: The direction of writing.
  package init(_ lines: [[Int]], of ink: Ink, direction: WritingDirection) {
    let turned = ink.turned(direction)
    let measures = turned.strokes.enumerated().compactMap { item, stroke in
      StrokeMeasure(stroke, item: item, number: item)
    }
    let strokes = Dictionary(uniqueKeysWithValues: measures.map { ($0.item, $0) })
    self.strokes = strokes
    self.lines = lines.map { line in
      (line, line.reduce(0) { $0 + (strokes[$1]?.length ?? 0) })
    }
  }

  /// Joins and splits lines until there are as many. Returns false if there are too few strokes.
  /// O(strokes · lines), plus the square of the strokes of a line for each split.
  package mutating func adjust(to count: Int) -> Bool {
    while lines.count > max(1, count) { joinLeast() }
    while lines.count < count {
      guard split() else { return false }
    }
    return lines.count == count
  }

  private mutating func joinLeast() {
    guard let least = lines.indices.min(by: { lines[$0].length < lines[$1].length }) else { return }
    let middle = shape(lines[least].strokes).mean
    let neighbours = [least - 1, least + 1].filter(lines.indices.contains)
    let nearest = neighbours.min {
      abs(shape(lines[$0].strokes).mean - middle) < abs(shape(lines[$1].strokes).mean - middle)
    }
    guard let nearest else { return }
    lines[nearest] = (
      (lines[nearest].strokes + lines[least].strokes).sorted(),
      lines[nearest].length + lines[least].length
    )
    lines.remove(at: least)
  }

  private mutating func split() -> Bool {
    var best: (line: Int, place: Int, distance: Double)?
    for (number, line) in lines.enumerated() {
      let order = line.strokes.sorted()
      for place in order.indices.dropFirst() {
        let (first, second) = (shape(order[..<place]), shape(order[place...]))
        let gap = max(second.box.minY - first.box.maxY, first.box.minY - second.box.maxY)
        let distance = gap + abs(second.mean - first.mean) / 2
        if distance > best?.distance ?? -.infinity { best = (number, place, distance) }
      }
    }
    guard let best else { return false }
    let order = lines[best.line].strokes.sorted()
    var parts = [Array(order[..<best.place]), Array(order[best.place...])]
    if shape(parts[0]).mean > shape(parts[1]).mean { parts.swapAt(0, 1) }
    lines.replaceSubrange(
      best.line...best.line,
      with: parts.map { part in (part, part.reduce(0) { $0 + (strokes[$1]?.length ?? 0) }) })
    return true
  }

  /// The height and the box of some strokes.
  private func shape(_ items: some Sequence<Int>) -> (mean: Double, box: BoundingBox) {
    let measures = items.compactMap { strokes[$0] }
    guard let first = measures.first else {
      return (0, BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0))
    }
    let (sum, length) = measures.reduce(into: (0.0, 0.0)) { sums, stroke in
      // A dot has a small weight.
      sums.0 += (stroke.length + 1e-6) * stroke.meanY
      sums.1 += stroke.length + 1e-6
    }
    return (
      sum / length, measures.dropFirst().reduce(into: first.box) { $0.formUnion($1.box) }
    )
  }
}
