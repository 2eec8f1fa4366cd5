import Features
import Foundation
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

/// The order in which an epoch visits the samples: a permutation, with rare classes repeated and
/// frequent ones thinned where the configuration asks for balance.
struct EpochOrder {
  private let set: GlyphTrainingSet
  private let seed: UInt64
  private let batchSize: Int
  private let repeats: [Float]

  init(_ set: GlyphTrainingSet, _ configuration: GlyphTrainingConfiguration) {
    self.set = set
    seed = configuration.seed
    batchSize = configuration.batchSize
    let counts = set.counts.map { Float(max($0, 1)) }
    let mean = Float(set.samples.count) / Float(max(counts.count, 1))
    let raw = counts.map { min(8, max(0.125, pow(mean / $0, configuration.balance))) }
    // A class without inks takes no share.
    let total = zip(raw, set.counts).reduce(Float(0)) { $0 + $1.0 * Float($1.1) }
    repeats = raw.map { $0 * Float(set.samples.count) / total }
  }

  /// The samples of an epoch in batches, the last one shorter where they do not come out even.
  func batches(epoch: Int) -> [ArraySlice<Int>] {
    let order = samples(epoch: epoch)
    return stride(from: 0, to: order.count, by: batchSize).map {
      order[$0..<min($0 + batchSize, order.count)]
    }
  }

  /// As many indices as there are samples; depends on seed and epoch only.
  func samples(epoch: Int) -> [Int] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    let count = set.samples.count
    var order: [Int] = []
    order.reserveCapacity(count + count / 8)
    for (index, sample) in set.samples.enumerated() {
      let wanted = repeats[Int(sample.label)]
      let copies = Int(wanted + (wanted == 1 ? 0 : generator.uniform()))
      for _ in 0..<copies { order.append(index) }
    }
    while order.count < count { order.append(generator.index(below: count)) }
    for index in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(index, generator.index(below: index + 1))
    }
    order.removeLast(order.count - count)
    return order
  }
}
