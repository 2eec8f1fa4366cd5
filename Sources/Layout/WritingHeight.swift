/// The height of larger letters, about that of one with an ascender, from the heights of strokes.
package enum WritingHeight {
  /// The share of strokes, dots and other marks among them, that are lower than that height.
  private static let quantile = 0.7
  /// The same of the strokes that are not marks. Both agree on most writing. Where languages have a mark on every
  /// other letter, the first is the height of the marks.
  private static let letterQuantile = 0.65
  /// Marks are lower than this share of a tall stroke, which is higher than `tall` of all: frames and rules of a
  /// page are fewer.
  private static let (mark, tall) = (0.3, 0.8)
  /// The least share of strokes that are letters. If there are fewer, the tall strokes are not writing.
  private static let leastLetters = 0.4

  /// Returns the height where marks count as letters: sizes that were chosen with it, and the network of kinds,
  /// need it unchanged. O(1).
  ///
  /// - Parameter heights: The heights of strokes, in ascending order; at least one.
  static func withMarks(_ heights: some RandomAccessCollection<Double>) -> Double {
    at(quantile, of: heights)
  }

  /// Returns the height of letters, for finding lines. O(log heights).
  ///
  /// - Parameter heights: The heights of strokes, in ascending order; at least one.
  package static func ofLetters(_ heights: some RandomAccessCollection<Double>) -> Double {
    let letters = heights.dropFirst(place(of: mark * at(tall, of: heights), in: heights))
    let all = withMarks(heights)
    guard Double(letters.count) >= leastLetters * Double(heights.count) else { return all }
    return max(all, at(letterQuantile, of: letters))
  }

  /// Returns the number of sorted numbers that are below a number. O(log numbers).
  static func place(of number: Double, in sorted: some RandomAccessCollection<Double>) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[sorted.index(sorted.startIndex, offsetBy: middle)] < number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func at(_ share: Double, of sorted: some RandomAccessCollection<Double>) -> Double
  {
    let place = min(sorted.count - 1, Int(share * Double(sorted.count)))
    return sorted[sorted.index(sorted.startIndex, offsetBy: place)]
  }
}
