import Foundation
import GRDB
import InkEditor

/// Checks packages, and saves what can be saved of damaged ones. Neither changes the file.
///
///     let report = try PackageCheck(of: url).report()
///     if !report.isClean { try PackageCheck(of: url).repair(to: other) }
public struct PackageCheck: Sendable {
  /// The result of a check.
  public struct Report: Hashable, Sendable, Codable {
    init() {}

    /// The problems, without ink or text; empty if the package is intact.
    public var problems: [String] = []
    /// The number of parts.
    public var parts = 0
    /// The number of strokes that are intact.
    public var strokes = 0
    /// The number of strokes that are damaged.
    public var damagedStrokes = 0

    package init(problems: [String] = [], parts: Int = 0, strokes: Int = 0, damagedStrokes: Int = 0)
    {
      self.problems = problems
      self.parts = parts
      self.strokes = strokes
      self.damagedStrokes = damagedStrokes
    }

    /// True if nothing is wrong.
    public var isClean: Bool { problems.isEmpty }
  }

  /// The result of a repair.
  public struct Repair: Hashable, Sendable, Codable {
    /// The number of parts in the new package.
    public var parts = 0
    /// The number of parts whose ink was saved and whose readings were lost.
    public var rebuiltParts = 0
    /// The number of saved strokes.
    public var strokes = 0
    /// The number of strokes that were found and could not be saved.
    public var lostStrokes = 0
    /// The number of saved objects.
    public var objects = 0
  }

  /// The package.
  public let url: URL
  /// The most problems of a report.
  private static let mostProblems = 50

  /// Makes a check of a file.
  public init(of url: URL) {
    self.url = url
  }

  /// Checks all of the package: the pages of the file, the checksum of each record, and that the
  /// content fits together. O(size).
  ///
  /// - Throws: ``PackageError/notFound(path:)`` and ``PackageError/unusable(path:reason:)``; every
  ///   other problem is in the report.
  public func report() throws(PackageError) -> Report {
    var report = Report()
    do throws(PackageError) {
      try PackageFormat.checkHeader(url.path)
    } catch {
      switch error {
      case .notFound, .unusable: throw error
      default:
        report.problems.append(Self.text(error, url))
        return report
      }
    }
    do throws(PackageError) {
      try withCopy { database in try Self.check(database, &report) }
    } catch {
      report.problems.append(Self.text(error, url))
    }
    report.problems = Array(report.problems.prefix(Self.mostProblems))
    return report
  }

  private static func text(_ error: PackageError, _ url: URL) -> String {
    switch error {
    case .damaged(_, let reason): reason
    case .truncated: "the end of the file is missing"
    case .foreign: "the file is not a package"
    default: error.description
    }
  }

