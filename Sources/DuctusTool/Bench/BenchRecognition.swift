import Evaluation
import Features
import Foundation
import Histogram
import InkCore
import LinearAlgebra
import ModelFormat
import Networks
import Recognition
import Training

extension GlyphModel {
  /// A model of the default preset with fresh weights. Its times do not depend on the weights.
  static var fresh: GlyphModel {
    let configuration = GlyphTrainingConfiguration()
    let network = GlyphNetwork(
      unchecked:
        configuration.layers.architecture(
          configuration.pipeline, classes: BenchInks.labels.count))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 1)
    network.initialize(parameters, using: &generator)
    let (folded, weights) = network.folded(parameters)
    return GlyphModel(
      labels: BenchInks.labels, pipeline: configuration.pipeline, network: folded,
      parameters: weights, temperature: 1.2)
  }
}

/// Measures recognition of single inks on one thread, with fresh weights.
final class BenchRecognition {
  private let model: GlyphModel
  private let classifier: GlyphClassifier
  private let inks: BenchInks
  private var total = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
  private var features = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
  private var forward = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
  private var medians: [Double] = []
  private var featureRates: [Double] = []

  init(inks: BenchInks) {
    self.inks = inks
    model = .fresh
    classifier = GlyphClassifier(model: model)
  }

  /// Recognises every ink once, and also runs its features and its network separately.
  func measure() throws {
    var round = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
    for record in inks.records.prefix(50) { _ = try recognize(record) }
    for record in inks.records {
      let time = try recognize(record)
      round.record(time)
      total.record(time)
    }
    medians.append(Double(round.valueAtPercentile(50)) / 1e3)
    try measureParts()
  }

  private func recognize(_ record: LabeledInk) throws -> UInt64 {
    let context = RecognitionContext(writingArea: record.writingArea)
    let start = ContinuousClock.now
    let result = try classifier.recognize(record.ink, context: context, maximumCandidates: 10)
    let time = ContinuousClock.now - start
    precondition(result.candidates.count == 10)
    return time.nanoseconds
  }

  private func measureParts() throws {
    let architecture = model.network.architecture
    let input = GlyphInput(architecture, batch: 1)
    let workspace = model.network.makeWorkspace(batch: 1)
    let context = LayerContext(parameters: model.parameters.pointer)
    var extractor = FeatureExtractor(model.pipeline)
    var trajectory = Trajectory()
    var sum: UInt64 = 0
    for record in inks.records {
      let start = ContinuousClock.now
      try trajectory.load(record.ink)
      let area = record.writingArea.map { LocalArea($0, in: trajectory.frame) }
      extractor.extract(
        trajectory, area: area, sequence: input.sequence.pointer, maps: input.maps.pointer,
        globals: input.globals.pointer)
      let middle = ContinuousClock.now
      _ = model.network.forward(input, batch: 1, workspace: workspace, context: context)
      let end = ContinuousClock.now
      features.record((middle - start).nanoseconds)
      forward.record((end - middle).nanoseconds)
      sum += (middle - start).nanoseconds
    }
    featureRates.append(Double(inks.records.count) / Double(sum) * 1e9)
  }

  var report: BenchReport.Recognition {
    BenchReport.Recognition(
      network: "default", parameters: model.network.learnedCount, labels: model.labels.count,
      inks: Int(total.totalCount), pointsPerInk: inks.pointsPerInk,
      total: Percentiles(of: total, unit: 1e3), features: Percentiles(of: features, unit: 1e3),
      forward: Percentiles(of: forward, unit: 1e3), roundMedians: Spread(medians),
      featureInksPerSecond: Spread(featureRates))
  }

  /// Writes the model as a bundle to a temporary folder and opens it several times.
  func measureLoad(times: Int) throws -> BenchReport.Load {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = folder.appendingPathComponent("bench.ductus")
    let manifest = ModelManifest(
      kind: .glyph, identifier: "bench", name: "Bench", labels: model.labels,
      data: [.init(name: "made by ductus bench", licence: "none", attribution: "none")],
      architecture: .null, features: .null)
    let written = try model.bundle(manifest).write(to: bundle)
    var milliseconds: [Double] = []
    for _ in 0..<times {
      let start = ContinuousClock.now
      let opened = try GlyphClassifier(contentsOf: bundle)
      milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
      precondition(opened.model.labels == model.labels)
    }
    return BenchReport.Load(
      bytes: written.manifest.parts.reduce(0) { $0 + $1.length },
      milliseconds: Spread(milliseconds))
  }
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
  }
}
