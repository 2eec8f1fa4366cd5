import Features
import Files
import Foundation
import InkCore

/// Labelled inks in the form that training needs: 16 bytes of memory for each, and their points in
/// memory, or in files if they are many.
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

  /// The inks, each decoded when it is used. O(points) for each use.
  public struct Samples: RandomAccessCollection, Sendable {
    fileprivate struct Row {
      var place: RecordStore.Place
      var label: Int32
      var hasArea: Bool
    }

    fileprivate var rows: [Row] = []
    fileprivate var store: RecordStore

    /// The first index.
    public var startIndex: Int { 0 }
    /// The number of inks.
    public var endIndex: Int { rows.count }

    /// Decodes an ink.
    public subscript(index: Int) -> Sample {
      var trajectory = Trajectory()
      let area = load(index, into: &trajectory)
      return Sample(trajectory: trajectory, area: area, label: rows[index].label)
    }

    /// Decodes an ink into a trajectory whose memory is kept, and returns its writing area.
    func load(_ index: Int, into trajectory: inout Trajectory) -> LocalArea? {
      store.withBytes(at: rows[index].place) { SampleRecord.load($0, into: &trajectory) }
    }

    /// The class of an ink, an index into the labels. O(1).
    package func label(of index: Int) -> Int32 { rows[index].label }

    /// The classes of all inks. O(inks).
    package var classes: [Int32] { rows.map(\.label) }

    /// True if an ink has a writing area. O(inks).
    var haveAreas: Bool { rows.contains { $0.hasArea } }
  }

  /// The classes, sorted.
  public let labels: [String]
  /// The inks, in the order of their addition.
  public private(set) var samples: Samples

  /// The number of inks with a label that is not among the classes. In validation they are errors,
  /// as they are in `ductus evaluate`.
  package internal(set) var unknownCount = 0

  private let indices: [String: Int32]

  /// Makes an empty set for these classes.
  public init(labels: [String]) {
    self.init(labels: labels, in: RecordStore())
  }

  private init(labels: [String], in store: RecordStore) {
    self.labels = labels
    indices = Dictionary(
      labels.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    samples = Samples(store: store)
  }

  /// Takes the samples of a reading, whose ink stays where it is. Those whose label is not among the
  /// classes are counted as unknown.
  init(labels: [String], of reading: StoredSamples) {
    self.init(labels: labels, in: reading.store)
    let known = reading.labels.map { indices[$0] }
    samples.rows.reserveCapacity(reading.count)
    for row in reading.rows {
      guard let label = known[Int(row.label)] else {
        unknownCount += 1
        continue
      }
      samples.rows.append(
        Samples.Row(
          place: row.place, label: label,
          hasArea: reading.store.withBytes(at: row.place, SampleRecord.hasArea)))
    }
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
    let record = SampleRecord(trajectory, area: area)
    let place = samples.store.append(count: record.size, record.write)
    samples.rows.append(Samples.Row(place: place, label: label, hasArea: area != nil))
    return true
  }

  /// The inks of some indices, with the same classes. O(indices).
  func subset(_ indices: [Int]) -> GlyphTrainingSet {
    var result = GlyphTrainingSet(labels: labels, in: samples.store)
    result.samples.rows = indices.map { samples.rows[$0] }
    return result
  }

  /// The number of inks of each class.
  package var counts: [Int] {
    var result = [Int](repeating: 0, count: labels.count)
    for row in samples.rows { result[Int(row.label)] += 1 }
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
    for index in 0..<count {
      let wanted = repeats[Int(set.samples.label(of: index))]
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
