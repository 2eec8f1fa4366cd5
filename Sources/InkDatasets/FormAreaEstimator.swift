import InkCore
import InkSynthesis

/// Estimates where a character was meant to stand from the writer's other characters in its file.
///
/// For each segment only the others are read, so that an area says nothing of its own ink that the
/// others do not say. The size of writing is the median of what the other segments tell. The line is
/// the median of what those among the five segments before and the five after tell whose middles are
/// less than that size away: they stand on the same line. A segment without such neighbours has no
/// area, because no line is known for it. Left edge and width are those of the neighbours and carry no
/// meaning.
public enum FormAreaEstimator {
  /// How far, in segments of the file, neighbours are looked for on both sides.
  private static let reach = 5
  /// Characters below this share of a capital's height say little of how large somebody writes.
  private static let smallestSize = 0.4

  /// The writing areas of the segments of one file, from positions and sizes alone.
  ///
  /// They are twice the median size (the larger side of the box) high, about the median middle. In a
  /// file of capitals that is taller than in one of small letters by the same hand.
  ///
  /// - Parameter boxes: The boxes of the file's segments in their order; nil for what is no
  ///   character or could not be read.
  /// - Returns: As many areas; nil where fewer than three others have a size, or none is near.
  /// - Complexity: O(n log n).
  public static func areas(for boxes: [BoundingBox?]) -> [WritingArea?] {
    let letters = boxes.map { box in
      box.map { Letter(box: $0, extent: LetterExtent(size: 1, middle: 0)) }
    }
    return areas(of: letters, height: 2, middle: 0)
  }

  /// The writing areas of the segments of one file, from what the others are known to be besides.
  ///
  /// They reach from the depth of descenders to the height of capitals: the size and the middle of
  /// each of the others, with how large its character is and where it stands on a line, tell the
  /// height of a capital and the baseline. Capitals and small letters of one hand have one height.
  ///
  /// - Parameters:
  ///   - boxes: The boxes of the file's segments in their order; nil for what is no character or
  ///     could not be read.
  ///   - labels: As many labels. Those without a prototype in the starter set say nothing.
  /// - Returns: As many areas; nil where fewer than three others say how large a capital is, or none
  ///   is near.
  /// - Complexity: O(n log n).
  public static func areas(for boxes: [BoundingBox?], labels: [String]) -> [WritingArea?] {
    precondition(boxes.count == labels.count, "a label for each box")
    let letters = zip(boxes, labels).map { box, label in
      box.map { Letter(box: $0, extent: LetterExtent.ofCharacters[label]) }
    }
    return areas(
      of: letters, height: LineArea.ruled.height / 100, middle: LineArea.ruled.middle / 100)
  }

  /// A segment, and how large it would be, and how high over the baseline, were the unit 1.
  private struct Letter {
    let box: BoundingBox
    let extent: LetterExtent?

    /// The unit that the size tells.
    var unit: Double? {
      guard let extent, extent.size >= smallestSize else { return nil }
      let unit = max(box.width, box.height) / extent.size
      return unit > 0 && unit.isFinite ? unit : nil
    }

    /// Where the baseline is for a letter of that unit.
    func baseline(unit: Double) -> Double? {
      extent.map { box.midY + unit * $0.middle }
    }
  }

  /// Areas of so many units in height, their middle so many units over the baseline.
  private static func areas(
    of letters: [Letter?], height: Double, middle: Double
  ) -> [WritingArea?] {
    let units = letters.compactMap { $0?.unit }.sorted()
    return letters.indices.map { index in
      guard let letter = letters[index], let unit = median(of: units, without: letter.unit) else {
        return nil
      }
      let nearby = max(0, index - reach)...min(letters.count - 1, index + reach)
      let neighbours = nearby.compactMap { other -> (box: BoundingBox, baseline: Double)? in
        guard other != index, let neighbour = letters[other],
          abs(neighbour.box.midY - letter.box.midY) < unit,
          let baseline = neighbour.baseline(unit: unit)
        else { return nil }
        return (neighbour.box, baseline)
      }
      guard var around = neighbours.first?.box else { return nil }
      for neighbour in neighbours { around.formUnion(neighbour.box) }
      let baselines = neighbours.map(\.baseline).sorted()
      let baseline = (baselines[(baselines.count - 1) / 2] + baselines[baselines.count / 2]) / 2
      return try? WritingArea(
        x: around.minX, y: baseline - (middle + height / 2) * unit,
        width: max(around.width, height * unit), height: height * unit)
    }
  }

  /// The median of sorted values without one of those equal to `own`, or nil below three values.
  private static func median(of sorted: [Double], without own: Double?) -> Double? {
    var low = 0
    var high = sorted.count
    while let own, low < high {
      let middle = (low + high) / 2
      if sorted[middle] < own { low = middle + 1 } else { high = middle }
    }
    let removed = own != nil && low < sorted.count && sorted[low] == own ? low : sorted.count
    let count = removed < sorted.count ? sorted.count - 1 : sorted.count
    guard count >= 3 else { return nil }
    let value = { (rank: Int) in sorted[rank < removed ? rank : rank + 1] }
    return (value((count - 1) / 2) + value(count / 2)) / 2
  }
}
