import Evaluation
import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Training

extension GlyphTrainingConfiguration {
  /// The networks whose training is timed.
  static let benched: [(name: String, configuration: GlyphTrainingConfiguration)] = [
    ("default", GlyphTrainingConfiguration()), ("wide", wide),
  ]

  /// Five convolution layers on 48 points, without direction maps. With 62 labels: 568,678
  /// parameters and 5,828,992 multiply-adds forward, which is 34.97 MFLOP per sample and step.
  private static let wide: GlyphTrainingConfiguration = {
    var result = GlyphTrainingConfiguration()
    result.pipeline.maps = nil
    result.layers = GlyphLayers(
      stages: [
        .init(channels: 32, kernel: 5, pools: false), .init(channels: 96, kernel: 3, pools: true),
        .init(channels: 160, kernel: 3, pools: false),
        .init(channels: 160, kernel: 3, pools: false), .init(channels: 176, kernel: 3, pools: true),
      ], mapUnits: 0, contextUnits: 8, headUnits: 160, dropout: 0.3)
    return result
  }()
}

extension GlyphNetwork {
  /// The number of parameters that are trained by gradient.
  var learnedCount: Int {
    parameters.reduce(0) { $1.role == .statistic ? $0 : $0 + $1.count }
  }
}

/// One training measurement, repeated in every round.
final class BenchTraining {
  let name: String
  let workers: Int
  let includesInk: Bool
  private let precision: TrainingPrecision
  private let trainer: GlyphTrainer
  private var samplesPerSecond: [Double] = []
  private var shareOfPeak: [Double] = []

  init(
    _ name: String, _ configuration: GlyphTrainingConfiguration, _ set: GlyphTrainingSet,
    workers: Int, includesInk: Bool
  ) throws {
    self.name = name
    self.workers = workers
    self.includesInk = includesInk
    precision = configuration.precision
    trainer = try GlyphTrainer(
      configuration: configuration, training: set, validation: set, workers: workers)
    // Allocate all memory.
    trainer.time(steps: 1)
  }

  /// Takes steps for about `seconds`. `peak` is the speed of matrix products measured around that
  /// time.
  func measure(seconds: Double, peak: Double) {
    trainer.time(steps: 1, reusingInputs: !includesInk)
    let one = trainer.time(steps: 1, reusingInputs: !includesInk).time / .seconds(1)
    let (time, samples) = trainer.time(
      steps: max(2, Int(seconds / one)), reusingInputs: !includesInk)
    let rate = Double(samples) / (time / .seconds(1))
    samplesPerSecond.append(rate)
    shareOfPeak.append(rate * megaflops / 1e3 / peak)
  }

  var report: BenchReport.Training {
    BenchReport.Training(
      network: name, parameters: trainer.task.network.learnedCount, megaflopsPerSample: megaflops,
      batchSize: trainer.configuration.batchSize, workers: workers, precision: precision.rawValue,
      includesInk: includesInk,
      samplesPerSecond: Spread(samplesPerSecond),
      gigaflops: Spread(samplesPerSecond.map { $0 * megaflops / 1e3 }),
      shareOfPeak: Spread(shareOfPeak))
  }

  private var megaflops: Double { 6 * Double(trainer.task.network.multiplyAdds) / 1e6 }
}

/// Large matrix products on several workers simultaneously.
struct BenchProducts {
  let workers: Int
  private let side: Int
  private(set) var gigaflops: [Double] = []

  /// Slow libraries get a smaller product.
  init(workers: Int) {
    self.workers = workers
    let probe = GEMMBenchmark.measure(
      rows: 256, inner: 256, columns: 256, threads: 1, seconds: 0.02)
    side = probe.gigaflops > 20 ? 1024 : 512
  }

  /// The total speed of all workers, each with its best product in about a tenth of a second.
  mutating func measure() async {
    let side = side
    let sum = await withTaskGroup(of: Double.self) { group in
      for _ in 0..<workers {
        group.addTask {
          GEMMBenchmark.measure(
            rows: side, inner: side, columns: side, threads: 1, seconds: 0.12
          ).gigaflops
        }
      }
      return await group.reduce(0, +)
    }
    gigaflops.append(sum)
  }
}
