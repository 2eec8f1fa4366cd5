import Foundation
import Studio
import Testing

@Suite("Jobs") struct JobsTests {
  @Test("A job runs in the project, without input, and its output and exit code are kept")
  func finished() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let started = try jobs.start(place.request("quick"))
    let job = try place.ended(started.id, of: jobs)
    #expect(job.state == .finished && job.exitCode == 0 && job.signal == nil)
    #expect(try place.text("arguments.txt") == "train\nglyphs\n--output=models/quick.ductus\n")
    #expect(try place.text("folder.txt") == place.project.root.path + "\n")
    #expect(try place.text("input.txt").isEmpty)
    let folder = try jobs.job(started.id).folder
    #expect(String(decoding: folder.outputText(from: nil).bytes, as: UTF8.self) == "done\n")
    for file in [folder.description, folder.output, folder.end] {
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(file.lastPathComponent)")
    }
  }

  @Test("Arguments reach the program as they are, and no shell reads them")
  func arguments() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let odd = ["a b", "$(touch owned.txt)", "; touch owned.txt", "`touch owned.txt`", "*", "'\"é"]
    let job = try jobs.start(JobRequest(kind: .models, title: "x", arguments: odd, output: nil))
    _ = try place.ended(job.id, of: jobs)
    #expect(try place.text("arguments.txt") == odd.joined(separator: "\n") + "\n")
    #expect(!FileManager.default.fileExists(atPath: place.path("owned.txt")))
  }

  @Test("A failure, a signal and a missing program are told apart")
  func failures() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let failed = try place.ended(jobs.start(place.request("fail")).id, of: jobs)
    #expect(failed.state == .failed && failed.exitCode == 3)
    let crashed = try place.ended(jobs.start(place.request("crash")).id, of: jobs)
    #expect(crashed.state == .failed && crashed.signal == SIGKILL && crashed.exitCode == nil)
    let missing = place.jobs(tool: place.root.appendingPathComponent("missing"))
    #expect(code { _ = try missing.start(place.request("quick")) } == .failed)
    #expect(missing.list().allSatisfy { !$0.isRunning })
  }

  @Test("A job survives the studio, is found again, stopped, and resumed from its checkpoint")
  func survives() throws {
    // The studio ignores this signal; its jobs must not.
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    let place = try JobsProject()
    let first = place.jobs()
    let id = try first.start(place.request("slow")).id
    try place.wait { FileManager.default.fileExists(atPath: place.path("number.txt")) }
    // A session of its own: closing a terminal or Ctrl-C in it does not reach the job.
    let number = try #require(
      pid_t(place.text("number.txt").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(getsid(number) == number)
    let second = place.jobs()
    #expect(second.list().map(\.id) == [id])
    #expect(try second.job(id).job.state == .running)
    #expect(code { try second.remove(id) } == .conflict)
    #expect(code { _ = try second.resume(id) } == .conflict)
    #expect(try second.stop(id).state != .running)
    let stopped = try place.ended(id, of: first)
    #expect(stopped.state == .stopped && stopped.exitCode == 1 && stopped.canResume)
    let third = place.jobs()
    #expect(try third.resume(id).sessions == 2)
    let finished = try place.ended(id, of: third)
    #expect(finished.state == .finished && !finished.canResume)
    #expect(try place.text("arguments.txt").hasSuffix("--resume\n"))
    let output = try third.job(id).folder.outputText(from: 0).bytes
    #expect(String(decoding: output, as: UTF8.self) == "started\nsaved\nresumed\n")
  }

  @Test("The exit code that a process left is known to a studio that did not see its end")
  func leftCode() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let id = try place.ended(jobs.start(place.request("quick")).id, of: jobs).id
    let folder = try jobs.job(id).folder
    for (text, state, exitCode) in [
      ("code 0\n", JobState.finished, Int32?(0)), ("code 2\n", .failed, 2),
      ("signal 9\n", .failed, nil), ("nonsense", .failed, nil), ("", .failed, nil),
    ] {
      try Data(text.utf8).write(to: folder.end)
      let job = try place.jobs().job(id).job
      #expect(job.state == state && job.exitCode == exitCode, "\(text)")
    }
  }

  @Test("Without a record of the end, a job is judged by what it made")
  func judged() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let id = try place.ended(jobs.start(place.request("quick")).id, of: jobs).id
    unlink(try jobs.job(id).folder.end.path)
    #expect(try place.jobs().job(id).job.state == .failed)
    let model = place.path("models/quick.ductus")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: model + "/manifest.json"))
    #expect(try place.jobs().job(id).job.state == .finished)
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -86_400)]
    try FileManager.default.setAttributes(old, ofItemAtPath: model + "/manifest.json")
    #expect(try place.jobs().job(id).job.state == .failed, "an older model is not of this job")
  }

  @Test("A process that got the number of an ended job is not taken for it, and not stopped")
  func reusedNumber() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let id = try place.ended(jobs.start(place.request("quick")).id, of: jobs).id
    let folder = try jobs.job(id).folder
    var record = try #require(folder.record)
    // The number of this test, with another start time.
    record.process = "\(ProcessInfo.processInfo.processIdentifier) 1 another-boot"
    try folder.write(record)
    unlink(folder.end.path)
    let job = try place.jobs().stop(id)
    #expect(!job.isRunning)
  }

  @Test("At most three jobs run at once, and two never write the same output")
  func limits() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    var ids = [try jobs.start(place.request("slow")).id]
    #expect(code { _ = try jobs.start(place.request("slow")) } == .conflict)
    for number in 2...3 { ids.append(try jobs.start(place.request("slow\(number)")).id) }
    #expect(code { _ = try jobs.start(place.request("slow4")) } == .busy)
    for id in ids { _ = try jobs.stop(id) }
    for id in ids { _ = try place.ended(id, of: jobs) }
    let next = try jobs.start(place.request("quick"))
    _ = try place.ended(next.id, of: jobs)
    try jobs.remove(next.id)
    #expect(!jobs.list().contains { $0.id == next.id })
  }

  @Test(
    "The name of a job leads nowhere else",
    arguments: [
      "..", ".", "", "../jobs", "/etc", "%2e%2e", "a/b", "A", String(repeating: "a", count: 99),
    ])
  func names(_ name: String) throws {
    let jobs = try JobsProject().jobs()
    #expect(code { _ = try jobs.job(name) } == .notFound)
    #expect(code { _ = try jobs.stop(name) } == .notFound)
    #expect(code { try jobs.remove(name) } == .notFound)
  }

  @Test("A damaged description hides its job and nothing else")
  func damaged() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let ids = try ["quick", "other"].map {
      try place.ended(jobs.start(place.request($0)).id, of: jobs).id
    }
    try Data("{".utf8).write(to: jobs.job(ids[0]).folder.description)
    #expect(jobs.list().map(\.id) == [ids[1]])
  }

  @Test("Parts of the output continue where the last one ended")
  func output() throws {
    let place = try JobsProject()
    let jobs = place.jobs()
    let id = try place.ended(jobs.start(place.request("quick")).id, of: jobs).id
    let folder = try jobs.job(id).folder
    try Data("0123456789".utf8).write(to: folder.output)
    #expect(folder.outputText(from: nil, most: 4).bytes == Data("6789".utf8))
    #expect(folder.outputText(from: 2, most: 4).bytes == Data("2345".utf8))
    #expect(folder.outputText(from: 2, most: 4).next == 6)
    #expect(folder.outputText(from: 99).bytes.isEmpty && folder.outputText(from: 99).next == 10)
  }
}
