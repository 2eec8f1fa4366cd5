/// A model's judgement of a label that it was not trained on.
///
/// Samples are ranked by the margin of Northcutt, Jiang and Chuang (2021, Confident Learning:
/// Estimating Uncertainty in Dataset Labels): the probability of the likeliest class minus that of
/// the label. A bound on the margin replaces their thresholds per class.
@usableFromInline package struct LabelJudgement: Hashable, Sendable {
  /// The likeliest class.
  package let likeliest: Int
  /// Its probability minus that of the label, 0 … 1; 0 if the label is the likeliest.
  package let margin: Double

  /// The smallest margin of a suspect label.
  package static let leastMargin = 0.6

  /// Judges a label. O(classes).
  ///
  /// - Parameters:
  ///   - probabilities: The probability of each class; at least one.
  ///   - label: The index of the sample's class.
  package init(probabilities: [Float], label: Int) {
    var best = label
    for index in probabilities.indices where probabilities[index] > probabilities[best] {
      best = index
    }
    likeliest = best
    margin = Double(probabilities[best]) - Double(probabilities[label])
  }

  /// True if the label is probably wrong.
  @usableFromInline package var isSuspect: Bool { margin >= Self.leastMargin }
}
