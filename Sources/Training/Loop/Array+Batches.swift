import InkCore

extension Array {
  /// Fisher and Yates's shuffle with numbers of our own generator, the same everywhere.
  mutating func shuffle(by generator: inout SeededGenerator) {
    for index in stride(from: count - 1, to: 0, by: -1) {
      swapAt(index, generator.index(below: index + 1))
    }
  }

  /// Batches in random order, each of neighbours by an order, as of length: so that little is padded.
  ///
  /// - Parameters:
  ///   - size: Elements of a batch; the last may have fewer.
  ///   - window: Batches among which elements are sorted: enough for like lengths, few enough that
  ///     batches differ between epochs.
  ///   - isBefore: Strict, and total where the result is to be the same everywhere.
  func shuffledBatches(
    of size: Int, window: Int, by generator: inout SeededGenerator,
    sorted isBefore: (Element, Element) -> Bool
  ) -> [[Element]] {
    var order = self
    order.shuffle(by: &generator)
    var batches: [[Element]] = []
    for start in stride(from: 0, to: count, by: size * window) {
      let part = order[start..<Swift.min(start + size * window, count)].sorted(by: isBefore)
      for first in stride(from: 0, to: part.count, by: size) {
        batches.append(Array(part[first..<Swift.min(first + size, part.count)]))
      }
    }
    batches.shuffle(by: &generator)
    return batches
  }
}
