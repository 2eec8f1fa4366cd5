import Foundation
import LinearAlgebra

/// What trainers of all kinds of model do alike: steps by a one-cycle schedule, the moving average,
/// validation after every epoch, the weights to keep so far, checkpoints, and stopping. Trainers make
/// theirs; ``ResumableTrainer`` tells what of it is of interest elsewhere.
public final class TrainingLoop {
  /// The numbers of a trainer's configuration that the loop needs.
  struct Settings {
    var epochs: Int
    var stepsPerEpoch: Int
    var peakRate: Float
    /// The peak over the last learning rate.
    var finalDivisor: Float = 10_000
    var weightDecay: Float
    var averageDecay: Float
    var keptEpoch: KeptEpoch
    /// End after so many validations without an improvement; 0 never.
    var patience = 0
    /// A mean loss above this, and above three times that of the first step, does not come back after
    /// the first steps.
    var largestLoss: Double
    /// The steps in which the loss may be anything finite; a quarter of those of a short run.
    var firstSteps: Int
  }

  let optimizer: AdamW
  /// The averaged weights of the best validation so far, or of the last.
  let kept: AlignedBuffer
  var state = TrainingState()
  private let settings: Settings
  /// What a trainer keeps besides, by name.
  private let others: [(String, AlignedBuffer)]
  private var sessionStart: ContinuousClock.Instant?

  init(_ optimizer: AdamW, _ settings: Settings, keeping others: [(String, AlignedBuffer)] = []) {
    self.optimizer = optimizer
    self.settings = settings
    self.others = others
    kept = AlignedBuffer(count: optimizer.parameters.count)
    optimizer.average.copy(from: optimizer.parameters)
  }

  /// Weights, moments, the weights to keep so far, and what the trainer keeps besides.
  var buffers: [(String, AlignedBuffer)] {
    [
      ("parameters", optimizer.parameters), ("average", optimizer.average),
      ("moment1", optimizer.first), ("moment2", optimizer.second), ("best", kept),
    ] + others
  }

  /// The figures of the epoch whose weights are kept so far; nil before the first ends.
  var keptRecord: EpochRecord? {
    switch settings.keptEpoch {
    case .best: state.history.last { $0.score == state.bestScore }
    case .last: state.history.last
    }
  }

  /// Seconds of training so far, without those between the sessions of a resumed run. Steps after
  /// the last checkpoint of a killed session do not count: they are run again.
  var seconds: Double {
    let running = sessionStart.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0
    return (state.seconds ?? 0) + running
  }

  /// Trains to the end, from where the state is.
  ///
  /// - Parameters:
  ///   - save: Saves a checkpoint.
  ///   - batches: The batches of an epoch, as many as there are steps in it; each element counts
  ///     as a sample.
  ///   - step: Takes one step on a batch.
  ///   - validate: Scores the averaged weights; given the mean loss and accuracy of training.
  /// - Throws: ``TrainingError``, or what `save` throws.
  func run<Batch: Collection>(
    observer: (any TrainingObserver)?, save: (() throws -> Void)?,
    batches: (_ epoch: Int) -> [Batch],
    step: (Batch, _ epoch: Int, AdamW.Step) -> StepOutcome,
    validate: (_ training: (loss: Double, accuracy: Double)) -> EpochRecord
  ) throws {
    let clock = CheckpointClock(save)
    sessionStart = .now
    defer {
      state.seconds = seconds
      sessionStart = nil
    }
    while state.epoch < settings.epochs, !isExhausted {
      try runEpoch(batches(state.epoch), observer, clock, step)
      finishEpoch(validate(state.trainingFigures()), observer)
      try clock.saveNow()
    }
  }

  private var isExhausted: Bool {
    settings.keptEpoch == .best && settings.patience > 0
      && state.epochsWithoutGain >= settings.patience
  }

  private func runEpoch<Batch: Collection>(
    _ batches: [Batch], _ observer: (any TrainingObserver)?, _ clock: CheckpointClock,
    _ step: (Batch, Int, AdamW.Step) -> StepOutcome
  ) throws {
    let schedule = OneCycleSchedule(
      peak: settings.peakRate, steps: settings.stepsPerEpoch * settings.epochs,
      finalDivisor: settings.finalDivisor)
    while state.stepInEpoch < settings.stepsPerEpoch {
      let batch = batches[state.stepInEpoch]
      let rate = schedule.rate(at: state.step)
      let outcome = step(batch, state.epoch, optimizerStep(rate: rate))
      try checkDivergence(outcome, rate)
      state.note(outcome, rate: rate)
      observer?.trainingDidStep(
        TrainingProgress(
          step: state.step, steps: schedule.steps, epoch: state.epoch, epochs: settings.epochs,
          samples: batch.count, loss: outcome.meanLoss))
      if observer?.shouldStop == true {
        try clock.saveNow()
        throw TrainingError.interrupted(epoch: state.epoch, step: state.step)
      }
      try clock.saveIfDue()
    }
  }

  private func optimizerStep(rate: Float) -> AdamW.Step {
    let number = state.step + 1
    let ramp = Float(1 + number) / Float(10 + number)
    return AdamW.Step(
      rate: rate, weightDecay: settings.weightDecay, gradientScale: 1,
      averageDecay: min(settings.averageDecay, ramp), number: number)
  }

  private func checkDivergence(_ outcome: StepOutcome, _ rate: Float) throws(TrainingError) {
    let loss = outcome.meanLoss
    let largest = max(settings.largestLoss, 3 * (state.firstLoss ?? 0))
    let firstSteps = min(
      settings.firstSteps, max(1, settings.epochs * settings.stepsPerEpoch / 4))
    guard loss.isFinite, outcome.gradientNorm.isFinite, state.step < firstSteps || loss < largest
    else { throw .diverged(epoch: state.epoch, step: state.step, loss: loss, rate: rate) }
  }

  private func finishEpoch(_ record: EpochRecord, _ observer: (any TrainingObserver)?) {
    state.finishEpoch(record)
    // Of equal scores the later: its average is over more steps.
    if settings.keptEpoch == .last || record.score == state.bestScore {
      kept.copy(from: optimizer.average)
    }
    observer?.trainingDidFinishEpoch(record)
  }
}

/// Saves a checkpoint every few seconds.
final class CheckpointClock {
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
