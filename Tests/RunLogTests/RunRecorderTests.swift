import Foundation
import GRDB
import RunLog
import Testing

@Suite("Recording runs")
struct RunRecorderTests {
  private let place = LogFolder()
  private var file: URL { place.log }

  /// A trainer for the recorder, and the errors that the recorder reports.
  private final class Trainer: @unchecked Sendable {
    // Unchecked because one thread uses it.
    var history: [RunEpoch.Figures] = []
    var seconds = 0.0
    var errors: [RunLogError] = []

    var progress: RunRecorder.Progress {
      let kept = history.max { $0.validationAccuracy < $1.validationAccuracy }
      return RunRecorder.Progress(history: history, keptEpoch: kept?.epoch, seconds: seconds)
    }

    /// Trains an epoch of a second.
    func train(cer: Double, _ recorder: RunRecorder) {
      seconds += 1
      history.append(RunSamples.record(history.count, cer: cer))
      recorder.epochEnded()
    }
  }

  private func recorder(
    of trainer: Trainer, isResumed: Bool = false
  ) throws -> RunRecorder {
    let file = file
    return RunRecorder(
      try RunSamples.run(), isResumed: isResumed, progress: { trainer.progress },
      in: { () throws(RunLogError) in try RunDatabase(at: file) }
    ) { trainer.errors.append($0) }
  }

  private func read(_ name: String = "last") throws -> LoggedRun {
    try RunDatabase(at: file).run(name)
  }

  @Test("Epochs and the end are noted")
  func recording() throws {
    let trainer = Trainer()
    let recorder = try recorder(of: trainer)
    trainer.train(cer: 0.5, recorder)
    #expect(try read().run.state == .running)
    #expect(try read().figure == 0.5)
    trainer.train(cer: 0.6, recorder)
    recorder.finish(modelBytes: 12, figures: ["cer": 0.5])
    let run = try read()
    #expect(run.run.state == .finished && run.run.modelBytes == 12 && run.run.seconds == 2)
    #expect(run.run.keptEpoch == 0 && run.figure == 0.5)
    #expect(run.epochs.map(\.seconds) == [1, 2])
    #expect(trainer.errors.isEmpty)
  }

  @Test("A stopped run is stopped; a failed one has a reason")
  func endings() throws {
    try recorder(of: Trainer()).stop()
    let stopped = try read().run
    #expect(stopped.state == .stopped && stopped.failure == nil)
    let failed = try recorder(of: Trainer())
    failed.fail("it diverged")
    #expect(try read("2").run.failure == "it diverged")
    failed.stop()
    #expect(try read("2").run.state == .failed, "the first end counts")
  }

  @Test("A log that cannot be opened is reported at the beginning and at the end")
  func brokenLog() throws {
    let trainer = Trainer()
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let recorder = try recorder(of: trainer)
    #expect(trainer.errors.count == 1)
    for _ in 0..<3 { trainer.train(cer: 0.5, recorder) }
    #expect(trainer.errors.count == 1)
    recorder.finish(modelBytes: 12, figures: [:])
    #expect(trainer.errors.count == 2)
    #expect(trainer.errors.allSatisfy { "\($0)".contains("runs.sqlite") })
  }

  @Test("A failed write is repeated after the next epoch")
  func lockedLog() throws {
    let trainer = Trainer()
    let recorder = try recorder(of: trainer)
    trainer.train(cer: 0.5, recorder)
    let other = try DatabaseQueue(path: file.path)
    try other.inDatabase { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      trainer.train(cer: 0.4, recorder)
      try database.execute(sql: "ROLLBACK")
    }
    #expect(trainer.errors.count == 1)
    #expect(try read().epochs.count == 1)
    trainer.train(cer: 0.3, recorder)
    recorder.finish(modelBytes: 12, figures: [:])
    #expect(trainer.errors.count == 1)
    let run = try read()
    #expect(run.run.state == .finished)
    #expect(run.epochs.map(\.figures) == trainer.history)
    #expect(run.epochs.map(\.seconds) == [1, 2, 3])
  }

  @Test("A run that began in another log has all its epochs, without their unknown times")
  func resumedElsewhere() throws {
    let trainer = Trainer()
    trainer.history = [RunSamples.record(0, cer: 0.5), RunSamples.record(1, cer: 0.4)]
    trainer.seconds = 20
    let recorder = try recorder(of: trainer, isResumed: true)
    trainer.train(cer: 0.3, recorder)
    let run = try read()
    #expect(run.run.id == 1 && run.run.sessions == 1)
    #expect(run.epochs.map(\.figures) == trainer.history)
    #expect(run.epochs.map(\.seconds) == [nil, nil, 21])
  }

  @Test("A run that was stopped in the middle of an epoch continues as one run")
  func resumed() throws {
    let trainer = Trainer()
    let stopped = try recorder(of: trainer)
    trainer.train(cer: 0.5, stopped)
    trainer.seconds = 1.5
    stopped.stop()
    let goesOn = try recorder(of: trainer, isResumed: true)
    trainer.train(cer: 0.25, goesOn)
    goesOn.finish(modelBytes: 12, figures: [:])
    let runs = try RunDatabase(at: file).runs()
    #expect(runs.count == 1)
    #expect(runs.first?.run.sessions == 2 && runs.first?.run.state == .finished)
    #expect(runs.first?.epochs.map(\.seconds) == [1, 2.5])
    #expect(runs.first?.figure == 0.25)
  }
}
