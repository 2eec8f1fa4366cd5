import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a glyph network: one ink, one label.
///
///     let data = try GlyphTrainingData(
///       training: [DataSpecification(parsing: "ink:mine.jsonl?split=train")],
///       validation: [DataSpecification(parsing: "ink:mine.jsonl?split=val")])
///     let trainer = try GlyphTrainer(
///       configuration: GlyphPreset.standard.configuration, training: data.training,
///       validation: data.validation, workers: 4)
///     let model = try trainer.train()
public typealias GlyphTrainer = Trainer<GlyphTask>

extension Trainer where Task == GlyphTask {
  /// Prepares training.
  ///
  /// - Parameters:
  ///   - configuration: The hyperparameters.
  ///   - training: The training data.
  ///   - validation: The validation data, with the same labels.
  ///   - start: A model to go on from, of the same features and layers. Labels that it does not have
  ///     get fresh weights; labels of its own that the data does not have are left out. Nil for
  ///     fresh weights.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Throws: ``TrainingError`` if the data cannot be trained on, or from this start.
  public convenience init(
    configuration: GlyphTrainingConfiguration, training: GlyphTrainingSet,
    validation: GlyphTrainingSet, start: GlyphModel? = nil, workers: Int
  ) throws(TrainingError) {
    try self.init(
      GlyphTask(
        configuration: configuration, training: training, validation: validation, start: start,
        workers: workers))
  }
}

/// Training of a glyph network. A sample is an ink, the loss is cross-entropy, and the score is the
/// share of inks whose first candidate is right.
public final class GlyphTask: TrainingTask {
  /// The settings that determine the result.
  public let configuration: GlyphTrainingConfiguration
  /// Classes and training inks.
  public let training: GlyphTrainingSet
  /// Validation inks of other writers, with the same classes.
  public let validation: GlyphTrainingSet

  /// The number of threads; the result does not depend on it.
  public let workers: Int
  /// The network that is trained.
  package let network: GlyphNetwork
  private let order: EpochOrder
  private let start: GlyphModel?

  /// Checks the data and makes the network.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the training.
  ///   - training: The training data.
  ///   - validation: The validation data, with the same labels.
  ///   - start: The model that training goes on from; nil for fresh weights.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Throws: ``TrainingError`` if the data cannot be trained on.
  public init(
    configuration: GlyphTrainingConfiguration, training: GlyphTrainingSet,
    validation: GlyphTrainingSet, start: GlyphModel? = nil, workers: Int
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    guard training.labels.count >= 2 else { throw .tooFewClasses(found: training.labels.count) }
    guard !validation.samples.isEmpty else { throw .noValidationData }
    guard validation.labels == training.labels else { throw .differentLabels }
    try configuration.check(classes: training.labels.count)
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.start = start
    self.workers = max(1, workers)
    network = GlyphNetwork(
      unchecked:
        configuration.layers.architecture(
          configuration.pipeline, classes: training.labels.count))
    order = EpochOrder(training, configuration)
  }

  /// The classes of the model.
  public var labels: [String] { training.labels }

  /// The tensors of the network.
  public var tensors: [Parameter] { network.parameters }

  /// The floats of the network.
  public var parameterCount: Int { network.parameterCount }

  /// True, because each ink has one answer.
  public var knowsTrainingAccuracy: Bool { true }

  /// Steps of one pass over the data.
  public var stepsPerEpoch: Int {
    (training.samples.count + configuration.batchSize - 1) / configuration.batchSize
  }

  /// Three times the loss of guessing at random.
  public var divergence: DivergenceLimit {
    DivergenceLimit(loss: 3 * log(Double(network.classes)) + 3, freeSteps: 20)
  }

