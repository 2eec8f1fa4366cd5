import LanguageModels

/// How a list of words takes part in reading a line.
public enum Vocabulary: Sendable {
  /// Only texts whose words are all in the list. Letters, digits and apostrophes make words, and
  /// what else a word of the list has: "part-time". A lower-case word of the list allows upper-case
  /// letters too. The nearest of these texts are candidates, whatever is written; their probabilities
  /// leave room for other texts, which count a fiftieth of what they would without the list.
  case closed(Lexicon)
  /// Each finished word of the list adds `bonus`, in natural logarithms, to the score of a reading:
  /// words are preferred where the ink agrees. 1 to 3 are usual.
  case boosted(Lexicon, bonus: Float)

  var isClosed: Bool {
    if case .closed = self { true } else { false }
  }
}
