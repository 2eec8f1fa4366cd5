import Dispatch
import Features
import Foundation
import LinearAlgebra
import Metrics
import Networks

/// Scores weights on a set of inks, with their writing areas and without.
final class GlyphValidator: @unchecked Sendable {
  // Unchecked because each worker writes to its own part of the results only.

  struct Result: Hashable, Sendable {
    var accuracy: Double
    var withoutArea: Double?
    var loss: Double
  }

  private let network: GlyphNetwork
  private let pipeline: FeaturePipeline
  private let set: GlyphTrainingSet
  private let workers: Int
  private static let batch = 32

  init(network: GlyphNetwork, pipeline: FeaturePipeline, set: GlyphTrainingSet, workers: Int) {
    self.network = network
    self.pipeline = pipeline
    self.set = set
    self.workers = workers
  }

  func validate(_ parameters: AlignedBuffer) -> Result {
    let (loss, correct) = score(parameters, usesArea: true)
    let count = Double(set.samples.count)
    var without: Double?
    if set.samples.contains(where: { $0.area != nil }) {
      without = Double(score(parameters, usesArea: false).correct) / count
    }
    return Result(accuracy: Double(correct) / count, withoutArea: without, loss: loss / count)
  }

  /// The temperature that calibrates the logits, over the inks with and without their areas.
  func temperature(_ parameters: AlignedBuffer) -> Double {
    var rows = logits(parameters, usesArea: true)
    var labels = set.samples.map { Int($0.label) }
    if set.samples.contains(where: { $0.area != nil }) {
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

  private func score(_ parameters: AlignedBuffer, usesArea: Bool) -> (loss: Double, correct: Int) {
    var rows = logits(parameters, usesArea: usesArea)
    let labels = set.samples.map(\.label)
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
    let count = set.samples.count
    let classes = network.classes
    return [Float](unsafeUninitializedCapacity: count * classes) { buffer, filled in
      filled = count * classes
      guard let base = buffer.baseAddress else { return }
      let output = UncheckedPointer(base)
      // Workers take whole batches: BLAS may round a row differently in a product of other size.
      let batches = (count + Self.batch - 1) / Self.batch
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        let start = batches * worker / workers * Self.batch
        let end = min(count, batches * (worker + 1) / workers * Self.batch)
        run(start..<max(start, end), parameters, usesArea: usesArea, output.pointer)
      }
    }
  }

  private func run(
    _ range: Range<Int>, _ parameters: AlignedBuffer, usesArea: Bool,
    _ output: UnsafeMutablePointer<Float>
  ) {
    var extractor = FeatureExtractor(pipeline)
    let architecture = network.architecture
    let input = GlyphInput(architecture, batch: Self.batch)
    let workspace = network.makeWorkspace(batch: Self.batch)
    let context = LayerContext(parameters: parameters.pointer)
    var start = range.lowerBound
    while start < range.upperBound {
      let batch = min(Self.batch, range.upperBound - start)
      for row in 0..<batch {
        let sample = set.samples[start + row]
        extractor.extract(
          sample.trajectory, area: usesArea ? sample.area : nil,
          sequence: input.sequence.pointer + row * architecture.sequence.count,
          maps: input.maps.pointer + row * architecture.maps,
          globals: input.globals.pointer + row * architecture.globals)
      }
      let logits = network.forward(input, batch: batch, workspace: workspace, context: context)
      (output + start * network.classes).update(from: logits, count: batch * network.classes)
      start += batch
    }
  }
}

/// A pointer that workers may share because they write to disjoint parts.
private struct UncheckedPointer: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Float>

  init(_ pointer: UnsafeMutablePointer<Float>) { self.pointer = pointer }
}
