import Files
import Foundation
import GRDB
import InkEditor

/// Reads and writes the records of parts.
///
/// The key of a stroke, its picture, a line, a block or a decoration is the number of its part times 2^32, plus its own id.
enum PartRecords {
  /// A table of records, with its number in checksums.
  enum Table: String, CaseIterable {
    case stroke
    case line
    case block
    case decoration
    case picture

    var number: UInt8 {
      switch self {
      case .stroke: 1
      case .line: 2
      case .block: 3
      case .decoration: 7
      case .picture: 8
      }
    }
  }

  /// The numbers of the other records in checksums.
  static let (stateNumber, orderNumber, objectNumber): (UInt8, UInt8, UInt8) = (4, 5, 6)

  /// A row of the table of parts.
  struct Part: Hashable, Sendable {
    /// The number of the row.
    var row: Int64
    /// The id of the part.
    var name: String
    var type: String
  }

  /// Returns the key of a record.
  static func key(_ part: Int64, _ id: Int) -> Int64 { part << 32 | Int64(id) }

  private static func keys(_ part: Int64) -> StatementArguments {
    [part << 32, (part + 1) << 32]
  }

  // MARK: - Parts

  /// Returns the parts in order.
  static func parts(_ database: Database) throws -> [Part] {
    try Row.fetchAll(database, sql: "SELECT id, name, type FROM part ORDER BY position, id").map {
      row in
      guard let number = Int64.fromDatabaseValue(row[0]), (1..<1 << 30).contains(number),
        let name = String.fromDatabaseValue(row[1]), let type = String.fromDatabaseValue(row[2])
      else { throw ContentFault("the table of parts is damaged") }
      return Part(row: number, name: name, type: type)
    }
  }

  /// Adds a part without content.
  static func add(
    _ name: String, type: PartType, at position: Int, _ database: Database
  ) throws -> Int64 {
    let state = ContentCoding.bytes(StoredState())
    let row = (try Int64.fetchOne(database, sql: "SELECT max(id) FROM part") ?? 0) + 1
    try database.execute(
      sql: """
        INSERT INTO part (id, name, position, type, metadata, state, checksum)
        VALUES (?, ?, ?, ?, '{}', ?, ?)
        """,
      arguments: [
        row, name, position, type.rawValue, Data(state),
        RecordChecksum.of(state, key: row, table: stateNumber),
      ])
    return row
  }

  /// Removes a part with all its records.
  static func remove(_ part: Int64, _ database: Database) throws {
    try removeContent(of: part, database)
    try database.execute(sql: "DELETE FROM part WHERE id = ?", arguments: [part])
    try database.execute(sql: "DELETE FROM object WHERE part = ?", arguments: [part])
  }

  private static func removeContent(of part: Int64, _ database: Database) throws {
    for table in Table.allCases {
      try database.execute(
        sql: "DELETE FROM \(table.rawValue) WHERE key >= ? AND key < ?", arguments: keys(part))
    }
    try database.execute(sql: "DELETE FROM writing_order WHERE part = ?", arguments: [part])
  }

  // MARK: - Writing

