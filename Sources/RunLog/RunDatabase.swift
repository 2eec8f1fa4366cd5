import Foundation
import GRDB

/// The log of training runs: a SQLite file that several training runs may write at once.
///
/// It contains settings, hashes and figures, but no ink and no text of the data. Safe to use from
/// any thread.
///
///     let log = try RunDatabase(at: RunDatabase.defaultFile)
///     for run in try log.runs() { print(run.run.output, run.figure ?? .nan) }
package final class RunDatabase: Sendable {
  /// The file.
  package let file: URL
  private let database: DatabaseQueue

  /// `$DUCTUS_RUNS`, or `runs.sqlite` in the user's folder for application data.
  package static var defaultFile: URL {
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

  /// Opens the log. Creates it and its folder if they do not exist, readable only by the user.
  ///
  /// - Parameters:
  ///   - isReadOnly: If true, the log must exist and is not changed.
  ///   - patience: The seconds to wait for other writers. Writes are short, but a slow disk makes
  ///     them long, and SQLite does not serve waiting writers in order.
  /// - Throws: ``RunLogError/unusable(path:reason:)`` or ``RunLogError/newer(path:)``.
  package init(
    at file: URL, isReadOnly: Bool = false, patience: TimeInterval = 2
  ) throws(RunLogError) {
    self.file = file
    if !isReadOnly { try Self.make(file) }
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(patience)
    do {
      database = try DatabaseQueue(path: file.path, configuration: configuration)
      try prepare(isReadOnly: isReadOnly)
    } catch let error as RunLogError {
      throw error
    } catch {
      throw Self.unusable(file, error)
    }
  }

  /// The most races of one step with other processes that open the log during its creation. They
  /// may create tables between the check and the step: once those of migrations, once those of the
  /// log.
  private static let mostRaces = 2

  /// Claims the file and creates missing tables.
  private func prepare(isReadOnly: Bool) throws {
    var races = 0
    while true {
      do {
        try claim(isReadOnly: isReadOnly)
        let migrator = Self.migrator
        if try database.read(migrator.hasBeenSuperseded) {
          throw RunLogError.newer(path: file.path)
        }
        if !isReadOnly { try migrator.migrate(database) }
        return
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR && races < Self.mostRaces
      {
        races += 1
      }
    }
  }

  /// Checks that the file is a log, and marks an empty file as one before there are tables, so that
  /// other processes that open it meanwhile do not take it for another file.
  private func claim(isReadOnly: Bool) throws {
    func isLog(_ database: Database) throws -> Bool {
      try Int32.fetchOne(database, sql: "PRAGMA application_id") == Self.applicationID
    }
    if try database.read(isLog) { return }
    let foreign = RunLogError.unusable(path: file.path, reason: "it is another SQLite file")
    if isReadOnly { throw foreign }
    try database.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        if try isLog(database) { return .commit }
        guard try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0 else {
          throw foreign
        }
        try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        return .commit
      }
    }
  }

  private static func make(_ file: URL) throws(RunLogError) {
    let folder = file.deletingLastPathComponent()
    let manager = FileManager.default
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .unusable(path: file.path, reason: "its folder \(folder.path) cannot be made")
    }
    guard !manager.fileExists(atPath: file.path) else { return }
    // Created next to it and linked, which never replaces a file that another process has just
    // created.
    let draft = folder.appendingPathComponent(".\(file.lastPathComponent)-\(UUID().uuidString)")
    guard
      manager.createFile(atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw .unusable(path: file.path, reason: "it cannot be made in \(folder.path)") }
    // Without support for links, SQLite creates the file.
    try? manager.linkItem(at: draft, to: file)
    try? manager.removeItem(at: draft)
  }

  /// Records that a run begins.
  ///
  /// - Parameters:
  ///   - logged: The run, with the epochs of its checkpoint. The log assigns its `id`.
  ///   - isResumed: True if it continues from a checkpoint. It then becomes another session of the
  ///     last run with the same output, settings and data, unless that run has finished or is
  ///     running.
  /// - Returns: The run in its logged form.
  /// - Throws: ``RunLogError``.
  package func begin(_ logged: LoggedRun, isResumed: Bool = false) throws(RunLogError) -> LoggedRun
  {
    try access { database in
      var result = logged
      if isResumed, let other = try Self.unfinished(logged.run, database) {
        result = logged.continuing(other)
        try Self.write(result, database)
      } else {
        result.run.id = nil
        var row = RunRow(result.run)
        try row.insert(database)
        result.run = row.record
        try Self.write(result, database)
      }
      return result
    }
  }

  /// Replaces the logged data of a run that has begun.
  ///
  /// - Throws: ``RunLogError``.
  package func save(_ logged: LoggedRun) throws(RunLogError) {
    try access { try Self.write(logged, $0) }
  }

  private static func write(_ logged: LoggedRun, _ database: Database) throws {
    guard let id = logged.run.id else { return }
    try RunRow(logged.run).update(database)
    try RunEpochRow.filter(Column("run") == id).deleteAll(database)
    for epoch in logged.epochs { try RunEpochRow(run: id, epoch).insert(database) }
  }

  /// The run that another one continues; nil if there is none.
  private static func unfinished(_ run: RunRecord, _ database: Database) throws -> LoggedRun? {
    let others = RunRow.filter(Column("output") == run.output).order(Column("id").desc)
    guard let other = try others.fetchOne(database)?.record, run.continues(other),
      other.seenFromHere().state != .running
    else { return nil }
    return try Self.logged(other, database)
  }

  private static func logged(_ run: RunRecord, _ database: Database) throws -> LoggedRun {
    let rows = RunEpochRow.filter(Column("run") == run.id).order(Column("epoch"))
    return LoggedRun(run: run.seenFromHere(), epochs: try rows.fetchAll(database).map(\.value))
  }

  /// The number of runs.
  ///
  /// - Throws: ``RunLogError``.
  package func count() throws(RunLogError) -> Int { try read(RunRow.fetchCount) }

  /// The last runs, the oldest first.
  ///
  /// - Throws: ``RunLogError``.
  package func runs(last count: Int = .max) throws(RunLogError) -> [LoggedRun] {
    try read { database in
      try RunRow.order(Column("id").desc).limit(count).fetchAll(database).reversed()
        .map { try Self.logged($0.record, database) }
    }
  }

  /// The run with a name: its number, `last`, or the path of its model, which means the last run
  /// with that path.
  ///
  /// - Throws: ``RunLogError``.
  package func run(_ name: String) throws(RunLogError) -> LoggedRun {
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
      return try request.order(Column("id").desc).fetchOne(database)
        .map { try Self.logged($0.record, database) }
    }
    guard let found else { throw .noSuchRun(name, path: file.path) }
    return found
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
      default: "\(error)"
      }
    return .unusable(path: file.path, reason: reason)
  }
}