  /// Sets fresh weights, or those of the model to go on from.
  ///
  /// - Throws: ``TrainingError/unusableStart`` for a model of other features or layers.
  public func initialize(_ parameters: AlignedBuffer) throws(TrainingError) {
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(parameters, using: &generator)
    guard let start else { return }
    let known = Dictionary(
      start.labels.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    guard start.pipeline == configuration.pipeline,
      network.unfold(
        start.network, start.parameters, into: parameters, classes: labels.map { known[$0] })
    else { throw .unusableStart }
    adaptStatistics(parameters)
  }

  /// The inks that the first statistics of a network are measured on that goes on from another.
  private static let measuredInks = 256

  /// Gives the batch normalisation the statistics of the data, so that training begins with what the
  /// network computes for recognition.
  private func adaptStatistics(_ parameters: AlignedBuffer) {
    let count = min(Self.measuredInks, training.samples.count)
    let stride = training.samples.count / count
    let inks = (0..<count).map { $0 * stride }
    let shard = GlyphShard(
      network, FeatureExtractor(configuration.pipeline), size: count, .single)
    for round in 0...network.normalizations {
      shard.measure(inks[...], of: self, parameters, isFirst: round == 0)
      network.absorb(shard.gradients, into: parameters)
    }
  }

  /// Allocates the memory of one micro-shard.
  public func makeShard() -> GlyphShard {
    GlyphShard(
      network, FeatureExtractor(configuration.pipeline),
      size: Self.largestShard(
        batchSize: configuration.batchSize, shards: configuration.shards),
      configuration.precision)
  }

  /// The batches of an epoch.
  public func batches(
    _ epoch: EpochContext, observer: (any TrainingObserver)?
  ) -> [ArraySlice<Int>] {
    order.batches(epoch: epoch.epoch)
  }

  /// The fewest inks of a shard. Normalisation uses the statistics of the shard: a single ink would
  /// be normalised to a constant, and fewer inks than this give poor estimates.
  private static let fewestInks = 8

  /// The number of inks of each shard of a batch.
  package static func shardSize(of count: Int, shards: Int) -> Int {
    let active = min(shards, max(1, count / fewestInks))
    return (count + active - 1) / active
  }

  /// The number of inks of the largest shard of batches of at most `batchSize` inks.
  package static func largestShard(batchSize: Int, shards: Int) -> Int {
    max(shardSize(of: batchSize, shards: shards), min(batchSize, 2 * fewestInks - 1))
  }

  /// Returns the number of shards for a batch and the number of units that the gradient is averaged
  /// over.
  public func division(of batch: ArraySlice<Int>) -> (shards: Int, units: Int) {
    let size = Self.shardSize(of: batch.count, shards: configuration.shards)
    return ((batch.count + size - 1) / size, batch.count)
  }

  /// Computes one of the consecutive parts of a batch. The batch holds indices into the set.
  public func run(
    _ shard: GlyphShard, index: Int, of batch: ArraySlice<Int>, _ step: StepContext
  ) {
    let size = Self.shardSize(of: batch.count, shards: configuration.shards)
    let start = batch.startIndex + index * size
    shard.run(
      batch[start..<min(start + size, batch.endIndex)], of: self, step,
      dropoutSeed: step.dropoutSeed(configuration.seed, shard: index))
  }

  /// Scores weights on the validation data.
  public func validate(_ parameters: AlignedBuffer) -> ValidationScore {
    validate(parameters, keepingErrors: 0).score
  }

  /// Scores weights on the validation data. Of the errors, the most confident are kept.
  public func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    validator.validate(parameters, keepingErrors: errors)
  }

  private var validator: GlyphValidator {
    GlyphValidator(
      network: network, pipeline: configuration.pipeline, set: validation, workers: workers)
  }

  /// The weights, folded for recognition and rounded to half precision as they are saved. The
  /// temperature is fitted on the validation data.
  public func model(of parameters: AlignedBuffer) -> GlyphModel {
    let (folded, weights) = network.folded(parameters)
    let model = GlyphModel(
      labels: labels, pipeline: configuration.pipeline, network: folded, parameters: weights,
      temperature: 1
    ).roundedToHalfPrecision()
    let temperature = GlyphValidator(
      network: model.network, pipeline: configuration.pipeline, set: validation, workers: workers
    ).temperature(model.parameters)
    return GlyphModel(
      labels: model.labels, pipeline: model.pipeline, network: model.network,
      parameters: model.parameters, temperature: temperature)
  }
}

