/// Labels that are probably wrong: those that models which have not learned from the sample give
/// much less than another class.
///
/// The samples are ranked by the margin of Northcutt, Jiang and Chuang (2021, Confident Learning:
/// Estimating Uncertainty in Dataset Labels), the probability of the likeliest other class less that
/// of the label. Of calibrated models a bound on the margin alone finds more wrong labels, at the
/// same number of suspects, than their thresholds for each class.
public struct SuspectLabels: Hashable, Sendable {
  /// A sample whose label is probably wrong.
  public struct Suspect: Hashable, Sendable {
    /// The sample's index.
    public let sample: Int
    /// The likeliest class.
    public let suggested: Int
    /// Its probability less that of the label, at most 1.
    public let margin: Double
  }

  /// A smaller margin is no suspicion.
  public static let leastMargin = 0.6

  /// The suspects, largest margin first, equal ones in the order of the samples.
  public let suspects: [Suspect]
  /// Samples that were judged.
  public let judged: Int
  /// Those whose label is the likeliest class.
  public let agreeing: Int

  /// Finds the suspects. O(samples x classes).
  ///
  /// - Parameters:
  ///   - probabilities: [N, K] row-major, of models that have not learned from the sample.
  ///   - classCount: K.
  ///   - labels: N, each in 0 ..< K; nil for samples that are not judged.
  public init(probabilities: [Float], classCount: Int, labels: [Int?]) {
    precondition(probabilities.count == classCount * labels.count)
    var suspects: [Suspect] = []
    var (judged, agreeing) = (0, 0)
    for (sample, label) in labels.enumerated() {
      guard let label else { continue }
      judged += 1
      let row = probabilities[sample * classCount..<(sample + 1) * classCount]
      guard let best = row.indices.max(by: { row[$0] < row[$1] }) else { continue }
      let margin = Double(row[best]) - Double(row[row.startIndex + label])
      if margin <= 0 { agreeing += 1 }
      if margin >= Self.leastMargin {
        suspects.append(Suspect(sample: sample, suggested: best - row.startIndex, margin: margin))
      }
    }
    (self.judged, self.agreeing) = (judged, agreeing)
    self.suspects = suspects.sorted { ($1.margin, $0.sample) < ($0.margin, $1.sample) }
  }
}
