import InkCore

extension Array {
  /// Fisher and Yates's shuffle with numbers of our own generator, the same everywhere.
  mutating func shuffle(by generator: inout SeededGenerator) {
    for index in stride(from: count - 1, to: 0, by: -1) {
      swapAt(index, generator.index(below: index + 1))
    }
  }
}
