import Foundation
import GRDB
import RunLog
import Testing

@Suite("The log of training runs")
struct RunLogTests {
  private let place = LogFolder()
  private var folder: URL { place.url }
  private var file: URL { place.log }

  private static func begun(
    output: String = "/models/a.ductus", seed: UInt64 = 1, data: String = "d", cer: [Double] = []
  ) throws -> LoggedRun {
    RunSamples.logged(try RunSamples.run(output: output, seed: seed, data: data), cer: cer)
  }

  @Test("A logged run is found by number, path and 'last'")
  func roundTrip() throws {
    let log = try RunDatabase(at: file)
    var first = try log.begin(Self.begun())
    let second = try log.begin(Self.begun(output: "/models/b.ductus"))
    #expect(first.run.id == 1 && second.run.id == 2)
    first.epochs = [
      RunSamples.epoch(0, cer: 0.5, seconds: 2), RunSamples.epoch(1, cer: 0.25, seconds: nil),
    ]
    first.run.state = .finished
    first.run.keptEpoch = 0
    first.run.modelBytes = 1000
    first.run.figures = ["cer": 0.24]
    try log.save(first)

    let other = try RunDatabase(at: file, isReadOnly: true)
    #expect(try other.runs().map(\.run.id) == [1, 2])
    #expect(try other.runs(last: 1).map(\.run.id) == [2])
    #expect(try other.count() == 2)
    let read = try other.run("1")
    #expect(read.run.state == .finished && read.run.figures == ["cer": 0.24])
    #expect(read.run.settings == first.run.settings && read.run.settings["seed"] == "1")
    #expect(read.run.data == ["ink:d.jsonl"] && read.run.validation.isEmpty)
    #expect(read.epochs == first.epochs)
    #expect(try other.run("/models/b.ductus").run.id == 2)
    #expect(try other.run("last").run.id == 2)
  }

  @Test("A run's figure is that of the epoch whose weights are kept")
  func figure() throws {
    var logged = try Self.begun(cer: [0.5, 0.25, 0.25, 0.375])
    #expect(logged.figure == nil)
    for (epoch, figure) in [(1, 0.25), (2, 0.25), (3, 0.375)] {
      logged.run.keptEpoch = epoch
      #expect(logged.figure == figure)
    }
  }

  @Test("A resumed run continues as the same run, with its first command and its new epochs")
  func resuming() throws {
    let log = try RunDatabase(at: file)
    var first = try log.begin(Self.begun(cer: [0.5, 0.4, 0.3]))
    first.run.state = .stopped
    first.run.failure = "of before"
    try log.save(first)
    // The last of the epochs was not in the checkpoint.
    var goesOn = try Self.begun()
    goesOn.run.command = "ductus train lines --resume"
    goesOn.epochs = (0..<2).map {
      RunEpoch(figures: first.epochs[$0].figures, seconds: nil)
    }
    let resumed = try log.begin(goesOn, isResumed: true)
    #expect(resumed.run.id == first.run.id && resumed.run.sessions == 2)
    #expect(resumed.run.state == .running && resumed.run.failure == nil)
    let read = try log.run("1")
    #expect(read.run.command == "ductus train lines", "the command is the first session's")
    #expect(abs(read.run.started.timeIntervalSince(first.run.started)) < 0.01)
    #expect(read.epochs == Array(first.epochs.prefix(2)), "times that are known stay")
  }

  @Test("A restarted run, or one with other settings or data, is a new run")
  func noResuming() throws {
    let log = try RunDatabase(at: file)
    func begin(_ run: LoggedRun, isResumed: Bool = true) throws -> Int64? {
      var begun = try log.begin(run, isResumed: isResumed)
      begun.run.state = .stopped
      try log.save(begun)
      return begun.run.id
    }
    #expect(try begin(Self.begun(), isResumed: false) == 1)
    #expect(try begin(Self.begun(), isResumed: false) == 2)
    #expect(try begin(Self.begun()) == 2)
    #expect(try begin(Self.begun(seed: 2)) == 3)
    #expect(try begin(Self.begun(seed: 2, data: "e")) == 4)
    #expect(try begin(Self.begun(output: "/models/c.ductus")) == 5)
  }

  @Test("A run that is finished or still running is not continued", arguments: [false, true])
  func nothingToResume(isFinished: Bool) throws {
    let log = try RunDatabase(at: file)
    var first = try log.begin(Self.begun())
    if isFinished { first.run.state = .finished }
    try log.save(first)
    #expect(try log.begin(Self.begun(), isResumed: true).run.id == 2)
  }

