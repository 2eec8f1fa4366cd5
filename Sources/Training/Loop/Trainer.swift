import Files
import Foundation
import LinearAlgebra
import Networks

/// Trains a model of any kind: steps by a one-cycle schedule, a moving average of the weights,
/// validation after every epoch, the choice of the epoch to keep, checkpoints, and early stopping.
///
/// The result has the same bits for any number of workers and of ranks. Not thread-safe.
public final class Trainer<Task: TrainingTask> {
  /// The task to train.
  package let task: Task
  /// The progress of training.
  package var state = TrainingState()
  package let optimizer: AdamW
  /// The averaged weights of the best validation so far, or of the last one.
  let kept: AlignedBuffer
  private let steps: ShardedStep<Task.Shard>
  /// The processes that train together; nil for this one alone.
  let ranks: (any TrainingRanks)?
  private var sessionStart: ContinuousClock.Instant?
  private var timedBatches: [Task.Batch] = []
  private var timedSteps = 0

  /// The learning rate of timed steps, as a share of the peak: low enough to stay stable for the
  /// length of a benchmark.
  private static var timedRate: Float { 1 / 16 }

  /// Prepares training.
  ///
  /// - Throws: ``TrainingError/unusableStart`` if the model to start from has other layers.
  public convenience init(_ task: Task) throws(TrainingError) {
    try self.init(task, ranks: nil)
  }

  /// Prepares training by several processes.
  ///
  /// - Parameter ranks: The processes, which train with the same settings on the same data; nil for
  ///   this one alone.
  /// - Throws: ``TrainingError/unusableStart`` if the model to start from has other layers.
  package init(_ task: Task, ranks: (any TrainingRanks)?) throws(TrainingError) {
    self.task = task
    self.ranks = ranks
    optimizer = AdamW(task.tensors, count: task.parameterCount)
    try task.initialize(optimizer.parameters)
    optimizer.average.copy(from: optimizer.parameters)
    kept = AlignedBuffer(count: task.parameterCount)
    steps = ShardedStep(
      task.configuration.shards, task.tensors, count: task.parameterCount, optimizer: optimizer,
      workers: task.workers, ranks: ranks, makeShard: task.makeShard)
  }

  /// The settings that determine the result.
  public var configuration: Task.Configuration { task.configuration }

  /// The classes of the model.
  public var labels: [String] { task.labels }

  /// Steps of one pass over the data.
  package var stepsPerEpoch: Int { task.stepsPerEpoch }

  /// The figures of the epoch whose weights are kept so far; nil before the first ends.
  package var keptRecord: EpochRecord? {
    switch configuration.keptEpoch {
    case .best: state.history.last { $0.score == state.bestScore }
    case .last: state.history.last
    }
  }

  /// Seconds of training so far, without the pauses between the sessions of a resumed run. Steps
  /// after the last checkpoint of a killed session do not count, because they are repeated.
  package var seconds: Double {
    let running = sessionStart.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
    return (state.seconds ?? 0) + running
  }

  /// Weights, moments, the weights to keep so far, and the additional buffers of the task.
  var buffers: [(name: String, buffer: AlignedBuffer)] {
    [
      ("parameters", optimizer.parameters), ("average", optimizer.average),
      ("moment1", optimizer.first), ("moment2", optimizer.second), ("best", kept),
    ] + task.buffers
  }

  /// Trains to the end from the current state and saves checkpoints.
  ///
  /// - Returns: The model of the kept epoch, in its saved form.
  /// - Throws: ``TrainingError``, or the error of `save`.
  public func train(
    observer: (any TrainingObserver)? = nil, save: ((Trainer) throws -> Void)? = nil
  ) throws -> Task.Model {
    try trainWeights(observer: observer, save: save)
    return keptModel()
  }

