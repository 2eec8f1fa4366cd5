import InkCore

/// What is known besides the ink.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink. Glyph models do not use it.
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

  /// Makes a candidate.
  public init(text: String, score: Double) {
    self.text = text
    self.score = score
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
