/// Trains character n-gram models.
public struct LanguageModelTrainer: Sendable {
  /// How a model is trained.
  public struct Options: Hashable, Sendable {
    /// The number of symbols of the longest n-grams; 2 up to 64 over the bits of a symbol.
    public var order = 7
    /// How often a character must occur to be a symbol.
    public var minimumCount = 20
    /// The most bytes of the file; nil keeps every n-gram.
    public var maximumBytes: Int?
    public var usesOccurrences = false

    /// The defaults.
    public init() {}
  }

  /// Trains a model and returns the bytes of its file. The same texts and options give the same
  /// bytes.
  public static func train(
    _ text: NormalizedText, _ options: Options
  ) throws(LanguageModelTrainingError) -> [UInt8] {
    let symbols = try SymbolText(text, minimumCount: options.minimumCount)
    let trie = try NGramTrie(
      NGramCounts(symbols, order: options.order), table: symbols.table)
    let unigrams = KneserNeyEstimator.estimate(
      trie, options.usesOccurrences ? .occurrences : .continuations)
    let automaton = BackoffAutomaton(trie, unigrams: unigrams) { _, _ in true }
    return try LanguageModelEncoder(automaton, lexicon: []).encode()
  }
}
