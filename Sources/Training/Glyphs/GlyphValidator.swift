import Features
import Files
import Foundation
import InkCore
import LinearAlgebra
import Metrics
import Networks

/// Scores weights on a set of inks, with and without their writing areas. An ink whose label is not
/// among the classes is an error, which has no loss.
struct GlyphValidator: Sendable {
  private let network: GlyphNetwork
  private let pipeline: FeaturePipeline
  private let set: GlyphTrainingSet
  private let workers: WorkerPool
  /// The batch size is fixed because BLAS may round a row differently in a product of another size.
  private static let batch = 32

  init(network: GlyphNetwork, pipeline: FeaturePipeline, set: GlyphTrainingSet, workers: Int) {
    self.network = network
    self.pipeline = pipeline
    self.set = set
    self.workers = WorkerPool(count: workers)
  }

  /// Scores weights, and returns the most confident errors with areas.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors limit: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    validation(keepingErrors: limit) { logits(parameters, usesArea: $0) }
  }

  /// Scores weights as ``validate(_:keepingErrors:)`` does, with the work divided between ranks.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors limit: Int, ranks: any TrainingRanks
  ) throws -> (score: ValidationScore, errors: [MisreadSample]) {
    try validation(keepingErrors: limit) { try logits(parameters, usesArea: $0, ranks: ranks) }
  }

  /// - Parameter logits: Returns the logits [N, K] of all samples, with or without their areas.
  private func validation(
    keepingErrors limit: Int, _ logits: (_ usesArea: Bool) throws -> [Float]
  ) rethrows -> (score: ValidationScore, errors: [MisreadSample]) {
    let rows = try logits(true)
    let errors = limit > 0 ? worstErrors(rows, limit: limit) : []
    let (loss, correct) = score(rows)
    let all = Double(set.samples.count + set.unknownCount)
    var without: Double?
    if set.samples.haveAreas {
      without = Double(score(try logits(false)).correct) / all
    }
    let score = ValidationScore(
      accuracy: Double(correct) / all, accuracyWithoutArea: without,
      loss: loss / Double(set.samples.count))
    return (score, errors)
  }

  /// The errors with the most confident answers, by logits [N, K].
  private func worstErrors(_ rows: [Float], limit: Int) -> [MisreadSample] {
    var worst = WorstErrors(limit: limit)
    var answers: [Int: Int] = [:]
    for index in set.samples.indices {
      let row = rows[index * network.classes..<(index + 1) * network.classes]
      guard let best = row.indices.max(by: { row[$0] < row[$1] }),
        best - row.startIndex != Int(set.samples.label(of: index))
      else { continue }
      answers[index] = best - row.startIndex
      worst.add(index, weight: 1 / row.reduce(0.0) { $0 + exp(Double($1 - row[best])) })
    }
    return worst.places.map { index, confidence in
      let sample = set.samples[index]
      return MisreadSample(
        index: index, label: set.labels[Int(sample.label)], read: set.labels[answers[index] ?? 0],
        confidence: confidence, edits: 1,
        strokes: MisreadSample.strokes(
          of: sample.trajectory.x, sample.trajectory.y, ends: sample.trajectory.strokeEnds))
    }
  }

  /// Fits the temperature that calibrates the logits, over the inks with and without their areas.
  func temperature(_ parameters: AlignedBuffer) -> Double {
    var rows = logits(parameters, usesArea: true)
    var labels = set.samples.classes.map(Int.init)
    if set.samples.haveAreas {
      rows += logits(parameters, usesArea: false)
      labels += labels
    }
    return TemperatureScaling.temperature(
      logits: rows, classCount: network.classes, labels: labels)
  }

  /// Probabilities [N, K] of all samples, with their areas.
  func probabilities(_ parameters: AlignedBuffer, temperature: Double) -> [Float] {
    var rows = logits(parameters, usesArea: true)
    for index in rows.indices { rows[index] /= Float(temperature) }
    rows.withUnsafeMutableBufferPointer { rows in
      guard let first = rows.baseAddress else { return }
      Kernels.logSoftmax(first, rows: set.samples.count, columns: network.classes)
    }
    return rows.map(exp)
  }

  /// Loss and correct answers of logits [N, K].
  private func score(_ logits: consuming [Float]) -> (loss: Double, correct: Int) {
    var rows = logits
    let labels = set.samples.classes
    return rows.withUnsafeMutableBufferPointer { rows in
      labels.withUnsafeBufferPointer { labels in
        guard let logits = rows.baseAddress, let first = labels.baseAddress else { return (0, 0) }
        return Kernels.softmaxCrossEntropy(
          logits, labels: first, rows: labels.count, columns: network.classes, smoothing: 0,
          scale: 1)
      }
    }
  }

  /// Logits [N, K] of all samples.
  private func logits(_ parameters: AlignedBuffer, usesArea: Bool) -> [Float] {
    workers.map(batchCount, scratch: worker) { batch, worker in
      worker.logits(samples(of: batch), network, parameters, usesArea: usesArea)
    }.flatMap(\.self)
  }

  /// Logits [N, K] of all samples, of which each rank computes some batches.
  private func logits(
    _ parameters: AlignedBuffer, usesArea: Bool, ranks: any TrainingRanks
  ) throws -> [Float] {
    try workers.map(batchCount, ranks: ranks, scratch: worker) { batch, worker in
      let logits = worker.logits(samples(of: batch), network, parameters, usesArea: usesArea)
      return logits.withUnsafeBytes { Data($0) }
    }.flatMap { bytes in
      [Float](unsafeUninitializedCapacity: bytes.count / MemoryLayout<Float>.size) {
        memory, count in
        count = bytes.copyBytes(to: memory) / MemoryLayout<Float>.size
      }
    }
  }

  private var batchCount: Int { (set.samples.count + Self.batch - 1) / Self.batch }

  private func samples(of batch: Int) -> Slice<GlyphTrainingSet.Samples> {
    let start = batch * Self.batch
    return set.samples[start..<min(start + Self.batch, set.samples.count)]
  }

  @Sendable private func worker() -> Worker {
    Worker(network, FeatureExtractor(pipeline), batch: Self.batch)
  }

  /// The memory and the computation of one thread.
  private struct Worker {
    private var extractor: FeatureExtractor
    private var trajectory = Trajectory()
    private let input: GlyphInput
    private let workspace: GlyphNetwork.Workspace

    init(_ network: GlyphNetwork, _ extractor: FeatureExtractor, batch: Int) {
      self.extractor = extractor
      input = GlyphInput(network.architecture, batch: batch)
      workspace = network.makeWorkspace(batch: batch)
    }

    /// Logits [B, K] of a batch.
    mutating func logits(
      _ samples: Slice<GlyphTrainingSet.Samples>, _ network: GlyphNetwork,
      _ parameters: AlignedBuffer, usesArea: Bool
    ) -> [Float] {
      let architecture = network.architecture
      for (row, index) in samples.indices.enumerated() {
        let area = samples.base.load(index, into: &trajectory)
        extractor.extract(
          trajectory, area: usesArea ? area : nil,
          sequence: input.sequence.pointer + row * architecture.sequence.count,
          maps: input.maps.pointer + row * architecture.maps,
          globals: input.globals.pointer + row * architecture.globals)
      }
      let logits = network.forward(
        input, batch: samples.count, workspace: workspace,
        context: LayerContext(parameters: parameters.pointer))
      return Array(
        UnsafeBufferPointer(start: logits, count: samples.count * network.classes))
    }
  }
}
