import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Optimisation steps without a training run around them: no schedule, no validation, no
/// checkpoints. What benchmarks time.
///
/// A step is what ``GlyphTrainer`` does for one batch: augmentation, features, forward and
/// backward pass, reduction, clipping, AdamW and the moving average. Not thread-safe.
public final class GlyphStepTimer {
  /// The network that is trained.
  public let network: GlyphNetwork
  /// Samples of one step.
  public let batchSize: Int
  private let configuration: GlyphTrainingConfiguration
  private let order: [Int]
  private let runner: GlyphStepRunner
  private var stepsTaken = 0

  /// Prepares steps with fresh weights and takes one, so that all memory is in use.
  ///
  /// - Throws: ``TrainingError/noTrainingData`` where the set is empty.
  public init(
    configuration: GlyphTrainingConfiguration, training: GlyphTrainingSet, workers: Int
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    try configuration.check(classes: training.labels.count)
    self.configuration = configuration
    network = GlyphNetwork(
      configuration.layers.architecture(
        configuration.pipeline, classes: training.labels.count))
    batchSize = min(configuration.batchSize, training.samples.count)
    order = Array(training.samples.indices)
    let optimizer = AdamW(network)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    runner = GlyphStepRunner(
      network: network, pipeline: configuration.pipeline, set: training, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards,
        shardSize: GlyphStepRunner.largestShard(
          batchSize: batchSize, shards: configuration.shards),
        workers: max(1, workers), labelSmoothing: configuration.labelSmoothing,
        precision: configuration.precision,
        augmentation: configuration.augmentation))
    time(steps: 1)
  }

  /// Takes steps over consecutive batches and returns the time of all of them.
  ///
  /// - Parameter reusingInputs: Whether the network's inputs stay those of the step before, which
  ///   leaves reading, augmentation and features out of the time.
  @discardableResult
  public func time(steps: Int, reusingInputs: Bool = false) -> Duration {
    ContinuousClock().measure {
      for _ in 0..<steps { takeStep(reusingInputs: reusingInputs) }
    }
  }

  private func takeStep(reusingInputs: Bool) {
    let batches = order.count / batchSize
    let start = stepsTaken % batches * batchSize
    stepsTaken += 1
    let step = AdamW.Step(
      // Low enough to stay stable for as long as a benchmark runs.
      rate: configuration.peakRate / 16, weightDecay: configuration.weightDecay,
      gradientScale: 1, averageDecay: configuration.averageDecay, number: stepsTaken)
    _ = runner.run(
      order[start..<(start + batchSize)], epoch: 0, step: step,
      maximumNorm: configuration.maximumGradientNorm, reusingInputs: reusingInputs)
  }
}
