import InkCore

extension Array {
  /// Shuffles by Fisher and Yates's method with our own generator, so that the order is the same on
  /// all systems.
  mutating func shuffle(by generator: inout SeededGenerator) {
    for index in stride(from: count - 1, to: 0, by: -1) {
      swapAt(index, generator.index(below: index + 1))
    }
  }

  /// Returns batches in random order. Each batch holds elements of similar rank by an order such as
  /// length, so that little is padded.
  ///
  /// - Parameters:
  ///   - size: The number of elements of a batch; the last may have fewer.
  ///   - window: The number of batches among which elements are sorted. Enough that ranks are
  ///     similar, few enough that batches differ between epochs.
  ///   - isBefore: A strict order. It must be total if the result is to be the same on all systems.
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
