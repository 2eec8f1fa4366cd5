import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Trains a line network: one ink, a text.
///
///     let data = try LineTrainingData(
///       training: [DataSpecification(parsing: "ink:lines.jsonl?split=train")],
///       validation: [DataSpecification(parsing: "ink:lines.jsonl?split=val")])
///     let trainer = try LineTrainer(
///       configuration: LinePreset.base.configuration, training: data.training,
///       validation: data.validation, workers: 4)
///     let model = try trainer.train()
public typealias LineTrainer = Trainer<LineTask>

extension Trainer where Task == LineTask {
  /// Prepares training.
  ///
  /// - Parameters:
  ///   - configuration: The hyperparameters.
  ///   - training: The training data.
  ///   - validation: The validation data, with the same labels.
  ///   - workers: The number of threads; the result does not depend on it.
  ///   - start: A model to start from; nil starts from fresh weights. Symbols that the model does
  ///     not know start from fresh weights.
  /// - Throws: ``TrainingError`` if the data cannot be trained on, or the sizes of the model differ
  ///   from the configuration.
  public convenience init(
    configuration: LineTrainingConfiguration, training: LineTrainingSet,
    validation: LineTrainingSet, workers: Int, from start: LineModel? = nil
  ) throws(TrainingError) {
    try self.init(
      LineTask(
        configuration: configuration, training: training, validation: validation,
        workers: workers, from: start))
  }
}

/// Training of a line network. A sample is a line of one or more words, the loss is CTC, and the
/// score is 1 minus the character error rate without a language model.
public final class LineTask: TrainingTask, @unchecked Sendable {
  // Unchecked because the mutable state, the words of lines and the model to start from, changes
  // only while no shard runs.

  /// The settings that determine the result.
  public let configuration: LineTrainingConfiguration
  /// Symbols and training lines.
  public let training: LineTrainingSet
  /// Validation lines of other writers, with the same symbols.
  public let validation: LineTrainingSet

  /// The number of threads; the result does not depend on it.
  public let workers: Int
  /// The network that is trained.
  package let network: SequenceNetwork
  package let cutting: LineCutting
  private let order: LineEpochOrder
  /// The model to start from, until its weights are copied.
  private var start: LineModel?
  private let validator: LineValidator

  /// Checks the data and makes the network.
  ///
  /// - Throws: ``TrainingError`` if the data cannot be trained on.
  public init(
    configuration: LineTrainingConfiguration, training: LineTrainingSet,
    validation: LineTrainingSet, workers: Int, from start: LineModel? = nil
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    guard !training.labels.isEmpty else { throw .tooFewClasses(found: 0) }
    guard !validation.samples.isEmpty else { throw .noValidationData }
    guard validation.labels == training.labels else { throw .differentLabels }
    try configuration.check(classes: training.labels.count + 1)
    var configuration = configuration
    configuration.pipeline.direction = training.direction
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.workers = max(1, workers)
    self.start = start
    network = SequenceNetwork(
      unchecked:
        configuration.layers.architecture(
          configuration.pipeline, classes: training.labels.count + 1))
    order = LineEpochOrder(training, configuration)
    cutting = LineCutting(
      training, configuration, network, isTrained: start != nil, workers: self.workers)
    validator = LineValidator(
      network: network, pipeline: configuration.pipeline, set: validation, workers: self.workers)
  }

  /// The classes of the model.
  public var labels: [String] { training.labels }

  /// The tensors of the network.
  public var tensors: [Parameter] { network.parameters }

  /// The floats of the network.
  public var parameterCount: Int { network.parameterCount }

  /// Steps of one pass over the data.
  public var stepsPerEpoch: Int { order.batchCount }

  /// Fresh weights cost about ln K at each of several time steps per character.
  public var divergence: DivergenceLimit { DivergenceLimit(loss: 100, freeSteps: 100) }

  /// The weights that lines were cut with, if they were cut.
  public var buffers: [(name: String, buffer: AlignedBuffer)] {
    cutting.isIdle ? [] : [("cutting", cutting.weights)]
  }

  /// Sets fresh weights, or those of the model to start from.
  public func initialize(_ parameters: AlignedBuffer) throws(TrainingError) {
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(parameters, using: &generator)
    guard let start else { return }
    guard
      start.copyWeights(
        to: network, parameters, labels: labels, pipeline: configuration.pipeline)
    else { throw .unusableStart }
    self.start = nil
  }

  /// Allocates the memory of one micro-shard.
  public func makeShard() -> LineShard {
    LineShard(network, configuration.pipeline, configuration.precision)
  }

  /// Cuts lines into words if it is time to do so, then combines the words to lines.
  public func batches(
    _ epoch: EpochContext, observer: (any TrainingObserver)?
  ) -> [[[Int]]] {
    let cut = cutting.update(
      epoch: epoch.epoch, begins: epoch.begins, average: epoch.average)
    if let cut, cut.lines > 0 {
      observer?.trainingDidCut(lines: cut.lines, intoWords: cut.words)
    }
    return order.batches(epoch: epoch.epoch, of: cutting.set)
  }

  /// The units are characters.
  public func division(of batch: [[Int]]) -> (shards: Int, units: Int) {
    let characters = batch.reduce(0) { $0 + cutting.set.labelCount(of: $1) }
    return (min(configuration.shards, batch.count), characters)
  }

