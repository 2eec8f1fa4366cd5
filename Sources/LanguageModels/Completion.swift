/// A word that a text may go on with.
public struct Completion: Hashable, Sendable {
  /// The whole word, the part that was there included.
  public let text: String
  /// The natural logarithm of the probability that the word goes on and ends this way.
  public let logProbability: Float

  /// Makes a completion of its parts.
  public init(text: String, logProbability: Float) {
    self.text = text
    self.logProbability = logProbability
  }
}
