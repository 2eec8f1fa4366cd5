import InkCore

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
  /// - Returns: Candidates, best first; none for an ink without points, and where a line recogniser
  ///   finds no text in it.
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
