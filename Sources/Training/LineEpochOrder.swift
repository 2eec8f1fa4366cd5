import InkCore

/// The batches of an epoch: lines of like length together, in random order.
struct LineEpochOrder {
  private let lengths: [Float]
  private let seed: UInt64
  private let batchSize: Int
  /// Batches among which lines are sorted by length: enough for like lengths, few enough that
  /// batches differ between epochs.
  private static let window = 16

  init(_ set: LineTrainingSet, _ configuration: LineTrainingConfiguration) {
    lengths = set.samples.map(\.length)
    seed = configuration.seed
    batchSize = configuration.batchSize
  }

  /// The number of batches of an epoch.
  var batchCount: Int { (lengths.count + batchSize - 1) / batchSize }

  /// Batches of indices, each in order of length; depends on seed and epoch only.
  func batches(epoch: Int) -> [[Int]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    var order = Array(lengths.indices)
    order.shuffle(by: &generator)
    var batches: [[Int]] = []
    for start in stride(from: 0, to: order.count, by: batchSize * Self.window) {
      let window = order[start..<min(start + batchSize * Self.window, order.count)]
        .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
      for first in stride(from: 0, to: window.count, by: batchSize) {
        batches.append(Array(window[first..<min(first + batchSize, window.count)]))
      }
    }
    batches.shuffle(by: &generator)
    return batches
  }
}

extension Array {
  /// Fisher and Yates's shuffle with numbers of our own generator, the same everywhere.
  fileprivate mutating func shuffle(by generator: inout SeededGenerator) {
    for index in stride(from: count - 1, to: 0, by: -1) {
      swapAt(index, generator.index(below: index + 1))
    }
  }
}
