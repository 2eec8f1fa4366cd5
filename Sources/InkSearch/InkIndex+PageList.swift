import Foundation
import GRDB

/// A page of the index.
public struct IndexedPage: Hashable, Sendable, Encodable {
  /// The file.
  public var path: String
  /// The number of the page, from 1.
  public var page: Int
  /// The format of the file.
  public var format: String
  /// When the file was changed.
  public var changed: Date
  /// The language of the page.
  public var language: String?
}

extension InkIndex {
  /// Returns pages: those of the files that were changed last come first.
  ///
  /// - Parameters:
  ///   - filter: The pages that count.
  ///   - offset: The pages to leave out at the beginning.
  ///   - limit: The most pages.
  /// - Throws: ``InkSearchError``.
  public func pages(
    _ filter: PageFilter = PageFilter(), from offset: Int = 0, limit: Int = 50
  ) throws(InkSearchError) -> [IndexedPage] {
    guard limit > 0, offset >= 0 else { return [] }
    let (conditions, arguments) = filter.conditions
    let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT page.number, page.language, file.path, file.format, file.changed,
            folder.path AS folder
          FROM page JOIN file ON file.id = page.file JOIN folder ON folder.id = file.folder
          \(filter) ORDER BY file.changed DESC, folder.path, file.path, page.number LIMIT ? OFFSET ?
          """, arguments: StatementArguments(arguments + [limit, offset])
      ).map { row in
        let (number, changed): (Int, Int64) = (row["number"], row["changed"])
        return IndexedPage(
          path: Self.path(row), page: number + 1, format: row["format"],
          changed: Date(timeIntervalSince1970: Double(changed) / 1e9), language: row["language"])
      }
    }
  }

  /// The formats of the files with pages, and how many pages each has; the most frequent first.
  public func formats() throws(InkSearchError) -> [(format: String, pages: Int)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT file.format, COUNT(*) AS pages FROM page JOIN file ON file.id = page.file
          GROUP BY file.format ORDER BY pages DESC, file.format
          """
      ).map { ($0["format"], $0["pages"]) }
    }
  }

  /// Returns whether the index has a page.
  ///
  /// - Parameters:
  ///   - path: The file, as hits have it.
  ///   - page: The number of the page, from 1.
  package func has(_ path: String, page: Int) throws(InkSearchError) -> Bool {
    try read { try Self.row(path, page, $0) != nil }
  }

  private static func row(_ path: String, _ page: Int, _ database: Database) throws -> Row? {
    // The folder ends somewhere in the path.
    try Row.fetchAll(
      database,
      sql: """
        SELECT page.words, file.path, folder.path AS folder
        FROM folder JOIN file ON file.folder = folder.id AND file.path = ltrim(
            substr(?, length(folder.path) + 1), '/')
          JOIN page ON page.file = file.id AND page.number = ?
        WHERE substr(?, 1, length(folder.path)) = folder.path
        """, arguments: [path, page - 1, path]
    ).first { self.path($0) == path }
  }

  /// Returns the best reading of a page, line by line; nil if the index has no such page.
  ///
  /// - Parameters:
  ///   - path: The file, as hits have it.
  ///   - page: The number of the page, from 1.
  public func text(of path: String, page: Int) throws(InkSearchError) -> String? {
    try read { database in
      guard let row = try Self.row(path, page, database) else { return nil }
      let words = PageCoding.words([UInt8](row["words"] as Data)) ?? []
      var lines: [(number: Int, words: [PageWord])] = []
      for word in words where (word.alternatives.first?.probability ?? 0) >= Self.leastShown {
        if lines.last?.number != word.line { lines.append((word.line, [])) }
        lines[lines.count - 1].words.append(word)
      }
      return lines.map { PageWord.text(of: $0.words) }.joined(separator: "\n")
    }
  }

  /// Words that are less probable are other partings of a line, and not shown.
  static let leastShown = 0.05

  /// The path of a row with `folder` and `path`.
  static func path(_ row: Row) -> String {
    let (folder, path): (String, String) = (row["folder"], row["path"])
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }
}