  @Test("A run whose process ended without a report was killed")
  func killed() throws {
    let log = try RunDatabase(at: file)
    var run = try log.begin(Self.begun())
    #expect(try log.run("1").run.state == .running)
    run.run.process = RunSamples.endedProcess
    try log.save(run)
    #expect(try log.run("1").run.state == .killed)
    #expect(try log.runs().map(\.run.state) == [.killed])
    #expect(try log.begin(Self.begun(), isResumed: true).run.id == 1)
    run.run.host = "another machine"
    try log.save(run)
    #expect(try log.run("1").run.state == .running, "what runs elsewhere is not known")
  }

  @Test("A process is distinguished from a later one with the same number")
  func processes() throws {
    #expect(ProcessIdentity.isAlive(ProcessIdentity.own))
    #expect(!ProcessIdentity.isAlive(RunSamples.endedProcess))
    #expect(!ProcessIdentity.isAlive(""))
    #if os(Linux)
      #expect(!ProcessIdentity.isAlive(ProcessIdentity.own + "0"), "the machine was restarted")
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    try process.run()
    process.waitUntilExit()
    #expect(!ProcessIdentity.isAlive("\(process.processIdentifier)"))
  }

  @Test("Four processes that open one log at once create it together, each time")
  func madeTogether() {
    let folder = folder
    for number in 0..<25 {
      let file = folder.appendingPathComponent("\(number).sqlite")
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        #expect(throws: Never.self) { try RunDatabase(at: file, patience: 120) }
      }
    }
  }

  @Test("Four trainings write at once")
  func concurrency() throws {
    let file = file
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        let log = try RunDatabase(at: file, patience: 120)
        var run = try log.begin(Self.begun(output: "/models/\(worker).ductus"))
        for number in 0..<20 {
          run.epochs.append(RunSamples.epoch(number, cer: 0.5))
          try log.save(run)
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    let runs = try RunDatabase(at: file).runs()
    #expect(Set(runs.map(\.run.output)).count == 4)
    #expect(runs.allSatisfy { $0.epochs.count == 20 })
  }

  @Test("A file that is not a log, cannot be opened or is newer is an error that names it")
  func badFiles() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = folder.appendingPathComponent("text.sqlite")
    try Data(String(repeating: "no database\n", count: 100).utf8).write(to: text)
    #expect {
      try RunDatabase(at: text)
    } throws: { error in
      guard case RunLogError.unusable(text.path, _) = error else { return false }
      return "\(error)".contains("text.sqlite")
    }
    let below = text.appendingPathComponent("runs.sqlite")
    #expect(throws: RunLogError.self) { try RunDatabase(at: below) }

    let log = try RunDatabase(at: file)
    #expect(throws: RunLogError.noSuchRun("7", path: file.path)) { try log.run("7") }
    #expect(throws: RunLogError.noSuchRun("x.ductus", path: file.path)) { try log.run("x.ductus") }
    try DatabaseQueue(path: file.path).write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')")
    }
    #expect(throws: RunLogError.newer(path: file.path)) { try RunDatabase(at: file) }
  }

  @Test("Another program's database is not changed")
  func foreignDatabase() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let foreign = folder.appendingPathComponent("places.sqlite")
    try DatabaseQueue(path: foreign.path).write { database in
      try database.execute(sql: "CREATE TABLE bookmark (url TEXT)")
    }
    let before = try Data(contentsOf: foreign)
    for isReadOnly in [false, true] {
      #expect {
        try RunDatabase(at: foreign, isReadOnly: isReadOnly)
      } throws: { error in
        "\(error)".contains("another SQLite file") && "\(error)".contains("DUCTUS_RUNS")
      }
    }
    #expect(try Data(contentsOf: foreign) == before)
  }

  @Test("Reading creates and changes nothing")
  func readOnly() throws {
    #expect(throws: RunLogError.self) { try RunDatabase(at: file, isReadOnly: true) }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: file)
    #expect(throws: RunLogError.self) { try RunDatabase(at: file, isReadOnly: true) }
    #expect(try Data(contentsOf: file).isEmpty)
    #expect(
      try RunDatabase(at: file).count() == 0, "an empty file becomes a log when there is a run")
    #expect(throws: RunLogError.self) {
      try RunDatabase(at: self.file, isReadOnly: true).begin(Self.begun())
    }
  }

  @Test("Only its user can read the file")
  func permissions() throws {
    _ = try RunDatabase(at: file)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
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

  @Test("Higher is better for glyphs, lower for lines and language models")
  func figures() {
    let record = RunEpoch.Figures(
      epoch: 0, trainingLoss: 0, validationAccuracy: 0.9, validationLoss: log(2), rate: 0)
    #expect(RunKind.allCases.map(\.lessIsBetter) == [false, true, false, true])
    #expect(RunKind.glyphs.phrase(RunKind.glyphs.figure(of: record)) == "top-1 90.00 %")
    #expect(RunKind.lines.phrase(RunKind.lines.figure(of: record)) == "CER 10.00 %")
    #expect(
      RunKind.language.phrase(RunKind.language.figure(of: record)) == "1.000 bits per character")
  }
}
