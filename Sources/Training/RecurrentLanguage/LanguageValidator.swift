import Files
import LanguageModels
import LinearAlgebra
import Networks
import Recognition

/// Scores weights on a set of passages.
struct LanguageValidator {
  /// Sums over passages.
  struct Sums {
    /// The sum of -ln p over the characters.
    var characterLoss = 0.0
    var characters = 0
    /// The sum of -ln p over the ends of texts.
    var endLoss = 0.0
    var ends = 0

    /// The mean loss of a character or an end, in nats.
    var meanLoss: Double { (characterLoss + endLoss) / Double(max(1, characters + ends)) }

    fileprivate mutating func add(_ other: Sums) {
      characterLoss += other.characterLoss
      characters += other.characters
      endLoss += other.endLoss
      ends += other.ends
    }
  }

  private let network: SequenceNetwork
  private let set: LanguageTrainingSet
  private let workers: WorkerPool
  /// Batches of passages, sorted by length.
  private let batches: [[LanguageTrainingSet.Passage]]
  private static let batchSize = 32
  /// The most characters of a batch of several passages. This bounds the memory of activations.
  private static let mostSteps = 8192

  init(_ network: SequenceNetwork, on set: LanguageTrainingSet, workers: Int) {
    self.network = network
    self.set = set
    self.workers = WorkerPool(count: workers)
    let order = set.passages.indices.sorted {
      (set.passages[$0].steps, $0) < (set.passages[$1].steps, $1)
    }
    var batches: [[LanguageTrainingSet.Passage]] = []
    var steps = 0
    for passage in order.map({ set.passages[$0] }) {
      steps += passage.steps
      if let last = batches.last, last.count < Self.batchSize, steps <= Self.mostSteps {
        batches[batches.count - 1].append(passage)
      } else {
        batches.append([passage])
        steps = passage.steps
      }
    }
    self.batches = batches
  }

  func sums(_ parameters: AlignedBuffer) -> Sums {
    workers.map(
      batches.count, scratch: { (workspace: network.makeWorkspace(), batch: LanguageBatch()) }
    ) { index, memory in
      memory.batch.load(batches[index], of: set, into: memory.workspace)
      let output = network.forward(
        memory.workspace, context: LayerContext(parameters: parameters.pointer))
      return sums(output, memory.batch.targets)
    }.reduce(into: Sums()) { $0.add($1) }
  }

  private func sums(_ output: UnsafePointer<Float>, _ targets: [Int32]) -> Sums {
    var sums = Sums()
    let classes = network.architecture.classes
    for (row, target) in targets.enumerated() {
      let loss = -Double(output[row * classes + Int(target)])
      if set.isEnd(target) {
        sums.endLoss += loss
        sums.ends += 1
      } else {
        sums.characterLoss += loss
        sums.characters += 1
      }
    }
    return sums
  }
}

extension LanguageModelEvaluation {
  /// The most characters that are scored at once. A longer text is scored in parts, each without
  /// knowledge of the previous one. This bounds the memory of activations.
  package static let longestText = 2000

  /// Scores a text by a recurrent model. O(characters x weights).
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - text: The texts; each begins with `SymbolTable.startOfText`.
  ///   - textsAreLines: If true, each begins with `SymbolTable.startOfLine` instead.
  ///   - workers: The number of threads; the result does not depend on it.
  package init(
    _ model: RecurrentLanguageModel, on text: NormalizedText, textsAreLines: Bool = false,
    workers: Int
  ) {
    let set = LanguageTrainingSet(
      text, table: model.symbols, longest: Self.longestText, textsAreLines: textsAreLines)
    let sums = LanguageValidator(model.network, on: set, workers: workers).sums(model.parameters)
    self.init(
      texts: text.ends.count, characters: text.scalars.count,
      unknownCharacters: text.scalars.count {
        model.symbols.symbol(of: $0) == SymbolTable.unknown
      }, characterLoss: sums.characterLoss, endLoss: sums.endLoss)
  }
}
