import Features
import InkCore

/// Labelled inks held in memory in the form training wants.
public struct GlyphTrainingSet: Sendable {
  /// One ink.
  public struct Sample: Sendable {
    /// The pen path in its own frame.
    public var trajectory: Trajectory
    /// Its writing area in that frame, or nil.
    public var area: LocalArea?
    /// Index into `labels`.
    public var label: Int32
  }

  /// The classes, sorted.
  public let labels: [String]
  /// The inks, in the order they came.
  public private(set) var samples: [Sample] = []

  private let indices: [String: Int32]

  /// Makes an empty set for these classes.
  public init(labels: [String]) {
    self.labels = labels
    indices = Dictionary(
      labels.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds an ink.
  ///
  /// - Returns: whether it was added: its label is known and it has points.
  /// - Throws: ``InkError`` where a coordinate is not finite.
  @discardableResult
  public mutating func append(_ record: LabeledInk) throws(InkError) -> Bool {
    let trajectory = try Trajectory(record.ink)
    let area = record.writingArea.map { LocalArea($0, in: trajectory.frame) }
    return append(trajectory, area: area, label: record.label)
  }

  /// Adds an ink that is a trajectory already.
  ///
  /// - Returns: whether it was added: its label is known and it has points.
  @discardableResult
  public mutating func append(_ trajectory: Trajectory, area: LocalArea?, label: String) -> Bool {
    guard let label = indices[label], trajectory.count > 0 else { return false }
    samples.append(Sample(trajectory: trajectory, area: area, label: label))
    return true
  }

  /// How many inks each class has.
  public var counts: [Int] {
    var result = [Int](repeating: 0, count: labels.count)
    for sample in samples { result[Int(sample.label)] += 1 }
    return result
  }
}
