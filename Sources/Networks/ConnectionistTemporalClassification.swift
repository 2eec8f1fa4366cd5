import LinearAlgebra

/// Connectionist temporal classification (Graves et al. 2006): the loss of a sequence of labels
/// whose places in time are not known.
public enum ConnectionistTemporalClassification {
  /// The class that stands for no label.
  public static let blank = 0

  /// Time steps that labels need at least: one each, and a blank between equal neighbours.
  public static func minimumSteps(for labels: [Int32]) -> Int {
    labels.count + zip(labels, labels.dropFirst()).count { $0 == $1 }
  }

  /// Floats of scratch for a sequence.
  public static func scratchCount(steps: Int, labels: Int) -> Int {
    (steps + 4) * (2 * labels + 3)
  }

  /// The loss of one sequence of a packed batch.
  ///
  /// - Parameters:
  ///   - logProbabilities: [N, K]; the sequence's rows are replaced by `scale` times the gradient
  ///     of the loss with respect to the logits.
  ///   - labels: Classes 1 ..< K.
  ///   - scratch: At least ``scratchCount(steps:labels:)`` floats.
  /// - Returns: -log p(labels), at least 0; infinity where the sequence is too short for them, and
  ///   then the gradient is 0.
  public static func loss(
    _ logProbabilities: UnsafeMutablePointer<Float>, classes: Int, sequence: Int,
    of layout: PackedSequences, labels: [Int32], scratch: UnsafeMutablePointer<Float>, scale: Float
  ) -> Double {
    layout.starts.withUnsafeBufferPointer { starts in
      labels.withUnsafeBufferPointer { labels in
        -Kernels.connectionistTemporalClassification(
          logProbabilities, columns: classes, rows: starts, offset: sequence,
          steps: layout.lengths[sequence], labels: labels, scratch: scratch, scale: scale)
      }
    }
  }

  /// Floats of scratch for two readings of a sequence.
  public static func pairScratchCount(steps: Int, labels: Int, classes: Int) -> Int {
    scratchCount(steps: steps, labels: labels) + steps * classes
  }

  /// The loss of two readings of one line, and of how they differ: the mean of both losses, plus
  /// `consistency` times the mean of the divergences of each reading's probabilities from the
  /// other's, summed over the steps, which are held constant there (Yao et al. 2024, CR-CTC).
  ///
  /// - Parameters:
  ///   - logProbabilities: [N, K]; the rows of both are replaced by `scale` times the gradient of
  ///     the loss with respect to the logits.
  ///   - sequence: The first reading; the second is the sequence after it, and as long.
  ///   - scratch: At least ``pairScratchCount(steps:labels:classes:)`` floats.
  /// - Returns: The mean of both losses, without what their difference costs; infinity where the
  ///   sequence is too short for the labels, and then the gradient is 0.
  public static func loss(
    ofPair logProbabilities: UnsafeMutablePointer<Float>, classes: Int, sequence: Int,
    of layout: PackedSequences, labels: [Int32], consistency: Float,
    scratch: UnsafeMutablePointer<Float>, scale: Float
  ) -> Double {
    let steps = layout.lengths[sequence]
    assert(layout.lengths[sequence + 1] == steps, "readings of one line are as long")
    func rows(of step: Int) -> UnsafeMutablePointer<Float> {
      logProbabilities + layout.row(sequence: sequence, step: step) * classes
    }
    let differences = scratch + scratchCount(steps: steps, labels: labels.count)
    for step in 0..<steps {
      Kernels.probabilityDifference(
        rows(of: step), rows(of: step) + classes, into: differences + step * classes,
        count: classes)
    }
    var mean = 0.0
    for reading in sequence...(sequence + 1) {
      mean +=
        loss(
          logProbabilities, classes: classes, sequence: reading, of: layout, labels: labels,
          scratch: scratch, scale: scale / 2) / 2
    }
    guard mean.isFinite else { return mean }
    for step in 0..<steps {
      Kernels.pullTogether(
        rows(of: step), rows(of: step) + classes, by: differences + step * classes,
        times: scale * consistency / 2, count: classes)
    }
    return mean
  }
}
