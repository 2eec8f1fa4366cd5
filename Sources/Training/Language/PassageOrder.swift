import InkCore

/// The batches of an epoch: passages of like length together, in random order.
struct PassageOrder {
  private let steps: [Int]
  private let seed: UInt64
  private let batchSize: Int
  /// Batches among which passages are sorted by length.
  private static let window = 32

  init(_ set: LanguageTrainingSet, _ configuration: LanguageTrainingConfiguration) {
    steps = set.passages.map(\.steps)
    seed = configuration.seed
    batchSize = configuration.batchSize
  }

  /// The number of batches of an epoch.
  var batchCount: Int { (steps.count + batchSize - 1) / batchSize }

  /// Batches of passages; depends on seed and epoch only.
  func batches(epoch: Int) -> [[Int]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    return Array(steps.indices).shuffledBatches(
      of: batchSize, window: Self.window, by: &generator
    ) { (steps[$0], $0) < (steps[$1], $1) }
  }
}
