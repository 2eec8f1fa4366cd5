import Features
import Files
import Foundation
import InkCore
import LinearAlgebra
import Metrics
import Networks

/// Scores weights on a set of lines, decoding greedily. Errors are counted as `ductus evaluate
/// --greedy` counts them: rows of ink that has several are read one after the other.
struct LineValidator: Sendable {
  private let network: SequenceNetwork
  private let pipeline: LinePipeline
  private let set: LineTrainingSet
  private let workers: WorkerPool
  /// Batches of indices, sorted by length.
  private let batches: [[Int]]
  /// Lines per pass through the network.
  private static let batchSize = 8

  init(network: SequenceNetwork, pipeline: LinePipeline, set: LineTrainingSet, workers: Int) {
    self.network = network
    self.pipeline = pipeline
    self.set = set
    self.workers = WorkerPool(count: workers)
    let order = set.samples.indices.sorted {
      (set.samples[$0].length, $0) < (set.samples[$1].length, $1)
    }
    batches = stride(from: 0, to: order.count, by: Self.batchSize).map {
      Array(order[$0..<min($0 + Self.batchSize, order.count)])
    }
  }

  /// Scores weights, and returns the lines with the highest character error rates. The loss is the
  /// mean over the characters of the lines whose texts the network can write.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors limit: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    let parts = workers.map(batches.count, scratch: worker) { batch, worker in
      worker.score(batches[batch], of: set, network, parameters, keepsReadings: limit > 0)
    }
    return validation(parts, keepingErrors: limit)
  }

  /// Scores weights as ``validate(_:keepingErrors:)`` does, with the work divided between ranks.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors limit: Int, ranks: any TrainingRanks
  ) throws -> (score: ValidationScore, errors: [MisreadSample]) {
    let parts = try workers.map(batches.count, ranks: ranks, scratch: worker) { batch, worker in
      worker.score(batches[batch], of: set, network, parameters, keepsReadings: limit > 0)
    }
    return validation(parts, keepingErrors: limit)
  }

  @Sendable private func worker() -> LineValidationWorker {
    LineValidationWorker(network, pipeline)
  }

  private func validation(
    _ parts: [Part], keepingErrors limit: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    let sum = parts.reduce(into: Part()) { $0.add($1) }
    let score = ValidationScore(
      accuracy: 1 - sum.errorRate, loss: sum.loss / Double(max(1, sum.characters)))
    return (score, limit > 0 ? worstErrors(parts.flatMap(\.readings), limit: limit) : [])
  }

  private func worstErrors(_ readings: [Reading], limit: Int) -> [MisreadSample] {
    var worst = WorstErrors(limit: limit)
    for (place, reading) in readings.enumerated() {
      let length = max(1, set.samples[reading.index].labels.count)
      worst.add(place, weight: Double(reading.edits) / Double(length))
    }
    return worst.places.map { place, _ in
      let reading = readings[place]
      let sample = set.samples[reading.index]
      var ink = sample.line.trajectory
      for (row, line) in sample.otherRows.enumerated() {
        ink.append(line.trajectory, below: Float(row + 1) * Self.rowDistance)
      }
      ink.turn(set.direction)
      return MisreadSample(
        index: reading.index, label: sample.reference ?? set.text(of: sample), read: reading.text,
        confidence: nil, edits: reading.edits,
        strokes: MisreadSample.strokes(of: ink.x, ink.y, ends: ink.strokeEnds))
    }
  }

  /// The distance between rows that are shown, in line heights.
  private static let rowDistance: Float = 1.5

  /// A line that was read wrongly.
  fileprivate struct Reading: Codable {
    var index: Int
    var text: String
    var edits: Int
  }

  /// Sums over some lines.
  fileprivate struct Part: Codable {
    /// Wrong, missing and additional characters.
    var edits = 0
    /// The characters of the texts.
    var length = 0
    var loss = 0.0
    var characters = 0
    /// The wrong readings of these lines, if they are kept.
    var readings: [Reading] = []

    mutating func add(_ other: Part) {
      edits += other.edits
      length += other.length
      loss += other.loss
      characters += other.characters
    }

    var errorRate: Double { length > 0 ? Double(edits) / Double(length) : 0 }
  }
}

/// The memory and the computation of one validating thread.
private final class LineValidationWorker {
  private let workspace: SequenceNetwork.Workspace
  private var batch: LineBatch
  private var scratch = AlignedBuffer(count: 0)
  private var decoded: [Int32] = []
  /// The rows of a batch.
  private var rows: [Row] = []
  /// The output of the rows of one ink, one after the other.
  private var joined = AlignedBuffer(count: 0)
  private let joinedSequence = PackedSequences()

