import InkCore

/// Converts ink to candidates. Implementations are thread-safe.
public protocol Recognizer: Sendable {
  /// Every label that the recogniser can output, or nil if there is no such list.
  var labels: [String]? { get }

  /// The direction of the lines that the recogniser reads; from left to right unless it says so.
  var direction: WritingDirection { get }

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
  /// From left to right.
  public var direction: WritingDirection { .leftToRight }

  /// Reads one ink, by default without context and with at most ten candidates.
  public func recognize(
    _ ink: Ink, context: RecognitionContext = RecognitionContext()
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: 10)
  }
}

/// An error after which a recogniser answers no other ink, such as the end of an outside program. Errors of other types
/// concern one ink: an evaluation counts that ink as not read and goes on.
package protocol RecognizerFault: Error {
  /// Returns the same error with the place of the ink that was being read.
  func at(_ place: String) -> Self
}

extension Recognizer {
  /// Reads one ink of a set; nil if the recogniser refuses it.
  ///
  /// - Parameters:
  ///   - ink: The strokes.
  ///   - context: The information in addition to the ink.
  ///   - maximumCandidates: The most candidates, at least 1.
  ///   - place: The place of the ink, for the error.
  /// - Throws: ``RecognizerFault`` if the recogniser answers no other ink.
  package func answer(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int,
    place: @autoclosure () -> String
  ) throws -> RecognitionResult? {
    do {
      return try recognize(ink, context: context, maximumCandidates: maximumCandidates)
    } catch let fault as any RecognizerFault {
      throw fault.at(place())
    } catch {
      return nil
    }
  }
}