  /// Trains to the end as ``train(observer:save:)`` does, without making the model.
  ///
  /// - Throws: ``TrainingError``, the error of `save`, or the error of a rank that does not answer.
  package func trainWeights(
    observer: (any TrainingObserver)?, save: ((Trainer) throws -> Void)?
  ) throws {
    try shareState()
    try runEpochs(observer, CheckpointClock(save.map { save in { try save(self) } }))
  }

  /// The model of the kept epoch, in its saved form.
  package func keptModel() -> Task.Model { task.model(of: kept) }

  /// Gives the state and the weights of rank 0, which read the checkpoint, to all ranks.
  private func shareState() throws {
    guard let ranks else { return }
    state = try ranks.exchange(state)[0]
    for (_, buffer) in buffers { try ranks.share(.init(buffer.buffer)) }
  }

  private func runEpochs(_ observer: (any TrainingObserver)?, _ clock: CheckpointClock) throws {
    sessionStart = .now
    defer {
      state.seconds = seconds
      sessionStart = nil
    }
    while state.epoch < configuration.epochs, !isExhausted {
      let epoch = EpochContext(
        epoch: state.epoch, begins: state.stepInEpoch == 0, average: optimizer.average)
      try runEpoch(task.batches(epoch, observer: observer), observer, clock)
      try finishEpoch(observer)
      try clock.saveNow()
    }
  }

  private var isExhausted: Bool {
    configuration.keptEpoch == .best && configuration.patience > 0
      && state.epochsWithoutGain >= configuration.patience
  }

  private func runEpoch(
    _ batches: [Task.Batch], _ observer: (any TrainingObserver)?, _ clock: CheckpointClock
  ) throws {
    let schedule = OneCycleSchedule(
      peak: configuration.peakRate, steps: stepsPerEpoch * configuration.epochs,
      finalDivisor: configuration.finalDivisor)
    while state.stepInEpoch < stepsPerEpoch {
      let batch = batches[state.stepInEpoch]
      let rate = schedule.rate(at: state.step)
      let (outcome, stops) = try run(
        batch, epoch: state.epoch, optimizerStep(rate: rate)
      ) { observer?.shouldStop == true }
      try checkDivergence(outcome, rate)
      state.note(outcome, rate: rate)
      observer?.trainingDidStep(
        TrainingProgress(
          step: state.step, steps: schedule.steps, epoch: state.epoch,
          epochs: configuration.epochs, samples: batch.count, loss: outcome.meanLoss, rate: rate))
      // Without ranks the observer may also wish to stop because of this step.
      if stops || (ranks == nil && observer?.shouldStop == true) {
        try clock.saveNow()
        throw TrainingError.interrupted(epoch: state.epoch, step: state.step)
      }
      try clock.saveIfDue()
    }
  }

  /// Takes one step.
  ///
  /// - Parameter stops: True if this rank wishes to stop after the step.
  /// - Returns: The sums over the batch, and true if this or another rank wishes to stop.
  /// - Throws: The error of a rank that does not answer.
  package func run(
    _ batch: Task.Batch, epoch: Int, _ step: AdamW.Step, reusingInputs: Bool = false,
    stops: () -> Bool = { false }
  ) throws -> (outcome: StepOutcome, stops: Bool) {
    let (active, units) = task.division(of: batch)
    let context = StepContext(
      epoch: epoch, number: step.number, parameters: optimizer.parameters,
      gradientScale: 1 / Float(max(1, units)), reusesInputs: reusingInputs)
    return try steps.run(
      active: active, step, maximumNorm: configuration.maximumGradientNorm, stops: stops
    ) { [task] shard, index in
      task.run(shard, index: index, of: batch, context)
    }
  }

  private func optimizerStep(rate: Float) -> AdamW.Step {
    let number = state.step + 1
    let ramp = Float(1 + number) / Float(10 + number)
    return AdamW.Step(
      rate: rate, weightDecay: configuration.weightDecay, gradientScale: 1,
      averageDecay: min(configuration.averageDecay, ramp), number: number)
  }

