import Foundation
import InkCore

/// The expected position of a text's ink on its line. The letters of a text determine the size and
/// position of its writing before it is seen.
///
/// Heights are above the baseline, in heights of capitals. They come from the starter set's
/// prototypes; each letter is weighted by the length of its path.
package struct TextProfile: Hashable, Sendable {
  /// Mean height of the ink.
  package let mean: Double
  /// Standard deviation of its height.
  package let deviation: Double
  /// Length of the pen's path.
  package let length: Double

  /// Height of capitals above the baseline, as a share of the line's height. The line reaches from
  /// the bottom of descenders to the top of capitals.
  package static let capitals = 100 / LineArea.ruled.height
  /// Height of the baseline above the line's lower edge, as a share of the line's height.
  package static let baseline = 0.5 - LineArea.ruled.middle / LineArea.ruled.height

  /// Makes the profile of a text; nil if none of its characters is known. O(characters).
  package init?(_ text: String) {
    var sum = Moments()
    for character in text {
      if let moments = Moments.ofCharacters[character] { sum += moments }
    }
    guard sum.length > 0 else { return nil }
    length = sum.length
    mean = sum.first / sum.length
    deviation = max(0, sum.second / sum.length - mean * mean).squareRoot()
  }

  /// Returns whether the heights of a character are known.
  package static func isKnown(_ character: Character) -> Bool {
    Moments.ofCharacters[character] != nil
  }
}

/// Sums of the height and its square along a path.
private struct Moments: Sendable {
  var length = 0.0
  var first = 0.0
  var second = 0.0

  static func += (sum: inout Moments, other: Moments) {
    sum.length += other.length
    sum.first += other.first
    sum.second += other.second
  }

  /// Adds the polygon through the knots.
  private mutating func add(_ stroke: [Knot], weight: Double) {
    for (start, end) in zip(stroke, stroke.dropFirst()) {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let share = weight * (dx * dx + dy * dy).squareRoot() / 100
      let middle = (start.y + end.y) / 200
      length += share
      first += share * middle
      second += share * (middle * middle + dy * dy / 120_000)
    }
  }

  /// The mean over the singly written forms of each character.
  static let ofCharacters: [Character: Moments] = {
    guard let library = try? PrototypeLibrary.alphabets.get() else { return [:] }
    var result: [Character: Moments] = [:]
    for label in library.labels {
      let forms = library.formsAlone(of: label)
      // The height of a letter in a word is not that of its single form if its form depends on others.
      guard !forms.isEmpty, let character = label.first, !library.isContextual(label) else {
        continue
      }
      var moments = Moments()
      for (prototype, share) in forms {
        for stroke in prototype.strokes { moments.add(stroke, weight: share) }
      }
      result[character] = moments
    }
    return result
  }()
}

/// The size of a character and its position on its line, from the starter set's prototypes.
package struct LetterExtent: Hashable, Sendable {
  /// The larger side of its box, in heights of capitals.
  package let size: Double
  /// Height of the middle of its box above the baseline, in heights of capitals.
  package let middle: Double

  /// Makes an extent.
  package init(size: Double, middle: Double) {
    self.size = size
    self.middle = middle
  }

  /// The extent of each character with prototypes: the mean over its singly written forms.
  package static let ofCharacters: [String: LetterExtent] = {
    guard let library = try? PrototypeLibrary.alphabets.get() else { return [:] }
    var result: [String: LetterExtent] = [:]
    for label in library.labels {
      let boxes = library.formsAlone(of: label).map { ($0.prototype.box, $0.share / 100) }
      guard !boxes.isEmpty else { continue }
      result[label] = LetterExtent(
        size: boxes.reduce(0) { $0 + max($1.0.width, $1.0.height) * $1.1 },
        middle: boxes.reduce(0) { $0 + $1.0.midY * $1.1 })
    }
    return result
  }()
}

/// The line that a set is written on, in units of ``Knot``.
package struct LineArea: Hashable, Sendable {
  /// Height of the line.
  package let height: Double
  /// Height of the line's middle above the baseline.
  package let middle: Double

  /// From the bottom of descenders to the top of capitals.
  package static let ruled = LineArea(height: 150, middle: 25)

  private init(height: Double, middle: Double) {
    self.height = height
    self.middle = middle
  }

  /// The line that ``FormAreaEstimator`` would estimate for boxes of these sizes: its height is
  /// twice their median size, its centre the median of their middles. A model then sees the same
  /// line in synthetic ink as in a form filled with the same labels. ``ruled`` if there are no
  /// boxes.
  package init(boxes: [BoundingBox]) {
    let sizes = boxes.map { max($0.width, $0.height) }.sorted()
    let middles = boxes.map(\.midY).sorted()
    guard let size = Self.median(sizes), let middle = Self.median(middles) else {
      self = .ruled
      return
    }
    self.init(height: 2 * size, middle: middle)
  }

  private static func median(_ sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  /// The writing area of an ink with its baseline at y = 0, as accurate as people keep to a line.
  package func area(
    for ink: Ink, writer: VirtualWriter, using generator: inout SeededGenerator
  ) -> WritingArea? {
    guard let box = ink.boundingBox else { return nil }
    let height = height * writer.scale * exp(generator.normal(0.1))
    let center = -(middle + generator.normal(4)) * writer.scale
    return try? WritingArea(
      x: box.minX, y: center - height / 2, width: max(box.width, height), height: height)
  }
}
