/// The readings of an ink, best first; empty if there is nothing to read.
public struct RecognitionResult: Hashable, Sendable {
  /// The candidates, best first.
  public var candidates: [RecognitionCandidate]
  /// The number of strokes at the end that were not read because there were too many. 0 for normal
  /// writing; above 0 for thousands of strokes given as one line.
  public var unreadStrokes: Int

  /// Makes a result.
  public init(candidates: [RecognitionCandidate], unreadStrokes: Int = 0) {
    self.candidates = candidates
    self.unreadStrokes = unreadStrokes
  }
}

/// One reading of an ink.
public struct RecognitionCandidate: Hashable, Sendable {
  /// The text: a label of a glyph model, or a word or line. With text before the ink it may begin
  /// with a space, which has no ink: a new word begins.
  public var text: String
  /// The natural logarithm of the calibrated probability that this reading is correct: at most 0,
  /// higher is better.
  public var score: Double
  /// The ink of each character of the text, in order. Empty if it is not known, and for glyphs,
  /// whose whole ink is the label.
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

/// A word of a candidate.
public struct RecognizedWord: Hashable, Sendable {
  /// The word, without the spaces around it.
  public var text: String
  /// The range of its characters in the candidate.
  public var characters: Range<Int>
  /// The calibrated probability that the word is correct, 0 ... 1.
  public var confidence: Double

  /// Makes a word.
  public init(text: String, characters: Range<Int>, confidence: Double) {
    self.text = text
    self.characters = characters
    self.confidence = confidence
  }
}

/// The ink of one character of a candidate.
public struct CharacterInk: Hashable, Sendable {
  /// A run of points of one stroke.
  public struct Part: Hashable, Sendable {
    /// The stroke, from 0.
    public var stroke: Int
    /// Its range of points.
    public var points: Range<Int>

    /// Makes a part.
    public init(stroke: Int, points: Range<Int>) {
      self.stroke = stroke
      self.points = points
    }
  }

  /// The parts, in drawing order; empty for a space and other characters without ink.
  public var parts: [Part]

  /// Makes the ink of a character.
  public init(parts: [Part]) {
    self.parts = parts
  }
}
