import InkCore
import Metrics
import Recognition

/// How much of the ink of some texts went to the characters that it was drawn for.
///
/// Points on the way from one character to the next, as in joined-up writing, are either's: they are
/// not counted.
public struct AlignmentScore: Hashable, Sendable {
  /// Texts.
  public private(set) var texts = 0
  /// Strokes more than half of whose points went to the right character, and all strokes.
  public private(set) var strokes = Count()
  /// Points that went to the right character, and all points.
  public private(set) var points = Count()
  /// Edits of what is read.
  public private(set) var edits = EditDistance()

  /// How many of how many.
  public struct Count: Hashable, Sendable {
    /// Those that are right.
    public var right = 0
    /// All.
    public var total = 0
  }

  /// Adds a text, the ink that was found for each of its characters, and what was read.
  mutating func add(_ segmented: SegmentedInk, found: [CharacterInk], read: String) {
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

  /// The figures by name, rates 0 ... 1; none without texts.
  var figures: [String: Double] {
    guard points.total > 0 else { return [:] }
    return [
      "count": Double(texts), "strokes": Double(strokes.right) / Double(strokes.total),
      "points": Double(points.right) / Double(points.total), "cer": edits.rate ?? 0,
    ]
  }
}
