import InkCore
import LanguageModels
import Networks

/// Texts, cut into the passages that a recurrent language model is trained on.
public struct LanguageTrainingSet: Sendable {
  /// The symbols.
  package let table: SymbolTable
  /// The passages.
  package private(set) var passages: [Passage] = []
  /// The symbols of all texts, concatenated.
  private let symbols: [SymbolTable.Symbol]

  /// A part of one text, no longer than the memory that training gives the network.
  package struct Passage: Hashable, Sendable {
    /// The position of its symbols among the symbols of all texts.
    package let range: Range<Int>
    /// True if it begins its text; otherwise the text before it is unknown.
    package let beginsText: Bool
    /// True if it ends its text.
    package let endsText: Bool

    /// The number of time steps: one prediction for each symbol and one for the end.
    package var steps: Int { range.count + (endsText ? 1 : 0) }
  }

  /// Cuts the chosen texts.
  ///
  /// - Parameters:
  ///   - text: The texts.
  ///   - table: The symbols of the model.
  ///   - longest: The most characters of a passage. A passage ends after a space if it has one.
  ///   - textsAreLines: If true, nothing is known about the text before each text.
  ///   - includes: Returns whether to include the text of an index.
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

  /// The number of characters of all passages.
  package var characterCount: Int { passages.reduce(0) { $0 + $1.range.count } }

  /// Returns the input of the network at a time step.
  package func input(_ passage: Passage, step: Int) -> SymbolTable.Symbol {
    guard step == 0 else { return symbols[passage.range.lowerBound + step - 1] }
    return passage.beginsText ? SymbolTable.startOfText : SymbolTable.startOfLine
  }

  /// Returns the symbol that the network should predict at a time step.
  package func target(_ passage: Passage, step: Int) -> SymbolTable.Symbol {
    step < passage.range.count
      ? symbols[passage.range.lowerBound + step] : SymbolTable.endOfText
  }

  /// Returns whether a target is the end of a text.
  func isEnd(_ target: Int32) -> Bool { target == Int32(SymbolTable.endOfText) }
}

/// Passages in a network's input. Not thread-safe; keeps its memory.
struct LanguageBatch {
  /// The symbols to predict, in the order of the network's rows.
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

/// The batches of an epoch. Each batch holds passages of similar length; the batches are in random
/// order.
struct PassageOrder {
  private let steps: [Int]
  private let seed: UInt64
  private let batchSize: Int
  /// The number of batches among which passages are sorted by length.
  private static let window = 32

  init(_ set: LanguageTrainingSet, _ configuration: LanguageTrainingConfiguration) {
    steps = set.passages.map(\.steps)
    seed = configuration.seed
    batchSize = configuration.batchSize
  }

  /// The number of batches of an epoch.
  var batchCount: Int { (steps.count + batchSize - 1) / batchSize }

  /// Returns the batches of passages of an epoch. They depend only on seed and epoch.
  func batches(epoch: Int) -> [[Int]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    return Array(steps.indices).shuffledBatches(
      of: batchSize, window: Self.window, by: &generator
    ) { (steps[$0], $0) < (steps[$1], $1) }
  }
}
