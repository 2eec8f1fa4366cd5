import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a recurrent language model: the characters before, the next one.
public final class LanguageTrainer: ResumableTrainer {
  /// What decides the outcome.
  public let configuration: LanguageTrainingConfiguration
  /// Passages to learn from.
  public let training: LanguageTrainingSet
  /// Passages of other texts, with the same symbols.
  public let validation: LanguageTrainingSet
  /// The network that is trained.
  public let network: SequenceNetwork
  /// What it does as all trainers do.
  public let loop: TrainingLoop
  private let runner: LanguageStepRunner
  private let validator: LanguageValidator

  /// Prepares training.
  ///
  /// - Parameter workers: Threads; does not change the result.
  /// - Throws: ``TrainingError`` where the text cannot be trained on.
  public init(
    configuration: LanguageTrainingConfiguration, training: LanguageTrainingSet,
    validation: LanguageTrainingSet, workers: Int
  ) throws(TrainingError) {
    guard !training.passages.isEmpty else { throw .noTrainingData }
    guard !validation.passages.isEmpty else { throw .noValidationData }
    guard validation.table == training.table else { throw .differentLabels }
    try configuration.check(classes: training.table.count)
    self.configuration = configuration
    self.training = training
    self.validation = validation
    network = SequenceNetwork(configuration.architecture(symbols: training.table.count))
    let optimizer = AdamW(network.parameters, count: network.parameterCount)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    loop = TrainingLoop(
      optimizer,
      .init(
        epochs: configuration.epochs,
        stepsPerEpoch: PassageOrder(training, configuration).batchCount,
        peakRate: configuration.peakRate, finalDivisor: configuration.finalDivisor,
        weightDecay: configuration.weightDecay, averageDecay: configuration.averageDecay,
        keptEpoch: configuration.keptEpoch,
        // Fresh weights cost about ln S for a character.
        largestLoss: 20, firstSteps: 100))
    runner = LanguageStepRunner(
      network: network, set: training, optimizer: optimizer, configuration: configuration,
      workers: workers)
    validator = LanguageValidator(network, on: validation, workers: workers)
  }

  /// The characters.
  public var labels: [String] { training.table.scalars.map(String.init) }

  /// The number of optimisation steps in one pass over the text.
  public var stepsPerEpoch: Int { PassageOrder(training, configuration).batchCount }

  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the epoch that is kept, as it is saved.
  /// - Throws: ``TrainingError``, or what `save` throws.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((LanguageTrainer) throws -> Void)? = nil
  ) throws -> RecurrentLanguageModel {
    let order = PassageOrder(training, configuration)
    try loop.run(
      observer: observer, save: save.map { save in { try save(self) } }, batches: order.batches,
      step: { batch, _, step in runner.run(batch, step: step) }, validate: record)
    return RecurrentLanguageModel(
      symbols: training.table, network: network, parameters: loop.kept
    ).roundedToHalfPrecision()
  }

  private func record(_ figures: (loss: Double, accuracy: Double)) -> EpochRecord {
    let loss = validator.sums(loop.optimizer.average).meanLoss
    return EpochRecord(
      epoch: state.epoch, trainingLoss: figures.loss, trainingAccuracy: nil,
      validationAccuracy: exp(-loss), validationAccuracyWithoutArea: nil, validationLoss: loss,
      rate: state.rate)
  }
}
