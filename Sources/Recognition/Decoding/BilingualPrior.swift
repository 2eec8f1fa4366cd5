import Foundation

/// The languages of a word in a text of two languages: a hidden Markov model with one step per word.
struct BilingualPrior {
  /// The log-odds of the first language against the second.
  var odds: Float

  /// The probability that the language changes after a word. A tenth suits texts that quote the
  /// other language; a smaller value would need more evidence for single foreign words.
  private static let change: Float = 0.1
  /// The greatest log-odds: beyond it a single word would not change the language.
  private static let limit: Float = 12

  /// The probability of the first language.
  private var share: Float { 1 / (1 + exp(-odds)) }

  /// ln p of a symbol by the mixture of both languages.
  ///
  /// - Parameters:
  ///   - first: ln p by the first language.
  ///   - second: ln p by the second language.
  func mixture(_ first: Float, _ second: Float) -> Float {
    let share = share
    let high = max(first, second)
    guard high > -.infinity else { return high }
    return high + log(share * exp(first - high) + (1 - share) * exp(second - high))
  }

  /// The log-odds after a symbol with these probabilities.
  func odds(after first: Float, _ second: Float) -> Float {
    let difference = max(first, -100) - max(second, -100)
    return min(Self.limit, max(-Self.limit, odds + difference))
  }

  /// The log-odds at the beginning of the next word.
  var oddsOfNextWord: Float {
    let share = share
    let next = share * (1 - Self.change) + (1 - share) * Self.change
    return log(next / (1 - next))
  }
}
