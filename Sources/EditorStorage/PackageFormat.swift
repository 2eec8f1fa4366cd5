import Foundation
import GRDB

/// The format of packages: SQLite with an application id, a version and these tables. See
/// docs/DocumentFormat.md.
package enum PackageFormat {
  /// The ending of package files, with the dot.
  static let suffix = ".ductusdoc"
  /// The application id of SQLite, which distinguishes packages from other files: "DucD".
  static let applicationID: Int32 = 0x4475_6344
  /// The version that this program writes.
  package static let version = 3

  /// A table, the statement that makes it, and the first version that has it.
  private static let tables: [(name: String, sql: String, since: Int)] = [
    table("package", "key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL", ") WITHOUT ROWID"),
    table(
      "part",
      "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, "
        + "type TEXT NOT NULL, metadata TEXT NOT NULL, state BLOB NOT NULL, "
        + "checksum INTEGER NOT NULL"),
    table("style", "id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE"),
    table("stroke", "key INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL"),
    table("line", "key INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL"),
    table(
      "block",
      "key INTEGER PRIMARY KEY, type TEXT NOT NULL, data BLOB NOT NULL, "
        + "checksum INTEGER NOT NULL"),
    table(
      "writing_order",
      "part INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL"),
    table(
      "object",
      "part INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, data BLOB NOT NULL, "
        + "checksum INTEGER NOT NULL, PRIMARY KEY (part, name)", ") WITHOUT ROWID"),
    table(
      "decoration", "key INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL",
      since: 2),
    table(
      "picture", "key INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL",
      since: 3),
  ]

  private static func table(
    _ name: String, _ columns: String, _ end: String = ")", since: Int = 1
  ) -> (name: String, sql: String, since: Int) {
    (name, "CREATE TABLE \(name) (\(columns)\(end)", since)
  }

  /// The steps from each version to the next. A step that was released never changes.
  package static let migrations: [@Sendable (Database) throws -> Void] = [
    // Version 2 has decorations.
    { database in
      try database.execute(
        sql: "CREATE TABLE decoration (key INTEGER PRIMARY KEY, data BLOB NOT NULL, "
          + "checksum INTEGER NOT NULL)")
    },
    // Version 3 has typed text, exact lines and pictures.
    { database in
      try database.execute(
        sql: "CREATE TABLE picture (key INTEGER PRIMARY KEY, data BLOB NOT NULL, "
          + "checksum INTEGER NOT NULL)")
    },
  ]

  /// Returns the version of a package.
  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Makes the tables of a new package.
  package static func make(_ database: Database) throws {
    for table in tables { try database.execute(sql: table.sql) }
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// Brings a package to the present version.
  package static func migrate(
    _ database: Database, steps: [@Sendable (Database) throws -> Void] = migrations
  ) throws {
    let current = try version(of: database)
    guard current >= 1, current <= steps.count else { return }
    for step in current...steps.count {
      try steps[step - 1](database)
      try database.execute(sql: "PRAGMA user_version = \(step + 1)")
    }
  }

  /// Returns true if the file has the tables of its version and nothing else: no triggers and no
  /// views, which would run.
  static func hasTables(_ database: Database) throws -> Bool {
    let version = try version(of: database)
    let rows = try Row.fetchAll(
      database, sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    let found = rows.map { row -> [String] in [row[0] ?? "", row[1] ?? ""] }
    return found
      == tables.filter { $0.since <= version }.map { [$0.name, $0.sql] }.sorted { $0[0] < $1[0] }
  }

  // MARK: - The header of the file

  /// The bytes of the header of an SQLite file.
  private static let headerBytes = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Checks the first bytes of a file, without SQLite.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isWorking: True for a working copy, which may have a write-ahead log.
  /// - Throws: ``PackageError``.
  static func checkHeader(_ path: String, isWorking: Bool = false) throws(PackageError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw .notFound(path: path) }
      throw .unusable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .foreign(path: path)
    }
    var header = [UInt8](repeating: 0, count: headerBytes)
    let count = pread(descriptor, &header, headerBytes, 0)
    guard count == headerBytes, header.starts(with: magic) else {
      // An empty or short file that begins like a package was cut off.
      if count > 0, magic.starts(with: header.prefix(max(0, min(count, magic.count)))) {
        throw .truncated(path: path)
      }
      throw .foreign(path: path)
    }
    func number(_ offset: Int) -> UInt32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard number(68) == UInt32(bitPattern: applicationID) else { throw .foreign(path: path) }
    let version = Int(Int32(bitPattern: number(60)))
    guard version <= Self.version else {
      throw .newer(path: path, version: version, supported: Self.version)
    }
    guard version >= 1 else {
      throw .damaged(path: path, reason: "the version of the format is \(version)")
    }
    if isWorking { return }
    guard header[18] == 1, header[19] == 1 else {
      throw .damaged(path: path, reason: "it is a working copy, and not a saved package")
    }
    let pageSize = Int64(header[16]) << 8 | Int64(header[17])
    let size = Int64(number(28)) * (pageSize == 1 ? 65536 : pageSize)
    guard Int64(status.st_size) >= size else { throw .truncated(path: path) }
    guard Int64(status.st_size) == size, size > 0 else {
      throw .damaged(path: path, reason: "its size differs from that in its header")
    }
  }
}
