import InkCore

/// What is known besides the ink.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink; empty where nothing is known of it. Line models use its last 20
  /// characters, glyph models none.
  public var preContext: String
  /// The line the ink was written on, in the ink's units, or nil.
  public var writingArea: WritingArea?

  /// Makes a context.
  public init(preContext: String = "", writingArea: WritingArea? = nil) {
    self.preContext = preContext
    self.writingArea = writingArea
  }
}

/// One reading of an ink.
public struct RecognitionCandidate: Hashable, Sendable {
  /// What the ink says: a label of the model.
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

/// The ink of one character of a candidate.
public struct CharacterInk: Hashable, Sendable {
  /// A run of points of one stroke.
  public struct Part: Hashable, Sendable {
    /// The stroke, from 0.
    public var stroke: Int
    /// The points of it.
    public var points: Range<Int>

    /// Makes a part.
    public init(stroke: Int, points: Range<Int>) {
      self.stroke = stroke
      self.points = points
    }
  }

  /// In the order drawn; empty for a space and what has no ink of its own.
  public var parts: [Part]

  /// Makes the ink of a character.
  public init(parts: [Part]) {
    self.parts = parts
  }
}

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

/// The readings of an ink, best first; empty where there is nothing to read.
public struct RecognitionResult: Hashable, Sendable {
  /// Best first.
  public var candidates: [RecognitionCandidate]

  /// Makes a result.
  public init(candidates: [RecognitionCandidate]) {
    self.candidates = candidates
  }
}

/// Turns ink into candidates. Implementations are thread-safe.
public protocol Recognizer: Sendable {
  /// Every label the recogniser can give, or nil where there is no such list.
  var labels: [String]? { get }

  /// Reads one ink.
  ///
  /// - Parameters:
  ///   - ink: The strokes, in any unit, y down.
  ///   - context: What is known besides.
  ///   - maximumCandidates: At least 1; fewer candidates come where there are fewer labels.
  /// - Returns: Candidates, best first; none for an ink without points.
  /// - Throws: ``InkError`` for a coordinate that is not finite, whatever the recogniser.
  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult
}

extension Recognizer {
  /// Reads one ink, with no context and at most ten candidates unless told otherwise.
  public func recognize(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: 10)
  }
}
