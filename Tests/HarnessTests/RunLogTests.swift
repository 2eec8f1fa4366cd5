import Foundation
import GRDB
import Testing

@testable import Harness
@testable import Training

@Suite("The log of training runs")
final class RunLogTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("ductus-run-log-\(UUID().uuidString)")

  private var file: URL { folder.appendingPathComponent("deep/runs.sqlite") }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func run(
    output: String = "/models/a.ductus", seed: UInt64 = 1, epochs: Int = 3, data: String = "d"
  ) throws -> RunRecord {
    var configuration = LinePreset.small.configuration
    configuration.seed = seed
    configuration.epochs = epochs
    return try RunRecord(
      .lines, output: URL(fileURLWithPath: output), command: "ductus train lines",
      configuration: configuration, data: DataIdentity(training: data, validation: "v"),
      workers: 2, blas: "BLAS", version: "1")
  }

  private static func epoch(_ number: Int, cer: Double, seconds: Double = 1) -> RunEpoch {
    RunEpoch(
      figures: EpochRecord(
        epoch: number, trainingLoss: 0.5, validationAccuracy: 1 - cer, validationLoss: 0.25,
        rate: 0.001),
      seconds: seconds)
  }

  @Test("What was noted is read again, by number, path and 'last'")
  func roundTrip() throws {
    let log = try RunLog(at: file)
    var first = try log.begin(Self.run())
    let second = try log.begin(Self.run(output: "/models/b.ductus"))
    #expect(first.id == 1 && second.id == 2)
    try log.note(Self.epoch(0, cer: 0.5, seconds: 2), of: first)
    try log.note(Self.epoch(1, cer: 0.25, seconds: 4), of: first)
    first.state = .finished
    first.keptEpoch = 0
    first.modelBytes = 1000
    first.figures = ["cer": 0.24]
    try log.update(first)

    let other = try RunLog(at: file)
    let runs = try other.runs()
    #expect(runs.map(\.run.id) == [1, 2])
    let read = try #require(runs.first)
    #expect(read.run.state == .finished && read.run.figures == ["cer": 0.24])
    #expect(read.run.settings == first.settings && read.run.settings["seed"] == "1")
    #expect(
      read.epochs == [Self.epoch(0, cer: 0.5, seconds: 2), Self.epoch(1, cer: 0.25, seconds: 4)])
    #expect(read.best?.figures.epoch == 1)
    #expect(read.figure == 0.5, "the figure is of the epoch that is kept")
    #expect(try other.run("1") == read)
    #expect(try other.run("/models/b.ductus").run.id == 2)
    #expect(try other.run("last").run.id == 2)
  }

  @Test("A resumed run goes on as the same run, and epochs that are trained again are forgotten")
  func resuming() throws {
    let log = try RunLog(at: file)
    var run = try log.begin(Self.run())
    for number in 0..<3 { try log.note(Self.epoch(number, cer: 0.5), of: run) }
    run.state = .stopped
    try log.update(run)
    let resumed = try log.begin(Self.run(), after: 2)
    #expect(resumed.id == run.id && resumed.sessions == 2 && resumed.state == .running)
    #expect(abs(resumed.started.timeIntervalSince(run.started)) < 0.01)
    #expect(try log.run("1").epochs.map(\.figures.epoch) == [0, 1])
  }

  @Test(
    "A run is another one where it begins anew, has other settings or data, or the first is finished"
  )
  func noResuming() throws {
    let log = try RunLog(at: file)
    _ = try log.begin(Self.run())
    #expect(try log.begin(Self.run()).id == 2)
    #expect(try log.begin(Self.run(seed: 2), after: 0).id == 3)
    #expect(try log.begin(Self.run(seed: 2, data: "e"), after: 0).id == 4)
    #expect(try log.begin(Self.run(output: "/models/c.ductus"), after: 0).id == 5)
    var last = try log.begin(Self.run(output: "/models/c.ductus"), after: 0)
    #expect(last.id == 5)
    last.state = .finished
    try log.update(last)
    #expect(try log.begin(Self.run(output: "/models/c.ductus"), after: 0).id == 6)
  }

  @Test("A run whose process is gone without a word was killed")
  func killed() throws {
    let log = try RunLog(at: file)
    let run = try log.begin(Self.run())
    #expect(try log.run("1").run.state == .running)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    var gone = run
    gone.process = process.processIdentifier
    try log.update(gone)
    #expect(try log.run("1").run.state == .killed)
    #expect(try log.runs().map(\.run.state) == [.killed])
    gone.host = "another machine"
    try log.update(gone)
    #expect(try log.run("1").run.state == .running, "what runs elsewhere is not known")
  }

  @Test("Two trainings write at once")
  func concurrency() throws {
    let file = file
    _ = try RunLog(at: file)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        let log = try RunLog(at: file)
        let run = try log.begin(Self.run(output: "/models/\(worker).ductus"))
        for number in 0..<20 { try log.note(Self.epoch(number, cer: 0.5), of: run) }
      } catch {
        Issue.record("\(error)")
      }
    }
    let runs = try RunLog(at: file).runs()
    #expect(Set(runs.map(\.run.output)).count == 4)
    #expect(runs.allSatisfy { $0.epochs.count == 20 })
  }

  @Test("What is no log, cannot be opened or is newer is an error that names the file")
  func badFiles() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = folder.appendingPathComponent("text.sqlite")
    try Data(String(repeating: "no database\n", count: 100).utf8).write(to: text)
    #expect {
      try RunLog(at: text)
    } throws: { error in
      guard case RunLogError.unusable(text.path, _) = error else { return false }
      return "\(error)".contains("text.sqlite")
    }
    let below = text.appendingPathComponent("runs.sqlite")
    #expect(throws: RunLogError.self) { try RunLog(at: below) }

    let log = try RunLog(at: file)
    #expect(throws: RunLogError.noSuchRun("7", path: file.path)) { try log.run("7") }
    #expect(throws: RunLogError.noSuchRun("x.ductus", path: file.path)) { try log.run("x.ductus") }
    try DatabaseQueue(path: file.path).write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')")
    }
    #expect(throws: RunLogError.newer(path: file.path)) { try RunLog(at: file) }
  }

  /// Counts what is passed on.
  private final class Counter: TrainingObserver, @unchecked Sendable {
    // Unchecked because one thread uses it.
    var steps = 0
    var epochs = 0
    var cuts = 0
    func trainingDidStep(_ progress: TrainingProgress) { steps += 1 }
    func trainingDidFinishEpoch(_ record: EpochRecord) { epochs += 1 }
    func trainingDidCut(lines: Int, intoWords words: Int) { cuts += 1 }
    var shouldStop: Bool { true }
  }

  private func recorder(_ observer: Counter = Counter(), at file: URL) throws -> RunRecorder {
    RunRecorder(
      try Self.run(), in: { () throws(RunLogError) in try RunLog(at: file) }, passingTo: observer
    ) { Issue.record("\($0)") }
  }

  @Test("A recorder passes reports on, and notes epochs and the end")
  func recording() throws {
    let counter = Counter()
    let recorder = try recorder(counter, at: file)
    recorder.trainingDidStep(
      TrainingProgress(step: 1, steps: 2, epoch: 0, epochs: 1, samples: 1, loss: 1))
    recorder.trainingDidCut(lines: 1, intoWords: 2)
    recorder.trainingDidFinishEpoch(Self.epoch(0, cer: 0.5).figures)
    #expect(counter.steps == 1 && counter.epochs == 1 && counter.cuts == 1)
    #expect(recorder.shouldStop)
    #expect(try RunLog(at: file).run("1").run.state == .running)
    recorder.finish(keptEpoch: 0, modelBytes: 12, figures: ["cer": 0.5], seconds: 3)
    let run = try RunLog(at: file).run("1")
    #expect(run.run.state == .finished && run.run.modelBytes == 12 && run.run.seconds == 3)
    #expect(run.epochs.count == 1 && run.figure == 0.5)
  }

  @Test("A stopped run is stopped, one that fails says why without what it met")
  func endings() throws {
    let stopped = try recorder(at: file)
    stopped.end(with: TrainingError.interrupted(epoch: 1, step: 2))
    #expect(try RunLog(at: file).run("1").run.state == .stopped)
    let diverged = try recorder(at: file)
    diverged.end(with: TrainingError.diverged(epoch: 1, step: 2, loss: 3, rate: 4))
    let run = try RunLog(at: file).run("2").run
    #expect(run.state == .failed && run.failure?.contains("diverged") == true)
    struct Quoting: Error { var text = "what somebody wrote" }
    let failed = try recorder(at: file)
    failed.end(with: Quoting())
    #expect(try RunLog(at: file).run("3").run.failure == "Quoting")
  }

  @Test("A log that cannot be written is told once, and training goes on")
  func brokenLog() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let counter = Counter()
    let complaints = Complaints()
    let recorder = RunRecorder(
      try Self.run(),
      in: { () throws(RunLogError) in throw .unusable(path: "p", reason: "r") },
      passingTo: counter
    ) { complaints.errors.append($0) }
    recorder.trainingDidFinishEpoch(Self.epoch(0, cer: 0.5).figures)
    recorder.finish(keptEpoch: 0, modelBytes: 12, figures: [:], seconds: 3)
    #expect(counter.epochs == 1)
    #expect(complaints.errors == [.unusable(path: "p", reason: "r")])
  }

  private final class Complaints: @unchecked Sendable {
    // Unchecked because one thread uses it.
    var errors: [RunLogError] = []
  }

  @Test("Settings go by the paths that --set takes; arrays of plain values are one")
  func settings() throws {
    struct Inner: Encodable {
      var rate = 0.25
      var name = "n"
    }
    struct Outer: Encodable {
      var on = true
      var inner = Inner()
      var sizes = [1, 2]
      var list = [Inner(), Inner(rate: 1)]
      var none: Int?
    }
    #expect(
      try RunSettings.flattened(Outer()) == [
        "on": "true", "inner.rate": "0.25", "inner.name": "n", "sizes": "[1, 2]",
        "list.0.rate": "0.25", "list.0.name": "n", "list.1.rate": "1", "list.1.name": "n",
      ])
  }

  @Test("A comparison has the settings that differ and the figures at the same epochs")
  func comparison() throws {
    let first = LoggedRun(
      run: try Self.run(epochs: 12),
      epochs: (0..<12).map { Self.epoch($0, cer: 1 / Double($0 + 2)) })
    let second = LoggedRun(
      run: try Self.run(seed: 2, epochs: 3, data: "e"),
      epochs: (0..<3).map { Self.epoch($0, cer: 0.5) })
    let comparison = RunComparison([first, second])
    #expect(!comparison.sharesTraining && comparison.sharesValidation)
    #expect(comparison.settings.map(\.name) == ["epochs", "seed"])
    #expect(comparison.settings.map(\.values) == [["12", "3"], ["1", "2"]])
    #expect(comparison.curve.map(\.epoch) == [0, 1, 2, 4, 9, 11])
    #expect(
      comparison.curve.map { $0.figures[1] == nil } == [false, false, false, true, true, true])
    #expect(RunComparison([first, LoggedRun(run: first.run, epochs: [])]).settings.isEmpty)
  }

  @Test("Of glyphs more of the figure is better, of lines and languages less")
  func figures() {
    let record = EpochRecord(
      epoch: 0, trainingLoss: 0, validationAccuracy: 0.9, validationLoss: log(2), rate: 0)
    #expect(RunKind.allCases.map(\.lessIsBetter) == [false, true, true])
    #expect(RunKind.glyphs.phrase(RunKind.glyphs.figure(of: record)) == "top-1 90.00 %")
    #expect(RunKind.lines.phrase(RunKind.lines.figure(of: record)) == "CER 10.00 %")
    #expect(
      RunKind.language.phrase(RunKind.language.figure(of: record)) == "1.000 bits per character")
  }
}