  /// Runs a body with a copy of the file: a damaged file may have a log that SQLite would apply.
  private func withCopy(_ body: (Database) throws -> Void) throws(PackageError) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-check-\(UUID().uuidString)")
    let copy = folder.appendingPathComponent("copy")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: url, to: copy)
      let log = url.path + "-wal"
      if FileManager.default.fileExists(atPath: log) {
        try FileManager.default.copyItem(atPath: log, toPath: copy.path + "-wal")
      }
    } catch {
      throw .unusable(path: url.path, reason: "it cannot be copied for the check")
    }
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
    do {
      let queue = try DatabaseQueue(path: copy.path, configuration: configuration)
      try queue.inDatabase(body)
      try queue.close()
    } catch {
      throw PackageDatabase.error(error, url.path)
    }
  }

  private static func check(_ database: Database, _ report: inout Report) throws {
    guard try PackageFormat.hasTables(database) else {
      report.problems.append("the tables are not those of a package")
      return
    }
    // This is a copy.
    try PackageFormat.migrate(database)
    let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
    if pages != ["ok"] { report.problems.append("\(pages.count) or more pages are malformed") }
    let parts = try PartRecords.parts(database)
    report.parts = parts.count
    for (index, part) in parts.enumerated() { try check(part, index, database, &report) }
    for number in [0] + parts.map(\.row) {
      let place = number == 0 ? "package" : "part"
      if Metadata(json: try PackageRecords.metadata(of: number, database)) == nil {
        report.problems.append("the metadata of the \(place) is malformed")
      }
      do {
        _ = try PackageRecords.objects(of: number, database)
      } catch let fault as ContentFault {
        report.problems.append("an object of the \(place): \(fault.reason)")
      }
    }
    let known = Set(parts.map(\.row))
    for table in PartRecords.Table.allCases {
      let found = try Int64.fetchAll(
        database, sql: "SELECT DISTINCT key >> 32 FROM \(table.rawValue)")
      if !known.isSuperset(of: found) {
        report.problems.append("a record of the table \(table.rawValue) belongs to no part")
      }
    }
  }

  private static func check(
    _ part: PartRecords.Part, _ index: Int, _ database: Database, _ report: inout Report
  ) throws {
    guard let type = PartType(rawValue: part.type) else {
      report.problems.append("part \(index): its type is unknown")
      return
    }
    let styles = try? PartRecords.styles(database)
    if styles == nil { report.problems.append("a style is damaged") }
    let found = SalvagedTable(.stroke, of: part.row, database)
    let strokes = found.strokes(
      styles: styles ?? [:], pictures: (try? PartRecords.pictures(of: part.row, database)) ?? [:],
      isLenient: false)
    report.strokes += strokes.intact.count
    report.damagedStrokes += strokes.damaged
    if strokes.damaged > 0 {
      report.problems.append("part \(index): \(strokes.damaged) strokes are damaged")
    }
    do {
      var content = try PartRecords.content(of: part.row, database)
      if content.blocks.isEmpty {
        content.blocks = [StoredBlock(id: "0", type: type.rootType)]
      }
      try PartValidation.check(content, type: type)
    } catch let fault as ContentFault {
      report.problems.append("part \(index): \(fault.reason)")
    }
  }

  // MARK: - Repair

  /// Writes what can be saved to a new package.
  ///
  /// A part whose content fits together is copied with its readings. Of other parts, all intact
  /// strokes are saved; they are read again when the part is opened.
  ///
  /// - Parameter target: The new package; there must be no file.
  /// - Throws: ``PackageError``: ``PackageError/exists(path:)``, or ``PackageError/foreign(path:)``
  ///   if nothing of a package was found.
  public func repair(to target: URL) throws(PackageError) -> Repair {
    guard !FileManager.default.fileExists(atPath: target.path) else {
      throw .exists(path: target.path)
    }
    let partial = PackageLocation.partial(of: target.path)
    defer {
      unlink(partial)
      unlink(partial + "-journal")
    }
    var repair = Repair()
    var salvaged: [SalvagedPart] = []
    var objects: [PackageObject] = []
    var metadata: String?
    try withCopy { database in
      salvaged = try SalvagedPart.parts(database)
      objects = SalvagedPart.objects(of: 0, database)
      metadata = try? PackageRecords.metadata(of: 0, database)
    }
    try PackageDatabase.make(partial)
    do {
      let queue = try DatabaseQueue(path: partial)
      try queue.write { database in
        for (position, part) in salvaged.enumerated() {
          let row = try PartRecords.add(part.name, type: part.type, at: position, database)
          try PartRecords.write(part.content, of: row, database)
          if Metadata(json: part.metadata) != nil {
            try PackageRecords.setMetadata(part.metadata, of: row, database)
          }
          for object in part.objects { try PackageRecords.put(object, of: row, database) }
          repair.parts += 1
          repair.rebuiltParts += part.isRebuilt ? 1 : 0
          repair.strokes += part.content.strokes.count
          repair.lostStrokes += part.lostStrokes
          repair.objects += part.objects.count
        }
        for object in objects { try PackageRecords.put(object, of: 0, database) }
        repair.objects += objects.count
        if let metadata, Metadata(json: metadata) != nil {
          try PackageRecords.setMetadata(metadata, of: 0, database)
        }
      }
      try queue.close()
    } catch {
      throw PackageDatabase.error(error, target.path)
    }
    guard link(partial, target.path) == 0 else {
      throw errno == EEXIST
        ? .exists(path: target.path)
        : .unusable(path: target.path, reason: String(cString: strerror(errno)))
    }
    return repair
  }
}
