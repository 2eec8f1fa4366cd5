import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a line network: one ink, a text.
public final class LineTrainer: ResumableTrainer {
  /// What decides the outcome.
  public let configuration: LineTrainingConfiguration
  /// Symbols and training lines.
  public let training: LineTrainingSet
  /// Validation lines of other writers, with the same symbols.
  public let validation: LineTrainingSet
  /// Threads; does not change the result.
  public let workers: Int

  /// The network that is trained.
  public let network: SequenceNetwork
  /// What it does as all trainers do.
  public let loop: TrainingLoop
  private let order: LineEpochOrder
  let cutting: LineCutting
  private let runner: LineStepRunner
  private let validator: LineValidator

  /// Prepares training.
  ///
  /// - Parameter start: A model whose weights training begins with; fresh ones where it is nil. A
  ///   symbol that it does not know begins afresh.
  /// - Throws: ``TrainingError`` where the data cannot be trained on, or the model is of other sizes
  ///   than the configuration's.
  public init(
    configuration: LineTrainingConfiguration, training: LineTrainingSet,
    validation: LineTrainingSet, workers: Int, from start: LineModel? = nil
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    guard !training.labels.isEmpty else { throw .tooFewClasses(found: 0) }
    guard !validation.samples.isEmpty else { throw .noValidationData }
    guard validation.labels == training.labels else { throw .differentLabels }
    try configuration.check(classes: training.labels.count + 1)
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.workers = max(1, workers)
    network = SequenceNetwork(
      configuration.layers.architecture(
        configuration.pipeline, classes: training.labels.count + 1))
    let optimizer = AdamW(network.parameters, count: network.parameterCount)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    if let start {
      guard
        start.copyWeights(
          to: network, optimizer.parameters, labels: training.labels,
          pipeline: configuration.pipeline)
      else { throw .unusableStart }
    }
    order = LineEpochOrder(training, configuration)
    cutting = LineCutting(
      training, configuration, network, isTrained: start != nil, workers: self.workers)
    loop = TrainingLoop(
      optimizer,
      .init(
        epochs: configuration.epochs, stepsPerEpoch: order.batchCount,
        peakRate: configuration.peakRate, finalDivisor: configuration.finalDivisor,
        weightDecay: configuration.weightDecay,
        averageDecay: configuration.averageDecay, keptEpoch: configuration.keptEpoch,
        // Fresh weights cost about ln K at each of several time steps for a character.
        largestLoss: 100, firstSteps: 100),
      keeping: cutting.isIdle ? [] : [("cutting", cutting.weights)])
    runner = LineStepRunner(
      network: network, pipeline: configuration.pipeline, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards, workers: self.workers,
        precision: configuration.precision, augmentation: configuration.augmentation))
    validator = LineValidator(
      network: network, pipeline: configuration.pipeline, set: validation, workers: self.workers)
  }

  /// The symbols.
  public var labels: [String] { training.labels }

  /// The number of optimisation steps in one pass over the data.
  public var stepsPerEpoch: Int { order.batchCount }

  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the epoch that is kept, as it is saved.
  /// - Throws: ``TrainingError``, or what `save` throws.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((LineTrainer) throws -> Void)? = nil
  ) throws -> LineModel {
    try loop.run(
      observer: observer, save: save.map { save in { try save(self) } },
      batches: { batches(epoch: $0, observer) },
      step: { batch, epoch, step in
        runner.run(
          batch, of: cutting.set, epoch: epoch, step: step,
          maximumNorm: configuration.maximumGradientNorm)
      }, validate: record)
    return LineModel(
      labels: labels, pipeline: configuration.pipeline, network: network, parameters: loop.kept
    ).roundedToHalfPrecision()
  }

  private func batches(
    epoch: Int, _ observer: (any TrainingObserver)?
  ) -> [[LineEpochOrder.Line]] {
    let cut = cutting.update(
      epoch: epoch, begins: state.stepInEpoch == 0, average: loop.optimizer.average)
    if let cut, cut.lines > 0 {
      observer?.trainingDidCut(lines: cut.lines, intoWords: cut.words)
    }
    return order.batches(epoch: epoch, of: cutting.set)
  }

  private func record(_ figures: (loss: Double, accuracy: Double)) -> EpochRecord {
    let result = validator.validate(loop.optimizer.average)
    return EpochRecord(
      epoch: state.epoch, trainingLoss: figures.loss, trainingAccuracy: nil,
      validationAccuracy: 1 - result.characterErrorRate, validationAccuracyWithoutArea: nil,
      validationLoss: result.loss, rate: state.rate)
  }
}
