/// The best class of each time step, read as labels: equal neighbours are one, blanks are none
/// (Graves et al. 2006, best path decoding).
public enum GreedyDecoding {
  /// Replaces `labels` by those of one sequence of a packed batch. O(T K).
  ///
  /// - Parameter logProbabilities: [N, K].
  public static func labels(
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
