import LanguageModels

/// Modified Kneser-Ney by the book: dictionaries, recursion, no trie.
struct ReferenceKneserNey {
  typealias Gram = [SymbolTable.Symbol]

  private let order: Int
  private let symbolCount: Int
  private let counts: [Gram: Int]
  private var children: [Gram: [Gram]] = [:]
  private var discounts: [Discounts] = []

  init(_ text: SymbolText, order: Int) {
    self.order = order
    symbolCount = text.table.count
    let raw = Self.rawCounts(text, order: order)
    var counts: [Gram: Int] = [:]
    for (gram, count) in raw where gram.count == order || Self.isStart(gram[0]) {
      counts[gram] = count
    }
    for gram in raw.keys where gram.count > 1 && gram[0] != SymbolTable.startOfLine {
      let suffix = Array(gram.dropFirst())
      if suffix.count < order { counts[suffix, default: 0] += 1 }
    }
    for start in [SymbolTable.startOfText, SymbolTable.startOfLine] { counts[[start]] = nil }
    self.counts = counts
    for gram in counts.keys { children[Array(gram.dropLast()), default: []].append(gram) }
    discounts = (0...order).map { length in
      Discounts(counts.filter { $0.key.count == length }.values.map { UInt32($0) })
    }
  }

  private static func isStart(_ symbol: SymbolTable.Symbol) -> Bool {
    symbol == SymbolTable.startOfText || symbol == SymbolTable.startOfLine
  }

  /// Counts of all n-grams of up to `order` symbols; lines start at every eighth word from the end.
  private static func rawCounts(_ text: SymbolText, order: Int) -> [Gram: Int] {
    var counts: [Gram: Int] = [:]
    func add(_ window: Gram) {
      for length in 1...min(order, window.count) {
        counts[Array(window.prefix(length)), default: 0] += 1
      }
    }
    let symbols = text.symbols
    let space = text.table.symbol(of: " ")
    var words = 0
    for position in symbols.indices.reversed() {
      let rest = symbols[position...]
      let end = rest.firstIndex(of: SymbolTable.endOfText) ?? symbols.endIndex - 1
      add(Array(symbols[position...end]))
      guard position > 0, symbols[position - 1] == space else { continue }
      words += 1
      if words.isMultiple(of: 8) {
        add([SymbolTable.startOfLine] + symbols[position...end])
      }
    }
    return counts
  }

  /// The probability of a symbol behind a context of less than `order` symbols.
  func probability(_ symbol: SymbolTable.Symbol, after context: Gram) -> Double {
    let grams = children[context] ?? []
    let lower =
      context.isEmpty
      ? 1 / Double(symbolCount - 2) : probability(symbol, after: Array(context.dropFirst()))
    guard !grams.isEmpty else { return lower }
    let discount = discounts[context.count + 1]
    let total = grams.reduce(0) { $0 + (counts[$1] ?? 0) }
    let mass = grams.reduce(0.0) { $0 + discount[UInt32(counts[$1] ?? 0)] }
    let count = counts[context + [symbol]] ?? 0
    return (Double(count) - discount[UInt32(count)] + mass * lower) / Double(total)
  }
}
