import RunLog
import Training

/// Passes the reports of a trainer on, and the ends of its epochs to the log of runs as well. The
/// log holds no ink.
package final class RecordingObserver: TrainingObserver {
  private let observer: any TrainingObserver
  private let recorder: RunRecorder

  /// - Parameter observer: Gets all reports, and decides whether to stop.
  package init(_ observer: any TrainingObserver, recording recorder: RunRecorder) {
    self.observer = observer
    self.recorder = recorder
  }

  package var shouldStop: Bool { observer.shouldStop }

  package var wantedErrors: Int { observer.wantedErrors }

  package func trainingDidStep(_ progress: TrainingProgress) { observer.trainingDidStep(progress) }

  package func trainingDidCut(lines: Int, intoWords words: Int) {
    observer.trainingDidCut(lines: lines, intoWords: words)
  }

  package func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
    observer.trainingDidMisread(errors, inEpoch: epoch)
  }

  package func trainingDidFinishEpoch(_ record: EpochRecord) {
    observer.trainingDidFinishEpoch(record)
    recorder.epochEnded()
  }
}

extension RunRecorder {
  /// Records that the run stopped or failed. Errors of other modules may quote data, so that only
  /// their type is recorded.
  package func end(with error: any Error) {
    if case TrainingError.interrupted = error {
      stop()
    } else {
      fail((error as? TrainingError)?.description ?? "\(type(of: error))")
    }
  }
}

extension RunEpoch.Figures {
  /// The figures of an epoch of a trainer.
  package init(_ record: EpochRecord) {
    self.init(
      epoch: record.epoch, trainingLoss: record.trainingLoss,
      trainingAccuracy: record.trainingAccuracy, validationAccuracy: record.validationAccuracy,
      validationAccuracyWithoutArea: record.validationAccuracyWithoutArea,
      validationLoss: record.validationLoss, rate: record.rate)
  }
}

extension RunKind {
  /// The figure of an epoch of a trainer on the validation data.
  func figure(of record: EpochRecord) -> Double { figure(of: RunEpoch.Figures(record)) }
}
