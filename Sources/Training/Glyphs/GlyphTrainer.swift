import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a glyph network: one ink, one label.
public final class GlyphTrainer: ResumableTrainer {
  /// What decides the outcome.
  public let configuration: GlyphTrainingConfiguration
  /// Classes and training inks.
  public let training: GlyphTrainingSet
  /// Validation inks of other writers, with the same classes.
  public let validation: GlyphTrainingSet
  /// Threads; does not change the result.
  public let workers: Int

  let network: GlyphNetwork
  /// What it does as all trainers do.
  public let loop: TrainingLoop
  private let runner: GlyphStepRunner
  private let validator: GlyphValidator

  /// Prepares training with fresh weights.
  ///
  /// - Throws: ``TrainingError`` where the data cannot be trained on.
  public init(
    configuration: GlyphTrainingConfiguration, training: GlyphTrainingSet,
    validation: GlyphTrainingSet, workers: Int
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    guard training.labels.count >= 2 else { throw .tooFewClasses(found: training.labels.count) }
    guard !validation.samples.isEmpty else { throw .noValidationData }
    guard validation.labels == training.labels else { throw .differentLabels }
    try configuration.check(classes: training.labels.count)
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.workers = max(1, workers)
    let pipeline = configuration.pipeline
    network = GlyphNetwork(
      configuration.layers.architecture(pipeline, classes: training.labels.count))
    let optimizer = AdamW(network)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    loop = TrainingLoop(
      optimizer,
      .init(
        epochs: configuration.epochs,
        stepsPerEpoch: Self.batches(of: training.samples.count, configuration.batchSize),
        peakRate: configuration.peakRate, weightDecay: configuration.weightDecay,
        averageDecay: configuration.averageDecay, keptEpoch: configuration.keptEpoch,
        patience: configuration.patience,
        // Three times that of guessing.
        largestLoss: 3 * log(Double(network.classes)) + 3, firstSteps: 20))
    let shardSize = GlyphStepRunner.largestShard(
      batchSize: configuration.batchSize, shards: configuration.shards)
    runner = GlyphStepRunner(
      network: network, pipeline: pipeline, set: training, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards, shardSize: shardSize,
        workers: self.workers, labelSmoothing: configuration.labelSmoothing,
        precision: configuration.precision,
        augmentation: configuration.augmentation))
    validator = GlyphValidator(
      network: network, pipeline: pipeline, set: validation, workers: self.workers)
  }

  /// The number of optimisation steps in one pass over the data.
  public var stepsPerEpoch: Int {
    Self.batches(of: training.samples.count, configuration.batchSize)
  }

  private static func batches(of samples: Int, _ size: Int) -> Int { (samples + size - 1) / size }

  /// The classes.
  public var labels: [String] { training.labels }

  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the epoch that is kept, calibrated.
  /// - Throws: ``TrainingError``, or what `save` throws.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((GlyphTrainer) throws -> Void)? = nil
  ) throws -> GlyphModel {
    let order = EpochOrder(training, configuration)
    try loop.run(
      observer: observer, save: save.map { save in { try save(self) } },
      batches: { order.batches(epoch: $0) },
      step: { batch, epoch, step in
        runner.run(
          batch, epoch: epoch, step: step, maximumNorm: configuration.maximumGradientNorm)
      }, validate: record)
    return calibratedModel()
  }

  private func record(_ figures: (loss: Double, accuracy: Double)) -> EpochRecord {
    let result = validator.validate(loop.optimizer.average)
    return EpochRecord(
      epoch: state.epoch, trainingLoss: figures.loss, trainingAccuracy: figures.accuracy,
      validationAccuracy: result.accuracy, validationAccuracyWithoutArea: result.withoutArea,
      validationLoss: result.loss, rate: state.rate)
  }

  /// The weights that are kept, folded for recognition and rounded to half precision as they are
  /// saved, with the temperature fitted on the validation data.
  private func calibratedModel() -> GlyphModel {
    let (folded, parameters) = network.folded(loop.kept)
    let model = GlyphModel(
      labels: training.labels, pipeline: configuration.pipeline, network: folded,
      parameters: parameters, temperature: 1
    ).roundedToHalfPrecision()
    let temperature = GlyphValidator(
      network: model.network, pipeline: configuration.pipeline, set: validation, workers: workers
    ).temperature(model.parameters)
    return GlyphModel(
      labels: model.labels, pipeline: model.pipeline, network: model.network,
      parameters: model.parameters, temperature: temperature)
  }
}
