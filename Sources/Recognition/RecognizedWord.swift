/// A word of a candidate.
public struct RecognizedWord: Hashable, Sendable {
  /// The word, without the spaces around it.
  public var text: String
  /// The characters of the candidate that it is made of.
  public var characters: Range<Int>
  /// The calibrated probability that the word is right, 0 ... 1.
  public var confidence: Double

  /// Makes a word.
  public init(text: String, characters: Range<Int>, confidence: Double) {
    self.text = text
    self.characters = characters
    self.confidence = confidence
  }
}
