import InkCore

/// Splits lines that run across two columns.
///
/// A row of a list is one line, however wide its spaces are. So a line is split at a gap only if
/// the ink right of the gap was written after other lines, and if at least two lines have such gaps
/// above each other. If the order of writing is not known, the gap is wider, and three lines have it. A
/// line that runs across the edge of a figure is split there.
struct ColumnFinder {
  private let lines: [LineShape]
  private let drawing: [BoundingBox]
  private let height: Double
  /// True if the strokes are in the order of writing.
  private let isOrdered: Bool
  /// True for a page with connectors or frames: what is far apart is not one line.
  private let isDiagram: Bool

  /// The least width of a gap between columns, in heights of the writing.
  private static let leastGap = 1.2
  /// The least number of lines with a gap at the same place.
  private static let leastLines = 2
  /// The same where the order of writing is not known.
  private static let leastGapAlone = 2.5
  private static let leastLinesAlone = 3

  /// - Parameter drawing: The boxes of the strokes that are drawn.
  init(
    _ lines: [LineShape], drawing: [BoundingBox], height: Double, isOrdered: Bool = true,
    isDiagram: Bool = false
  ) {
    self.isOrdered = isOrdered
    self.isDiagram = isDiagram
    self.lines = lines
    self.drawing = drawing
    self.height = height
  }

  /// The share of the strokes of a side that may have been written at another time.
  private static let late = 0.2

  private struct Gap {
    var line: Int
    var minX, maxX: Double
    /// True if the edge of a figure runs through the gap.
    var isEdge: Bool
  }

  /// Returns the lines, with those that run across columns split.
  func parted() -> [LineShape] {
    let gaps = lines.indices.flatMap(gaps(of:))
    let leastLines = isOrdered ? Self.leastLines : Self.leastLinesAlone
    guard gaps.count >= leastLines || !drawing.isEmpty else { return lines }
    var cuts: [Int: [Double]] = [:]
    for gap in gaps {
      let company = gaps.filter { $0.minX < gap.maxX && gap.minX < $0.maxX }
      guard
        gap.isEdge || isOrdered && Set(company.map(\.line)).count >= leastLines
          || !isOrdered && isGutter(gap, among: company)
      else { continue }
      cuts[gap.line, default: []].append((gap.minX + gap.maxX) / 2)
    }
    var next = (lines.map(\.id).max() ?? 0) + 1
    return lines.enumerated().flatMap { index, line -> [LineShape] in
      guard let places = cuts[index]?.sorted() else { return [line] }
      var parts = [[StrokeMeasure]](repeating: [], count: places.count + 1)
      for member in line.members {
        parts[places.count { $0 < member.box.midX }].append(member)
      }
      return parts.filter { !$0.isEmpty }.map { members in
        defer { next += 1 }
        return LineShape(id: next, members: members)
      }
    }
  }

  /// Returns true if a gap continues above and below it, in neighbouring lines, and no ink is in it.
  private func isGutter(_ gap: Gap, among company: [Gap]) -> Bool {
    var (left, right) = (gap.minX, gap.maxX)
    var found: Set<Int> = []
    for other in company {
      let (low, high) = (max(left, other.minX), min(right, other.maxX))
      guard high - low > Self.leastGap * height else { continue }
      (left, right) = (low, high)
      found.insert(other.line)
    }
    guard found.count >= Self.leastLinesAlone else { return false }
    let top = found.map { lines[$0].box.minY }.min() ?? 0
    let bottom = found.map { lines[$0].box.maxY }.max() ?? 0
    return !lines.contains { line in
      line.box.midY > top && line.box.midY < bottom && line.box.minX < right
        && line.box.maxX > left
        && line.members.contains { $0.box.minX < right && $0.box.maxX > left }
    }
  }

  /// Returns the gaps of a line that separate columns or are at the edge of a figure.
  private func gaps(of index: Int) -> [Gap] {
    let line = lines[index]
    let sorted = line.members.sorted { $0.box.minX < $1.box.minX }
    var gaps: [Gap] = []
    var right = sorted[0].box.maxX
    for (place, stroke) in sorted.enumerated().dropFirst() {
      let isWide = isDiagram && stroke.box.minX - right > Self.leastGapAlone * height
      if isWide || hasEdge(right, stroke.box.minX, line) {
        gaps.append(Gap(line: index, minX: right, maxX: stroke.box.minX, isEdge: true))
      } else if !isOrdered, stroke.box.minX - right > Self.leastGapAlone * height {
        gaps.append(Gap(line: index, minX: right, maxX: stroke.box.minX, isEdge: false))
      } else if isOrdered, stroke.box.minX - right > Self.leastGap * height {
        let left = sorted[..<place].map(\.number).sorted()
        let behind = sorted[place...].map(\.number).sorted()
        if isApart(left, behind, of: index) {
          gaps.append(Gap(line: index, minX: right, maxX: stroke.box.minX, isEdge: false))
        }
      }
      right = max(right, stroke.box.maxX)
    }
    return gaps
  }

  /// Returns true if the left or right edge of a figure as tall as a line is between two sides of a
  /// line.
  private func hasEdge(_ left: Double, _ right: Double, _ line: LineShape) -> Bool {
    guard right > left else { return false }
    return drawing.contains { box in
      box.height > height && box.minY < line.box.midY && box.maxY > line.box.midY
        && (box.minX > left && box.minX < right || box.maxX > left && box.maxX < right)
    }
  }

  /// Returns true if strokes of other lines were written between two sides of a line. A few letters
  /// of a side that were written later, or earlier, do not count.
  ///
  /// - Parameters:
  ///   - left: The numbers of the strokes of the left side, ascending.
  ///   - right: The same of the right side.
  private func isApart(_ left: [Int], _ right: [Int], of index: Int) -> Bool {
    let isFirst = left[left.count / 2] < right[right.count / 2]
    let (before, behind) = isFirst ? (left, right) : (right, left)
    let last = before[before.count - 1 - Int(Self.late * Double(before.count))]
    let first = behind[Int(Self.late * Double(behind.count))]
    guard last < first else { return false }
    return lines.enumerated().contains { other, line in
      other != index && line.members.contains { last < $0.number && $0.number < first }
    }
  }
}