  /// A row of the ink of one sample.
  private struct Row {
    var index: Int
    var isFirst: Bool
    /// The sequence of the network's output.
    var sequence = 0
    var text = ""
  }

  init(_ network: SequenceNetwork, _ pipeline: LinePipeline) {
    workspace = network.makeWorkspace()
    batch = LineBatch(pipeline)
  }

  func score(
    _ indices: [Int], of set: LineTrainingSet, _ network: SequenceNetwork,
    _ parameters: AlignedBuffer, keepsReadings: Bool
  ) -> LineValidator.Part {
    var part = LineValidator.Part()
    batch.removeAll()
    rows.removeAll(keepingCapacity: true)
    for index in indices {
      for (place, line) in set.samples[index].rows.enumerated() {
        batch.append(line, index: rows.count)
        rows.append(Row(index: index, isFirst: place == 0))
      }
    }
    batch.load(into: workspace)
    let output = network.forward(
      workspace, context: LayerContext(parameters: parameters.pointer))
    for (sequence, row) in batch.order.enumerated() {
      GreedyDecoding.labels(
        output, classes: network.architecture.classes, sequence: sequence,
        of: workspace.outputSequences, into: &decoded)
      rows[row].sequence = sequence
      rows[row].text = decoded.reduce(into: "") { $0 += set.labels[Int($1) - 1] }
    }
    for first in batch.order where rows[first].isFirst {
      let index = rows[first].index
      let sample = set.samples[index]
      let own = rows[first...(first + sample.otherRows.count)]
      // As in `TextErrorRate`, which also counts words.
      let read = own.map(\.text).joined(separator: "\n")
      let edits = EditDistance(
        reference: TextErrorRate.normalized(sample.reference ?? set.text(of: sample)),
        hypothesis: TextErrorRate.normalized(read))
      part.edits += edits.total
      part.length += edits.referenceCount
      if keepsReadings, edits.total > 0 {
        part.readings.append(.init(index: index, text: read, edits: edits.total))
      }
      if own.count == 1 {
        addLoss(
          output, own[first].sequence, of: workspace.outputSequences, sample.labels, network, &part)
      } else {
        join(own.map(\.sequence), of: output, space: set.space, network)
        addLoss(joined.pointer, 0, of: joinedSequence, sample.labels, network, &part)
      }
    }
    return part
  }

  /// Joins the outputs of rows. Between two rows, a space is as likely as none.
  private func join(
    _ sequences: [Int], of output: UnsafeMutablePointer<Float>, space: Int32?,
    _ network: SequenceNetwork
  ) {
    let (layout, classes) = (workspace.outputSequences, network.architecture.classes)
    let steps = sequences.reduce(sequences.count - 1) { $0 + layout.lengths[$1] }
    if joined.count < steps * classes { joined = AlignedBuffer(count: steps * classes) }
    joinedSequence.set(lengths: CollectionOfOne(steps))
    var target = joined.pointer
    for (place, sequence) in sequences.enumerated() {
      if place > 0 {
        target.update(repeating: Self.impossible, count: classes)
        target[ConnectionistTemporalClassification.blank] = space == nil ? 0 : log(0.5)
        if let space { target[Int(space)] = log(0.5) }
        target += classes
      }
      for step in 0..<layout.lengths[sequence] {
        let row = layout.row(sequence: sequence, step: step)
        target.update(from: output + row * classes, count: classes)
        target += classes
      }
    }
  }

  /// The logarithm of the probability of what cannot be between two rows.
  private static let impossible: Float = -100

  private func addLoss(
    _ output: UnsafeMutablePointer<Float>, _ row: Int, of layout: PackedSequences,
    _ labels: [Int32], _ network: SequenceNetwork, _ part: inout LineValidator.Part
  ) {
    guard !labels.contains(0) else { return }
    let needed = ConnectionistTemporalClassification.scratchCount(
      steps: layout.lengths[row], labels: labels.count)
    if scratch.count < needed { scratch = AlignedBuffer(count: needed + needed / 4) }
    let value = ConnectionistTemporalClassification.loss(
      output, classes: network.architecture.classes, sequence: row, of: layout, labels: labels,
      scratch: scratch.pointer, scale: 0)
    guard value < .infinity else { return }
    part.loss += value
    part.characters += labels.count
  }
}

extension Trajectory {
  /// Appends the strokes of a row below this one.
  fileprivate mutating func append(_ row: Trajectory, below distance: Float) {
    for stroke in row.strokeEnds.indices {
      for point in row.stroke(stroke) {
        append(x: row.x[point], y: row.y[point] + distance, time: row.time[point])
      }
      endStroke()
    }
  }
}
