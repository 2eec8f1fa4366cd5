import InkCore

/// The batches of an epoch. Each batch holds lines of similar length; the batches are in random
/// order.
///
/// A line is one sample, or several consecutive words of one writer: a network that has only seen
/// single words cannot read lines. The words that begin these lines differ between epochs; the
/// number of lines does not. Single digits are combined to numbers in the same way
/// (``NumberOrder``), and so are the words that lines were cut into (``LineCutting``). Until lines
/// are cut, whole lines take their place.
package struct LineEpochOrder {
  /// The indices of one or more samples.
  package typealias Line = [Int]

  /// The words of a writer that are combined to lines.
  private struct Words {
    var writer: String
    /// Words, or lines that can be cut into words.
    var samples: [Int] = []
    /// The number of words of all samples.
    var count = 0
    /// The number of words of each line.
    var counts: [Int] = []

    init(of writer: String) { self.writer = writer }

    mutating func add(_ sample: Int, words: Int) {
      samples.append(sample)
      count += words
    }

    /// Splits the words into lines: counts from 1 to `longest` that add up to the number of words.
    func parted(atMost longest: Int, using generator: inout SeededGenerator) -> Words {
      var result = self
      var rest = count
      while rest > 0 {
        let count = min(rest, 1 + generator.index(below: longest))
        result.counts.append(count)
        rest -= count
      }
      return result
    }

    /// Returns lines of consecutive samples from a random start. With `whole`, each sample is a
    /// line.
    func lines(
      of samples: [Int], whole: Bool = false, using generator: inout SeededGenerator
    ) -> [Line] {
      var next = generator.index(below: samples.count)
      return counts.map { count in
        let count = whole ? 1 : count
        defer { next += count }
        return (0..<count).map { samples[(next + $0) % samples.count] }
      }
    }
  }

  private let seed: UInt64
  private let batchSize: Int
  /// The number of samples. The words that are cut from them follow.
  private let sampleCount: Int
  /// The samples that are not combined.
  private var single: [Int] = []
  /// Words that were written singly.
  private let joined: [Words]
  /// Words that are cut from lines.
  private let cut: [Words]
  private let numbers: NumberOrder
  private let lineCount: Int
  /// Batches among which lines are sorted by length.
  private static let window = 16

  package init(_ set: LineTrainingSet, _ configuration: LineTrainingConfiguration) {
    seed = configuration.seed
    batchSize = configuration.batchSize
    sampleCount = set.samples.count
    var numbers = NumberOrder(longest: configuration.joinedDigits)
    var written = ByWriter<Words>()
    var inLines = ByWriter<Words>()
    for (index, sample) in set.samples.enumerated() {
      let kind = set.kind(of: sample)
      if let writer = sample.writer, kind == .word, configuration.joins {
        written[writer, default: Words(of: writer)].add(index, words: 1)
        continue
      }
      if configuration.cuts, set.isCuttable(sample) {
        let writer = set.writerOfWords(of: index)
        inLines[writer, default: Words(of: writer)].add(index, words: set.wordCount(of: sample))
      }
      if !numbers.take(index, kind, writer: sample.writer) { single.append(index) }
    }
    var generator = SeededGenerator(seed: seed, 4)
    joined = written.values.map {
      $0.parted(atMost: configuration.joinedWords, using: &generator)
    }
    cut = inLines.values.map { $0.parted(atMost: configuration.joinedWords, using: &generator) }
    self.numbers = numbers
    lineCount = (joined + cut).reduce(single.count + numbers.count) { $0 + $1.counts.count }
  }

  /// The number of batches of an epoch.
  package var batchCount: Int { (lineCount + batchSize - 1) / batchSize }

  /// Returns the batches of an epoch, each sorted by length. They depend only on seed, epoch and
  /// set.
  ///
  /// - Parameter set: The set that the order was made for, followed by words cut from its lines.
  package func batches(epoch: Int, of set: LineTrainingSet) -> [[Line]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    let lines = lines(of: set, using: &generator).map { line in
      (length: line.reduce(0) { $0 + set.samples[$1].length }, line: line)
    }
    return lines.shuffledBatches(of: batchSize, window: Self.window, by: &generator) {
      ($0.length, $0.line[0]) < ($1.length, $1.line[0])
    }.map { $0.map(\.line) }
  }

  private func lines(of set: LineTrainingSet, using generator: inout SeededGenerator) -> [Line] {
    var lines = single.map { [$0] }
    for words in joined { lines += words.lines(of: words.samples, using: &generator) }
    lines += numbers.lines(using: &generator)
    guard !cut.isEmpty else { return lines }
    let cutWords = wordsByWriter(of: set)
    for words in cut {
      let own = cutWords[words.writer] ?? []
      if 2 * own.count >= words.count {
        lines += words.lines(of: own, using: &generator)
      } else {
        // With so few words, the same lines would repeat too often.
        lines += words.lines(of: words.samples, whole: true, using: &generator)
      }
    }
    return lines
  }

  /// Groups the words by writer. They follow the lines that they were cut from.
  private func wordsByWriter(of set: LineTrainingSet) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for index in sampleCount..<set.samples.count {
      guard let writer = set.samples[index].writer, set.kind(of: set.samples[index]) == .word else {
        continue
      }
      result[writer, default: []].append(index)
    }
    return result
  }
}
