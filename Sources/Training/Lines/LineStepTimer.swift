import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Optimisation steps of a line network without a training run around them: what benchmarks time.
///
/// A step is what ``LineTrainer`` does for one batch. Not thread-safe.
public final class LineStepTimer {
  /// The network that is trained.
  public let network: SequenceNetwork
  /// Multiply-adds of the forward pass over the lines of one pass over the data.
  public let multiplyAdds: Double
  /// Lines of one pass over the data.
  public let lineCount: Int
  /// Input steps of a line before augmentation, on average.
  public let meanSteps: Double
  private let configuration: LineTrainingConfiguration
  private let training: LineTrainingSet
  private let batches: [[LineEpochOrder.Line]]
  private let runner: LineStepRunner
  private var stepsTaken = 0

  /// Optimisation steps of one pass over the data.
  public var stepsPerPass: Int { batches.count }

  /// Prepares steps with fresh weights and takes one pass over the data, so that all memory is in
  /// use. Lines are taken as they are, each once: ``LineTrainingConfiguration/cutsLines`` is nothing here.
  ///
  /// - Throws: ``TrainingError/noTrainingData`` where the set is empty.
  public init(
    configuration: LineTrainingConfiguration, training: LineTrainingSet, workers: Int
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    try configuration.check(classes: training.labels.count + 1)
    var configuration = configuration
    configuration.cutsLines = false
    self.configuration = configuration
    self.training = training
    let network = SequenceNetwork(
      configuration.layers.architecture(
        configuration.pipeline, classes: training.labels.count + 1))
    self.network = network
    let optimizer = AdamW(network.parameters, count: network.parameterCount)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    runner = LineStepRunner(
      network: network, pipeline: configuration.pipeline, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards, workers: max(1, workers),
        precision: configuration.precision, augmentation: configuration.augmentation))
    batches = LineEpochOrder(training, configuration).batches(epoch: 0, of: training)
    lineCount = batches.reduce(0) { $0 + $1.count }
    let length = training.samples.reduce(0) { $0 + Double($1.length) }
    meanSteps = length / Double(configuration.pipeline.spacing) / Double(training.samples.count)
    multiplyAdds = training.samples.reduce(0) { sum, sample in
      sum + Double(network.multiplyAdds(Int(sample.length / configuration.pipeline.spacing)))
    }
    timeOnePass()
  }

  /// Takes the steps of one pass over the data and returns their time.
  @discardableResult
  public func timeOnePass() -> Duration {
    ContinuousClock().measure {
      for batch in batches {
        stepsTaken += 1
        let step = AdamW.Step(
          // Low enough to stay stable for as long as a benchmark runs.
          rate: configuration.peakRate / 16, weightDecay: configuration.weightDecay,
          gradientScale: 1, averageDecay: configuration.averageDecay, number: stepsTaken)
        _ = runner.run(
          batch, of: training, epoch: 0, step: step,
          maximumNorm: configuration.maximumGradientNorm)
      }
    }
  }
}
