/// Trains character n-gram models: counts, smooths by Kneser-Ney, prunes by entropy and quantises
/// to eight bits.
package enum LanguageModelTrainer {
  /// The settings of training.
  package struct Options: Hashable, Sendable {
    /// The number of symbols of the longest n-grams: 2 up to 64 divided by the bits of a symbol.
    package var order = 7
    /// The fewest occurrences of a character that is a symbol of the model.
    package var minimumCount = 20
    /// Characters that are symbols however rarely they occur, such as the letters of a language.
    package var requiredScalars: Set<Unicode.Scalar> = []
    /// The most bytes of the file, including the lexicon; nil keeps every n-gram.
    package var maximumBytes: Int?
    /// True for the packed form, which takes half the bytes for the same n-grams. It is expanded into
    /// memory when it is opened; the other form is mapped.
    package var isPacked = false

    /// The defaults: order 7, characters that occur 20 times, every n-gram.
    package init() {}
  }

  /// A stage of training.
  package enum Step: String, CaseIterable, Sendable {
    case counting, smoothing, pruning, encoding
  }

  /// Trains a model. The same texts, options and words give the same bytes.
  ///
  /// - Parameters:
  ///   - text: The training text.
  ///   - options: The settings.
  ///   - words: The lexicon to embed in the file; nil for none.
  ///   - report: Called at the beginning of each step.
  /// - Returns: The bytes of the model's file.
  /// - Throws: ``LanguageModelTrainingError``, or ``TextConstraintError`` for the words.
  /// - Complexity: O(n-grams) time and about 40 bytes of memory per n-gram.
  package static func train(
    _ text: NormalizedText, options: Options = Options(), words: [String]? = nil,
    report: (Step) -> Void = { _ in }
  ) throws -> [UInt8] {
    report(.counting)
    let lexicon = try words.map { try LexiconBuilder.build($0) } ?? []
    let symbols = try SymbolText(
      text,
      table: SymbolTable(
        of: text, minimumCount: options.minimumCount, required: options.requiredScalars))
    let trie = try NGramTrie(
      NGramCounts(symbols, order: options.order), table: symbols.table)
    report(.smoothing)
    let unigrams = KneserNeyEstimator.estimate(trie)
    if let maximumBytes = options.maximumBytes {
      report(.pruning)
      try prune(
        trie, maximumBytes: maximumBytes, lexiconBytes: lexicon.count, isPacked: options.isPacked)
    }
    report(.encoding)
    let automaton = BackoffAutomaton(trie, unigrams: unigrams)
    let bytes = try LanguageModelEncoder(automaton, lexicon: lexicon).encode()
    return options.isPacked ? try LanguageModel(bytes: bytes).packedBytes() : bytes
  }

  private static func prune(
    _ trie: NGramTrie, maximumBytes: Int, lexiconBytes: Int, isPacked: Bool
  ) throws(LanguageModelTrainingError) {
    func bytes(_ arcs: Int, _ states: Int) -> Int {
      let layout = NGramFileLayout(
        symbolCount: trie.table.count, stateCount: states, arcCount: arcs,
        lexiconBytes: lexiconBytes)
      return isPacked ? PackedNGramLayout(expanded: layout).fileBytes : layout.fileBytes
    }
    let pruning = EntropyPruning(trie)
    guard let threshold = pruning.threshold(maximumBytes: maximumBytes, bytes: bytes) else {
      // The states after a single symbol are never pruned.
      let count = trie.table.count
      throw .lengthTooSmall(maximumBytes: maximumBytes, smallest: bytes(2 * count, count))
    }
    pruning.prune(below: threshold)
  }
}
