import LinearAlgebra

/// Connectionist temporal classification (Graves et al. 2006): the loss of a sequence of labels
/// with unknown positions in time.
@usableFromInline package enum ConnectionistTemporalClassification {
  /// The class for "no label".
  package static let blank = 0

  /// The fewest time steps for these labels: one each, and a blank between equal neighbours.
  package static func minimumSteps(for labels: [Int32]) -> Int {
    labels.count + zip(labels, labels.dropFirst()).count { $0 == $1 }
  }

  /// Floats of scratch for a sequence.
  @usableFromInline package static func scratchCount(steps: Int, labels: Int) -> Int {
    (steps + 4) * (2 * labels + 3)
  }

  /// The loss of one sequence of a packed batch.
  ///
  /// - Parameters:
  ///   - logProbabilities: [N, K]; the sequence's rows are replaced by `scale` times the gradient
  ///     of the loss with respect to the logits.
  ///   - labels: Classes 1 ..< K.
  ///   - scratch: At least ``scratchCount(steps:labels:)`` floats.
  /// - Returns: -log p(labels), at least 0. If the sequence is too short for the labels, infinity,
  ///   and the gradient is 0.
  package static func loss(
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
}

/// Reads the best class of each time step as labels: repeated classes are merged and blanks removed
/// (Graves et al. 2006, best path decoding).
package enum GreedyDecoding {
  /// Replaces `labels` by the labels of one sequence of a packed batch. O(T K).
  ///
  /// - Parameter logProbabilities: [N, K].
  package static func labels(
    _ logProbabilities: UnsafePointer<Float>, classes: Int, sequence: Int,
    of layout: PackedSequences, into labels: inout [Int32]
  ) {
    labels.removeAll(keepingCapacity: true)
    var last = ConnectionistTemporalClassification.blank
    for step in 0..<layout.lengths[sequence] {
      let row = logProbabilities + layout.row(sequence: sequence, step: step) * classes
      var best = 0
      for label in 1..<classes where row[label] > row[best] { best = label }
      if best != last, best != ConnectionistTemporalClassification.blank {
        labels.append(Int32(best))
      }
      last = best
    }
  }
}
