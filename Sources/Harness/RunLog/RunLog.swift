import Foundation
import GRDB
import Training

/// The log of training runs: a SQLite file that several trainings may write at once.
///
/// It holds settings, hashes and figures; no ink and no text of the data. Safe to use from any thread.
///
///     let log = try RunLog(at: RunLog.defaultFile)
///     for run in try log.runs() { print(run.run.output, run.figure ?? .nan) }
public final class RunLog: Sendable {
  /// The file.
  public let file: URL
  private let database: DatabaseQueue

  /// `$DUCTUS_RUNS`, or `runs.sqlite` in the user's folder for the data of programs.
  public static var defaultFile: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["DUCTUS_RUNS"], !path.isEmpty { return URL(fileURLWithPath: path) }
    #if canImport(Darwin)
      return URL.applicationSupportDirectory.appendingPathComponent("Ductus/runs.sqlite")
    #else
      let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: data ?? NSHomeDirectory() + "/.local/share")
        .appendingPathComponent("ductus/runs.sqlite")
    #endif
  }

  /// Opens the log, and makes it and its folder where there is none.
  ///
  /// - Throws: ``RunLogError/unusable(path:reason:)`` or ``RunLogError/newer(path:)``.
  public init(at file: URL) throws(RunLogError) {
    self.file = file
    var configuration = Configuration()
    // Writes are short: another training is waited for.
    configuration.busyMode = .timeout(10)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      database = try DatabaseQueue(path: file.path, configuration: configuration)
      let migrator = Self.migrator
      if try database.read(migrator.hasBeenSuperseded) { throw RunLogError.newer(path: file.path) }
      try migrator.migrate(database)
    } catch let error as RunLogError {
      throw error
    } catch {
      throw Self.unusable(file, error)
    }
  }

  /// Notes that a run begins.
  ///
  /// - Parameters:
  ///   - run: The run. Its `id` is the log's to give.
  ///   - finishedEpochs: Of a run that goes on from a checkpoint. It becomes another session of the
  ///     last run with the same output, settings and data, where there is one that has not
  ///     finished; epochs after these are forgotten, since they are trained again.
  /// - Returns: the run as it is logged.
  /// - Throws: ``RunLogError``.
  public func begin(
    _ run: RunRecord, after finishedEpochs: Int? = nil
  ) throws(RunLogError) -> RunRecord {
    try access { database in
      var row = RunRow(run)
      if let finishedEpochs, let other = try Self.last(continuedBy: run, database) {
        row.record.id = other.id
        row.record.started = other.started
        row.record.sessions = other.sessions + 1
        row.record.seconds = other.seconds
        try row.update(database)
        try RunEpochRow
          .filter(Column("run") == other.id && Column("epoch") >= finishedEpochs)
          .deleteAll(database)
      } else {
        row.record.id = nil
        try row.insert(database)
      }
      return row.record
    }
  }

  /// Notes the state of a run that has begun.
  ///
  /// - Throws: ``RunLogError``.
  public func update(_ run: RunRecord) throws(RunLogError) {
    try access { try RunRow(run).update($0) }
  }

  /// Notes a finished epoch; one of the same number is replaced.
  ///
  /// - Throws: ``RunLogError``.
  public func note(_ epoch: RunEpoch, of run: RunRecord) throws(RunLogError) {
    guard let id = run.id else { throw .noSuchRun("a run without a number", path: file.path) }
    try access { database in
      try RunEpochRow(run: id, epoch).save(database)
      var row = RunRow(run)
      row.record.seconds = epoch.seconds
      row.record.updated = Date()
      try row.update(database)
    }
  }

  /// All runs, the oldest first.
  ///
  /// - Throws: ``RunLogError``.
  public func runs() throws(RunLogError) -> [LoggedRun] {
    try read { database in
      let rows = try RunEpochRow.order(Column("run"), Column("epoch")).fetchAll(database)
      let epochs = Dictionary(grouping: rows, by: \.run)
      return try RunRow.order(Column("id")).fetchAll(database).map(\.value).map { run in
        LoggedRun(run: run, epochs: run.id.flatMap { epochs[$0] }?.map(\.value) ?? [])
      }
    }
  }

  /// The run of a name: its number, `last`, or the path of its model, of which the last run counts.
  ///
  /// - Throws: ``RunLogError``.
  public func run(_ name: String) throws(RunLogError) -> LoggedRun {
    let path = URL(fileURLWithPath: name).standardizedFileURL.path
    let found = try read { database in
      let request =
        if let number = Int64(name) {
          RunRow.filter(Column("id") == number)
        } else if name == "last" {
          RunRow.all()
        } else {
          RunRow.filter(Column("output") == path)
        }
      let run = try request.order(Column("id").desc).fetchOne(database)?.value
      return try run.map { run in
        let rows = RunEpochRow.filter(Column("run") == run.id).order(Column("epoch"))
        return LoggedRun(run: run, epochs: try rows.fetchAll(database).map(\.value))
      }
    }
    guard let found else { throw .noSuchRun(name, path: file.path) }
    return found
  }

  private static func last(continuedBy run: RunRecord, _ database: Database) throws -> RunRecord? {
    let others = RunRow.filter(Column("output") == run.output).order(Column("id").desc)
    guard let other = try others.fetchOne(database)?.record, run.continues(other) else {
      return nil
    }
    return other
  }

  private func access<Result>(
    _ work: (Database) throws -> Result
  ) throws(RunLogError) -> Result {
    do { return try database.write(work) } catch { throw Self.unusable(file, error) }
  }

  private func read<Result>(_ work: (Database) throws -> Result) throws(RunLogError) -> Result {
    do { return try database.read(work) } catch { throw Self.unusable(file, error) }
  }

  private static func unusable(_ file: URL, _ error: any Error) -> RunLogError {
    let reason =
      switch error {
      case let error as DatabaseError: error.message ?? "\(error.resultCode)"
      case let error as CocoaError: error.localizedDescription
      default: "\(error)"
      }
    return .unusable(path: file.path, reason: reason)
  }
}
