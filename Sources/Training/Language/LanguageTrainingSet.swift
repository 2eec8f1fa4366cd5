import InkCore
import LanguageModels
import Networks

/// Texts as passages that a recurrent language model learns from.
public struct LanguageTrainingSet: Sendable {
  /// The symbols.
  public let table: SymbolTable
  /// The passages.
  public private(set) var passages: [Passage] = []
  /// The symbols of all texts, one text behind the other.
  private let symbols: [SymbolTable.Symbol]

  /// A part of one text, no longer than the network is to remember in training.
  public struct Passage: Hashable, Sendable {
    /// Its symbols' place among all.
    let range: Range<Int>
    /// Whether the text begins with it; else nothing is known of what stands before.
    let beginsText: Bool
    /// Whether the text ends with it.
    let endsText: Bool

    /// Time steps: a prediction for each symbol, and for the end.
    var steps: Int { range.count + (endsText ? 1 : 0) }
  }

  /// Cuts the texts that are chosen.
  ///
  /// - Parameters:
  ///   - longest: The most characters of a passage; it ends behind a space where there is one.
  ///   - textsAreLines: Whether of what stands before a text nothing is known.
  ///   - includes: Whether the text of a number is taken.
  public init(
    _ text: NormalizedText, table: SymbolTable, longest: Int, textsAreLines: Bool = false,
    includes: (Int) -> Bool = { _ in true }
  ) {
    self.table = table
    symbols = text.scalars.map(table.symbol(of:))
    let space = table.symbol(of: " ")
    var start = 0
    for (number, end) in text.ends.enumerated() {
      if includes(number) {
        append(start..<end, space: space, longest: max(2, longest), isLine: textsAreLines)
      }
      start = end
    }
  }

  private mutating func append(
    _ text: Range<Int>, space: SymbolTable.Symbol, longest: Int, isLine: Bool
  ) {
    var start = text.lowerBound
    while start < text.upperBound {
      var end = min(start + longest, text.upperBound)
      if end < text.upperBound {
        let spaceEnd = symbols[start..<end].lastIndex(of: space).map { $0 + 1 }
        if let spaceEnd, spaceEnd > start + longest / 2 { end = spaceEnd }
      }
      passages.append(
        Passage(
          range: start..<end, beginsText: start == text.lowerBound && !isLine,
          endsText: end == text.upperBound))
      start = end
    }
  }

  /// The characters of all passages.
  public var characterCount: Int { passages.reduce(0) { $0 + $1.range.count } }

  /// What the network is given at a time step.
  func input(_ passage: Passage, step: Int) -> SymbolTable.Symbol {
    guard step == 0 else { return symbols[passage.range.lowerBound + step - 1] }
    return passage.beginsText ? SymbolTable.startOfText : SymbolTable.startOfLine
  }

  /// What it is to foretell there.
  func target(_ passage: Passage, step: Int) -> SymbolTable.Symbol {
    step < passage.range.count
      ? symbols[passage.range.lowerBound + step] : SymbolTable.endOfText
  }

  /// Whether a target is the end of a text.
  func isEnd(_ target: Int32) -> Bool { target == Int32(SymbolTable.endOfText) }
}

/// Passages in a network's input. Not thread-safe; keeps its memory.
struct LanguageBatch {
  /// What is to be foretold, in the order of the network's rows.
  private(set) var targets: [Int32] = []
  private var order: [LanguageTrainingSet.Passage] = []

  /// Sets the lengths of the workspace's sequences and writes its input.
  mutating func load(
    _ passages: some Sequence<LanguageTrainingSet.Passage>, of set: LanguageTrainingSet,
    into workspace: SequenceNetwork.Workspace
  ) {
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: passages)
    order.sort { ($1.steps, $0.range.lowerBound) < ($0.steps, $1.range.lowerBound) }
    let sequences = workspace.sequences
    sequences.set(lengths: order.lazy.map(\.steps))
    let (input, channels) = (workspace.input, set.table.count)
    input.update(repeating: 0, count: sequences.rows * channels)
    targets.removeAll(keepingCapacity: true)
    for step in 0..<sequences.steps {
      for sequence in 0..<sequences.active(at: step) {
        let passage = order[sequence]
        let row = sequences.row(sequence: sequence, step: step)
        input[row * channels + Int(set.input(passage, step: step))] = 1
        targets.append(Int32(set.target(passage, step: step)))
      }
    }
  }
}

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
