import InkCore

/// Converts ink to candidates. Implementations are thread-safe.
public protocol Recognizer: Sendable {
  /// Every label that the recogniser can output, or nil if there is no such list.
  var labels: [String]? { get }

  /// Reads one ink.
  ///
  /// - Parameters:
  ///   - ink: The strokes, in any unit, y down.
  ///   - context: The information in addition to the ink.
  ///   - maximumCandidates: The most candidates, at least 1.
  /// - Returns: Candidates, best first. Empty for an ink without points, and if a line recogniser
  ///   finds no text in it.
  /// - Throws: `InkError` for a coordinate that is not finite, for every recogniser.
  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult
}

extension Recognizer {
  /// Reads one ink, by default without context and with at most ten candidates.
  public func recognize(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: 10)
  }
}
