import Foundation
import InkCore

/// A doubt about a sample. The sample is kept; the person decides whether to write it again.
package enum CollectWarning: String, Codable, Hashable, Sendable, CaseIterable {
  /// Only dots, although the label needs strokes.
  case dotsOnly
  /// Ink at the edge of the surface, where it may be cut off.
  case clipped
  /// The same points as an earlier sample.
  case duplicate
  /// Faster than anybody writes: a slip of the pen, or ink of a program.
  case fast
  /// Far smaller than the writing area, or than anybody writes.
  case small
}

/// The checks of a sample that need only the sample itself. Lengths are in CSS pixels, times in
/// milliseconds.
package enum CollectChecks {
  /// A stroke whose box is smaller is a dot.
  static let dotSize = 3.0
  /// Ink nearer to the edge of the surface counts as clipped: a line is 2.6 wide.
  static let edge = 1.0
  /// The average speed that no writer reaches: 2 m/s at 96 pixels per inch.
  static let fastestSpeed = 8.0
  /// A stroke this long takes time; a shorter one may lie between two reports of the device.
  static let timelessLength = 30.0
  /// The least time per letter or digit: fast writers need more than 100 ms.
  static let leastTime = 30.0
  /// Ink whose larger side is smaller cannot be read.
  static let leastSize = 8.0
  /// The least share of the height of the writing area: half of a flat x-height.
  static let leastShare = 0.12
  /// The least width per character.
  static let leastWidth = 2.0
  /// Characters that consist of dots or of one short line.
  private static let tiny = Set(".,:;·…'’‘`´\"“”„‚¨˙•!-–—_|,،۔।、。")

  /// Returns the warnings of a sample, in the order of ``CollectWarning``.
  ///
  /// - Parameters:
  ///   - labeled: The sample.
  ///   - surface: The size of the surface; nil if it is not known.
  /// - Complexity: O(points).
  package static func warnings(
    of labeled: LabeledInk, surface: CollectSample.Surface?
  ) -> [CollectWarning] {
    guard let box = labeled.ink.boundingBox else { return [.dotsOnly] }
    let characters = labeled.label.filter { !$0.isWhitespace }
    let isTiny = characters.allSatisfy(tiny.contains)
    var warnings: [CollectWarning] = []
    let areDots = labeled.ink.strokes.allSatisfy { isDot($0) }
    if areDots && !isTiny { warnings.append(.dotsOnly) }
    if let surface, isClipped(box, surface) { warnings.append(.clipped) }
    if isFast(labeled.ink, letters: characters.count { $0.isLetter || $0.isNumber }) {
      warnings.append(.fast)
    }
    if !areDots, !isTiny, isSmall(box, characters: characters, area: labeled.writingArea) {
      warnings.append(.small)
    }
    return warnings
  }

  private static func isDot(_ stroke: Stroke) -> Bool {
    guard let box = Ink(strokes: [stroke]).boundingBox else { return true }
    return box.maxX - box.minX < dotSize && box.maxY - box.minY < dotSize
  }

  private static func isClipped(_ box: BoundingBox, _ surface: CollectSample.Surface) -> Bool {
    box.minX < edge || box.minY < edge || box.maxX > surface.width - edge
      || box.maxY > surface.height - edge
  }

  private static func isFast(_ ink: Ink, letters: Int) -> Bool {
    var length = 0.0
    var time = 0.0
    var span: (first: Double, last: Double)?
    for stroke in ink.strokes {
      // Without times, nothing can be said.
      guard let first = stroke.points.first?.t, let last = stroke.points.last?.t else {
        return false
      }
      let path = zip(stroke.points, stroke.points.dropFirst()).reduce(0) {
        $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
      }
      if path > timelessLength, last <= first { return true }
      length += path
      time += max(0, last - first)
      span = (span?.first ?? first, last)
    }
    if length > timelessLength, length > fastestSpeed * time { return true }
    guard letters > 1, let span else { return false }
    return span.last - span.first < leastTime * Double(letters)
  }

  private static func isSmall(_ box: BoundingBox, characters: String, area: WritingArea?) -> Bool {
    let (width, height) = (box.maxX - box.minX, box.maxY - box.minY)
    if max(width, height) < leastSize { return true }
    if characters.count > 2, width < leastWidth * Double(characters.count) { return true }
    guard let area, characters.contains(where: { $0.isLetter || $0.isNumber }) else { return false }
    return height < leastShare * area.height
  }

  /// Returns a number that is equal for inks with the same points, wherever they were written; nil
  /// for ink of so few points that equal ones are no surprise.
  ///
  /// Times do not count. FNV-1a (Fowler, Noll, Vo) over hundredths of a pixel.
  package static func fingerprint(of ink: Ink) -> UInt64? {
    guard ink.pointCount >= 4,
      let origin = ink.strokes.first(where: { !$0.points.isEmpty })?.points[0]
    else { return nil }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ value: Double) {
      // The sum turns -0 into 0.
      hash = (hash ^ (value.rounded() + 0).bitPattern) &* 0x100_0000_01b3
    }
    for stroke in ink.strokes {
      add(.infinity)
      for point in stroke.points {
        add((point.x - origin.x) * 100)
        add((point.y - origin.y) * 100)
      }
    }
    return hash
  }
}