  /// Runs every n-th line of a batch, where n is the number of shards. Batches are sorted by
  /// length, so that shards take about the same time. The sums are over the characters of the lines
  /// that are long enough for their texts.
  public func run(_ shard: LineShard, index: Int, of batch: [[Int]], _ step: StepContext) {
    shard.run(
      batch, from: index, of: self, step,
      dropoutSeed: step.dropoutSeed(configuration.seed, shard: index))
  }

  /// Scores weights on the validation data.
  public func validate(_ parameters: AlignedBuffer) -> ValidationScore {
    validate(parameters, keepingErrors: 0).score
  }

  /// Scores weights on the validation data. Of the errors, the lines with the highest character
  /// error rates are kept.
  public func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int
  ) -> (score: ValidationScore, errors: [MisreadSample]) {
    validator.validate(parameters, keepingErrors: errors)
  }

  /// The finished model, with weights rounded as they are saved.
  public func model(of parameters: AlignedBuffer) -> LineModel {
    LineModel(
      labels: labels, pipeline: configuration.pipeline, network: network, parameters: parameters
    ).roundedToHalfPrecision()
  }

  /// The mean number of input steps of a line before augmentation.
  package var meanSteps: Double {
    let length = training.samples.reduce(0) { $0 + Double($1.length) }
    return length / Double(configuration.pipeline.spacing) / Double(training.samples.count)
  }

  /// The multiply-adds of the forward pass over the lines without augmentation.
  package var multiplyAdds: Double {
    training.samples.reduce(0) { sum, sample in
      sum
        + Double(network.multiplyAdds(Int(sample.length / configuration.pipeline.spacing)))
    }
  }
}

extension LineTask: SharedValidation {
  package func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int, ranks: any TrainingRanks
  ) throws -> (score: ValidationScore, errors: [MisreadSample]) {
    try validator.validate(parameters, keepingErrors: errors, ranks: ranks)
  }
}

/// The buffers and the computation of one micro-shard of lines. Memory grows to the longest lines
/// seen.
public final class LineShard: TrainingShard {
  /// The gradients of the parameters, from the last run.
  public let gradients: AlignedBuffer

  /// The sums of the last run.
  public private(set) var outcome = StepOutcome()
  private let pipeline: LinePipeline
  private let workspace: SequenceNetwork.Workspace
  private var composers: [LineComposer] = []
  private var line = NormalizedLine()
  private var batch: LineBatch
  private var scratch = AlignedBuffer(count: 0)
  private let unit: BFloat16Unit?

  fileprivate init(
    _ network: SequenceNetwork, _ pipeline: LinePipeline, _ precision: TrainingPrecision
  ) {
    gradients = AlignedBuffer(count: network.parameterCount)
    self.pipeline = pipeline
    workspace = network.makeWorkspace(training: true)
    batch = LineBatch(pipeline)
    unit = precision.makeUnit()
  }

  /// Runs every `shards`-th line of a batch, from `first` on.
  fileprivate func run(
    _ lines: [[Int]], from first: Int, of task: LineTask, _ step: StepContext,
    dropoutSeed: UInt64
  ) {
    let configuration = task.configuration
    let shards = configuration.shards
    let network = task.network
    let set = task.cutting.set
    outcome = StepOutcome()
    batch.removeAll()
    for index in stride(from: first, to: lines.count, by: shards) {
      let (words, place) = (lines[index], index / shards)
      var generator = SeededGenerator(
        seed: configuration.seed, 2, UInt64(step.epoch), UInt64(words[0]))
      if composers.count == place { composers.append(LineComposer()) }
      composers[place].compose(words, of: set, using: &generator)
      composers[place].line.copy(into: &line)
      let spacing = configuration.augmentation.apply(to: &line, using: &generator)
      batch.append(line, index: place, spacing: spacing) { encoder in
        // The length of a curve varies; points are equidistant.
        let stepLength =
          pipeline.curveError == nil
          ? spacing * pipeline.spacing
          : line.trajectory.pathLength / Float(max(1, encoder.steps))
        configuration.augmentation.forEachMask(
          steps: encoder.steps, stepLength: stepLength, using: &generator
        ) { encoder.mask($0) }
      }
    }
    batch.load(into: workspace)
    let context = LayerContext(
      parameters: step.parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true, seed: dropoutSeed, unit: unit)
    let output = network.forward(workspace, context: context)
    for (row, place) in batch.order.enumerated() {
      addLoss(output, row, composers[place].labels, network, step.gradientScale)
    }
    network.backward(workspace, logitGradient: output, context: context)
  }

  /// Replaces one line's rows by the gradient of its loss.
  private func addLoss(
    _ output: UnsafeMutablePointer<Float>, _ row: Int, _ labels: [Int32],
    _ network: SequenceNetwork, _ scale: Float
  ) {
    let layout = workspace.outputSequences
    let needed = ConnectionistTemporalClassification.scratchCount(
      steps: layout.lengths[row], labels: labels.count)
    if scratch.count < needed { scratch = AlignedBuffer(count: needed + needed / 4) }
    let value = ConnectionistTemporalClassification.loss(
      output, classes: network.architecture.classes, sequence: row, of: layout, labels: labels,
      scratch: scratch.pointer, scale: scale)
    // A line that is too short for its text has no gradient and does not count. Any other line has
    // a loss, which is infinite only if the weights have diverged.
    let steps = ConnectionistTemporalClassification.minimumSteps(for: labels)
    guard steps <= layout.lengths[row] else { return }
    outcome.loss += value
    outcome.units += labels.count
  }
}
