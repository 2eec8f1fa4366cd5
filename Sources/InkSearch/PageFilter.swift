import Foundation
import GRDB

/// The pages that count for a query, whatever their words are.
///
///     let pages = try index.pages(PageFilter("program:xopp after:2026-01"), limit: 60)
public struct PageFilter: Hashable, Sendable {
  /// The languages, one of which a page must have; empty for any.
  var languages: [String] = []
  /// Texts that the path must contain.
  var places: [String] = []
  /// The formats of the file; empty for any.
  var formats: [String] = []
  /// The files that were changed at or after, and before these times.
  var after: Date?
  var before: Date?

  /// A filter that all pages pass.
  public init() {}

  /// Takes the conditions of a query, such as `program:xopp in:work`. Words are left alone.
  ///
  /// - Throws: ``InkSearchError/badQuery(reason:)``.
  public init(_ text: String) throws(InkSearchError) {
    self = try SearchQuery(parsing: text).filter
  }

  /// Takes `name:value`; returns false for anything else.
  mutating func take(_ text: String) throws(InkSearchError) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let value = String(text[text.index(after: colon)...])
    switch text[..<colon].lowercased() {
    case "lang", "language": languages.append(value.lowercased())
    case "in": places.append(value)
    case "program", "format": formats.append(value.lowercased())
    case "after", "since": after = try Self.date(value).start
    case "before", "until": before = try Self.date(value).start
    case "date", "on":
      let range = try Self.date(value)
      (after, before) = (range.start, range.end)
    default: return false
    }
    guard !value.isEmpty else {
      throw .badQuery(reason: "expected a value after \(text[...colon])")
    }
    return true
  }

  /// The day, month or year of `2026-01-31`, `2026-01` or `2026`.
  private static func date(
    _ text: String
  ) throws(InkSearchError) -> (start: Date, end: Date) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let calendar = Calendar(identifier: .gregorian)
    if (1...3).contains(parts.count), let year = parts[0], (1900...9999).contains(year),
      parts.allSatisfy({ $0 != nil })
    {
      let month = parts.count > 1 ? parts[1] ?? 0 : 1
      let day = parts.count > 2 ? parts[2] ?? 0 : 1
      let unit: Calendar.Component = parts.count == 1 ? .year : parts.count == 2 ? .month : .day
      if (1...12).contains(month), (1...31).contains(day),
        let start = calendar.date(from: DateComponents(year: year, month: month, day: day)),
        let end = calendar.date(byAdding: unit, value: 1, to: start)
      {
        return (start, end)
      }
    }
    throw .badQuery(reason: "expected a date such as 2026-01-31, 2026-01 or 2026")
  }

  /// A time as files have it: nanoseconds since 1970. Times after the year 2262 do not fit.
  private static func nanoseconds(_ date: Date) -> Int64 {
    let farthest = Int64.max / 1_000_000_000
    let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
    return min(max(seconds, -farthest), farthest) * 1_000_000_000
  }

  /// The conditions in SQL over the tables page, file and folder, and their arguments.
  var conditions: (sql: [String], arguments: [any DatabaseValueConvertible]) {
    var sql: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    if !languages.isEmpty {
      let each = languages.map { _ in "(',' || lower(page.language) || ',') LIKE ?" }
      sql.append("(" + each.joined(separator: " OR ") + ")")
      for language in languages { arguments.append("%,\(language)%") }
    }
    let files = conditionsOnFiles
    if !files.sql.isEmpty {
      // The files are selected once, not for each page.
      sql.append(
        """
        page.file IN (SELECT file.id FROM file JOIN folder ON folder.id = file.folder
          WHERE \(files.sql.joined(separator: " AND ")))
        """)
      arguments += files.arguments
    }
    return (sql, arguments)
  }

  private var conditionsOnFiles: (sql: [String], arguments: [any DatabaseValueConvertible]) {
    var sql: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    for place in places {
      sql.append("(folder.path || '/' || file.path) LIKE ? ESCAPE '\\'")
      let escaped = place.reduce(into: "") { text, character in
        if "%_\\".contains(character) { text.append("\\") }
        text.append(character)
      }
      arguments.append("%\(escaped)%")
    }
    if !formats.isEmpty {
      sql.append("file.format IN (" + formats.map { _ in "?" }.joined(separator: ", ") + ")")
      for format in formats { arguments.append(format) }
    }
    if let after {
      sql.append("file.changed >= ?")
      arguments.append(Self.nanoseconds(after))
    }
    if let before {
      sql.append("file.changed < ?")
      arguments.append(Self.nanoseconds(before))
    }
    return (sql, arguments)
  }
}
