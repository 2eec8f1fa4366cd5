/// What a model that has not learned from a sample says of its label.
///
/// Samples are ranked by the margin of Northcutt, Jiang and Chuang (2021, Confident Learning:
/// Estimating Uncertainty in Dataset Labels), the probability of the likeliest class less that of the
/// label. A bound on the margin stands in place of their thresholds for each class.
public struct LabelJudgement: Hashable, Sendable {
  /// The likeliest class.
  public let likeliest: Int
  /// Its probability less that of the label, 0 … 1; 0 where the label is the likeliest.
  public let margin: Double

  /// A smaller margin is no suspicion.
  public static let leastMargin = 0.6

  /// Judges a label. O(classes).
  ///
  /// - Parameters:
  ///   - probabilities: Of each class; at least one.
  ///   - label: The index of the sample's class.
  public init(probabilities: [Float], label: Int) {
    var best = label
    for index in probabilities.indices where probabilities[index] > probabilities[best] {
      best = index
    }
    likeliest = best
    margin = Double(probabilities[best]) - Double(probabilities[label])
  }

  /// Whether the label is probably wrong.
  public var isSuspect: Bool { margin >= Self.leastMargin }
}
