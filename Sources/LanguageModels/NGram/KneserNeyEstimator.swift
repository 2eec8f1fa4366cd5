/// Modified Kneser-Ney smoothing with interpolation: Chen and Goodman, "An empirical study of
/// smoothing techniques for language modeling", Computer Speech & Language 13 (1999).
package struct KneserNeyEstimator {
  /// Sets the probabilities and backoff weights of a trie. O(n-grams).
  ///
  /// - Returns: The probability of each symbol without context; 0 for the starts of text and line.
  package static func estimate(_ trie: NGramTrie) -> [Float] {
    let counts = counts(trie)
    let unigrams = estimateUnigrams(trie, counts[1])
    for length in 2...trie.order { estimate(trie, length, counts[length]) }
    return unigrams
  }

  /// The counts used in smoothing, by length and index.
  ///
  /// For the longest n-grams, and for those at the start of a text or line, these are the
  /// occurrences. For the others, they are the numbers of different preceding symbols.
  static func counts(_ trie: NGramTrie) -> [[UInt32]] {
    var all = trie.levels.map { [UInt32](repeating: 0, count: $0.count) }
    for length in (1...trie.order).reversed() {
      let level = trie.levels[length]
      if length == trie.order {
        for index in 0..<level.count { all[length][index] = level.raw[index] }
      } else {
        countPredecessors(trie, length + 1, &all[length])
      }
      for symbol in [SymbolTable.startOfText, SymbolTable.startOfLine] {
        for index in trie.range(of: symbol, length: length) {
          all[length][index] = level.raw[index]
        }
      }
    }
    return all
  }

  /// Counts each n-gram of one length with its suffix.
  private static func countPredecessors(
    _ trie: NGramTrie, _ length: Int, _ counts: inout [UInt32]
  ) {
    let level = trie.levels[length]
    // A line begins with n-grams that have been counted after their space.
    let lines = trie.range(of: SymbolTable.startOfLine, length: length)
    for index in 0..<level.count where !lines.contains(index) {
      counts[Int(level.suffix[index])] += 1
    }
  }

  private static func estimateUnigrams(_ trie: NGramTrie, _ counts: [UInt32]) -> [Float] {
    let level = trie.levels[1]
    let starts = [SymbolTable.startOfText, SymbolTable.startOfLine]
    let predicted = (0..<level.count).filter { !starts.contains(level.symbols[$0]) }
    let discounts = Discounts(predicted.map { counts[$0] })
    let total = predicted.reduce(0.0) { $0 + Double(counts[$1]) }
    let mass = predicted.reduce(0.0) { $0 + discounts[counts[$1]] }
    let uniform = mass / total / Double(trie.table.count - starts.count)
    var probabilities = [Float](repeating: Float(uniform), count: trie.table.count)
    for start in starts { probabilities[Int(start)] = 0 }
    for index in predicted {
      let count = counts[index]
      let probability = Float((Double(count) - discounts[count]) / total + uniform)
      probabilities[Int(level.symbols[index])] = probability
      level.probability[index] = probability
    }
    return probabilities
  }

  private static func estimate(_ trie: NGramTrie, _ length: Int, _ counts: [UInt32]) {
    let (contexts, level) = (trie.levels[length - 1], trie.levels[length])
    let shorter = contexts.probability
    let discounts = Discounts(counts)
    counts.withUnsafeBufferPointer { counts in
      for context in 0..<contexts.count {
        let children = contexts.children(context)
        guard !children.isEmpty else { continue }
        var total = 0.0
        var mass = 0.0
        for child in children {
          let count = counts[child]
          total += Double(count)
          mass += discounts[count]
        }
        let weight = mass / total
        contexts.backoff[context] = Float(weight)
        for child in children {
          let lower = weight * Double(shorter[Int(level.suffix[child])])
          let own = Double(counts[child]) - discounts[counts[child]]
          level.probability[child] = Float(own / total + lower)
        }
      }
    }
  }
}

/// The discounts of modified Kneser-Ney smoothing for counts of one, two, and three or more, by
/// equation 26 of Chen and Goodman (1999).
package struct Discounts {
  private let first: Double
  private let second: Double
  private let third: Double

  /// Estimates the discounts from all counts of one length. O(counts).
  ///
  /// If not all counts from one to four occur, as in short texts, or if the estimate is out of
  /// range, the discounts are 0.5, 1 and 1.5.
  package init(_ counts: [UInt32]) {
    var ofCounts = [Double](repeating: 0, count: 5)
    for count in counts where count < 5 { ofCounts[Int(count)] += 1 }
    let (one, two, three, four) = (ofCounts[1], ofCounts[2], ofCounts[3], ofCounts[4])
    let share = one / (one + 2 * two)
    let estimates = (
      1 - 2 * share * two / one, 2 - 3 * share * three / two, 3 - 4 * share * four / three
    )
    let areUsable =
      min(one, two, three, four) > 0 && 0..<1 ~= estimates.0 && 0..<2 ~= estimates.1
      && 0..<3 ~= estimates.2
    (first, second, third) = areUsable ? estimates : (0.5, 1, 1.5)
  }

  /// The discount of a count; 0 for zero.
  @inline(__always)
  package subscript(_ count: UInt32) -> Double {
    switch count {
    case 0: 0
    case 1: first
    case 2: second
    default: third
    }
  }
}
