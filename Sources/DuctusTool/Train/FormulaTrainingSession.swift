import FormulaTraining
import Foundation
import RunLog
import Training

/// Shows the training of a formula model on the terminal, and writes it to the log of runs.
final class FormulaTrainingSession: FormulaTrainingObserver, @unchecked Sendable {
  // Unchecked because the trainer calls it on one thread.

  private let console: TrainingConsole
  private let start: ContinuousClock.Instant
  private var history: [EpochRecord]
  private var recorder: RunRecorder?
  private let stages: TrainingStages
  /// The seconds of the sessions before.
  private let secondsBefore: Double

  /// - Parameters:
  ///   - stages: The parts of the run, also from sessions before.
  ///   - start: The beginning of this session.
  init(_ console: TrainingConsole, _ stages: TrainingStages, start: ContinuousClock.Instant) {
    (self.console, self.stages, self.start) = (console, stages, start)
    history = stages.history()
    secondsBefore = stages.seconds
  }

  /// Seconds of all sessions.
  var seconds: Double { secondsBefore + (ContinuousClock.now - start) / .seconds(1) }

  /// Begins an entry in the log, or continues that of the run before.
  func record(_ run: RunRecord, isResumed: Bool) {
    recorder = RunRecorder(
      run, isResumed: isResumed,
      progress: { [unowned self] in
        RunRecorder.Progress(
          history: history.map(RunEpoch.Figures.init), keptEpoch: history.last?.epoch,
          seconds: seconds)
      }, in: { () throws(RunLogError) in try RunDatabase(at: RunDatabase.defaultFile) }
    ) { [console] error in
      console.say("warning: \(error), or train with --no-log; training continues")
    }
  }

  /// Records that the model was written.
  func finish(bytes: Int, figures: [String: Double]) {
    recorder?.finish(modelBytes: bytes, figures: figures)
  }

  /// Records that the run stopped or failed.
  func end(with error: any Error) {
    keepSeconds()
    recorder?.end(with: error)
  }

  private func keepSeconds() {
    // Only for the figures of the model: a full disk must not end the training here.
    try? stages.save(seconds: seconds)
  }

  func stageDidBegin(_ name: String, samples: Int) {
    console.say("\(name): \(samples) groups of strokes")
    console.begin()
  }

  func note(_ text: String) { console.say(text) }

  func historyDidGrow(_ history: [EpochRecord]) {
    self.history = history
    keepSeconds()
    recorder?.epochEnded()
  }

  func trainingDidStep(_ progress: TrainingProgress) { console.trainingDidStep(progress) }

  func trainingDidFinishEpoch(_ record: EpochRecord) { console.trainingDidFinishEpoch(record) }

  var shouldStop: Bool { console.shouldStop }
}
