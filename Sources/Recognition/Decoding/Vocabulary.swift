import LanguageModels

/// The role of a word list in reading a line.
public enum Vocabulary: Sendable {
  /// Allows only texts whose words are all in the list. Words consist of letters, digits and
  /// apostrophes, and of other characters of words in the list: "part-time". A lower-case word of
  /// the list also allows upper-case letters. The nearest such texts are candidates for any ink.
  /// Their probabilities leave room for other texts, which count 1/50 of their probability without
  /// the list.
  case closed(Lexicon)
  /// Adds `bonus`, in natural logarithms, to the score of a reading for each complete word in the
  /// list, so that words are preferred if the ink agrees. 1 to 3 are usual.
  case boosted(Lexicon, bonus: Float)

  var isClosed: Bool {
    if case .closed = self { true } else { false }
  }
}
