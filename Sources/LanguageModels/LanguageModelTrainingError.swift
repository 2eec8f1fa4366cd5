/// Why a language model cannot be trained.
public enum LanguageModelTrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The texts hold no scalar often enough.
  case noText(scalars: Int, minimumCount: Int)
  /// The order is out of range for the number of symbols.
  case orderOutOfRange(order: Int, maximum: Int, symbols: Int)
  /// There are more n-grams than 32-bit indices hold.
  case tooManyNGrams(found: Int, maximum: Int)
  /// No model that is worth having fits the length asked for.
  case lengthTooSmall(maximumBytes: Int, smallest: Int)

  /// What was expected, what was found, and what to do.
  public var description: String {
    switch self {
    case .noText(let scalars, let minimumCount):
      "expected text in which some character occurs \(minimumCount) times, found "
        + "\(scalars) characters; give more text or a smaller --minimum-count"
    case .orderOutOfRange(let order, let maximum, let symbols):
      "expected an order of 2 to \(maximum) for \(symbols) symbols, found \(order); "
        + "give a smaller --order or a greater --minimum-count"
    case .tooManyNGrams(let found, let maximum):
      "expected at most \(maximum) n-grams, found \(found); give a smaller --order"
    case .lengthTooSmall(let maximumBytes, let smallest):
      "expected room for at least \(smallest) bytes, found --max-bytes \(maximumBytes)"
    }
  }
}
