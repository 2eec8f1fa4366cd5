import DuctusTool
import EventFiles
import Foundation
import Testing
import Training

@Suite("Files for TensorBoard beside the reports of a training")
struct EventObserverTests {
  /// Notes the reports.
  private final class Notes: TrainingObserver, @unchecked Sendable {
    // Unchecked because one thread uses it.
    var reports: [String] = []
    var misread = 0
    let wantedErrors: Int

    init(wantedErrors: Int) { self.wantedErrors = wantedErrors }

    func trainingDidStep(_ progress: TrainingProgress) { reports.append("step") }
    func trainingDidCut(lines: Int, intoWords words: Int) { reports.append("cut") }
    func trainingDidMisread(_ errors: [MisreadSample], inEpoch epoch: Int) {
      reports.append("misread")
      misread = errors.count
    }
    func trainingDidFinishEpoch(_ record: EpochRecord) { reports.append("epoch") }
    var shouldStop: Bool { true }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("events-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func report(to observer: EventObserver) {
    observer.trainingDidStep(
      TrainingProgress(step: 1, steps: 2, epoch: 0, epochs: 1, samples: 4, loss: 1, rate: 0.5))
    observer.trainingDidCut(lines: 1, intoWords: 2)
    let error = MisreadSample(
      index: 0, label: "a|<b>", read: "c", edits: 1, strokes: [.init(x: [0, 1], y: [0, 2])])
    observer.trainingDidMisread([error, error], inEpoch: 0)
    observer.trainingDidFinishEpoch(
      EpochRecord(
        epoch: 0, trainingLoss: 1, trainingAccuracy: 0.5, validationAccuracy: 0.75,
        validationAccuracyWithoutArea: 0.25, validationLoss: 2, rate: 0.125))
  }

  @Test("Every report is passed on, and is in the file when an epoch ends")
  func passing() throws {
    try withFolder { folder in
      let notes = Notes(wantedErrors: 1)
      let observer = try EventObserver(notes, kind: .glyphs, folder: folder, step: 0) {
        Issue.record("\($0)")
      }
      observer.weights = { [("trunk.0.weight", [1, 2, 3])] }
      observer.describe(command: "ductus train", settings: ["seed": "1"])
      #expect(observer.shouldStop && observer.wantedErrors == EventObserver.mostErrors)
      report(to: observer)
      #expect(notes.reports == ["step", "cut", "misread", "epoch"] && notes.misread == 1)
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      for text in [
        "loss/step", "rate", "loss/validation", "error/validationWithoutArea", "worst/01",
        "worst/02", "weights/trunk.0.weight", "| seed | 1 |", "a\\|&lt;b>", "time/epochSeconds",
      ] {
        #expect(bytes.range(of: Data(text.utf8)) != nil, "\(text)")
      }
    }
  }

  @Test("An observer that wants no errors gets none, and a folder that is a file is an error")
  func quiet() throws {
    try withFolder { folder in
      let notes = Notes(wantedErrors: 0)
      let observer = try EventObserver(notes, kind: .lines, folder: folder, step: 7) { _ in }
      report(to: observer)
      #expect(!notes.reports.contains("misread"))
      let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
      #expect(throws: EventFileError.self) {
        try EventObserver(notes, kind: .lines, folder: "\(folder)/\(file)", step: 0) { _ in }
      }
    }
  }
}