extension GlyphTask: SharedValidation {
  package func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int, ranks: any TrainingRanks
  ) throws -> (score: ValidationScore, errors: [MisreadSample]) {
    try validator.validate(parameters, keepingErrors: errors, ranks: ranks)
  }
}

/// The buffers and the computation of one micro-shard of inks.
public final class GlyphShard: TrainingShard {
  /// The gradients of the parameters, from the last run.
  public let gradients: AlignedBuffer

  /// The sums of the last run.
  public private(set) var outcome = StepOutcome()
  private var extractor: FeatureExtractor
  private var trajectory = Trajectory()
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace
  private let labels: LabelBuffer
  private let unit: BFloat16Unit?

  fileprivate init(
    _ network: GlyphNetwork, _ extractor: FeatureExtractor, size: Int,
    _ precision: TrainingPrecision
  ) {
    gradients = AlignedBuffer(count: network.parameterCount)
    self.extractor = extractor
    input = GlyphInput(network.architecture, batch: size)
    workspace = network.makeWorkspace(batch: size, training: true)
    labels = LabelBuffer(count: size)
    unit = precision.makeUnit()
  }

  fileprivate func run(
    _ part: ArraySlice<Int>, of task: GlyphTask, _ step: StepContext, dropoutSeed: UInt64
  ) {
    outcome = StepOutcome()
    guard !part.isEmpty else { return }
    let network = task.network
    if !step.reusesInputs {
      for (row, index) in part.enumerated() { load(row, index, task, step.epoch) }
    }
    let context = LayerContext(
      parameters: step.parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let logits = network.forward(input, batch: part.count, workspace: workspace, context: context)
    guard let gradient = network.logitGradient(workspace) else { return }
    gradient.update(from: logits, count: part.count * network.classes)
    outcome.units = part.count
    (outcome.loss, outcome.correct) = Kernels.softmaxCrossEntropy(
      gradient, labels: labels.pointer, rows: part.count, columns: network.classes,
      smoothing: task.configuration.labelSmoothing, scale: step.gradientScale)
    network.backward(input, batch: part.count, workspace: workspace, context: context)
  }

  /// Passes inks through the network, which leaves the statistics of its normalisations among the
  /// gradients.
  fileprivate func measure(
    _ inks: ArraySlice<Int>, of task: GlyphTask, _ parameters: AlignedBuffer, isFirst: Bool
  ) {
    if isFirst {
      for (row, index) in inks.enumerated() { load(row, index, task, 0) }
    }
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: 0, unit: unit)
    _ = task.network.forward(input, batch: inks.count, workspace: workspace, context: context)
  }

  /// Augments and encodes one sample into row `row` of the input.
  private func load(_ row: Int, _ index: Int, _ task: GlyphTask, _ epoch: Int) {
    let samples = task.training.samples
    var generator = SeededGenerator(seed: task.configuration.seed, 2, UInt64(epoch), UInt64(index))
    var area = samples.load(index, into: &trajectory)
    task.configuration.augmentation.apply(to: &trajectory, area: &area, using: &generator)
    labels.pointer[row] = samples.label(of: index)
    let architecture = task.network.architecture
    extractor.extract(
      trajectory, area: area,
      sequence: input.sequence.pointer + row * architecture.sequence.count,
      maps: input.maps.pointer + row * architecture.maps,
      globals: input.globals.pointer + row * architecture.globals)
  }
}

/// The labels of a shard's rows.
private final class LabelBuffer {
  let pointer: UnsafeMutablePointer<Int32>

  init(count: Int) {
    pointer = .allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
  }

  deinit { pointer.deallocate() }
}
