import DuctusTool
import Foundation
import RunLog
import Testing
import Training

@Suite("The log of runs beside the reports of a training")
struct RecordingObserverTests {
  /// Notes the reports.
  private final class Notes: TrainingObserver, @unchecked Sendable {
    // Unchecked because one thread uses it.
    var reports: [String] = []
    var history: [EpochRecord] = []

    func trainingDidStep(_ progress: TrainingProgress) { reports.append("step") }
    func trainingDidCut(lines: Int, intoWords words: Int) { reports.append("cut") }
    func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
      reports.append("misread")
    }
    func trainingDidFinishEpoch(_ record: EpochRecord) {
      reports.append("epoch")
      history.append(record)
    }
    var wantedErrors: Int { 7 }
    var shouldStop: Bool { true }
  }

  private func recorder(_ notes: Notes, in file: URL) throws -> RunRecorder {
    let run = try RunRecord(
      .glyphs, output: file, command: "", settings: ["seed": 1], epochs: 2, data: ([], []),
      hashes: ("", ""), workers: 1, blas: "", version: "")
    return RunRecorder(
      run,
      progress: {
        RunRecorder.Progress(
          history: notes.history.map(RunEpoch.Figures.init), keptEpoch: nil, seconds: 1)
      }, in: { () throws(RunLogError) in try RunDatabase(at: file) }
    ) { error in Issue.record(error) }
  }

  private func withLog(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-observer-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("runs.sqlite"))
  }

  @Test("Every report and answer is passed on; an epoch is in the log when it ends")
  func passing() throws {
    try withLog { file in
      let notes = Notes()
      let observer = RecordingObserver(notes, recording: try recorder(notes, in: file))
      observer.trainingDidStep(
        TrainingProgress(step: 1, steps: 2, epoch: 0, epochs: 1, samples: 1, loss: 1))
      observer.trainingDidCut(lines: 1, intoWords: 2)
      observer.trainingDidMisread([], inEpoch: 0)
      observer.trainingDidFinishEpoch(
        EpochRecord(
          epoch: 0, trainingLoss: 1, trainingAccuracy: 0.5, validationAccuracy: 0.75,
          validationAccuracyWithoutArea: 0.25, validationLoss: 2, rate: 0.125))
      #expect(notes.reports == ["step", "cut", "misread", "epoch"])
      #expect(observer.shouldStop && observer.wantedErrors == 7)
      let epoch = try #require(RunDatabase(at: file).run("last").epochs.first?.figures)
      #expect(epoch == RunEpoch.Figures(notes.history[0]))
      #expect(epoch.trainingAccuracy == 0.5 && epoch.validationAccuracyWithoutArea == 0.25)
    }
  }

  @Test("A stopped run is stopped; a failed one has a reason that does not quote data")
  func endings() throws {
    try withLog { file in
      struct Quoting: Error { var text = "the ink of somebody" }
      let notes = Notes()
      try recorder(notes, in: file).end(with: TrainingError.interrupted(epoch: 1, step: 2))
      try recorder(notes, in: file)
        .end(with: TrainingError.diverged(epoch: 1, step: 2, loss: 3, rate: 4))
      try recorder(notes, in: file).end(with: Quoting())
      let log = try RunDatabase(at: file)
      #expect(try log.run("1").run.state == .stopped)
      #expect(try log.run("2").run.failure?.contains("diverged") == true)
      #expect(try log.run("3").run.failure == "Quoting")
    }
  }
}
