import InkCore
import Metrics
import Recognition

/// The share of the ink of some texts that was assigned to the correct character.
///
/// Points on the way from one character to the next, as in cursive writing, belong to both and are
/// not counted.
package struct AlignmentScore: Hashable, Sendable {
  package init() {}

  /// The number of texts.
  package private(set) var texts = 0
  /// Strokes with more than half of their points assigned to the correct character, and all
  /// strokes.
  package private(set) var strokes = Count()
  /// Points assigned to the correct character, and all points.
  package private(set) var points = Count()
  /// Edits of the reading.
  package private(set) var edits = EditDistance()

  /// A count of correct items among all items.
  package struct Count: Hashable, Sendable {
    init() {}

    /// The number of correct items.
    package var right = 0
    /// The number of all items.
    package var total = 0

    package init(right: Int = 0, total: Int = 0) {
      self.right = right
      self.total = total
    }
  }

  /// Adds a text, the ink found for each of its characters, and the reading.
  package mutating func add(_ segmented: SegmentedInk, found: [CharacterInk], read: String) {
    texts += 1
    edits += EditDistance(reference: segmented.text, hypothesis: read)
    var right = [Int](repeating: 0, count: segmented.segmentation.strokes.count)
    for (character, ink) in found.enumerated() {
      for part in ink.parts {
        for run in segmented.segmentation.strokes[part.stroke]
        where run.characters == character...character {
          right[part.stroke] += run.points.clamped(to: part.points).count
        }
      }
    }
    for (stroke, runs) in segmented.segmentation.strokes.enumerated() {
      let total = runs.reduce(0) { $0 + ($1.characters.count == 1 ? $1.points.count : 0) }
      guard total > 0 else { continue }
      points.right += right[stroke]
      points.total += total
      strokes.right += 2 * right[stroke] > total ? 1 : 0
      strokes.total += 1
    }
  }

  /// The figures by name, rates 0 ... 1; empty without texts.
  package var figures: [String: Double] {
    guard points.total > 0 else { return [:] }
    return [
      "count": Double(texts), "strokes": Double(strokes.right) / Double(strokes.total),
      "points": Double(points.right) / Double(points.total), "cer": edits.rate ?? 0,
    ]
  }
}
