import Foundation
import GRDB

/// A page before it is in the index.
struct NewPage: Sendable {
  var number: Int
  var hash: [UInt8]
  /// The words as the index has them; nil for a page that was not read yet.
  var content: StoredWords?
}

/// The words of a page as the index has them.
struct StoredWords: Sendable {
  var bytes: Data
  var language: String?
}

/// A file of the index.
struct FileRow: Sendable {
  var id: Int64
  var path: String
  var size: Int64
  var changed: Int64
  var inode: Int64
  var isWhole: Bool
}

extension InkIndex {
  /// A folder of the index.
  public struct Folder: Hashable, Sendable, Encodable {
    /// The path.
    public var path: String
    /// The files with notes.
    public var files: Int
    /// The pages.
    public var pages: Int
    /// When it was indexed last; nil if that was never finished.
    public var indexed: Date?
    /// The model that its pages were read with; nil for the default.
    public var model: String?
    /// The language that its pages were read in; nil for the best one.
    public var language: String?
    /// The files that could not be read, wholly or in part, and why.
    public var problems: [Problem]
  }

  /// A file that could not be read, wholly or in part.
  public struct Problem: Hashable, Sendable, Encodable {
    /// The path below the folder.
    public var file: String
    /// The reason.
    public var reason: String
  }

