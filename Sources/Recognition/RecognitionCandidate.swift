/// One reading of an ink.
public struct RecognitionCandidate: Hashable, Sendable {
  /// What the ink says: a label of a glyph model, or a word or line. With text before the ink it may
  /// begin with a space, which nobody wrote: a new word begins.
  public var text: String
  /// The natural logarithm of the calibrated probability that this reading is right: at most 0,
  /// higher is better.
  public var score: Double
  /// For each character of the text the ink that made it, in order; empty where nothing is known,
  /// as for glyphs, whose whole ink is the label.
  public var characters: [CharacterInk]
  /// The words of the text with their confidences; empty for glyphs.
  public var words: [RecognizedWord]

  /// Makes a candidate.
  public init(
    text: String, score: Double, characters: [CharacterInk] = [], words: [RecognizedWord] = []
  ) {
    self.text = text
    self.score = score
    self.characters = characters
    self.words = words
  }
}
