import InkCore

/// Estimates where a character was meant to stand from the writer's other characters in its file.
///
/// Reads positions and sizes only, never labels, and for each segment only those of the others, so
/// that an area says nothing of its own ink that the others do not say.
public enum FormAreaEstimator {
  /// How far, in segments of the file, neighbours are looked for on both sides.
  private static let reach = 5

  /// The writing areas of the segments of one file.
  ///
  /// The height is twice the median size (the larger side of the box) of the other segments. The
  /// vertical centre is the median of those among the five segments before and the five after
  /// whose middles are less than a median size away: they stand on the same line. A segment
  /// without such neighbours has no area, because no line is known for it. Left edge and width are
  /// those of the neighbours and carry no meaning.
  ///
  /// - Parameter boxes: The boxes of the file's segments in their order; nil for what is no
  ///   character or could not be read.
  /// - Returns: As many areas; nil where fewer than three others have a size, or none is near.
  /// - Complexity: O(n log n).
  public static func areas(for boxes: [BoundingBox?]) -> [WritingArea?] {
    let sorted = boxes.compactMap { $0.map(size) }.filter { $0 > 0 && $0.isFinite }.sorted()
    return boxes.indices.map { index in
      guard let box = boxes[index], let scale = median(of: sorted, without: size(box)) else {
        return nil
      }
      let nearby = max(0, index - reach)...min(boxes.count - 1, index + reach)
      let neighbours = nearby.compactMap { other -> BoundingBox? in
        guard other != index, let neighbour = boxes[other] else { return nil }
        return abs(neighbour.midY - box.midY) < scale ? neighbour : nil
      }
      guard var around = neighbours.first else { return nil }
      for neighbour in neighbours { around.formUnion(neighbour) }
      let middles = neighbours.map(\.midY).sorted()
      let middle = (middles[(middles.count - 1) / 2] + middles[middles.count / 2]) / 2
      return try? WritingArea(
        x: around.minX, y: middle - scale, width: max(around.width, 2 * scale), height: 2 * scale)
    }
  }

  private static func size(_ box: BoundingBox) -> Double {
    max(box.width, box.height)
  }

  /// The median of sorted values without one of those equal to `own`, or nil below three values.
  private static func median(of sorted: [Double], without own: Double) -> Double? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < own { low = middle + 1 } else { high = middle }
    }
    let removed = low < sorted.count && sorted[low] == own ? low : sorted.count
    let count = removed < sorted.count ? sorted.count - 1 : sorted.count
    guard count >= 3 else { return nil }
    let value = { (rank: Int) in sorted[rank < removed ? rank : rank + 1] }
    return (value((count - 1) / 2) + value(count / 2)) / 2
  }
}
