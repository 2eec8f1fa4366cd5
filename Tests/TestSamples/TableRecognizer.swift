import Foundation
import InkCore
import Recognition

/// Answers by the number of points of an ink, from a table.
package struct TableRecognizer: Recognizer {
  private struct Refused: Error {}

  package var labels: [String]?
  /// For each number of points the candidates, best first; none where it is missing.
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
