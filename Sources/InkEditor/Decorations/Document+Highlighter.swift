import InkCore

/// The words under a highlighter.
extension Document {
  /// Returns the ink of words under a path: those of which it covers most of the width, and those
  /// that most of the path is over. Ink of text that is not read counts stroke by stroke.
  /// O(strokes of text + words near the path × points of the path).
  func textInk(under path: [StrokePoint]) -> InkAnchor {
    guard let area = Ink(strokes: [Stroke(points: path)]).boundingBox else { return InkAnchor() }
    let path = Self.steps(along: path)
    var result = InkAnchor()
    for block in root.texts where block.box?.grown(by: Chosen.reach).overlaps(area) ?? false {
      let words = block.lines.lazy.flatMap(\.runs).flatMap(\.words)
      let hit = words.filter { self.isCovered($0.box, by: path) }
      if !hit.isEmpty { result = result.union(anchor(of: Array(hit), in: block)) }
      let read = Set(words.flatMap { $0.items + $0.characters.flatMap(\.parts).map(\.item) })
      for item in block.lines.lazy.flatMap(\.items) where !read.contains(item) {
        guard let stroke = strokes[item], isCovered(stroke.box, by: path) else { continue }
        result = result.union(
          InkAnchor([ItemPart(item: item, points: 0..<stroke.points.count)]))
      }
    }
    return result
  }

  /// Returns whether a path covers most of the width of a box, or most of it is over the box.
  private func isCovered(_ box: BoundingBox, by path: [StrokePoint]) -> Bool {
    let margin = Chosen.margin * max(box.height, letterHeight / 2)
    let over = path.filter {
      $0.x >= box.minX && $0.x <= box.maxX && $0.y >= box.minY - margin
        && $0.y <= box.maxY + margin
    }
    guard let first = over.map(\.x).min(), let last = over.map(\.x).max() else { return false }
    return 2 * (last - first) >= box.width || 2 * over.count > path.count
  }

  /// Returns a path with points at most a short step apart.
  private static func steps(along path: [StrokePoint]) -> [StrokePoint] {
    guard path.count > 1 else { return path }
    let lengths = zip(path, path.dropFirst()).map { from, to in
      max(abs(to.x - from.x), abs(to.y - from.y))
    }
    let step = max(Chosen.step, lengths.reduce(0, +) / Chosen.mostSteps)
    var result = [path[0]]
    for (index, length) in lengths.enumerated() {
      let (from, to) = (path[index], path[index + 1])
      let count = max(1, Int((length / step).rounded(.up)))
      for place in 1...count {
        let share = Double(place) / Double(count)
        result.append(
          StrokePoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)))
      }
    }
    return result
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The margin above and below a word in which a path is still over it, in heights of the word.
  /// Chosen by hand.
  static let margin = 0.25
  /// Millimetres around a block in which its words are looked at. Chosen by hand.
  static let reach = 20.0
  /// Millimetres from one point of a path to the next. Chosen by hand.
  static let step = 0.25
  /// The most points of a path. Chosen by hand.
  static let mostSteps = 10_000.0
}
