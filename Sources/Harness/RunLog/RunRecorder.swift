import Foundation
import Training

/// Writes a training run to the log while it trains, and passes on what the trainer reports.
///
/// A log that cannot be written never ends a training: its error is told once, and no more is
/// written.
public final class RunRecorder: TrainingObserver, @unchecked Sendable {
  // Unchecked because the trainer and its caller use it one after the other.

  private let observer: any TrainingObserver
  private let complain: @Sendable (RunLogError) -> Void
  private var log: RunLog?
  private var run: RunRecord
  private let secondsBefore: Double
  private let began = ContinuousClock.now

  /// Begins a run in the log.
  ///
  /// - Parameters:
  ///   - run: What begins.
  ///   - state: Where the trainer stands when it goes on from a checkpoint, with the training time
  ///     until then; nil for a new run.
  ///   - open: Opens the log.
  ///   - observer: Gets all reports too, and is asked whether to stop.
  ///   - complain: Told of the first error of the log.
  public init(
    _ run: RunRecord, resuming state: (epochs: Int, seconds: Double)? = nil,
    in open: () throws(RunLogError) -> RunLog, passingTo observer: any TrainingObserver,
    complain: @escaping @Sendable (RunLogError) -> Void
  ) {
    self.run = run
    self.observer = observer
    self.complain = complain
    secondsBefore = state?.seconds ?? 0
    attempt { () throws(RunLogError) in
      let log = try open()
      self.run = try log.begin(run, after: state?.epochs)
      self.log = log
    }
  }

  /// The training time of all sessions.
  private var seconds: Double { secondsBefore + (ContinuousClock.now - began) / .seconds(1) }

  /// What the other observer says.
  public var shouldStop: Bool { observer.shouldStop }

  /// Passed on.
  public func trainingDidStep(_ progress: TrainingProgress) { observer.trainingDidStep(progress) }

  /// Passed on.
  public func trainingDidCut(lines: Int, intoWords words: Int) {
    observer.trainingDidCut(lines: lines, intoWords: words)
  }

  /// Passed on, and noted.
  public func trainingDidFinishEpoch(_ record: EpochRecord) {
    observer.trainingDidFinishEpoch(record)
    run.seconds = seconds
    attempt { () throws(RunLogError) in
      try log?.note(RunEpoch(figures: record, seconds: run.seconds), of: run)
    }
  }

  /// The run stopped or failed.
  public func end(with error: any Error) {
    guard run.state == .running else { return }
    if case TrainingError.interrupted = error {
      end(.stopped)
    } else {
      // Other errors may quote what they met.
      run.failure = (error as? TrainingError)?.description ?? "\(type(of: error))"
      end(.failed)
    }
  }

  /// The model is written.
  ///
  /// - Parameters:
  ///   - keptEpoch: Whose weights it has.
  ///   - modelBytes: Its size.
  ///   - figures: What it is worth on the validation data, by name.
  ///   - seconds: Training time of all sessions.
  public func finish(keptEpoch: Int?, modelBytes: Int, figures: [String: Double], seconds: Double) {
    run.keptEpoch = keptEpoch
    run.modelBytes = modelBytes
    run.figures = figures
    run.seconds = seconds
    end(.finished)
  }

  private func end(_ state: RunRecord.State) {
    run.state = state
    if state != .finished { run.seconds = seconds }
    run.updated = Date()
    attempt { () throws(RunLogError) in try log?.update(run) }
  }

  private func attempt(_ work: () throws(RunLogError) -> Void) {
    do {
      try work()
    } catch {
      log = nil
      complain(error)
    }
  }
}
