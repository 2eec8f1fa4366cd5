import Foundation
import InkCore
import Recognition

/// A recogniser that answers from a table by the number of points of an ink.
package struct TableRecognizer: Recognizer {
  private struct Refused: Error {}

  package var labels: [String]?
  /// The candidates for each number of points, best first; none if it is missing.
  package var answers: [Int: [(String, Double)]]
  package var refuses: Set<Int>

  package init(
    labels: [String]? = nil, answers: [Int: [(String, Double)]], refuses: Set<Int> = []
  ) {
    self.labels = labels
    self.answers = answers
    self.refuses = refuses
  }

  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try ink.validate()
    if refuses.contains(ink.pointCount) { throw Refused() }
    let candidates = (answers[ink.pointCount] ?? []).prefix(maximumCandidates)
    return RecognitionResult(
      candidates: candidates.map { RecognitionCandidate(text: $0.0, score: log($0.1)) })
  }
}
