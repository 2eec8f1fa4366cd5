import Foundation
import GRDB

extension RunDatabase {
  /// The SQLite application ID, which distinguishes this log from other SQLite files: "Duct".
  static let applicationID: Int32 = 0x4475_6374

  /// The tables, and the migrations of older versions. Released migrations never change; every
  /// change is a new migration.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.create(table: "run") { table in
        table.autoIncrementedPrimaryKey("id")
        for name in [
          "state", "kind", "output", "command", "settings", "data", "validation", "dataHash",
          "validationHash", "blas", "version", "figures", "process", "host",
        ] {
          table.column(name, .text).notNull()
        }
        for name in ["workers", "sessions", "epochs"] { table.column(name, .integer).notNull() }
        for name in ["started", "updated"] { table.column(name, .datetime).notNull() }
        table.column("seconds", .double).notNull()
        for name in ["keptEpoch", "modelBytes"] { table.column(name, .integer) }
        table.column("failure", .text)
      }
      try database.create(index: "runByOutput", on: "run", columns: ["output"])
      try database.create(table: "epoch") { table in
        table.column("run", .integer).notNull().references("run", onDelete: .cascade)
        table.column("epoch", .integer).notNull()
        for name in ["trainingLoss", "validationAccuracy", "validationLoss", "rate"] {
          table.column(name, .double).notNull()
        }
        for name in ["trainingAccuracy", "validationAccuracyWithoutArea", "seconds"] {
          table.column(name, .double)
        }
        table.primaryKey(["run", "epoch"])
      }
    }
    return migrator
  }
}

/// A row of the runs' table: a record whose members are its columns.
struct RunRow: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "run"

  var record: RunRecord

  init(_ record: RunRecord) { self.record = record }

  init(from decoder: any Decoder) throws { record = try RunRecord(from: decoder) }

  func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }

  mutating func didInsert(_ inserted: InsertionSuccess) { record.id = inserted.rowID }
}

/// A row of the epochs' table.
struct RunEpochRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "epoch"

  var run: Int64
  var epoch: Int
  var trainingLoss: Double
  var trainingAccuracy: Double?
  var validationAccuracy: Double
  var validationAccuracyWithoutArea: Double?
  var validationLoss: Double
  var rate: Double
  var seconds: Double?

  init(run: Int64, _ value: RunEpoch) {
    self.run = run
    epoch = value.figures.epoch
    trainingLoss = value.figures.trainingLoss
    trainingAccuracy = value.figures.trainingAccuracy
    validationAccuracy = value.figures.validationAccuracy
    validationAccuracyWithoutArea = value.figures.validationAccuracyWithoutArea
    validationLoss = value.figures.validationLoss
    rate = Double(value.figures.rate)
    seconds = value.seconds
  }

  var value: RunEpoch {
    RunEpoch(
      figures: RunEpoch.Figures(
        epoch: epoch, trainingLoss: trainingLoss, trainingAccuracy: trainingAccuracy,
        validationAccuracy: validationAccuracy,
        validationAccuracyWithoutArea: validationAccuracyWithoutArea,
        validationLoss: validationLoss, rate: Float(rate)),
      seconds: seconds)
  }
}

/// An error of the log of training runs.
package enum RunLogError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened, read or written.
  case unusable(path: String, reason: String)
  /// The file was written by a newer version of the program.
  case newer(path: String)
  /// There is no run with this number or name.
  case noSuchRun(String, path: String)

  /// The message: what happened, where, and what to do.
  package var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): the log of training runs cannot be used: \(reason); "
        + "move it away or name another file with DUCTUS_RUNS"
    case .newer(let path):
      "\(path): this log of training runs was written by a newer version of ductus; "
        + "use that version, or name another file with DUCTUS_RUNS"
    case .noSuchRun(let name, let path):
      "\(name): no such run in \(path); expected a number of 'ductus runs list', the path of a "
        + "model or 'last'"
    }
  }
}

extension RunLogError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
