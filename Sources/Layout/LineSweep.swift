import InkCore

/// Finds the lines of a page from the places of its strokes alone: all lines at once, from the left
/// edge of the page to the right.
struct LineSweep {
  private let strokes: [StrokeMeasure]
  private let height: Double

  // All distances are in heights of the writing.

  /// The greatest distance of a stroke's middle from that of the line's last strokes.
  private static let reach = 0.9
  /// The widest space in a line.
  private static let gap = 8.0
  /// The number of strokes at the end of a line that determine its middle.
  private static let neighbours = 6
  /// Marks are lower and narrower. They join the nearest line when all letters have their line.
  private static let mark = (width: 0.6, height: 0.4)
  /// Bars are lower.
  private static let bar = 0.2

  /// - Parameter strokes: At least one.
  init(_ strokes: [StrokeMeasure]) {
    self.strokes = strokes
    height = PageInk.letterHeight(of: strokes)
  }

  /// A line while the sweep goes on.
  private struct Open {
    var members: [StrokeMeasure] = []
    var right = -Double.infinity

    /// The middle of its last strokes, weighted by their lengths.
    var middle: Double {
      var (sum, weight) = (0.0, 0.0)
      for member in members.suffix(LineSweep.neighbours) {
        sum += (member.length + 0.1) * member.meanY
        weight += member.length + 0.1
      }
      return sum / weight
    }
  }

  /// Returns the lines, in the order of their left edges.
  func lines() -> [LineShape] {
    let order = strokes.sorted {
      ($0.box.minX, $0.box.minY, $0.item) < ($1.box.minX, $1.box.minY, $1.item)
    }
    let letters = order.filter { !isMark($0) }
    var open: [Open] = []
    for stroke in letters.isEmpty ? order : letters {
      var best: (line: Int, offset: Double)?
      for (index, line) in open.enumerated()
      where stroke.box.minX - line.right < Self.gap * height {
        let offset = abs(stroke.meanY - line.middle)
        if offset < best?.offset ?? Self.reach * height { best = (index, offset) }
      }
      let line = best?.line ?? open.count
      if line == open.count { open.append(Open()) }
      open[line].members.append(stroke)
      open[line].right = max(open[line].right, stroke.box.maxX)
    }
    var lines = open.enumerated().map { LineShape(id: $0.offset, members: $0.element.members) }
    guard !letters.isEmpty else { return lines }
    for stroke in order where isMark(stroke) {
      let offsets = lines.map { line in
        (
          offset: abs(stroke.meanY - line.centre(at: stroke.box.midX, height: height)),
          gap: max(line.box.minX - stroke.box.maxX, stroke.box.minX - line.box.maxX, 0)
        )
      }
      let nearest = lines.indices.min {
        offsets[$0].offset + offsets[$0].gap < offsets[$1].offset + offsets[$1].gap
      }
      if let nearest { lines[nearest].add(stroke) }
    }
    return lines
  }

  private func isMark(_ stroke: StrokeMeasure) -> Bool {
    let (width, tall) = (stroke.box.width, stroke.box.height)
    return tall < Self.bar * height
      || width < Self.mark.width * height && tall < Self.mark.height * height
  }
}
