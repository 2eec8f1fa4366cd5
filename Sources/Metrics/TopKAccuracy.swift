/// The share of samples with the true label among the first k candidates.
///
/// Only counts are kept: memory does not grow with the data. A refused ink counts as an error.
public struct TopKAccuracy: Hashable, Sendable {
  /// The values of k, ascending, each at least 1.
  package let ks: [Int]
  /// The number of samples.
  package private(set) var count = 0
  private var hits: [Int]

  /// Makes a count; values of `ks` below 1 are dropped, duplicates counted once.
  package init(ks: [Int] = [1, 3, 5]) {
    self.ks = Set(ks.filter { $0 >= 1 }).sorted()
    hits = [Int](repeating: 0, count: self.ks.count)
  }

  /// Adds a sample by the rank of its true label: 0 for the first candidate, nil if it is not
  /// among the candidates or the ink was refused. O(ks).
  package mutating func add(rank: Int?) {
    count += 1
    guard let rank else { return }
    for (index, k) in ks.enumerated() where rank < k { hits[index] += 1 }
  }

  /// Adds a sample by the scores of all classes. O(classes).
  ///
  /// - Parameters:
  ///   - scores: One score per class, higher is better. For equal scores the lower index comes
  ///     first. NaN is below every number, and a true label with score NaN is a miss.
  ///   - label: The index of the true class; out of range is a miss.
  package mutating func add(scores: some Collection<Float>, label: Int) {
    add(rank: Self.rank(of: label, in: scores))
  }

  /// Adds the samples of another count with the same `ks`, for example of another worker.
  ///
  /// - Precondition: `other.ks == ks`.
  package mutating func merge(_ other: TopKAccuracy) {
    precondition(other.ks == ks, "cannot merge top-\(other.ks) into top-\(ks)")
    count += other.count
    for index in hits.indices { hits[index] += other.hits[index] }
  }

  /// The share of samples, 0 … 1, whose true label is among the first k; nil without samples or if
  /// `k` is not one of ``ks``.
  package func accuracy(at k: Int) -> Double? {
    guard count > 0, let index = ks.firstIndex(of: k) else { return nil }
    return Double(hits[index]) / Double(count)
  }

  /// The rank of a class if scores are sorted in descending order, equal ones by index; nil if the
  /// class is out of range or its score is NaN. O(classes).
  package static func rank(of label: Int, in scores: some Collection<Float>) -> Int? {
    guard label >= 0, label < scores.count else { return nil }
    let score = scores[scores.index(scores.startIndex, offsetBy: label)]
    guard !score.isNaN else { return nil }
    var rank = 0
    for (index, other) in scores.enumerated()
    where other > score || (other == score && index < label) {
      rank += 1
    }
    return rank
  }
}
