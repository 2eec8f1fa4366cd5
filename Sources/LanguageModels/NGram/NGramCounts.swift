/// The number of occurrences of every window of a text: sorted keys of up to `order` symbols.
///
/// A window begins at each position of the text and ends after `order` symbols or with its text. A
/// key packs the symbols into 64 bits, the first in the highest, ``bitsPerSymbol`` each. A shorter
/// window is padded with zeros, which cannot occur after the first symbol. The sorted keys are
/// therefore the n-grams of all lengths up to `order` in the order of their trie.
package struct NGramCounts {
  /// The most symbols of a window.
  let order: Int
  /// Bits that one symbol takes in a key.
  let bitsPerSymbol: Int
  private let space: SymbolTable.Symbol?
  /// The distinct windows, ascending.
  private(set) var keys: [UInt64] = []
  /// The number of occurrences of each window.
  private(set) var counts: [UInt32] = []

  /// The interval, in words, at which a window is also counted as the beginning of a line. Lines
  /// begin with the characters that follow a space in the text; Kneser-Ney counts would not
  /// represent that.
  private static let wordsPerLine = 8
  private var wordsToLineStart = NGramCounts.wordsPerLine

  /// The most windows that are counted at once. This bounds the memory of sorting to 512 MB.
  private static let chunk = 1 << 24

  /// The highest order that fits a key for a table.
  static func maximumOrder(for table: SymbolTable) -> Int {
    64 / bitsPerSymbol(for: table)
  }

  private static func bitsPerSymbol(for table: SymbolTable) -> Int {
    Int.bitWidth - (table.count - 1).leadingZeroBitCount
  }

  /// Counts the windows. O(symbols) time; 12 bytes for every distinct window, plus the chunk.
  package init(_ text: SymbolText, order: Int) throws(LanguageModelTrainingError) {
    let maximum = Self.maximumOrder(for: text.table)
    guard 2...maximum ~= order else {
      throw .orderOutOfRange(order: order, maximum: maximum, symbols: text.table.count)
    }
    self.order = order
    bitsPerSymbol = Self.bitsPerSymbol(for: text.table)
    let sorter = RadixSorter(capacity: 2 * min(Self.chunk, text.symbols.count))
    let space = text.table.symbol(of: " ")
    self.space = space == SymbolTable.unknown ? nil : space
    // Backwards, because a window is its first symbol and the beginning of the next window.
    var end = text.symbols.count
    var key: UInt64 = 0
    while end > 0 {
      let begin = max(0, end - Self.chunk)
      text.symbols.withUnsafeBufferPointer { fill(sorter, $0, begin..<end, &key) }
      sorter.sort(bits: order * bitsPerSymbol)
      merge(sorter)
      end = begin
    }
  }

  private mutating func fill(
    _ sorter: RadixSorter, _ symbols: UnsafeBufferPointer<SymbolTable.Symbol>,
    _ range: Range<Int>, _ key: inout UInt64
  ) {
    let top = UInt64(bitsPerSymbol * (order - 1))
    let shift = UInt64(bitsPerSymbol)
    sorter.removeAll()
    for position in range.reversed() {
      let symbol = symbols[position]
      if symbol == SymbolTable.endOfText { key = 0 }
      key = UInt64(symbol) << top | key >> shift
      sorter.append(key)
      guard position > 0, let space, symbols[position - 1] == space else { continue }
      wordsToLineStart -= 1
      if wordsToLineStart == 0 {
        sorter.append(UInt64(SymbolTable.startOfLine) << top | key >> shift)
        wordsToLineStart = Self.wordsPerLine
      }
    }
  }

  /// Merges the sorted keys with the previous counts.
  private mutating func merge(_ sorter: RadixSorter) {
    let capacity = keys.count + sorter.distinctCount
    var mergedKeys: [UInt64] = []
    var mergedCounts: [UInt32] = []
    mergedKeys.reserveCapacity(capacity)
    mergedCounts.reserveCapacity(capacity)
    let added = sorter.sorted
    var old = 0
    var new = 0
    while old < keys.count || new < added.count {
      let key = min(
        old < keys.count ? keys[old] : .max, new < added.count ? added[new] : .max)
      var count: UInt32 = 0
      if old < keys.count, keys[old] == key {
        count = counts[old]
        old += 1
      }
      while new < added.count, added[new] == key {
        count += 1
        new += 1
      }
      mergedKeys.append(key)
      mergedCounts.append(count)
    }
    keys = mergedKeys
    counts = mergedCounts
  }
}

// MARK: - Reading keys
extension NGramCounts {
  /// The symbol at a position of a key's window; positions count from 1.
  @inline(__always)
  func symbol(_ key: UInt64, _ place: Int) -> SymbolTable.Symbol {
    let mask = UInt64(1) << UInt64(bitsPerSymbol) - 1
    return SymbolTable.Symbol(
      truncatingIfNeeded: key >> UInt64(bitsPerSymbol * (order - place)) & mask)
  }

  /// The number of symbols of a key's window, 1 ... order.
  @inline(__always)
  func length(_ key: UInt64) -> Int {
    guard key != 0 else { return 1 }
    return max(1, order - key.trailingZeroBitCount / bitsPerSymbol)
  }

  /// The length of the common prefix of two different keys.
  @inline(__always)
  func sharedLength(_ one: UInt64, _ other: UInt64) -> Int {
    ((one ^ other).leadingZeroBitCount - (64 - bitsPerSymbol * order)) / bitsPerSymbol
  }
}
