import Foundation
import GRDB
import InkEditor

/// An object in a package, such as an image.
public struct PackageObject: Hashable, Sendable {
  /// The name, unique in its part or in the package.
  public var name: String
  /// The MIME type, such as `image/png`.
  public var type: String
  /// The bytes.
  public var data: Data

  /// Makes an object.
  public init(name: String, type: String, data: Data) {
    self.name = name
    self.type = type
    self.data = data
  }
}

/// Reads and writes what a package keeps beside the content of parts.
enum PackageRecords {
  /// Stores the order of the parts.
  static func setOrder(_ names: [String], _ database: Database) throws {
    for (position, name) in names.enumerated() {
      try database.cachedStatement(sql: "UPDATE part SET position = ? WHERE name = ?")
        .execute(arguments: [position, name])
    }
  }

  // MARK: - Metadata

  /// Returns the metadata of a part, or of the package for 0, as JSON.
  static func metadata(of part: Int64, _ database: Database) throws -> String {
    if part == 0 { return try PackageDatabase.value(.metadata, database) ?? "{}" }
    return try String.fetchOne(
      database, sql: "SELECT metadata FROM part WHERE id = ?", arguments: [part]) ?? "{}"
  }

  /// Sets the metadata of a part, or of the package for 0.
  static func setMetadata(_ json: String, of part: Int64, _ database: Database) throws {
    if part == 0 { return try PackageDatabase.setValue(json, for: .metadata, database) }
    try database.execute(
      sql: "UPDATE part SET metadata = ? WHERE id = ?", arguments: [json, part])
  }

  // MARK: - Objects

  /// Adds or replaces an object.
  static func put(_ object: PackageObject, of part: Int64, _ database: Database) throws {
    let bytes = [UInt8](object.data)
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO object (part, name, type, data, checksum) VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        part, object.name, object.type, object.data,
        RecordChecksum.of(bytes, key: part, table: PartRecords.objectNumber),
      ])
  }

  /// Returns an object, or nil.
  static func object(
    _ name: String, of part: Int64, _ database: Database
  ) throws -> PackageObject? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT name, data, checksum, type FROM object WHERE part = ? AND name = ?",
        arguments: [part, name])
    else { return nil }
    return try object(row, of: part)
  }

  /// Returns all objects of a part, by name.
  static func objects(of part: Int64, _ database: Database) throws -> [PackageObject] {
    try Row.fetchAll(
      database, sql: "SELECT name, data, checksum, type FROM object WHERE part = ? ORDER BY name",
      arguments: [part]
    ).map { try object($0, of: part) }
  }

  private static func object(_ row: Row, of part: Int64) throws -> PackageObject {
    guard let name = String.fromDatabaseValue(row[0]), let type = String.fromDatabaseValue(row[3])
    else { throw ContentFault("an object has no name or type") }
    return try PartRecords.checked(row, key: part, table: PartRecords.objectNumber) {
      PackageObject(name: name, type: type, data: Data($0))
    }
  }

  /// Returns the names of the objects of a part, sorted.
  static func objectNames(of part: Int64, _ database: Database) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT name FROM object WHERE part = ? ORDER BY name", arguments: [part])
  }

  /// Removes an object.
  static func removeObject(_ name: String, of part: Int64, _ database: Database) throws {
    try database.execute(
      sql: "DELETE FROM object WHERE part = ? AND name = ?", arguments: [part, name])
  }
}
