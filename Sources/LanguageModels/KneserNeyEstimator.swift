/// Modified Kneser-Ney smoothing with interpolation: Chen and Goodman, "An empirical study of
/// smoothing techniques for language modeling", Computer Speech & Language 13 (1999).
struct KneserNeyEstimator {
  /// What the counts of the shorter n-grams are.
  enum LowerOrderCounts: Sendable {
    /// The number of different symbols before the n-gram: Kneser and Ney's.
    case continuations
    /// The number of occurrences; the discounts are the same function of the counts. What is
    /// left of a model after pruning rests on its shorter n-grams, which then must be the
    /// text's own distribution.
    case occurrences
  }

  /// Fills in the probabilities and backoff weights of a trie. O(n-grams).
  ///
  /// - Returns: The probability of each symbol without context; 0 for the start of text.
  static func estimate(_ trie: NGramTrie, _ kind: LowerOrderCounts) -> [Float] {
    let unigrams = estimateUnigrams(trie, kind)
    for length in 2...trie.order { estimate(trie, length, counts(trie, length, kind)) }
    return unigrams
  }

  /// The counts of the n-grams of one length that smoothing sees.
  static func counts(_ trie: NGramTrie, _ length: Int, _ kind: LowerOrderCounts) -> [UInt32] {
    let level = trie.levels[length]
    let raw = Array(UnsafeBufferPointer(start: level.raw, count: level.count))
    guard kind == .continuations, length < trie.order else { return raw }
    var counts = [UInt32](repeating: 0, count: level.count)
    let longer = trie.levels[length + 1]
    for index in 0..<longer.count { counts[Int(longer.suffix[index])] += 1 }
    // Nothing stands before the start of a text: its n-grams keep their occurrences.
    for index in startOfTextRange(trie, length) { counts[index] = raw[index] }
    return counts
  }

  /// The n-grams of one length that begin with the start of text: the first ones.
  private static func startOfTextRange(_ trie: NGramTrie, _ length: Int) -> Range<Int> {
    var end = trie.levels[1].symbols[0] == SymbolTable.startOfText ? 1 : 0
    for level in 1..<length { end = Int(trie.levels[level].firstChild[end]) }
    return 0..<end
  }

  private static func estimateUnigrams(
    _ trie: NGramTrie, _ kind: LowerOrderCounts
  ) -> [Float] {
    let level = trie.levels[1]
    var counts = counts(trie, 1, kind)
    if level.symbols[0] == SymbolTable.startOfText { counts[0] = 0 }
    let discounts = Discounts(counts)
    var mass = 0.0
    var total = 0.0
    for count in counts {
      total += Double(count)
      mass += discounts[count]
    }
    // The start of text is never predicted.
    let uniform = mass / total / Double(trie.table.count - 1)
    var probabilities = [Float](repeating: Float(uniform), count: trie.table.count)
    probabilities[Int(SymbolTable.startOfText)] = 0
    for (index, count) in counts.enumerated() where count > 0 {
      let probability = Float((Double(count) - discounts[count]) / total + uniform)
      probabilities[Int(level.symbols[index])] = probability
      level.probability[index] = probability
    }
    return probabilities
  }

  private static func estimate(_ trie: NGramTrie, _ length: Int, _ counts: [UInt32]) {
    let (contexts, level, shorter) = (
      trie.levels[length - 1], trie.levels[length], trie.levels[length - 1]
    )
    let discounts = Discounts(counts)
    counts.withUnsafeBufferPointer { counts in
      for context in 0..<contexts.count {
        let children = contexts.children(context)
        guard !children.isEmpty else { continue }
        var total = 0.0
        var mass = 0.0
        for child in children {
          total += Double(counts[child])
          mass += discounts[counts[child]]
        }
        let weight = mass / total
        contexts.backoff[context] = Float(weight)
        for child in children {
          let discounted = (Double(counts[child]) - discounts[counts[child]]) / total
          let lower = Double(shorter.probability[Int(level.suffix[child])])
          level.probability[child] = Float(discounted + weight * lower)
        }
      }
    }
  }
}
