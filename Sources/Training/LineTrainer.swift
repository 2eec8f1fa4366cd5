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
  /// Where training stands.
  public var state = TrainingState()

  /// The network that is trained.
  public let network: LineNetwork
  let optimizer: AdamW
  /// The averaged weights of the best validation so far.
  let best: AlignedBuffer
  private var sessionStart: ContinuousClock.Instant?
  private let runner: LineStepRunner
  private let validator: LineValidator

  /// Prepares training with fresh weights.
  ///
  /// - Throws: ``TrainingError`` where the data cannot be trained on.
  public init(
    configuration: LineTrainingConfiguration, training: LineTrainingSet,
    validation: LineTrainingSet, workers: Int
  ) throws(TrainingError) {
    guard !training.samples.isEmpty else { throw .noTrainingData }
    guard !training.labels.isEmpty else { throw .tooFewClasses(found: 0) }
    guard !validation.samples.isEmpty else { throw .noValidationData }
    self.configuration = configuration
    self.training = training
    self.validation = validation
    self.workers = max(1, workers)
    network = LineNetwork(
      configuration.layers.architecture(
        configuration.pipeline, classes: training.labels.count + 1))
    optimizer = AdamW(network.parameters, count: network.parameterCount)
    best = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: configuration.seed, 0)
    network.initialize(optimizer.parameters, using: &generator)
    optimizer.average.copy(from: optimizer.parameters)
    runner = LineStepRunner(
      network: network, pipeline: configuration.pipeline, set: training, optimizer: optimizer,
      settings: .init(
        seed: configuration.seed, shards: configuration.shards, workers: self.workers,
        augmentation: configuration.augmentation))
    validator = LineValidator(
      network: network, pipeline: configuration.pipeline, set: validation, workers: self.workers)
  }

  /// The symbols.
  public var labels: [String] { training.labels }

  /// The number of optimisation steps in one pass over the data.
  public var stepsPerEpoch: Int {
    (training.samples.count + configuration.batchSize - 1) / configuration.batchSize
  }

  /// The figures of the epochs so far.
  public var history: [EpochRecord] { state.history }

  /// The figures of the epoch whose weights are the best so far; nil before the first ends.
  public var bestRecord: EpochRecord? { state.history.last { $0.score == state.bestScore } }

  /// Weights, moments, and the best weights so far.
  public var buffers: [(String, AlignedBuffer)] {
    [
      ("parameters", optimizer.parameters), ("average", optimizer.average),
      ("moment1", optimizer.first), ("moment2", optimizer.second), ("best", best),
    ]
  }

  /// Seconds of training so far, without those between the sessions of a resumed run.
  public var seconds: Double {
    let running = sessionStart.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
    return (state.seconds ?? 0) + running
  }

  /// Trains to the end, from where the state is, saving checkpoints as it goes.
  ///
  /// - Returns: the model of the best validation, as it is saved.
  /// - Throws: ``TrainingError``, or what `save` throws.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((LineTrainer) throws -> Void)? = nil
  ) throws -> LineModel {
    let saver = CheckpointClock(save.map { save in { try save(self) } })
    sessionStart = .now
    defer {
      state.seconds = seconds
      sessionStart = nil
    }
    let order = LineEpochOrder(training, configuration)
    while state.epoch < configuration.epochs {
      try trainEpoch(order.batches(epoch: state.epoch), observer, saver)
      finishEpoch(observer)
      try saver.saveNow()
    }
    return LineModel(
      labels: labels, pipeline: configuration.pipeline, network: network, parameters: best
    ).roundedToHalfPrecision()
  }

  private func trainEpoch(
    _ batches: [[Int]], _ observer: (any TrainingObserver)?, _ saver: CheckpointClock
  ) throws {
    let schedule = OneCycleSchedule(
      peak: configuration.peakRate, steps: stepsPerEpoch * configuration.epochs)
    while state.stepInEpoch < stepsPerEpoch {
      let batch = batches[state.stepInEpoch]
      let rate = schedule.rate(at: state.step)
      let outcome = runner.run(
        batch[...], epoch: state.epoch, step: optimizerStep(rate: rate),
        maximumNorm: configuration.maximumGradientNorm)
      let loss = outcome.loss / Double(max(1, outcome.correct))
      try checkDivergence(loss, outcome.gradientNorm, rate)
      // For line models the samples of the sums are characters.
      state.note(outcome, samples: outcome.correct, rate: rate)
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

  /// Fresh weights cost about ln K at each of several time steps for a character; a loss far above
  /// that, after the first steps, does not come back.
  private func checkDivergence(_ loss: Double, _ norm: Double, _ rate: Float) throws(TrainingError)
  {
    guard loss.isFinite, norm.isFinite, state.step < 100 || loss < 100 else {
      throw .diverged(epoch: state.epoch, step: state.step, loss: loss, rate: rate)
    }
  }

  private func finishEpoch(_ observer: (any TrainingObserver)?) {
    let result = validator.validate(optimizer.average)
    let record = EpochRecord(
      epoch: state.epoch, trainingLoss: state.trainingFigures().loss, trainingAccuracy: nil,
      validationAccuracy: 1 - result.characterErrorRate, validationAccuracyWithoutArea: nil,
      validationLoss: result.loss, rate: state.rate)
    state.finishEpoch(record)
    // Of equal scores the later: its average is over more steps.
    if record.score == state.bestScore || state.history.count == 1 {
      best.copy(from: optimizer.average)
    }
    observer?.trainingDidFinishEpoch(record)
  }
}

/// The batches of an epoch: lines of like length together, in random order.
struct LineEpochOrder {
  private let lengths: [Float]
  private let seed: UInt64
  private let batchSize: Int
  /// Batches among which lines are sorted by length: enough for like lengths, few enough that
  /// batches differ between epochs.
  private static let window = 16

  init(_ set: LineTrainingSet, _ configuration: LineTrainingConfiguration) {
    lengths = set.samples.map(\.length)
    seed = configuration.seed
    batchSize = configuration.batchSize
  }

  /// Batches of indices, each in order of length; depends on seed and epoch only.
  func batches(epoch: Int) -> [[Int]] {
    var generator = SeededGenerator(seed: seed, 1, UInt64(epoch))
    var order = Array(lengths.indices)
    order.shuffle(by: &generator)
    var batches: [[Int]] = []
    for start in stride(from: 0, to: order.count, by: batchSize * Self.window) {
      let window = order[start..<min(start + batchSize * Self.window, order.count)]
        .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
      for first in stride(from: 0, to: window.count, by: batchSize) {
        batches.append(Array(window[first..<min(first + batchSize, window.count)]))
      }
    }
    batches.shuffle(by: &generator)
    return batches
  }
}

extension Array {
  /// Fisher and Yates's shuffle with numbers of our own generator, the same everywhere.
  fileprivate mutating func shuffle(by generator: inout SeededGenerator) {
    for index in stride(from: count - 1, to: 0, by: -1) {
      swapAt(index, generator.index(below: index + 1))
    }
  }
}
