import Foundation

/// The confidence of a whole text.
///
/// The softmax of the scores of a few readings says how likely one word is. Of a line of several words it
/// takes too many to be right: it is fitted to all lengths at once, and readings that differ in two words are
/// rarely among those that were found. The confidences of words are fitted to what was right, and their
/// product is about as often right as it says.
package enum TextConfidence {
  /// The probability that all words of a text are right; nil for a single word, or none.
  package static func product(of words: [Double]) -> Double? {
    words.count > 1 ? words.reduce(1, *) : nil
  }
}

extension [RecognitionCandidate] {
  /// Gives the first candidate the probability that all its words are right. What it gains, the others
  /// lose, in proportion; none becomes likelier than the first. Without effect on single words.
  /// O(candidates).
  package mutating func weighByWords() {
    guard let best = first,
      let product = TextConfidence.product(of: best.words.map(\.confidence)), product < 1
    else { return }
    let score = log(Swift.max(product, .leastNormalMagnitude))
    let (rest, before) = (1 - product, -expm1(best.score))
    let change = before > 0 ? log(rest / before) : 0
    self[0].score = score
    for index in indices.dropFirst() {
      self[index].score = Swift.min(score, self[index].score + change)
    }
  }
}
