import Features
import Files
import Foundation
import LinearAlgebra
import Metrics
import Networks

/// Scores weights on a set of lines, decoding greedily.
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
    let parts = workers.map(
      batches.count, scratch: { LineValidationWorker(network, pipeline) }
    ) { batch, worker in
      worker.score(batches[batch], of: set, network, parameters, keepsReadings: limit > 0)
    }
    let sum = parts.reduce(into: Part()) { $0.add($1) }
    let score = ValidationScore(
      accuracy: 1 - (sum.edits.rate ?? 0), loss: sum.loss / Double(max(1, sum.characters)))
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
      ink.turn(set.direction)
      return MisreadSample(
        index: reading.index, label: set.text(of: sample),
        read: reading.labels.map { set.labels[Int($0) - 1] }.joined(), confidence: nil,
        edits: reading.edits,
        strokes: MisreadSample.strokes(of: ink.x, ink.y, ends: ink.strokeEnds))
    }
  }

  /// A line that was read wrongly.
  fileprivate struct Reading {
    var index: Int
    var labels: [Int32]
    var edits: Int
  }

  /// Sums over some lines.
  fileprivate struct Part {
    var edits = EditDistance()
    var loss = 0.0
    var characters = 0
    /// The wrong readings of these lines, if they are kept.
    var readings: [Reading] = []

    mutating func add(_ other: Part) {
      edits += other.edits
      loss += other.loss
      characters += other.characters
    }
  }
}

/// The memory and the computation of one validating thread.
private final class LineValidationWorker {
  private let workspace: SequenceNetwork.Workspace
  private var batch: LineBatch
  private var scratch = AlignedBuffer(count: 0)
  private var decoded: [Int32] = []

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
    for index in indices { batch.append(set.samples[index].line, index: index) }
    batch.load(into: workspace)
    let output = network.forward(
      workspace, context: LayerContext(parameters: parameters.pointer))
    for (row, index) in batch.order.enumerated() {
      let labels = set.samples[index].labels
      GreedyDecoding.labels(
        output, classes: network.architecture.classes, sequence: row,
        of: workspace.outputSequences, into: &decoded)
      let edits = EditDistance(reference: labels, hypothesis: decoded)
      part.edits += edits
      if keepsReadings, edits.total > 0 {
        part.readings.append(.init(index: index, labels: decoded, edits: edits.total))
      }
      addLoss(output, row, labels, network, &part)
    }
    return part
  }

  private func addLoss(
    _ output: UnsafeMutablePointer<Float>, _ row: Int, _ labels: [Int32],
    _ network: SequenceNetwork,
    _ part: inout LineValidator.Part
  ) {
    guard !labels.contains(0) else { return }
    let layout = workspace.outputSequences
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
