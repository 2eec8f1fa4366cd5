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
  let optimizer: AdamW
  /// Where training stands.
  public var state = TrainingState()
  /// The averaged weights of the best validation so far.
  let best: AlignedBuffer
  private var sessionStart: ContinuousClock.Instant?
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
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.workers = max(1, workers)
    let pipeline = configuration.pipeline
    network = GlyphNetwork(
      configuration.layers.architecture(pipeline, classes: training.labels.count))
    optimizer = AdamW(network)
    best = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    optimizer.average.copy(from: optimizer.parameters)
    let shardSize =
      (configuration.batchSize + configuration.shards - 1) / configuration.shards
    runner = GlyphStepRunner(
      network: network, pipeline: pipeline, set: training, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards, shardSize: shardSize,
        workers: self.workers, labelSmoothing: configuration.labelSmoothing,
        augmentation: configuration.augmentation))
    validator = GlyphValidator(
      network: network, pipeline: pipeline, set: validation, workers: self.workers)
  }

  /// The number of optimisation steps in one pass over the data.
  public var stepsPerEpoch: Int {
    (training.samples.count + configuration.batchSize - 1) / configuration.batchSize
  }

  /// The figures of the epoch whose weights are the best so far; nil before the first ends.
  public var bestRecord: EpochRecord? {
    state.history.last { $0.score == state.bestScore }
  }

  /// The classes.
  public var labels: [String] { training.labels }

  /// Weights, moments, and the best weights so far.
  public var buffers: [(String, AlignedBuffer)] {
    [
      ("parameters", optimizer.parameters), ("average", optimizer.average),
      ("moment1", optimizer.first), ("moment2", optimizer.second), ("best", best),
    ]
  }

  /// The figures of the epochs so far.
  public var history: [EpochRecord] { state.history }

  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the best validation, calibrated.
  /// - Throws: ``TrainingError``, or what `save` throws.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((GlyphTrainer) throws -> Void)? = nil
  ) throws -> GlyphModel {
    let saver = CheckpointClock(save.map { save in { try save(self) } })
    sessionStart = .now
    defer {
      state.seconds = seconds
      sessionStart = nil
    }
    let order = EpochOrder(training, configuration)
    while state.epoch < configuration.epochs, !isExhausted {
      try trainEpoch(order.samples(epoch: state.epoch), observer, saver)
      finishEpoch(observer)
      try saver.saveNow()
    }
    return calibratedModel()
  }

  /// Seconds of training so far, without those between the sessions of a resumed run. Steps after
  /// the last checkpoint of a killed session do not count: they are run again.
  public var seconds: Double {
    let running = sessionStart.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
    return (state.seconds ?? 0) + running
  }

  private var isExhausted: Bool {
    configuration.patience > 0 && state.epochsWithoutGain >= configuration.patience
  }

  private func trainEpoch(
    _ order: [Int], _ observer: (any TrainingObserver)?, _ saver: CheckpointClock
  ) throws {
    let schedule = OneCycleSchedule(
      peak: configuration.peakRate, steps: stepsPerEpoch * configuration.epochs)
    while state.stepInEpoch < stepsPerEpoch {
      let start = state.stepInEpoch * configuration.batchSize
      let batch = order[start..<min(start + configuration.batchSize, order.count)]
      let rate = schedule.rate(at: state.step)
      let outcome = runner.run(
        batch, epoch: state.epoch, step: optimizerStep(rate: rate),
        maximumNorm: configuration.maximumGradientNorm)
      let loss = outcome.loss / Double(batch.count)
      try checkDivergence(loss, outcome.gradientNorm, rate)
      state.note(outcome, samples: batch.count, rate: rate)
      observer?.trainingDidStep(
        TrainingProgress(
          step: state.step, steps: schedule.steps, epoch: state.epoch,
          epochs: configuration.epochs, samples: batch.count, loss: loss))
      if observer?.shouldStop == true {
        try saver.saveNow()
        throw TrainingError.interrupted(epoch: state.epoch, step: state.step)
      }
      try saver.saveIfDue()
    }
  }

  private func optimizerStep(rate: Float) -> AdamW.Step {
    let number = state.step + 1
    let ramp = Float(1 + number) / Float(10 + number)
    return AdamW.Step(
      rate: rate, weightDecay: configuration.weightDecay, gradientScale: 1,
      averageDecay: min(configuration.averageDecay, ramp), number: number)
  }

  /// A loss three times that of guessing, after the first steps, does not come back.
  private func checkDivergence(_ loss: Double, _ norm: Double, _ rate: Float) throws(TrainingError)
  {
    let guessing = log(Double(network.classes))
    guard loss.isFinite, norm.isFinite, state.step < 20 || loss < 3 * guessing + 3 else {
      throw .diverged(epoch: state.epoch, step: state.step, loss: loss, rate: rate)
    }
  }

  private func finishEpoch(_ observer: (any TrainingObserver)?) {
    let result = validator.validate(optimizer.average)
    let (loss, accuracy) = state.trainingFigures()
    let record = EpochRecord(
      epoch: state.epoch, trainingLoss: loss, trainingAccuracy: accuracy,
      validationAccuracy: result.accuracy, validationAccuracyWithoutArea: result.withoutArea,
      validationLoss: result.loss, rate: state.rate)
    state.finishEpoch(record)
    // Of equal scores the later: its average is over more steps.
    if record.score == state.bestScore { best.copy(from: optimizer.average) }
    observer?.trainingDidFinishEpoch(record)
  }

  /// The best weights, folded for recognition and rounded to half precision as they are saved, with
  /// the temperature fitted on the validation data.
  private func calibratedModel() -> GlyphModel {
    let (folded, parameters) = network.folded(best)
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

/// The order in which an epoch visits the samples: a permutation, with rare classes repeated and
/// frequent ones thinned where the configuration asks for balance.
struct EpochOrder {
  private let set: GlyphTrainingSet
  private let seed: UInt64
  private let repeats: [Float]

  init(_ set: GlyphTrainingSet, _ configuration: GlyphTrainingConfiguration) {
    self.set = set
    seed = configuration.seed
    let counts = set.counts.map { Float(max($0, 1)) }
    let mean = Float(set.samples.count) / Float(max(counts.count, 1))
    let raw = counts.map { min(8, max(0.125, pow(mean / $0, configuration.balance))) }
    // A class without inks takes no share.
    let total = zip(raw, set.counts).reduce(Float(0)) { $0 + $1.0 * Float($1.1) }
    repeats = raw.map { $0 * Float(set.samples.count) / total }
  }

  /// As many indices as there are samples; depends on seed and epoch only.
  func samples(epoch: Int) -> [Int] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    let count = set.samples.count
    var order: [Int] = []
    order.reserveCapacity(count + count / 8)
    for (index, sample) in set.samples.enumerated() {
      let wanted = repeats[Int(sample.label)]
      let copies = Int(wanted + (wanted == 1 ? 0 : generator.uniform()))
      for _ in 0..<copies { order.append(index) }
    }
    while order.count < count { order.append(generator.index(below: count)) }
    for index in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(index, generator.index(below: index + 1))
    }
    order.removeLast(order.count - count)
    return order
  }
}
