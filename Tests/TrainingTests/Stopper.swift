import Foundation
import Testing
import Training

/// Asks a trainer to stop after a step.
final class Stopper: TrainingObserver, @unchecked Sendable {
  // Unchecked because one trainer calls it on one thread.
  private let step: Int
  private var steps = 0

  init(after step: Int) { self.step = step }

  func trainingDidStep(_ progress: TrainingProgress) { steps = progress.step }
  func trainingDidFinishEpoch(_ record: EpochRecord) {}
  var shouldStop: Bool { steps >= step }
}

/// A trainer that resumes, from a checkpoint, where one like it was stopped after a step. Checks
/// that other data cannot resume from that checkpoint.
func resumed<Task>(
  after step: Int, _ trainer: () throws -> Trainer<Task>
) throws -> Trainer<Task> {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("checkpoint-\(UInt64.random(in: .min ... .max))")
  defer { try? FileManager.default.removeItem(at: folder) }
  let identity = DataIdentity(training: "a", validation: "b")
  let checkpoint = TrainingCheckpoint(folder: folder)
  #expect(throws: TrainingError.self) {
    try trainer().train(observer: Stopper(after: step)) {
      try checkpoint.save($0, data: identity)
    }
  }
  #expect(throws: TrainingError.self) {
    try checkpoint.restore(trainer(), data: DataIdentity(training: "a", validation: "c"))
  }
  let second = try trainer()
  try checkpoint.restore(second, data: identity)
  return second
}