  /// Writes the changes of a part.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - part: The number of the part.
  static func write(_ changes: PartChanges, of part: Int64, _ database: Database) throws {
    if changes.isWhole { try removeContent(of: part, database) }
    try remove(changes.removedStrokes, from: .stroke, part, database)
    try remove(changes.removedStrokes, from: .picture, part, database)
    try remove(changes.removedLines, from: .line, part, database)
    try remove(changes.removedDecorations, from: .decoration, part, database)
    try remove(changes.removedBlocks.compactMap { Int($0) }, from: .block, part, database)
    if !changes.strokes.isEmpty {
      var styles: [String: Int] = [:]
      for stroke in changes.strokes {
        let style = try stroke.style.map { try number(of: $0, &styles, database) }
        try put(StrokeCoding.bytes(stroke, style: style), .stroke, key(part, stroke.id), database)
        if let picture = stroke.picture { try add(picture, key(part, stroke.id), database) }
      }
    }
    for line in changes.lines {
      try put(ContentCoding.bytes(line), .line, key(part, line.id), database)
    }
    for decoration in changes.decorations {
      try put(
        ContentCoding.bytes(decoration), .decoration, key(part, decoration.id), database)
    }
    for block in changes.blocks {
      guard let id = Int(block.id) else { continue }
      let (data, key) = (ContentCoding.bytes(block), key(part, id))
      try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO block (key, type, data, checksum) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [
        key, block.type.rawValue, Data(data),
        RecordChecksum.of(data, key: key, table: Table.block.number),
      ])
    }
    try write(changes.order, of: part, database)
    if let state = changes.state {
      let data = ContentCoding.bytes(state)
      try database.cachedStatement(sql: "UPDATE part SET state = ?, checksum = ? WHERE id = ?")
        .execute(arguments: [
          Data(data), RecordChecksum.of(data, key: part, table: stateNumber), part,
        ])
    }
  }

  private static func write(
    _ order: PartChanges.Order, of part: Int64, _ database: Database
  ) throws {
    switch order {
    case .unchanged: break
    case .byNumber:
      try database.execute(sql: "DELETE FROM writing_order WHERE part = ?", arguments: [part])
    case .explicit(let items):
      var writer = ByteWriter()
      writer.list(items)
      try database.execute(
        sql: "INSERT OR REPLACE INTO writing_order (part, data, checksum) VALUES (?, ?, ?)",
        arguments: [
          part, Data(writer.bytes),
          RecordChecksum.of(writer.bytes, key: part, table: orderNumber),
        ])
    }
  }

  private static func put(
    _ data: [UInt8], _ table: Table, _ key: Int64, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(table.rawValue) (key, data, checksum) VALUES (?, ?, ?)"
    ).execute(arguments: [
      key, Data(data), RecordChecksum.of(data, key: key, table: table.number),
    ])
  }

  /// Stores a picture, whose bytes never change, unless it is there.
  private static func add(
    _ picture: DocumentPicture, _ key: Int64, _ database: Database
  ) throws {
    let known = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM picture WHERE key = ?)", arguments: [key])
    guard known != true else { return }
    var writer = ByteWriter()
    writer.text(picture.type)
    try put(writer.bytes + picture.bytes, .picture, key, database)
  }

  private static func remove(
    _ ids: [Int], from table: Table, _ part: Int64, _ database: Database
  ) throws {
    for id in ids {
      try database.cachedStatement(sql: "DELETE FROM \(table.rawValue) WHERE key = ?")
        .execute(arguments: [key(part, id)])
    }
  }

  /// Returns the number of a style, which is added if it is new.
  private static func number(
    of style: StrokeStyle, _ known: inout [String: Int], _ database: Database
  ) throws -> Int {
    let text = style.storedText
    if let number = known[text] { return number }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO style (text) VALUES (?)")
      .execute(arguments: [text])
    let number =
      try Int.fetchOne(database, sql: "SELECT id FROM style WHERE text = ?", arguments: [text]) ?? 0
    known[text] = number
    return number
  }

  // MARK: - Reading

  /// Returns the blocks of a part.
  static func blocks(of part: Int64, _ database: Database) throws -> [StoredBlock] {
    var result: [StoredBlock] = []
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT key, data, checksum, type FROM block WHERE key >= ? AND key < ? ORDER BY key",
      arguments: keys(part))
    while let row = try rows.next() {
      result.append(
        try record(row, .block) { id, bytes in
          guard let type = String.fromDatabaseValue(row[3]) else {
            throw ContentFault("the type of a block is no text")
          }
          return try ContentCoding.block(id, type: type, bytes)
        })
    }
    return result
  }

  /// Returns the content of a part.
  static func content(of part: Int64, _ database: Database) throws -> PartContent {
    let styles = try styles(database)
    let pictures = try pictures(of: part, database)
    var strokes: [InkStroke] = []
    strokes.reserveCapacity(try count(.stroke, of: part, database))
    try each(.stroke, of: part, database) { id, bytes in
      strokes.append(
        try StrokeCoding.stroke(id, bytes, styles: styles, picture: pictures[id]))
    }
    var lines: [StoredLine] = []
    try each(.line, of: part, database) { id, bytes in
      lines.append(try ContentCoding.line(id, bytes))
    }
    return PartContent(
      strokes: strokes, order: try order(of: part, database),
      blocks: try blocks(of: part, database), lines: lines,
      decorations: try decorations(of: part, database), state: try state(of: part, database))
  }

  /// Returns the pictures of a part by the ids of their items; none if the version of the file has
  /// none.
  static func pictures(of part: Int64, _ database: Database) throws -> [Int: DocumentPicture] {
    guard try PackageFormat.version(of: database) > 2 else { return [:] }
    var result: [Int: DocumentPicture] = [:]
    try each(.picture, of: part, database) { id, bytes in
      var reader = ByteReader(bytes)
      let type = try reader.text()
      result[id] = DocumentPicture(type: type, bytes: Array(bytes.suffix(reader.rest)))
    }
    return result
  }

  /// Returns the decorations of a part; none if the version of the file has none.
  private static func decorations(of part: Int64, _ database: Database) throws -> [Decoration] {
    guard try PackageFormat.version(of: database) > 1 else { return [] }
    var result: [Decoration] = []
    try each(.decoration, of: part, database) { id, bytes in
      result.append(try ContentCoding.decoration(id, bytes))
    }
    return result
  }

  /// Returns the number of records of a part. O(records).
  static func count(_ table: Table, of part: Int64, _ database: Database) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM \(table.rawValue) WHERE key >= ? AND key < ?",
      arguments: keys(part)) ?? 0
  }

  /// Returns the styles by number.
  static func styles(_ database: Database) throws -> [Int: StrokeStyle] {
    var result: [Int: StrokeStyle] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT id, text FROM style") {
      guard let number = Int.fromDatabaseValue(row[0]), let text = String.fromDatabaseValue(row[1]),
        let style = StrokeStyle(storedText: text)
      else { throw ContentFault("a style is damaged") }
      result[number] = style
    }
    return result
  }

  /// Calls a body with each record of a part.
  private static func each(
    _ table: Table, of part: Int64, _ database: Database,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql:
        "SELECT key, data, checksum FROM \(table.rawValue) WHERE key >= ? AND key < ? ORDER BY key",
      arguments: keys(part))
    while let row = try rows.next() { try record(row, table, body) }
  }

  /// Runs a body with the id and the bytes of a row, whose checksum is right.
  @discardableResult
  static func record<Value>(
    _ row: Row, _ table: Table, _ body: (Int, UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard let key = Int64.fromDatabaseValue(row[0]), key >= 0 else {
      throw ContentFault("a record has no key")
    }
    return try checked(row, key: key, table: table.number) { bytes in
      try body(Int(key & 0xFFFF_FFFF), bytes)
    }
  }

  /// Runs a body with the bytes in column 1 of a row, whose checksum in column 2 is right.
  static func checked<Value>(
    _ row: Row, key: Int64, table: UInt8, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    guard let checksum = Int64.fromDatabaseValue(row[2]) else {
      throw ContentFault("a record has no checksum")
    }
    return try row.withUnsafeData(atIndex: 1) { data in
      try (data ?? Data()).withUnsafeBytes { bytes in
        guard RecordChecksum.of(bytes, key: key, table: table) == checksum else {
          throw ContentFault("a record has another checksum")
        }
        return try body(bytes)
      }
    }
  }

  static func order(of part: Int64, _ database: Database) throws -> [Int]? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT part, data, checksum FROM writing_order WHERE part = ?",
        arguments: [part])
    else { return nil }
    return try checked(row, key: part, table: orderNumber) { bytes in
      var reader = ByteReader(bytes)
      let items = try reader.list()
      try reader.end()
      return items
    }
  }

  static func state(of part: Int64, _ database: Database) throws -> StoredState {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT id, state, checksum FROM part WHERE id = ?", arguments: [part])
    else { throw ContentFault("a part is missing") }
    return try checked(row, key: part, table: stateNumber) { try ContentCoding.state($0) }
  }
}