  private func checkDivergence(_ outcome: StepOutcome, _ rate: Float) throws(TrainingError) {
    let loss = outcome.meanLoss
    let limit = task.divergence
    let largest = max(limit.loss, 3 * (state.firstLoss ?? 0))
    let freeSteps = min(limit.freeSteps, max(1, configuration.epochs * stepsPerEpoch / 4))
    guard loss.isFinite, outcome.gradientNorm.isFinite, state.step < freeSteps || loss < largest
    else { throw .diverged(epoch: state.epoch, step: state.step, loss: loss, rate: rate) }
  }

  private func finishEpoch(_ observer: (any TrainingObserver)?) throws {
    let training = state.trainingFigures()
    let score = try validate(observer)
    let record = EpochRecord(
      epoch: state.epoch, trainingLoss: training.loss,
      trainingAccuracy: task.knowsTrainingAccuracy ? training.accuracy : nil,
      validationAccuracy: score.accuracy,
      validationAccuracyWithoutArea: score.accuracyWithoutArea, validationLoss: score.loss,
      rate: state.rate)
    state.finishEpoch(record)
    // For equal scores, prefer the later epoch: its average is over more steps.
    if configuration.keptEpoch == .last || record.score == state.bestScore {
      kept.copy(from: optimizer.average)
    }
    observer?.trainingDidFinishEpoch(record)
  }

  /// Scores the averaged weights, and reports the worst errors if the observer wants them.
  private func validate(_ observer: (any TrainingObserver)?) throws -> ValidationScore {
    if let ranks, let task = task as? any SharedValidation {
      // An observer of one rank may want errors of all.
      let wanted = try ranks.exchange(observer?.wantedErrors ?? 0).max() ?? 0
      let (score, errors) = try task.validate(
        optimizer.average, keepingErrors: wanted, ranks: ranks)
      if let observer, observer.wantedErrors > 0 {
        observer.trainingDidMisread(
          Array(errors.prefix(observer.wantedErrors)), inEpoch: state.epoch)
      }
      return score
    }
    guard let observer, observer.wantedErrors > 0 else { return task.validate(optimizer.average) }
    let (score, errors) = task.validate(
      optimizer.average, keepingErrors: observer.wantedErrors)
    observer.trainingDidMisread(errors, inEpoch: state.epoch)
    return score
  }

  /// Repeats steps over the batches of the first epoch and measures them: no schedule, validation
  /// or checkpoints. For benchmarks; the weights are useless afterwards.
  ///
  /// - Parameters:
  ///   - steps: The number of steps.
  ///   - reusingInputs: If true, steps reuse the previous inputs, so that the time excludes
  ///     reading, augmentation and features.
  /// - Returns: The time of the steps, and the number of samples in them.
  @discardableResult
  package func time(steps: Int, reusingInputs: Bool = false) -> (time: Duration, samples: Int) {
    if timedBatches.isEmpty {
      let epoch = EpochContext(epoch: 0, begins: true, average: optimizer.average)
      timedBatches = task.batches(epoch, observer: nil)
    }
    var samples = 0
    let time = ContinuousClock().measure {
      for _ in 0..<steps {
        let batch = timedBatches[timedSteps % timedBatches.count]
        timedSteps += 1
        samples += batch.count
        _ = try? run(
          batch, epoch: 0,
          AdamW.Step(
            rate: configuration.peakRate * Self.timedRate,
            weightDecay: configuration.weightDecay, gradientScale: 1,
            averageDecay: configuration.averageDecay, number: timedSteps),
          reusingInputs: reusingInputs)
      }
    }
    return (time, samples)
  }
}

/// Saves a checkpoint every few seconds.
private final class CheckpointClock {
  private let save: (() throws -> Void)?
  private var last = ContinuousClock.now
  private static let interval = Duration.seconds(10)

  init(_ save: (() throws -> Void)?) {
    self.save = save
  }

  func saveNow() throws {
    try save?()
    last = .now
  }

  func saveIfDue() throws {
    if ContinuousClock.now - last >= Self.interval { try saveNow() }
  }
}
