import Files
import Foundation
import GRDB

/// The index of handwritten and typed words in notes: a SQLite file with a full-text table.
///
///     let index = try InkIndex(at: InkIndex.defaultFile)
///     for hit in try index.search(SearchQuery("meeting")) { print(hit.path, hit.page, hit.line) }
///
/// The index holds what people wrote: the file is readable by its owner alone. One process writes at a
/// time, any number read. A process that is killed leaves the index as it was after the last page.
/// Safe to use from any thread.
public final class InkIndex: Sendable {
  /// The SQLite application ID: "DuIx".
  static let applicationID: Int32 = 0x4475_4978

  /// The file.
  public let file: URL
  let database: DatabasePool
  /// Held while this process may write.
  private let lock: HeldLock?

  /// Unchecked because nothing of the lock changes before it ends with the index.
  private struct HeldLock: @unchecked Sendable {
    let lock: FileLock
  }

  /// `$DUCTUS_NOTES`, or `notes.sqlite` in the user's folder for application data.
  public static var defaultFile: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["DUCTUS_NOTES"], !path.isEmpty { return URL(fileURLWithPath: path) }
    #if canImport(Darwin)
      return URL.applicationSupportDirectory.appendingPathComponent("Ductus/notes.sqlite")
    #else
      let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return URL(fileURLWithPath: data ?? NSHomeDirectory() + "/.local/share")
        .appendingPathComponent("ductus/notes.sqlite")
    #endif
  }

  /// Opens an index.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isWritten: If true, the index is made if it does not exist, and no other process may write
  ///     it. If false, it must exist.
  /// - Throws: ``InkSearchError``.
  public init(at file: URL, isWritten: Bool = false) throws(InkSearchError) {
    self.file = file
    let exists = FileManager.default.fileExists(atPath: file.path)
    guard exists || isWritten else { throw .missing(path: file.path) }
    lock = isWritten ? HeldLock(lock: try Self.locked(file)) : nil
    if !exists { try Self.make(file) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { database in
      // Deleted content is overwritten.
      try database.execute(sql: "PRAGMA secure_delete = ON")
    }
    do {
      try Self.check(file)
      database = try DatabasePool(path: file.path, configuration: configuration)
      let migrator = Self.migrator
      if try database.read(migrator.hasBeenSuperseded) {
        throw InkSearchError.newer(path: file.path)
      }
      if isWritten {
        try migrator.migrate(database)
      } else if try !database.read(migrator.hasCompletedMigrations) {
        throw InkSearchError.unusable(
          path: file.path,
          reason:
            "one of an earlier version or without an end, which 'ductus notes index' completes")
      }
    } catch {
      throw Self.error(error, file)
    }
    Self.protect(file)
  }

  private static func locked(_ file: URL) throws(InkSearchError) -> FileLock {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw .unusable(path: file.path, reason: "a folder that cannot be made")
    }
    let attempted: FileLock?
    do throws(FileError) {
      attempted = try FileLock.attempt(file.path + ".lock")
    } catch {
      throw .unusable(path: file.path, reason: "\(error)")
    }
    guard let attempted else { throw .busy(path: file.path) }
    return attempted
  }

  private static func make(_ file: URL) throws(InkSearchError) {
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw .unusable(path: file.path, reason: "a place that cannot be written") }
  }

  /// The files beside the index have its permissions.
  private static func protect(_ file: URL) {
    for suffix in ["", "-wal", "-shm", ".lock"] { chmod(file.path + suffix, 0o600) }
  }

  /// Throws if a file is another SQLite file, without changing it.
  private static func check(_ file: URL) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let size = attributes?[.size] as? Int, size > 0 else { return }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let (id, tables) = try queue.read { database in
      (
        try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
      )
    }
    guard id == applicationID || tables == 0 else {
      throw InkSearchError.unusable(path: file.path, reason: "another SQLite file")
    }
  }

  /// Makes the error of an access.
  static func error(_ error: any Error, _ file: URL) -> InkSearchError {
    if let error = error as? InkSearchError { return error }
    if error is CancellationError { return .cancelled }
    guard let error = error as? DatabaseError else {
      return .unusable(path: file.path, reason: "\(error)")
    }
    switch error.resultCode {
    case .SQLITE_FULL: return .full(path: file.path)
    case .SQLITE_BUSY: return .busy(path: file.path)
    case .SQLITE_NOTADB: return .unusable(path: file.path, reason: "another file")
    case .SQLITE_CORRUPT: return .unusable(path: file.path, reason: "a damaged one")
    default: return .unusable(path: file.path, reason: "an error of SQLite, \(error.resultCode)")
    }
  }

  /// Deletes an index and the files beside it.
  ///
  /// - Throws: ``InkSearchError``: `missing`, or `busy` while a process writes it.
  public static func delete(at file: URL) throws(InkSearchError) {
    guard FileManager.default.fileExists(atPath: file.path) else { throw .missing(path: file.path) }
    do {
      try check(file)
    } catch let error as InkSearchError {
      // Another program's file is left alone; a damaged index may go.
      throw error
    } catch {}
    let lock = try locked(file)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    withExtendedLifetime(lock) {
      try? FileManager.default.removeItem(atPath: file.path + ".lock")
    }
    guard !FileManager.default.fileExists(atPath: file.path) else {
      throw .unusable(path: file.path, reason: "a file that cannot be deleted")
    }
  }

  /// The tables. Released migrations never change.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          CREATE TABLE folder(
            id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, indexed DOUBLE,
            language TEXT, model TEXT);
          CREATE TABLE file(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folder ON DELETE CASCADE,
            path TEXT NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
            inode INTEGER NOT NULL, format TEXT NOT NULL, isWhole INTEGER NOT NULL,
            error TEXT, UNIQUE(folder, path));
          CREATE TABLE page(
            id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
            number INTEGER NOT NULL, hash BLOB NOT NULL, language TEXT, words BLOB NOT NULL,
            UNIQUE(file, number));
          CREATE INDEX pageByHash ON page(hash);
          CREATE VIRTUAL TABLE term USING fts5(
            body, content='', detail=none, columnsize=0, tokenize='ascii');
          """)
    }
    // The full-text table has more terms of a page.
    migrator.registerMigration("2", migrate: makeTermsAgain)
    // Digits and letters of Arabic have other forms.
    migrator.registerMigration("3", migrate: makeTermsAgain)
    return migrator
  }

  /// Fills the full-text table from the words of the pages.
  private static func makeTermsAgain(_ database: Database) throws {
    try database.execute(sql: "INSERT INTO term(term) VALUES('delete-all')")
    let pages = try Row.fetchCursor(database, sql: "SELECT id, words FROM page")
    while let page = try pages.next() {
      try addTerms(of: page["words"], page: page["id"], database)
    }
  }

  /// Runs a step that reads, with the errors of the index.
  func read<Value>(_ body: (Database) throws -> Value) throws(InkSearchError) -> Value {
    do {
      return try database.read(body)
    } catch {
      throw Self.error(error, file)
    }
  }

  /// Runs a step that writes all or nothing, with the errors of the index.
  func write<Value>(_ body: (Database) throws -> Value) throws(InkSearchError) -> Value {
    do {
      return try database.write(body)
    } catch {
      throw Self.error(error, file)
    }
  }
}
