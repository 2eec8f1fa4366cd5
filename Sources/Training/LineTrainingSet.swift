import Features
import InkCore

/// Lines of ink with their texts, held in memory in the form training wants.
public struct LineTrainingSet: Sendable {
  /// One line.
  public struct Sample: Sendable {
    /// The ink.
    public var line: NormalizedLine
    /// Its text as classes of the network, 1 and up; 0 for a symbol that is not among the labels.
    public var labels: [Int32]
    /// Length of the pen's path in line heights: what its steps are in proportion to.
    public var length: Float
  }

  /// The symbols, sorted; symbol k is class k + 1, class 0 the blank.
  public let labels: [String]
  /// The lines, in the order they came.
  public private(set) var samples: [Sample] = []
  private let indices: [Character: Int32]

  /// Makes an empty set for these symbols, each one character.
  public init(labels: [String]) {
    self.labels = labels
    var indices: [Character: Int32] = [:]
    for (index, label) in labels.enumerated() {
      if let character = label.first { indices[character] = Int32(index + 1) }
    }
    self.indices = indices
  }

  /// Adds a line of ink.
  ///
  /// - Parameter needsKnownSymbols: Whether a text with a symbol that is not among the labels is
  ///   refused, as training needs it; else the symbol counts as one that is never recognised.
  /// - Returns: whether it was added: it has points, a text, and known symbols.
  @discardableResult
  public mutating func append(
    _ trajectory: Trajectory, area: LocalArea?, text: String, needsKnownSymbols: Bool
  ) -> Bool {
    guard trajectory.count > 0, !text.isEmpty else { return false }
    let classes = text.map { indices[$0] ?? 0 }
    guard !needsKnownSymbols || !classes.contains(0) else { return false }
    var line = NormalizedLine()
    line.load(trajectory, area: area)
    samples.append(Sample(line: line, labels: classes, length: line.trajectory.pathLength))
    return true
  }
}
