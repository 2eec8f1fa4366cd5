import InkCore
import InkSynthesis

/// Estimates the writing area of a character from the writer's other characters in its file.
///
/// For each segment only the others are used, so that an area contains no information from its own
/// ink. The size of writing is the median over the other segments. The line is the median over
/// those of the five previous and five following segments whose middles are closer than that size:
/// they are on the same line. A segment without such neighbours has no area, because its line is
/// unknown. Left edge and width are those of the neighbours and have no meaning.
package enum FormAreaEstimator {
  /// The number of segments on each side that may be neighbours.
  private static let reach = 5
  /// The least height, as a share of a capital's, of characters that show the size of writing.
  private static let smallestSize = 0.4

  /// The writing areas of the segments of one file, from positions and sizes only.
  ///
  /// They are twice the median size (the larger side of the box) high, about the median middle. In
  /// a file of capitals that is taller than in one of small letters by the same writer.
  ///
  /// - Parameter boxes: The boxes of the file's segments in order; nil for segments that are not
  ///   characters or could not be read.
  /// - Returns: An area for each segment; nil if fewer than three others have a size, or none is
  ///   near.
  /// - Complexity: O(n log n).
  package static func areas(for boxes: [BoundingBox?]) -> [WritingArea?] {
    let letters = boxes.map { box in
      box.map { Letter(box: $0, extent: LetterExtent(size: 1, middle: 0)) }
    }
    return areas(of: letters, height: 2, middle: 0)
  }

  /// The writing areas of the segments of one file, from positions, sizes and labels of the others.
  ///
  /// They reach from the bottom of descenders to the top of capitals. The size and middle of each
  /// other segment, together with the usual size and position of its character, determine the
  /// height of a capital and the baseline. Capitals and small letters of one writer give the same
  /// height.
  ///
  /// - Parameters:
  ///   - boxes: The boxes of the file's segments in order; nil for segments that are not characters
  ///     or could not be read.
  ///   - labels: A label for each box. Labels without a prototype in the starter set are ignored.
  /// - Returns: An area for each segment; nil if fewer than three others determine the height of a
  ///   capital, or none is near.
  /// - Complexity: O(n log n).
  package static func areas(for boxes: [BoundingBox?], labels: [String]) -> [WritingArea?] {
    precondition(boxes.count == labels.count, "a label for each box")
    let letters = zip(boxes, labels).map { box, label in
      box.map { Letter(box: $0, extent: LetterExtent.ofCharacters[label]) }
    }
    return areas(
      of: letters, height: LineArea.ruled.height / 100, middle: LineArea.ruled.middle / 100)
  }

  /// A segment, with its size and its height above the baseline for a unit of 1.
  private struct Letter {
    let box: BoundingBox
    let extent: LetterExtent?

    /// The unit according to the size.
    var unit: Double? {
      guard let extent, extent.size >= smallestSize else { return nil }
      let unit = max(box.width, box.height) / extent.size
      return unit > 0 && unit.isFinite ? unit : nil
    }

    /// The baseline of a letter with this unit.
    func baseline(unit: Double) -> Double? {
      extent.map { box.midY + unit * $0.middle }
    }
  }

  /// Areas of a height in units, with their middle at a height in units above the baseline.
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

  /// The median of sorted values without one value that equals `own`; nil for fewer than three
  /// values.
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
