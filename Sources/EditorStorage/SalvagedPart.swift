import Foundation
import GRDB
import InkEditor

/// The rows of a table of a part that can still be read, from both ends of the table.
struct SalvagedTable {
  private(set) var rows: [Row] = []
  fileprivate let table: PartRecords.Table

  /// Reads a table. Pages that cannot be read are left out.
  init(_ table: PartRecords.Table, of part: Int64, _ database: Database) {
    self.table = table
    let columns = table == .block ? "key, data, checksum, type" : "key, data, checksum"
    var seen: Set<Int64> = []
    for direction in ["ASC", "DESC"] {
      do {
        let cursor = try Row.fetchCursor(
          database,
          sql: """
            SELECT \(columns) FROM \(table.rawValue) WHERE key >= ? AND key < ?
            ORDER BY key \(direction)
            """, arguments: [part << 32, (part + 1) << 32])
        while let row = try cursor.next() {
          guard let key = Int64.fromDatabaseValue(row[0]), seen.insert(key).inserted else { break }
          rows.append(row.copy())
        }
        // All of it was read.
        if direction == "ASC" { return }
      } catch {
        continue
      }
    }
  }

  /// Returns the strokes that are intact, and the number of others.
  ///
  /// - Parameter isLenient: True to save strokes whose style is lost.
  func strokes(
    styles: [Int: StrokeStyle], pictures: [Int: DocumentPicture], isLenient: Bool
  ) -> (intact: [InkStroke], damaged: Int) {
    var (intact, damaged): ([InkStroke], Int) = ([], 0)
    for row in rows {
      let stroke = try? PartRecords.record(row, table) { id, bytes in
        try StrokeCoding.stroke(
          id, bytes, styles: styles, picture: pictures[id], isLenient: isLenient)
      }
      if let stroke, stroke.id > 0 { intact.append(stroke) } else { damaged += 1 }
    }
    return (intact, damaged)
  }
}

extension SalvagedTable {
  /// The decorations that are intact.
  var decorations: [Decoration] {
    rows.compactMap { row in
      try? PartRecords.record(row, table) { id, bytes in
        try ContentCoding.decoration(id, bytes)
      }
    }.filter { !$0.parts.isEmpty && $0.id > 0 }
  }
}

/// The content of a part that can be saved.
struct SalvagedPart {
  var name: String
  var type: PartType
  var metadata: String
  var content: PartChanges
  var objects: [PackageObject]
  /// True if the ink is to be read again.
  var isRebuilt: Bool
  var lostStrokes: Int

  /// Returns the parts of a damaged package.
  ///
  /// - Throws: `ContentFault` if there are no strokes and no table of parts.
  static func parts(_ database: Database) throws -> [SalvagedPart] {
    var known: [(row: Int64, name: String, type: PartType, metadata: String)] = []
    let rows = try? Row.fetchAll(
      database, sql: "SELECT id, name, type, metadata FROM part ORDER BY position, id")
    for row in rows ?? [] {
      guard let number = Int64.fromDatabaseValue(row[0]), (1..<1 << 30).contains(number),
        !known.contains(where: { $0.row == number })
      else { continue }
      known.append(
        (
          number, String.fromDatabaseValue(row[1]) ?? UUID().uuidString.lowercased(),
          String.fromDatabaseValue(row[2]).flatMap(PartType.init) ?? .rawContent,
          String.fromDatabaseValue(row[3]) ?? "{}"
        ))
    }
    // Strokes whose part is lost.
    let numbers =
      (try? Int64.fetchAll(database, sql: "SELECT DISTINCT key >> 32 FROM stroke ORDER BY 1")) ?? []
    for number in numbers
    where (1..<1 << 30).contains(number) && !known.contains(where: { $0.row == number }) {
      known.append((number, UUID().uuidString.lowercased(), .rawContent, "{}"))
    }
    guard !known.isEmpty || rows != nil else { throw ContentFault("no part was found") }
    var names: Set<String> = []
    return known.map { part in
      let name = names.insert(part.name).inserted ? part.name : UUID().uuidString.lowercased()
      return salvaged(part.row, name, part.type, part.metadata, database)
    }
  }

  private static func salvaged(
    _ row: Int64, _ name: String, _ type: PartType, _ metadata: String, _ database: Database
  ) -> SalvagedPart {
    let objects = objects(of: row, database)
    if var content = try? PartRecords.content(of: row, database) {
      if content.blocks.isEmpty {
        content.blocks = [StoredBlock(id: "0", type: type.rootType)]
      }
      if (try? PartValidation.check(content, type: type)) != nil {
        return SalvagedPart(
          name: name, type: type, metadata: metadata, content: PartValidation.changes(content),
          objects: objects, isRebuilt: false, lostStrokes: 0)
      }
    }
    let styles = (try? PartRecords.styles(database)) ?? [:]
    let found = SalvagedTable(.stroke, of: row, database)
      .strokes(
        styles: styles, pictures: (try? PartRecords.pictures(of: row, database)) ?? [:],
        isLenient: true)
    let order = (try? PartRecords.order(of: row, database)) ?? nil
    let places = Dictionary(
      (order ?? []).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let strokes = found.intact.sorted { one, other in
      let (a, b) = (places[one.id] ?? .max, places[other.id] ?? .max)
      return a != b ? a < b : (one.number, one.id) < (other.number, other.id)
    }
    return SalvagedPart(
      name: name, type: type, metadata: metadata,
      content: PartValidation.rebuilt(
        strokes, SalvagedTable(.decoration, of: row, database).decorations, type: type),
      objects: objects, isRebuilt: true, lostStrokes: found.damaged)
  }

  /// Returns the objects that are intact.
  static func objects(of part: Int64, _ database: Database) -> [PackageObject] {
    let names = (try? PackageRecords.objectNames(of: part, database)) ?? []
    return names.compactMap { name in
      (try? PackageRecords.object(name, of: part, database)) ?? nil
    }
  }
}
