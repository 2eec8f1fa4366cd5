import InkCore

/// Finds the line of text that a stroke belongs to, as strokes arrive.
///
/// A stroke belongs to the line whose middle, near the stroke, is at the stroke's height; the line
/// written last is preferred. Small marks belong to the nearest line. A pen that has moved far back
/// and down begins a line even if the last one is near.
package struct LineGrouper: Sendable {
  /// Makes a grouper that has seen no ink.
  ///
  /// - Parameter marksCount: False if marks do not count for the height of the writing.
  package init(marksCount: Bool = true) { self.marksCount = marksCount }

  /// Makes a grouper that continues the work of another.
  ///
  /// - Parameters:
  ///   - heights: The recent heights of strokes, as in ``memory``.
  ///   - lastLine: The line written last.
  ///   - lastX: The position of its last stroke.
  package init(heights: [Double], lastLine: Int?, lastX: Double) {
    marksCount = true
    self.heights = heights.suffix(Self.capacity)
    sorted = self.heights.sorted()
    last = lastLine.map { ($0, lastX) }
  }

  /// The recent heights of strokes of text, the oldest first, and the line written last with its
  /// position.
  package var memory: (heights: [Double], lastLine: Int?, lastX: Double) {
    (heights, last?.line, last?.x ?? 0)
  }

  /// False if marks do not count for the height of the writing.
  private let marksCount: Bool
  /// The recent heights of strokes of text, the oldest first.
  private var heights: [Double] = []
  private var sorted: [Double] = []
  /// The line written last, and its position.
  private var last: (line: Int, x: Double)?

  // Distances are in heights of the writing. The values were chosen by hand.

  /// The number of strokes whose heights are kept.
  private static let capacity = 100
  /// The number of strokes that determine the height of the writing.
  private static let certain = 8
  /// The number of strokes after which a line reaches no farther than `reach`.
  private static let settled = 12
  /// The weight of an expected height, in strokes.
  private static let expectations = 12
  /// The greatest distance of a stroke's middle from that of its line.
  private static let reach = 1.3
  /// The same for a pen that continues above the end of the line written last: new lines begin
  /// below.
  private static let endReach = 2.0
  /// The same while the height of the writing is estimated from a few letters, which may all be
  /// small.
  private static let firstReach = 1.7
  /// The same for dots, commas and hyphens.
  private static let smallReach = 2.0
  /// The bonus of the line written last, subtracted from its distance.
  private static let preference = 0.4
  /// A pen that moves this far back, and down by `returnDrop`, begins a line.
  private static let returnDistance = 4.0
  private static let returnDrop = 0.5
  /// A pen that moved back and down continues another line within this distance.
  private static let otherReach = 0.6

  /// The height of larger strokes, about that of a letter with an ascender; nil before any text.
  package var height: Double? {
    sorted.isEmpty ? nil : max(Self.height(sorted, marksCount), 0.1)
  }

  /// The height of larger strokes, with a prior for the first few strokes: as if some strokes of an
  /// expected height had been written before them.
  package func height(expecting expected: Double) -> Double {
    var all = sorted
    all.insert(
      contentsOf: repeatElement(expected, count: Self.expectations),
      at: WritingHeight.place(of: expected, in: sorted))
    return max(Self.height(all, marksCount), 0.1)
  }

  private static func height(_ sorted: [Double], _ marksCount: Bool) -> Double {
    marksCount ? WritingHeight.withMarks(sorted) : WritingHeight.ofLetters(sorted)
  }

  /// Returns whether a stroke is a dot, a comma or a hyphen.
  package func isSmall(_ box: BoundingBox) -> Bool {
    guard let height else { return false }
    return box.height < 0.4 * height && box.width < 0.6 * height
  }

  /// Returns the identifier of the line of a stroke, or nil for a new line.
  ///
  /// - Parameters:
  ///   - stroke: The stroke.
  ///   - lines: The lines.
  ///   - isMirrored: True if strokes and lines are not in their reading frame, but mirrored.
  package func line(
    of stroke: StrokeMeasure, among lines: some Sequence<LineShape>, isMirrored: Bool = false
  ) -> Int? {
    // A quotation mark at the start says little about the height of the following text.
    let own = heights.count < Self.certain ? stroke.box.height : 0
    let height = max(height ?? 0, own, 0.1)
    let x = stroke.box.midX
    var found: [(score: Double, line: LineShape, offset: Double)] = []
    for line in lines
    where stroke.meanY > line.box.minY - 2 * height && stroke.meanY < line.box.maxY + 2 * height {
      let offset = (stroke.meanY - line.centre(at: x, height: height)) / height
      found.append((abs(offset) - (line.id == last?.line ? Self.preference : 0), line, offset))
    }
    found.sort { $0.score != $1.score ? $0.score < $1.score : $0.line.id < $1.line.id }
    guard let best = found.first else { return nil }
    if isSmall(stroke.box), best.score < Self.smallReach { return best.line.id }
    let beyond =
      isMirrored ? best.line.box.minX - stroke.box.maxX : stroke.box.minX - best.line.box.maxX
    let isAtEnd = best.line.id == last?.line && best.offset < 0 && beyond > -height / 2
    let reach = heights.count < Self.settled ? Self.firstReach : Self.reach
    guard best.score < (isAtEnd ? max(reach, Self.endReach) : reach) else { return nil }
    if let last, best.line.id == last.line,
      (isMirrored ? x - last.x : last.x - x) > Self.returnDistance * height,
      best.offset > Self.returnDrop
    {
      return found.first { $0.line.id != last.line && $0.score < Self.otherReach }?.line.id
    }
    return best.line.id
  }

  /// Records that a stroke was assigned to a line.
  package mutating func remember(_ stroke: StrokeMeasure, line: Int) {
    last = (line, stroke.box.midX)
    let height = stroke.box.height
    heights.append(height)
    sorted.insert(height, at: WritingHeight.place(of: height, in: sorted))
    if heights.count > Self.capacity {
      sorted.remove(at: WritingHeight.place(of: heights.removeFirst(), in: sorted))
    }
  }

  /// Records that the ink that was written last is in another line now.
  package mutating func continueLine(_ line: Int) { last?.line = line }

  /// Removes the height of a stroke that turned out not to be text.
  package mutating func forget(_ stroke: StrokeMeasure) {
    guard let index = heights.lastIndex(of: stroke.box.height) else { return }
    sorted.remove(at: WritingHeight.place(of: heights.remove(at: index), in: sorted))
  }
}
