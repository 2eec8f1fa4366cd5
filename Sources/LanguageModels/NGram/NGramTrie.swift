/// The n-grams of a text as a trie. Level k holds the n-grams of k symbols in ascending order;
/// level 0 is the empty n-gram.
package final class NGramTrie {
  /// Level k's n-grams, at index k; 0 ... order.
  package let levels: [NGramLevel]
  /// The symbols' table.
  let table: SymbolTable

  /// The number of symbols of the longest n-grams.
  package var order: Int { levels.count - 1 }

  /// Builds the trie of counted windows. O(n-grams) time and memory, 21 bytes per n-gram.
  package init(_ counted: NGramCounts, table: SymbolTable) throws(LanguageModelTrainingError) {
    self.table = table
    let sizes = Self.sizes(counted)
    guard let largest = sizes.max(), largest < Int(UInt32.max) else {
      throw .tooManyNGrams(found: sizes.max() ?? 0, maximum: Int(UInt32.max) - 1)
    }
    levels = sizes.map { NGramLevel(count: $0) }
    fill(counted)
    sumCounts()
    for length in 1..<levels.count { linkSuffixes(length) }
  }

  /// The number of n-grams of each length.
  private static func sizes(_ counted: NGramCounts) -> [Int] {
    var sizes = [Int](repeating: 0, count: counted.order + 1)
    sizes[0] = 1
    var last: UInt64?
    for key in counted.keys {
      let shared = last.map { counted.sharedLength($0, key) } ?? 0
      let length = counted.length(key)
      if shared < length { for level in shared + 1...length { sizes[level] += 1 } }
      last = key
    }
    return sizes
  }

  /// Adds the n-grams. Only those at the end of a window get their count.
  private func fill(_ counted: NGramCounts) {
    var used = [Int](repeating: 0, count: levels.count + 1)
    used[0] = 1
    var last: UInt64?
    for (key, count) in zip(counted.keys, counted.counts) {
      let shared = last.map { counted.sharedLength($0, key) } ?? 0
      let length = counted.length(key)
      if shared < length {
        for level in shared + 1...length {
          let position = used[level]
          levels[level].symbols[position] = counted.symbol(key, level)
          levels[level].firstChild[position] = UInt32(used[level + 1])
          used[level] = position + 1
        }
      }
      levels[length].raw[used[length] - 1] += count
      last = key
    }
    for level in levels.indices {
      levels[level].firstChild[levels[level].count] = UInt32(used[level + 1])
    }
  }

  /// Sets the count of every n-gram with children to the sum of their counts.
  private func sumCounts() {
    for length in (0..<order).reversed() {
      let (level, next) = (levels[length], levels[length + 1])
      for index in 0..<level.count {
        var sum: UInt32 = 0
        for child in level.children(index) { sum += next.raw[child] }
        level.raw[index] += sum
      }
    }
  }

  /// Finds the suffixes of a level's n-grams. An n-gram without its first symbol occurs too, so the
  /// children of a suffix contain all symbols of the n-gram's children.
  private func linkSuffixes(_ length: Int) {
    guard length > 1 else { return }
    let (parents, level, shorter) = (levels[length - 1], levels[length], levels[length - 1])
    let grand = levels[length - 2]
    for parent in 0..<parents.count {
      var candidate = Int(grand.firstChild[Int(parents.suffix[parent])])
      for child in parents.children(parent) {
        while shorter.symbols[candidate] != level.symbols[child] { candidate += 1 }
        level.suffix[child] = UInt32(candidate)
      }
    }
  }
}

extension NGramTrie {
  /// The n-grams of one length that begin with a symbol.
  func range(of symbol: SymbolTable.Symbol, length: Int) -> Range<Int> {
    let roots = levels[1]
    guard var begin = (0..<roots.count).first(where: { roots.symbols[$0] == symbol }) else {
      return 0..<0
    }
    var end = begin + 1
    for level in levels[1..<length] {
      (begin, end) = (Int(level.firstChild[begin]), Int(level.firstChild[end]))
    }
    return begin..<end
  }
}

/// The n-grams of one length in ascending order, as columns. The children of n-gram i, which begin
/// with it, are `firstChild[i] ..< firstChild[i + 1]` of the next level.
package final class NGramLevel {
  /// The number of n-grams.
  let count: Int
  /// The last symbol of each n-gram.
  package let symbols: UnsafeMutablePointer<SymbolTable.Symbol>
  /// The first child of each n-gram; `count` + 1 entries.
  let firstChild: UnsafeMutablePointer<UInt32>
  /// The n-gram without its first symbol, an index of the previous level.
  let suffix: UnsafeMutablePointer<UInt32>
  /// True if the n-gram is in the model, as all are until pruning. An n-gram is kept if one that
  /// begins with it is kept.
  let isKept: UnsafeMutablePointer<Bool>
  /// The number of occurrences in the text.
  let raw: UnsafeMutablePointer<UInt32>
  /// The probability of the last symbol after the others, interpolated.
  package let probability: UnsafeMutablePointer<Float>
  /// The weight of the shorter context if this n-gram is the context.
  let backoff: UnsafeMutablePointer<Float>

  /// Allocates the columns, filled with zeros; backoff weights are one.
  init(count: Int) {
    self.count = count
    symbols = Self.column(count, 0)
    firstChild = Self.column(count + 1, 0)
    suffix = Self.column(count, 0)
    isKept = Self.column(count, true)
    raw = Self.column(count, 0)
    probability = Self.column(count, 0)
    backoff = Self.column(count, 1)
  }

  deinit {
    symbols.deallocate()
    firstChild.deallocate()
    suffix.deallocate()
    isKept.deallocate()
    raw.deallocate()
    probability.deallocate()
    backoff.deallocate()
  }

  /// The children of an n-gram, indices of the next level.
  @inline(__always)
  package func children(_ index: Int) -> Range<Int> {
    Int(firstChild[index])..<Int(firstChild[index + 1])
  }

  private static func column<Element: BitwiseCopyable>(
    _ count: Int, _ value: Element
  ) -> UnsafeMutablePointer<Element> {
    let column = UnsafeMutablePointer<Element>.allocate(capacity: count)
    column.initialize(repeating: value, count: count)
    return column
  }
}
