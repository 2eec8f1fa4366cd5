import Training

/// Asks a trainer to stop behind a step.
final class Stopper: TrainingObserver, @unchecked Sendable {
  // Unchecked because one trainer calls it on one thread.
  private let step: Int
  private var steps = 0

  init(after step: Int) { self.step = step }

  func trainingDidStep(_ progress: TrainingProgress) { steps = progress.step }
  func trainingDidFinishEpoch(_ record: EpochRecord) {}
  var shouldStop: Bool { steps >= step }
}
