import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a recurrent language model: it predicts the next character from the previous ones.
///
///     let configuration = LanguageTrainingConfiguration()
///     var text = NormalizedText()
///     text.append(try String(contentsOfFile: "book.txt", encoding: .utf8))
///     let data = try LanguageTrainingData(text, configuration)
///     let trainer = try LanguageTrainer(
///       configuration: configuration, training: data.training, validation: data.validation, workers: 4)
///     let model = try trainer.train()
public typealias LanguageTrainer = Trainer<LanguageTask>

extension Trainer where Task == LanguageTask {
  /// Prepares training.
  ///
  /// - Parameters:
  ///   - configuration: The hyperparameters.
  ///   - training: The training data.
  ///   - validation: The validation data, with the same symbols.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Throws: ``TrainingError`` if the text cannot be trained on.
  public convenience init(
    configuration: LanguageTrainingConfiguration, training: LanguageTrainingSet,
    validation: LanguageTrainingSet, workers: Int
  ) throws(TrainingError) {
    try self.init(
      LanguageTask(
        configuration: configuration, training: training, validation: validation,
        workers: workers))
  }
}

/// Training of a recurrent language model. A sample is a passage, the loss is the cross-entropy of
/// the next character, and the score is exp(-loss).
public final class LanguageTask: TrainingTask {
  /// The settings that determine the result.
  public let configuration: LanguageTrainingConfiguration
  /// The passages to train on.
  public let training: LanguageTrainingSet
  /// Passages of other texts, with the same symbols.
  public let validation: LanguageTrainingSet

  /// The number of threads; the result does not depend on it.
  public let workers: Int
  /// The network that is trained.
  package let network: SequenceNetwork
  private let order: PassageOrder
  private let validator: LanguageValidator

  /// Checks the data and makes the network.
  ///
  /// - Throws: ``TrainingError`` if the text cannot be trained on.
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
    self.workers = max(1, workers)
    network = SequenceNetwork(unchecked: configuration.architecture(symbols: training.table.count))
    order = PassageOrder(training, configuration)
    validator = LanguageValidator(network, on: validation, workers: self.workers)
  }

  /// The characters.
  public var labels: [String] { training.table.scalars.map(String.init) }

  /// The tensors of the network.
  public var tensors: [Parameter] { network.parameters }

  /// The floats of the network.
  public var parameterCount: Int { network.parameterCount }

  /// Steps of one pass over the data.
  public var stepsPerEpoch: Int { order.batchCount }

  /// Fresh weights cost about ln S for each character.
  public var divergence: DivergenceLimit { DivergenceLimit(loss: 20, freeSteps: 100) }

  /// Sets fresh weights.
  public func initialize(_ parameters: AlignedBuffer) {
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(parameters, using: &generator)
  }

  /// Allocates the memory of one micro-shard.
  public func makeShard() -> LanguageShard { LanguageShard(network, configuration.precision) }

  /// The batches of an epoch.
  public func batches(_ epoch: EpochContext, observer: (any TrainingObserver)?) -> [[Int]] {
    order.batches(epoch: epoch.epoch)
  }

  /// The units are the predicted symbols.
  public func division(of batch: [Int]) -> (shards: Int, units: Int) {
    let symbols = batch.reduce(0) { $0 + training.passages[$1].steps }
    return (min(configuration.shards, batch.count), symbols)
  }

  /// Runs every n-th passage, where n is the number of active shards.
  public func run(_ shard: LanguageShard, index: Int, of batch: [Int], _ step: StepContext) {
    let active = min(configuration.shards, batch.count)
    shard.run(
      stride(from: index, to: batch.count, by: active).lazy.map {
        self.training.passages[batch[$0]]
      }, of: self, step, dropoutSeed: step.dropoutSeed(configuration.seed, shard: index))
  }

  /// Scores weights on the validation data.
  public func validate(_ parameters: AlignedBuffer) -> ValidationScore {
    let loss = validator.sums(parameters).meanLoss
    return ValidationScore(accuracy: exp(-loss), loss: loss)
  }

  /// The finished model, with weights rounded as they are saved.
  public func model(of parameters: AlignedBuffer) -> RecurrentLanguageModel {
    RecurrentLanguageModel(
      symbols: training.table, network: network, parameters: parameters
    ).roundedToHalfPrecision()
  }
}

/// The buffers and the computation of one micro-shard of passages.
public final class LanguageShard: TrainingShard {
  /// The gradients of the parameters, from the last run.
  public let gradients: AlignedBuffer

  /// The sums of the last run.
  public private(set) var outcome = StepOutcome()
  private let workspace: SequenceNetwork.Workspace
  private var batch = LanguageBatch()
  private let unit: BFloat16Unit?

  fileprivate init(_ network: SequenceNetwork, _ precision: TrainingPrecision) {
    gradients = AlignedBuffer(count: network.parameterCount)
    workspace = network.makeWorkspace(training: true)
    unit = precision.makeUnit()
  }

  fileprivate func run(
    _ passages: some Sequence<LanguageTrainingSet.Passage>, of task: LanguageTask,
    _ step: StepContext, dropoutSeed: UInt64
  ) {
    let network = task.network
    batch.load(passages, of: task.training, into: workspace)
    let context = LayerContext(
      parameters: step.parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let output = network.forward(workspace, context: context)
    let rows = batch.targets.count
    let sums = Kernels.softmaxCrossEntropy(
      output, labels: batch.targets, rows: rows, columns: network.architecture.classes,
      smoothing: 0, scale: step.gradientScale)
    outcome = StepOutcome(loss: sums.loss, units: rows, correct: sums.correct)
    network.backward(workspace, logitGradient: output, context: context)
  }
}
