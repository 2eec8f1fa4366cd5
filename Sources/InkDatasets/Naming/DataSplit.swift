/// A part of a dataset. No writer is in two parts, except for the whole.
public enum DataSplit: String, Hashable, Sendable, Codable, CaseIterable {
  /// The data that a model is trained on.
  case train
  /// The data that decides about training.
  case val
  /// The first of two official validation sets.
  case val1
  /// The second of two official validation sets.
  case val2
  /// The data that a model is judged by.
  case test
  /// Everything.
  case all
}

/// The unit that stays together in a split.
package enum SplitUnit: String, Hashable, Sendable, Codable, CaseIterable {
  /// The ink of a writer, so that figures are of unseen writers.
  case writer
  /// One ink, for data with too few writers to hold some out.
  case ink
  /// The ink of a writer for test, one ink for training and validation: for data with so few
  /// writers that some can be held out only once.
  case mixed
}

/// The group, of N groups of writers, that is held out.
public struct DataFold: Hashable, Sendable, Codable {
  /// The fold held out, in 0 ..< count.
  public let index: Int
  /// The number of folds, at least 2.
  public let count: Int

  /// Makes a fold; an index equal to the count means 0, so that both 0 ..< N and 1 ... N work.
  ///
  /// Nil if the count is below 2 or the index is not in 0 ... count.
  package init?(index: Int, count: Int) {
    guard count >= 2, (0...count).contains(index) else { return nil }
    self.index = index % count
    self.count = count
  }

  /// Parses `K/N`, with K in 0 ... N; nil for any other text.
  package init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(index: index, count: count)
  }
}
