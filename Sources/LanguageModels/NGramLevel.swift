/// The n-grams of one length in ascending order, as columns. The children of n-gram i, those that
/// begin with it, are `firstChild[i] ..< firstChild[i + 1]` of the next level.
final class NGramLevel {
  /// The number of n-grams.
  let count: Int
  /// The last symbol of each.
  let symbols: UnsafeMutablePointer<SymbolTable.Symbol>
  /// Where the children of each begin; `count` + 1 of them.
  let firstChild: UnsafeMutablePointer<UInt32>
  /// The n-gram without its first symbol, an index of the level before.
  let suffix: UnsafeMutablePointer<UInt32>
  /// Whether each is in the model; all are until some are pruned. An n-gram is kept with those
  /// that begin with it.
  let isKept: UnsafeMutablePointer<Bool>
  /// How often each occurs in the text.
  let raw: UnsafeMutablePointer<UInt32>
  /// The probability of the last symbol behind the others, interpolated.
  let probability: UnsafeMutablePointer<Float>
  /// The weight of the shorter context where this n-gram is the context.
  let backoff: UnsafeMutablePointer<Float>

  /// Makes columns of zeros; backoff weights are one.
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
  func children(_ index: Int) -> Range<Int> {
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
