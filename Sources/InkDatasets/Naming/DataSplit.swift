/// A part of a dataset. No writer stands in two parts, but for the whole.
public enum DataSplit: String, Hashable, Sendable, Codable, CaseIterable {
  /// What a model learns from.
  case train
  /// What training decides by.
  case val
  /// The first of two official validation sets.
  case val1
  /// The second of two official validation sets.
  case val2
  /// What a model is judged by.
  case test
  /// Everything.
  case all
}

/// What is not divided when data is split.
public enum SplitUnit: String, Hashable, Sendable, Codable, CaseIterable {
  /// The ink of a writer, so that figures are of people whom training never met.
  case writer
  /// One ink: for data of too few writers to hold some of them out.
  case ink
  /// For test the ink of a writer, for training and validation one ink: for data of so few writers that
  /// some can be held out for one purpose only.
  case mixed
}

/// Which of N groups of writers is held out.
public struct DataFold: Hashable, Sendable, Codable {
  /// The fold held out, in 0 ..< count.
  public let index: Int
  /// The number of folds, at least 2.
  public let count: Int

  /// Makes a fold; an index equal to the count means 0, so that both 0 ..< N and 1 ... N work.
  ///
  /// Nil where the count is below 2 or the index not in 0 ... count.
  public init?(index: Int, count: Int) {
    guard count >= 2, (0...count).contains(index) else { return nil }
    self.index = index % count
    self.count = count
  }

  /// Parses `K/N`, with K in 0 ... N; nil where the text is anything else.
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
      return nil
    }
    self.init(index: index, count: count)
  }
}
