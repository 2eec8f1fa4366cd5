import Foundation
import GRDB
import Training

extension RunLog {
  /// The tables, and how those of older versions become them. What is released is never changed:
  /// a change is another migration.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.create(table: RunRow.databaseTableName) { table in
        table.autoIncrementedPrimaryKey("id")
        for name in ["state", "kind", "output", "command", "settings", "dataHash"] {
          table.column(name, .text).notNull()
        }
        for name in ["validationHash", "blas", "version", "figures", "host"] {
          table.column(name, .text).notNull()
        }
        for name in ["workers", "sessions", "epochs", "process"] {
          table.column(name, .integer).notNull()
        }
        for name in ["started", "updated"] { table.column(name, .datetime).notNull() }
        table.column("seconds", .double).notNull()
        for name in ["keptEpoch", "modelBytes"] { table.column(name, .integer) }
        table.column("failure", .text)
      }
      try database.create(
        index: "runByOutput", on: RunRow.databaseTableName, columns: ["output"])
      try database.create(table: RunEpochRow.databaseTableName) { table in
        table.column("run", .integer).notNull()
          .references(RunRow.databaseTableName, onDelete: .cascade)
        table.column("epoch", .integer).notNull()
        for name in ["trainingLoss", "validationAccuracy", "validationLoss", "rate", "seconds"] {
          table.column(name, .double).notNull()
        }
        for name in ["trainingAccuracy", "validationAccuracyWithoutArea"] {
          table.column(name, .double)
        }
        table.primaryKey(["run", "epoch"])
      }
    }
    return migrator
  }
}

/// A row of the runs' table: a record, whose members are its columns.
struct RunRow: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "run"

  var record: RunRecord

  init(_ record: RunRecord) { self.record = record }

  init(from decoder: any Decoder) throws { record = try RunRecord(from: decoder) }

  func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }

  mutating func didInsert(_ inserted: InsertionSuccess) { record.id = inserted.rowID }

  /// The record with what has happened to its process: one that says it is at work on this machine,
  /// and is not there, was killed. Another process of the same number passes for it.
  var value: RunRecord {
    var result = record
    if record.state == .running, record.host == ProcessInfo.processInfo.hostName,
      kill(record.process, 0) != 0, errno == ESRCH
    {
      result.state = .killed
    }
    return result
  }
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
  var seconds: Double

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
      figures: EpochRecord(
        epoch: epoch, trainingLoss: trainingLoss, trainingAccuracy: trainingAccuracy,
        validationAccuracy: validationAccuracy,
        validationAccuracyWithoutArea: validationAccuracyWithoutArea,
        validationLoss: validationLoss, rate: Float(rate)),
      seconds: seconds)
  }
}
