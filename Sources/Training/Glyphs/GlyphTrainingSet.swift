import Features
import Foundation
import InkCore

/// Labelled inks in memory, in the form that training needs.
public struct GlyphTrainingSet: Sendable {
  /// One ink.
  public struct Sample: Sendable {
    /// The pen path in its own frame.
    package var trajectory: Trajectory
    /// Its writing area in that frame, or nil.
    public var area: LocalArea?
    /// Index into `labels`.
    public var label: Int32
  }

  /// The classes, sorted.
  public let labels: [String]
  /// The inks, in the order of their addition.
  public private(set) var samples: [Sample] = []

  /// The number of inks with a label that is not among the classes. In validation they are errors,
  /// as they are in `ductus evaluate`.
  package internal(set) var unknownCount = 0

  private let indices: [String: Int32]

  /// Makes an empty set for these classes.
  public init(labels: [String]) {
    self.labels = labels
    indices = Dictionary(
      labels.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds an ink.
  ///
  /// - Returns: true if the ink was added; false if its label is unknown or it has no points.
  /// - Throws: `InkError` if a coordinate is not finite.
  @discardableResult
  public mutating func append(_ record: LabeledInk) throws(InkError) -> Bool {
    let trajectory = try Trajectory(record.ink)
    let area = record.writingArea.map { LocalArea($0, in: trajectory.frame) }
    return append(trajectory, area: area, label: record.label)
  }

  /// Adds an ink that has been converted to a trajectory.
  ///
  /// - Returns: true if the ink was added; false if its label is unknown or it has no points.
  @discardableResult
  public mutating func append(_ trajectory: Trajectory, area: LocalArea?, label: String) -> Bool {
    guard let label = indices[label], trajectory.count > 0 else { return false }
    samples.append(Sample(trajectory: trajectory, area: area, label: label))
    return true
  }

  /// The number of inks of each class.
  package var counts: [Int] {
    var result = [Int](repeating: 0, count: labels.count)
    for sample in samples { result[Int(sample.label)] += 1 }
    return result
  }
}

/// The order in which an epoch visits the samples: a permutation. If the configuration asks for
/// balance, samples of rare classes are repeated and those of frequent classes thinned.
package struct EpochOrder {
  private let set: GlyphTrainingSet
  private let seed: UInt64
  private let batchSize: Int
  private let repeats: [Float]

  package init(_ set: GlyphTrainingSet, _ configuration: GlyphTrainingConfiguration) {
    self.set = set
    seed = configuration.seed
    batchSize = configuration.batchSize
    let counts = set.counts.map { Float(max($0, 1)) }
    let mean = Float(set.samples.count) / Float(max(counts.count, 1))
    let raw = counts.map { min(8, max(0.125, pow(mean / $0, configuration.balance))) }
    // A class without inks gets no share.
    let total = zip(raw, set.counts).reduce(Float(0)) { $0 + $1.0 * Float($1.1) }
    repeats = raw.map { $0 * Float(set.samples.count) / total }
  }

  /// The samples of an epoch in batches; the last batch may be shorter.
  func batches(epoch: Int) -> [ArraySlice<Int>] {
    let order = samples(epoch: epoch)
    return stride(from: 0, to: order.count, by: batchSize).map {
      order[$0..<min($0 + batchSize, order.count)]
    }
  }

  /// Returns as many indices as there are samples. They depend only on seed and epoch.
  package func samples(epoch: Int) -> [Int] {
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
