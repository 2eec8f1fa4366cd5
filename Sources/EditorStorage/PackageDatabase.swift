import Files
import Foundation
import GRDB
import InkEditor

/// One SQLite file of a package: a saved package, which is only read, or a working copy.
final class PackageDatabase: Sendable {
  /// The file.
  let path: String
  private let queue: DatabaseQueue

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isWorking: True for a working copy, which is written.
  /// - Throws: ``PackageError``.
  init(_ path: String, isWorking: Bool) throws(PackageError) {
    try PackageFormat.checkHeader(path, isWorking: isWorking)
    self.path = path
    do {
      queue = try DatabaseQueue(path: path, configuration: Self.configuration(isWorking: isWorking))
      try queue.inDatabase { database in
        guard try PackageFormat.hasTables(database) else {
          throw PackageError.foreign(path: path)
        }
        guard isWorking else { return }
        try database.inTransaction(.immediate) {
          try PackageFormat.migrate(database)
          return .commit
        }
      }
    } catch {
      throw Self.error(error, path)
    }
  }

  private static func configuration(isWorking: Bool) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.readonly = !isWorking
    // Programs that copy files may lock them for a moment.
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      // A file may come from anywhere.
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      try database.execute(sql: "PRAGMA cell_size_check = ON")
      guard isWorking else { return }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      // Each transaction is on the disk when it ends.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return configuration
  }

  /// Makes an empty package.
  ///
  /// - Throws: ``PackageError``.
  static func make(_ path: String) throws(PackageError) {
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        try PackageFormat.make(database)
        try setValue("\(UInt64.random(in: 0 ... .max))", for: .revision, database)
      }
      try queue.close()
    } catch {
      throw error as? PackageError ?? Self.error(error, path)
    }
  }

  /// Reads.
  ///
  /// - Throws: ``PackageError``, and the `ContentFault` of the body as
  ///   ``PackageError/damaged(path:reason:)``.
  func read<Value>(_ body: (Database) throws -> Value) throws(PackageError) -> Value {
    do {
      return try queue.inDatabase { database in
        var result: Value?
        try database.inTransaction(.deferred) {
          result = try body(database)
          return .commit
        }
        guard let result else { throw PackageError.closed }
        return result
      }
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Writes all of the changes of a body, or none, and a new revision.
  ///
  /// - Returns: The revision.
  /// - Throws: ``PackageError``.
  func write(_ body: (Database) throws -> Void) throws(PackageError) -> String {
    let revision = "\(UInt64.random(in: 0 ... .max))"
    do {
      try queue.inDatabase { database in
        try database.inTransaction(.immediate) {
          try body(database)
          try Self.setValue(revision, for: .revision, database)
          return .commit
        }
      }
    } catch {
      throw Self.error(error, path)
    }
    return revision
  }

  /// Writes a complete copy without free pages to a file, which must not exist.
  ///
  /// - Throws: ``PackageError``.
  func copy(to target: String) throws(PackageError) {
    do {
      try queue.vacuum(into: target)
    } catch {
      throw Self.error(error, target)
    }
  }

  /// Closes the file. A write-ahead log is written into it first.
  func close() { try? queue.close() }

  // MARK: - Values of the package

  /// The names of values of a package.
  enum ValueKey: String {
    /// Another text after each change.
    case revision
    /// For a working copy, the revision of the package that it began with.
    case base
    /// The metadata of the package, as JSON.
    case metadata
  }

  /// Returns a value of the package, or nil.
  static func value(_ key: ValueKey, _ database: Database) throws -> String? {
    try String.fetchOne(
      database, sql: "SELECT value FROM package WHERE key = ?", arguments: [key.rawValue])
  }

  /// Sets a value of the package.
  static func setValue(_ value: String, for key: ValueKey, _ database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO package (key, value) VALUES (?, ?)",
      arguments: [key.rawValue, value])
  }

  // MARK: - Errors

  /// Returns an error of SQLite or of this module as one of packages.
  static func error(_ error: any Error, _ path: String) -> PackageError {
    switch error {
    case let error as PackageError: return error
    case let fault as ContentFault: return .damaged(path: path, reason: fault.reason)
    case let error as DatabaseError:
      switch error.resultCode.primaryResultCode {
      case .SQLITE_CORRUPT: return .damaged(path: path, reason: "a page of the file is malformed")
      case .SQLITE_NOTADB: return .foreign(path: path)
      case .SQLITE_FULL: return .unusable(path: path, reason: "the disk is full")
      case .SQLITE_BUSY, .SQLITE_LOCKED: return .inUse(path: path)
      default:
        return .unusable(path: path, reason: error.message ?? "\(error.resultCode)")
      }
    default: return .unusable(path: path, reason: "the system refused it")
    }
  }
}

/// The checksums of records.
enum RecordChecksum {
  /// Returns the checksum of a record at its place, so that records cannot change places.
  static func of(_ bytes: UnsafeRawBufferPointer, key: Int64, table: UInt8) -> Int64 {
    var place = [table] + (0..<8).map { UInt8(truncatingIfNeeded: key >> (8 * Int64($0))) }
    let start = place.withUnsafeMutableBytes { Checksum.crc32(UnsafeRawBufferPointer($0)) }
    return Int64(Checksum.crc32(bytes, after: start))
  }

  /// Returns the checksum of a record.
  static func of(_ bytes: [UInt8], key: Int64, table: UInt8) -> Int64 {
    bytes.withUnsafeBytes { of($0, key: key, table: table) }
  }
}