  /// The folders of the index, by their paths.
  public func folders() throws(InkSearchError) -> [Folder] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT folder.id, folder.path, folder.indexed, folder.model, folder.language,
            (SELECT COUNT(*) FROM file WHERE folder = folder.id AND EXISTS
              (SELECT 1 FROM page WHERE page.file = file.id)) AS files,
            (SELECT COUNT(*) FROM page JOIN file ON file.id = page.file
              WHERE file.folder = folder.id) AS pages
          FROM folder ORDER BY folder.path
          """
      ).map { row in
        let problems = try Row.fetchAll(
          database,
          sql: "SELECT path, error FROM file WHERE folder = ? AND error IS NOT NULL ORDER BY path",
          arguments: [row["id"] as Int64])
        return Folder(
          path: row["path"], files: row["files"], pages: row["pages"],
          indexed: (row["indexed"] as Double?).map { Date(timeIntervalSince1970: $0) },
          model: row["model"], language: row["language"],
          problems: problems.map { Problem(file: $0["path"], reason: $0["error"]) })
      }
    }
  }

  /// Takes a folder and all that is known of its files out of the index.
  ///
  /// - Throws: ``InkSearchError``: `unknownFolder`.
  public func forget(_ path: String) throws(InkSearchError) {
    try write { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM folder WHERE path = ?", arguments: [path])
      else { throw InkSearchError.unknownFolder(path: path) }
      let files = try Int64.fetchAll(
        database, sql: "SELECT id FROM file WHERE folder = ?", arguments: [id])
      for file in files { try Self.removeFile(file, database) }
      try database.execute(sql: "DELETE FROM folder WHERE id = ?", arguments: [id])
      // Merged parts of the full-text table have no words of deleted pages.
      try database.execute(sql: "INSERT INTO term(term) VALUES('optimize')")
    }
    do {
      try database.vacuum()
    } catch {
      throw Self.error(error, file)
    }
  }

  /// The number of bytes of the index.
  public var byteCount: Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + suffix)
      return sum + ((attributes?[.size] as? Int) ?? 0)
    }
  }

  /// The number of pages.
  public func pageCount() throws(InkSearchError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM page") ?? 0 }
  }

  // MARK: - Writing

  /// Returns the number of a folder and the model of its pages. A new folder is added with a choice.
  func addFolder(
    _ path: String, _ choice: ReadingChoice
  ) throws(InkSearchError) -> (id: Int64, choice: ReadingChoice) {
    try write { database in
      try database.execute(
        sql: "INSERT INTO folder(path, language, model) VALUES(?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [path, choice.language, choice.model])
      let row = try Row.fetchOne(
        database, sql: "SELECT id, language, model FROM folder WHERE path = ?", arguments: [path])
      guard let row else { return (0, choice) }
      return (row["id"], ReadingChoice(model: row["model"], language: row["language"]))
    }
  }

  /// Says that the pages of a folder are to be read with another model. They are found as before until
  /// they are read again.
  func changeChoice(of folder: Int64, to choice: ReadingChoice) throws(InkSearchError) {
    try write { database in
      try database.execute(
        sql: "UPDATE folder SET language = ?, model = ?, indexed = NULL WHERE id = ?",
        arguments: [choice.language, choice.model, folder])
      // No page has this hash, so that none counts as read.
      try database.execute(
        sql: "UPDATE page SET hash = x'' WHERE file IN (SELECT id FROM file WHERE folder = ?)",
        arguments: [folder])
      try database.execute(
        sql: "UPDATE file SET isWhole = 0 WHERE folder = ?", arguments: [folder])
    }
  }

  /// Says that a folder was indexed to its end.
  func finishFolder(_ id: Int64, at date: Date) throws(InkSearchError) {
    try write { database in
      try database.execute(
        sql: "UPDATE folder SET indexed = ? WHERE id = ?",
        arguments: [date.timeIntervalSince1970, id])
    }
  }

  func files(of folder: Int64) throws(InkSearchError) -> [FileRow] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM file WHERE folder = ?", arguments: [folder]
      ).map {
        FileRow(
          id: $0["id"], path: $0["path"], size: $0["size"], changed: $0["changed"],
          inode: $0["inode"], isWhole: $0["isWhole"])
      }
    }
  }

  /// Follows a file to another path.
  func moveFile(_ id: Int64, to path: String) throws(InkSearchError) {
    try write { database in
      try database.execute(
        sql: "UPDATE file SET path = ? WHERE id = ?", arguments: [path, id])
    }
  }

  func removeFiles(_ ids: [Int64]) throws(InkSearchError) {
    guard !ids.isEmpty else { return }
    try write { database in
      for id in ids { try Self.removeFile(id, database) }
    }
  }

  /// Returns what the index has of pages with some hashes that were read with a model, in whatever
  /// file.
  func known(
    _ hashes: [[UInt8]], _ choice: ReadingChoice
  ) throws(InkSearchError) -> [[UInt8]: StoredWords] {
    try read { database in
      var known: [[UInt8]: StoredWords] = [:]
      for hash in Set(hashes) {
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT page.words, page.language FROM page JOIN file ON file.id = page.file
              JOIN folder ON folder.id = file.folder
            WHERE page.hash = ? AND folder.model IS ? AND folder.language IS ? LIMIT 1
            """, arguments: [Data(hash), choice.model, choice.language])
        if let row { known[hash] = StoredWords(bytes: row["words"], language: row["language"]) }
      }
      return known
    }
  }

  /// Writes a file with its pages, all or nothing.
  ///
  /// - Parameters:
  ///   - isWhole: True if these are all pages; then others of the file are removed.
  func store(
    _ stat: NoteStat, in folder: Int64, format: String, pages: [NewPage], problem: String?,
    isWhole: Bool
  ) throws(InkSearchError) {
    try write { database in
      try Self.storeFile(stat, folder, format, problem, isWhole, database)
      let id =
        try Int64.fetchOne(
          database, sql: "SELECT id FROM file WHERE folder = ? AND path = ?",
          arguments: [folder, stat.path]) ?? 0
      for page in pages {
        let old = try Row.fetchOne(
          database, sql: "SELECT id, hash FROM page WHERE file = ? AND number = ?",
          arguments: [id, page.number])
        if let old {
          if old["hash"] as Data == Data(page.hash) { continue }
          try Self.removePage(old["id"], database)
        }
        guard let content = page.content else { continue }
        try database.execute(
          sql: "INSERT INTO page(file, number, hash, language, words) VALUES(?, ?, ?, ?, ?)",
          arguments: [id, page.number, Data(page.hash), content.language, content.bytes])
        try Self.addTerms(of: content.bytes, page: database.lastInsertedRowID, database)
      }
      guard isWhole else { return }
      let numbers = Set(pages.map(\.number))
      for row in try Row.fetchAll(
        database, sql: "SELECT id, number FROM page WHERE file = ?", arguments: [id])
      where !numbers.contains(row["number"]) {
        try Self.removePage(row["id"], database)
      }
    }
  }

  /// Says why a file cannot be read; what the index has of its pages stays.
  func keepPages(
    of stat: NoteStat, in folder: Int64, problem: String?
  ) throws(InkSearchError) {
    try write { database in
      try Self.storeFile(stat, folder, "", problem, true, database)
    }
  }

  private static func storeFile(
    _ stat: NoteStat, _ folder: Int64, _ format: String, _ problem: String?, _ isWhole: Bool,
    _ database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO file(folder, path, size, changed, inode, format, isWhole, error)
        VALUES(?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(folder, path) DO UPDATE SET size = excluded.size,
          changed = excluded.changed, inode = excluded.inode, format = excluded.format,
          isWhole = excluded.isWhole, error = excluded.error
        """,
      arguments: [
        folder, stat.path, stat.size, stat.changed, stat.inode, format, isWhole, problem,
      ])
  }

  /// Writes the terms of a page to the full-text table.
  static func addTerms(of words: Data, page: Int64, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO term(rowid, body) VALUES(?, ?)", arguments: [page, body(of: words)])
  }

  /// The text that the full-text table has of a page.
  private static func body(of words: Data) -> String {
    IndexTerms.terms(of: PageCoding.words([UInt8](words)) ?? []).joined(separator: " ")
  }

  private static func removeFile(_ id: Int64, _ database: Database) throws {
    for page in try Int64.fetchAll(
      database, sql: "SELECT id FROM page WHERE file = ?", arguments: [id])
    {
      try removePage(page, database)
    }
    try database.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [id])
  }

  /// Removes a page. The full-text table keeps no text, and so is told what it has.
  private static func removePage(_ id: Int64, _ database: Database) throws {
    guard
      let words = try Data.fetchOne(
        database, sql: "SELECT words FROM page WHERE id = ?", arguments: [id])
    else { return }
    try database.execute(
      sql: "INSERT INTO term(term, rowid, body) VALUES('delete', ?, ?)",
      arguments: [id, body(of: words)])
    try database.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [id])
  }

  /// Checks that no page is lost or doubled and that the full-text table fits; for tests.
  ///
  /// - Returns: What is wrong.
  package func faults() throws(InkSearchError) -> [String] {
    try read { database in
      var faults: [String] = []
      let integrity = try String.fetchOne(database, sql: "PRAGMA integrity_check") ?? ""
      if integrity != "ok" { faults.append(integrity) }
      let orphans = try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM page WHERE file NOT IN (SELECT id FROM file)")
      if orphans != 0 { faults.append("pages without a file") }
      for row in try Row.fetchAll(database, sql: "SELECT id, words FROM page") {
        guard let words = PageCoding.words([UInt8](row["words"] as Data)) else {
          faults.append("a page that cannot be decoded")
          continue
        }
        guard let term = IndexTerms.terms(of: words).first else { continue }
        let found = try Bool.fetchOne(
          database,
          sql: "SELECT EXISTS(SELECT 1 FROM term WHERE term MATCH ? AND rowid = ?)",
          arguments: ["\"\(term)\"", row["id"] as Int64])
        if found != true { faults.append("a page that the full-text table does not have") }
      }
      return faults
    }
  }
}
