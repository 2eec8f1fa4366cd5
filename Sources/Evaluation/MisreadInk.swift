import Foundation
import InkCore
import Recognition

/// A labelled ink that a recogniser misread, with its answers.
package struct MisreadInk: Hashable, Sendable {
  /// The ink with its label.
  package let labeled: LabeledInk
  /// The candidates, best first; empty if the recogniser refused the ink.
  package let candidates: [RecognitionCandidate]

  /// Makes a misread ink.
  package init(labeled: LabeledInk, candidates: [RecognitionCandidate]) {
    self.labeled = labeled
    self.candidates = candidates
  }

  /// The probability of the best candidate, 0 … 1; 0 without candidates.
  package var confidence: Double {
    candidates.first.map { exp($0.score) } ?? 0
  }
}
