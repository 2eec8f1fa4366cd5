import InkCore

/// The batches of an epoch: lines of like length together, in random order.
///
/// A line is one sample, or several words that one writer wrote one after the other, put side by
/// side: a network that has only seen single words reads no lines. Where in a writer's words such
/// lines begin differs between epochs; how many there are does not. Single digits can be put
/// together to numbers in the same way (``NumberOrder``).
struct LineEpochOrder {
  /// The indices of one or more samples.
  typealias Line = [Int]

  private let lengths: [Float]
  private let seed: UInt64
  private let batchSize: Int
  /// The samples that stand alone.
  private var single: [Int] = []
  /// For each writer the words that are joined, and how many make a line.
  private var joined: [(words: [Int], counts: [Int])] = []
  private let numbers: NumberOrder
  private let lineCount: Int
  /// Batches among which lines are sorted by length.
  private static let window = 16

  init(_ set: LineTrainingSet, _ configuration: LineTrainingConfiguration) {
    lengths = set.samples.map(\.length)
    seed = configuration.seed
    batchSize = configuration.batchSize
    var numbers = NumberOrder(longest: configuration.joinedDigits)
    var writers: [String: Int] = [:]
    var words: [[Int]] = []
    for (index, sample) in set.samples.enumerated() {
      let kind = set.kind(of: sample)
      guard let writer = sample.writer, kind == .word, configuration.joinedWords > 1 else {
        if !numbers.take(index, kind, writer: sample.writer) { single.append(index) }
        continue
      }
      let place = writers[writer, default: words.count]
      if place == words.count {
        writers[writer] = place
        words.append([])
      }
      words[place].append(index)
    }
    var generator = SeededGenerator(seed: seed, 4)
    joined = words.map { words in
      (words, Self.counts(words.count, atMost: configuration.joinedWords, using: &generator))
    }
    self.numbers = numbers
    lineCount = single.count + joined.reduce(0) { $0 + $1.counts.count } + numbers.count
  }

  /// Numbers from 1 to `longest` that add up to `total`.
  private static func counts(
    _ total: Int, atMost longest: Int, using generator: inout SeededGenerator
  ) -> [Int] {
    var counts: [Int] = []
    var rest = total
    while rest > 0 {
      let count = min(rest, 1 + generator.index(below: longest))
      counts.append(count)
      rest -= count
    }
    return counts
  }

  /// The number of batches of an epoch.
  var batchCount: Int { (lineCount + batchSize - 1) / batchSize }

  /// Batches of lines, each in order of length; depends on seed and epoch only.
  func batches(epoch: Int) -> [[Line]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    let lines = lines(using: &generator).map { line in
      (length: line.reduce(0) { $0 + lengths[$1] }, line: line)
    }
    return lines.shuffledBatches(of: batchSize, window: Self.window, by: &generator) {
      ($0.length, $0.line[0]) < ($1.length, $1.line[0])
    }.map { $0.map(\.line) }
  }

  private func lines(using generator: inout SeededGenerator) -> [Line] {
    var lines = single.map { [$0] }
    for (words, counts) in joined {
      var next = generator.index(below: words.count)
      for count in counts {
        lines.append((0..<count).map { words[(next + $0) % words.count] })
        next += count
      }
    }
    return lines + numbers.lines(using: &generator)
  }
}
