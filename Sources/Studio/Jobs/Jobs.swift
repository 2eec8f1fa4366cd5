import Files
import Foundation
import RunLog

/// The jobs of a project: processes of `ductus` that train, evaluate and manage models.
///
/// All state is in the folders of the jobs, so that a studio that starts later finds them again.
/// Thread-safe; several studios may use one project at once.
package final class Jobs: Sendable {
  let project: Project
  private let tool: URL
  private let environment: [String: String]
  /// Guards the folders: one thread at a time changes them.
  private let lock = NSLock()
  /// The jobs whose end this object waits for.
  private let awaited = AwaitedJobs()

  /// The most jobs that run at once: each uses all processors.
  static let mostRunning = 3
  /// The most jobs that are kept; the oldest that have ended are removed.
  static let mostKept = 200

  /// Makes the jobs of a project.
  ///
  /// - Parameters:
  ///   - tool: The executable `ductus`.
  ///   - environment: Variables of the processes, in addition to those of this one.
  package init(project: Project, tool: URL, environment: [String: String] = [:]) {
    self.project = project
    self.tool = tool
    self.environment = environment
  }

  private var root: URL { project.state.appendingPathComponent("jobs", isDirectory: true) }

  // MARK: - Reading

  /// All jobs, the latest first.
  package func list() -> [Job] {
    names.compactMap { name in
      let folder = JobFolder(root.appendingPathComponent(name))
      return folder.record.map { state(of: $0, folder) }
    }
  }

  /// The names of the folders, the latest first.
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [])
      .filter(Self.isID).sorted(by: >)
  }

  /// Returns a job and its folder.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  package func job(_ id: String) throws(StudioError) -> (job: Job, folder: JobFolder) {
    let (record, folder) = try record(id)
    return (state(of: record, folder), folder)
  }

  private func record(_ id: String) throws(StudioError) -> (JobRecord, JobFolder) {
    let folder = JobFolder(root.appendingPathComponent(id))
    guard Self.isID(id), let record = folder.record else {
      throw StudioError(.notFound, "expected a job of this project, found none", field: "id")
    }
    return (record, folder)
  }

  /// Returns true for the name of a job's folder, which leads nowhere else.
  private static func isID(_ name: String) -> Bool {
    name.utf8.count <= 40 && !name.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  // MARK: - Starting and stopping

  /// Starts a job.
  ///
  /// - Throws: ``StudioError`` of code `busy` if too many run, or of code `conflict` if another one
  ///   is making the same output.
  package func start(_ request: JobRequest) throws(StudioError) -> Job {
    lock.lock()
    defer { lock.unlock() }
    try checkRoom(for: request.output)
    let now = Date()
    let record = JobRecord(
      id: Self.newID(now), kind: request.kind, title: request.title, arguments: request.arguments,
      output: request.output, created: now, started: now)
    let folder = JobFolder(root.appendingPathComponent(record.id))
    do {
      try FileManager.default.createDirectory(
        at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StudioError(
        .unusableFile, ".studio/jobs: the folder of a job cannot be made; free some space")
    }
    tidy()
    return try run(record, folder, arguments: Self.filled(request.arguments, folder))
  }

  /// Continues a training from its checkpoint.
  ///
  /// - Throws: ``StudioError``.
  package func resume(_ id: String) throws(StudioError) -> Job {
    lock.lock()
    defer { lock.unlock() }
    var (record, folder) = try record(id)
    let job = state(of: record, folder)
    guard job.canResume, !job.isRunning else {
      throw StudioError(
        .conflict,
        "expected a training that was stopped and has a checkpoint; start a new one instead")
    }
    try checkRoom(for: record.output)
    record.sessions += 1
    record.started = Date()
    record.process = nil
    unlink(folder.end.path)
    unlink(folder.stop.path)
    return try run(record, folder, arguments: Self.filled(record.arguments, folder) + ["--resume"])
  }

  /// Asks a job to end: a training saves a checkpoint first. Asked again, it ends at once.
  ///
  /// - Throws: ``StudioError``.
  package func stop(_ id: String) throws(StudioError) -> Job {
    lock.lock()
    defer { lock.unlock() }
    let (record, folder) = try record(id)
    let job = state(of: record, folder)
    guard job.isRunning, let process = record.process,
      let number = process.split(separator: " ").first.flatMap({ pid_t($0) }), number > 1
    else { return job }
    // If it cannot be written, the job ends as failed and not as stopped.
    try? Data().write(to: folder.stop)
    kill(number, SIGINT)
    return state(of: record, folder)
  }

  /// Removes a job that has ended from the list. What it made is kept.
  ///
  /// - Throws: ``StudioError``.
  package func remove(_ id: String) throws(StudioError) {
    lock.lock()
    defer { lock.unlock() }
    let (job, folder) = try job(id)
    guard !job.isRunning else {
      throw StudioError(.conflict, "the job is running; stop it first")
    }
    try? FileManager.default.removeItem(at: folder.url)
  }

  private func checkRoom(for output: String?) throws(StudioError) {
    let running = list().filter(\.isRunning)
    if let output, running.contains(where: { $0.output == output }) {
      throw StudioError(
        .conflict, "\(output): another job is writing it; wait for it or choose another name",
        field: "name")
    }
    guard running.count < Self.mostRunning else {
      throw StudioError(
        .busy, "\(Self.mostRunning) jobs are running; wait until one ends, or stop one")
    }
  }

  /// Starts the process of a job that has a folder.
  private func run(
    _ record: JobRecord, _ folder: JobFolder, arguments: [String]
  ) throws(StudioError) -> Job {
    var record = record
    try folder.write(record)
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // The variable of Ductus in which a process leaves its exit code.
    variables["DUCTUS_EXIT_NOTE"] = folder.end.path
    let number = try ChildProcess.start(
      tool, arguments: arguments, folder: project.root, output: folder.output,
      environment: variables)
    let identity = ProcessIdentity.identity(of: number)
    // On Linux, a process without a start time has ended, and its number may be another's soon.
    #if os(Linux)
      record.process = identity.contains(" ") ? identity : nil
    #else
      record.process = identity
    #endif
    awaited.insert(record.id)
    ChildProcess.whenEnded(number) { [awaited, id = record.id] end in
      folder.write(end)
      awaited.remove(id)
    }
    try folder.write(record)
    return state(of: record, folder)
  }

  /// Returns a job in its present state. Between the end of a process and the record of its end, it
  /// counts as running.
  private func state(of record: JobRecord, _ folder: JobFolder) -> Job {
    let isAwaited = awaited.contains(record.id)
    return folder.job(record, in: project.root, isAwaited: isAwaited)
  }

  /// The argument that becomes the path of the file with the progress.
  static let watchPlace = "{watch}"

  private static func filled(_ arguments: [String], _ folder: JobFolder) -> [String] {
    arguments.map { $0.replacingOccurrences(of: watchPlace, with: folder.watch.path) }
  }

  private static func newID(_ time: Date) -> String {
    var parts = tm()
    var seconds = time_t(time.timeIntervalSince1970)
    gmtime_r(&seconds, &parts)
    let text = String(
      format: "%04d%02d%02d-%02d%02d%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
      parts.tm_hour, parts.tm_min, parts.tm_sec)
    // Milliseconds, so that names sort by time.
    let rest = Int(time.timeIntervalSince1970 * 1000) % 1000
    return text + String(format: "%03d-%04x", rest, UInt32.random(in: 0...0xFFFF))
  }

  /// Removes the oldest jobs that have ended.
  private func tidy() {
    for name in names.dropFirst(Self.mostKept) {
      let folder = JobFolder(root.appendingPathComponent(name))
      if folder.record.map({ state(of: $0, folder).isRunning }) ?? false { continue }
      try? FileManager.default.removeItem(at: folder.url)
    }
  }
}

/// The jobs whose processes a studio waits for. Thread-safe.
private final class AwaitedJobs: Sendable {
  private let ids = Guarded<Set<String>>([])

  func insert(_ id: String) { ids.withLock { _ = $0.insert(id) } }
  func remove(_ id: String) { ids.withLock { _ = $0.remove(id) } }
  func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
}

extension WorkQueue {
  /// Long work outside of the threads that answer requests.
  static let studio = WorkQueue(label: "ductus.studio.work")
}
