import Features
import Foundation
import InkCore
import InkDatasets
import InkFormats

/// Why records of training or validation data were left out.
public struct RejectedRecords: Hashable, Sendable {
  /// The file was malformed there, or a coordinate not finite. A file that is read for several parts
  /// counts once.
  public var malformed: Int { nonFinite + failures.values.reduce(0, +) }
  /// A coordinate was not finite.
  var nonFinite = 0
  /// How often each failure of a format was met, by its hash, most in one reading: failures belong to no
  /// part and are met in the reading of each.
  private var failures: [Int: Int] = [:]
  /// Judged bad by its collector; left out of training only.
  public var poorQuality = 0
  /// No points, or no text.
  public var empty = 0
  /// Validation inks whose label no training ink has, or training lines with a symbol that is too
  /// rare to be learned.
  public var unknownLabel = 0
  /// Training lines whose ink is so short for their text that it must be several lines, or of another
  /// text.
  public var tooShort = 0

  /// Adds the failures of one reading of some data.
  mutating func merge(failures found: [Int: Int]) {
    failures.merge(found, uniquingKeysWith: max)
  }
}

/// The usable inks of some data, in the form training wants.
struct TrainingReading {
  /// An ink in its own frame.
  struct Sample {
    var trajectory: Trajectory
    var area: LocalArea?
    var label: String
    /// How much text it is, where the format says so.
    var level: InkRecord.Level?
    var writer: Writer?
    var format: DataFormat
  }

  /// A person whose ink was read.
  struct Writer: Hashable {
    var name: String
    /// The data that names them.
    var path: String
  }

  private(set) var samples: [Sample] = []
  /// Different writers; one name in different data means different people.
  private(set) var writers: Set<Writer> = []
  /// Samples that name no writer.
  private(set) var unnamed = 0
  /// SHA-256 of the records, hexadecimal.
  private(set) var hash = ""

  /// Reads the data.
  ///
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
  init(
    _ data: [DataSpecification], skipsPoorQuality: Bool, _ rejected: inout RejectedRecords
  ) throws {
    var hasher = DataHasher()
    for specification in data {
      var failures: [Int: Int] = [:]
      defer { rejected.merge(failures: failures) }
      for element in try specification.records() {
        let record: InkRecord
        switch element {
        case .success(let good): record = good
        case .failure(let error):
          failures[error.hashValue, default: 0] += 1
          continue
        }
        guard let trajectory = try? Trajectory(record.labeled.ink) else {
          rejected.nonFinite += 1
          continue
        }
        let labeled = record.labeled
        if labeled.ink.isEmpty {
          rejected.empty += 1
        } else if skipsPoorQuality, labeled.quality == .bad {
          rejected.poorQuality += 1
        } else {
          hasher.update(with: labeled)
          let writer = labeled.writer.map { Writer(name: $0, path: specification.path) }
          if let writer { writers.insert(writer) } else { unnamed += 1 }
          let area = labeled.writingArea.map { LocalArea($0, in: trajectory.frame) }
          samples.append(
            Sample(
              trajectory: trajectory, area: area, label: labeled.label, level: record.level,
              writer: writer, format: specification.format))
        }
      }
    }
    hash = hasher.finalize()
  }
}

/// The data of a training run, by SHA-256 of its records.
public struct DataIdentity: Hashable, Codable, Sendable {
  /// Of the training records, hexadecimal.
  public var training: String
  /// Of the validation records, hexadecimal.
  public var validation: String

  /// Makes an identity.
  public init(training: String, validation: String) {
    self.training = training
    self.validation = validation
  }
}

/// Something for each writer, in the order in which they were first named.
struct ByWriter<Value> {
  private(set) var values: [Value] = []
  private var places: [String: Int] = [:]

  /// What a writer has; `initial` where they are named for the first time.
  subscript(writer: String, default initial: @autoclosure () -> Value) -> Value {
    get { places[writer].map { values[$0] } ?? initial() }
    _modify {
      let place = places[writer] ?? values.count
      if place == values.count {
        places[writer] = place
        values.append(initial())
      }
      yield &values[place]
    }
  }
}
