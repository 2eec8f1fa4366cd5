/// Counts of true and predicted labels.
///
/// Labels need not be known in advance. Canonically equivalent strings are one label. Memory grows
/// with the distinct pairs of labels, not with the data.
public struct ConfusionMatrix: Hashable, Sendable {
  /// The counts of one label.
  @usableFromInline package struct LabelStatistics: Hashable, Sendable {
    /// The label.
    package let label: String
    /// Samples of the label.
    package let count: Int
    /// Samples with this label as the prediction.
    package let predictedCount: Int
    /// Samples of the label with a correct prediction.
    package let correctCount: Int
    /// The share of its samples that were found, or nil if it has none.
    @usableFromInline package var recall: Double? {
      count > 0 ? Double(correctCount) / Double(count) : nil
    }
    /// The share of correct predictions of the label, or nil if it was never predicted.
    @usableFromInline package var precision: Double? {
      predictedCount > 0 ? Double(correctCount) / Double(predictedCount) : nil
    }
  }

  /// A label and its wrong prediction.
  package struct Pair: Hashable, Sendable {
    /// The true label.
    package let label: String
    /// The predicted label.
    package let predicted: String
    /// The number of such samples.
    package let count: Int

    /// Makes a pair.
    package init(label: String, predicted: String, count: Int) {
      self.label = label
      self.predicted = predicted
      self.count = count
    }
  }

  private struct Key: Hashable {
    var label: String
    var predicted: String?
  }

  private var counts: [Key: Int] = [:]

  /// Makes a matrix without samples.
  package init() {}

  /// The number of samples. O(distinct pairs).
  package var count: Int { counts.values.reduce(0, +) }

  /// The number of refused samples, which were added without a prediction. O(distinct pairs).
  package var refusedCount: Int {
    counts.reduce(0) { $0 + ($1.key.predicted == nil ? $1.value : 0) }
  }

  /// Adds a sample. `predicted` is nil if the ink was refused, which lowers the recall of its
  /// label. O(1).
  package mutating func add(label: String, predicted: String?) {
    counts[Key(label: label, predicted: predicted), default: 0] += 1
  }

  /// Adds the samples of another matrix, for example of another worker. O(its distinct pairs).
  package mutating func merge(_ other: ConfusionMatrix) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// The number of samples of a label with a prediction; nil counts refusals. O(1).
  package func count(of label: String, predictedAs predicted: String?) -> Int {
    counts[Key(label: label, predicted: predicted)] ?? 0
  }

  /// The statistics of all true and predicted labels, sorted. O(distinct pairs).
  package func labelStatistics() -> [LabelStatistics] {
    var totals: [String: (count: Int, predicted: Int)] = [:]
    for (key, count) in counts {
      totals[key.label, default: (0, 0)].count += count
      if let predicted = key.predicted { totals[predicted, default: (0, 0)].predicted += count }
    }
    return totals.sorted { $0.key < $1.key }.map { label, total in
      LabelStatistics(
        label: label, count: total.count, predictedCount: total.predicted,
        correctCount: count(of: label, predictedAs: label))
    }
  }

  /// The mean recall of the labels that have samples, each counting once; nil without samples.
  /// O(distinct pairs).
  package func meanRecall() -> Double? {
    let recalls = labelStatistics().compactMap(\.recall)
    return recalls.isEmpty ? nil : recalls.reduce(0, +) / Double(recalls.count)
  }

  /// The pairs of different labels that were confused most, most frequent first, equal ones in
  /// the order of their labels. Refusals are not among them. O(n log n) in distinct pairs.
  package func mostConfused(limit: Int = 20) -> [Pair] {
    let pairs = counts.compactMap { key, count -> Pair? in
      guard let predicted = key.predicted, predicted != key.label else { return nil }
      return Pair(label: key.label, predicted: predicted, count: count)
    }
    let sorted = pairs.sorted {
      ($1.count, $0.label, $0.predicted) < ($0.count, $1.label, $1.predicted)
    }
    return Array(sorted.prefix(max(0, limit)))
  }
}
