import Features
import Files
import Foundation
import InkCore
import InkDatasets
import InkFormats

/// The number of training or validation records that were left out, by reason.
public struct RejectedRecords: Hashable, Codable, Sendable {
  /// Records with a malformed file or a coordinate that is not finite. A file that is read for
  /// several parts counts once.
  public var malformed: Int { nonFinite + failures.values.reduce(0, +) }
  /// Records with a coordinate that is not finite.
  var nonFinite = 0
  /// The count of each format failure, by its text: the largest count in any one reading. Failures
  /// belong to no part, so every reading meets all of them.
  private var failures: [String: Int] = [:]
  /// Records that their collector judged bad; left out of training only.
  package var poorQuality = 0
  /// Records without points or without a text.
  public var empty = 0
  /// Validation inks with a label that no training ink has, or training lines with a symbol that is
  /// too rare to train on.
  package var unknownLabel = 0
  /// Training lines whose ink is too short for their text: it must be several lines or another
  /// text.
  package var tooShort = 0

  /// Pages whose ink has a different number of lines than their label.
  package var unmatchedPages = 0

  /// Adds the failures of one reading of some data.
  mutating func merge(failures found: [String: Int]) {
    failures.merge(found, uniquingKeysWith: max)
  }

  /// Adds the records of a further reading.
  mutating func merge(_ other: RejectedRecords) {
    nonFinite += other.nonFinite
    poorQuality += other.poorQuality
    empty += other.empty
    unknownLabel += other.unknownLabel
    tooShort += other.tooShort
    unmatchedPages += other.unmatchedPages
    merge(failures: other.failures)
  }
}

/// The usable inks of some data, in the form that training needs.
struct TrainingReading {
  /// An ink in its own frame.
  struct Sample {
    var trajectory: Trajectory
    var area: LocalArea?
    var label: String
    /// The amount of text it holds, if the format reports it.
    var level: InkRecord.Level?
    var writer: Writer?
    var format: DataFormat
    /// The ink in its coordinates on the page, if it may not be one line in the order of writing.
    var page: Page?
  }

  /// An ink with the strokes of each of its rows.
  struct Page {
    var labeled: LabeledInk
    var rows: [[Int]]
  }

  /// A person whose ink was read.
  struct Writer: Hashable, Codable {
    var name: String
    /// The data that contains the writer's name.
    var path: String
  }

  /// All that decides what a reading gives, beside its data.
  struct Purpose {
    /// Its name, which no other purpose has.
    var name: String
    /// True to leave out ink that its collector judged bad.
    var skipsPoorQuality: Bool
    /// False if only the number of inks and their writers are wanted.
    var keepsInk = true
    /// Finds the rows of an ink that is no line in the order of writing; nil for any other.
    var findRows: (LabeledInk) -> [[Int]]? = { _ in nil }
  }

  private(set) var samples: StoredSamples
  private var facts = ReadingIndex.Facts()
  /// The outcome of looking for the index of the reading.
  private(set) var index = DataIndexUse.none

  /// The different writers. The same name in different data counts as different people.
  var writers: Set<Writer> { Set(samples.writers) }
  /// The number of samples that name no writer.
  var unnamed: Int { facts.unnamed }
  /// The SHA-256 of the records, hexadecimal.
  var hash: String { facts.hash }

  /// Reads the data, or the index of an earlier reading.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - purpose: What is read.
  ///   - rejected: Counts the records that are left out.
  ///   - indexing: Whether the reading has an index, and where.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  init(
    _ data: [DataSpecification], for purpose: Purpose, _ rejected: inout RejectedRecords,
    indexing: DataIndexing = .off
  ) throws {
    samples = StoredSamples()
    defer { rejected.merge(facts.rejected) }
    guard let file = ReadingIndex(of: data, variant: purpose.name, in: indexing) else {
      try read(data, for: purpose)
      return
    }
    let lock: FileLock
    do throws(FileError) {
      lock = try file.lock()
    } catch {
      index = .failed(error, at: file.path)
      try read(data, for: purpose)
      return
    }
    defer { withExtendedLifetime(lock) {} }
    if let (kept, facts) = file.open() {
      (samples, self.facts) = (kept, facts)
      index = .used(path: file.path)
      return
    }
    try read(data, for: purpose)
    do throws(FileError) {
      guard let bytes = try file.write(samples, facts, variant: purpose.name) else { return }
      index = .made(path: file.path, bytes: bytes)
      // The index has all that memory has.
      if let (kept, _) = file.open() { samples = kept }
    } catch {
      index = .failed(error, at: file.path)
    }
  }

  private mutating func read(_ data: [DataSpecification], for purpose: Purpose) throws {
    var hasher = DataHasher()
    for specification in data {
      var failures: [String: Int] = [:]
      defer { facts.rejected.merge(failures: failures) }
      for element in try specification.records() {
        let record: InkRecord
        switch element {
        case .success(let good): record = good
        case .failure(let error) where error.code == .unmatchedLines:
          facts.rejected.unmatchedPages += 1
          continue
        case .failure(let error):
          failures["\(error)", default: 0] += 1
          continue
        }
        guard let trajectory = try? Trajectory(record.labeled.ink) else {
          facts.rejected.nonFinite += 1
          continue
        }
        let labeled = record.labeled
        if labeled.ink.isEmpty {
          facts.rejected.empty += 1
        } else if purpose.skipsPoorQuality, labeled.quality == .bad {
          facts.rejected.poorQuality += 1
        } else {
          hasher.update(with: labeled)
          let writer = labeled.writer.map { Writer(name: $0, path: specification.path) }
          if writer == nil { facts.unnamed += 1 }
          let area = labeled.writingArea.map { LocalArea($0, in: trajectory.frame) }
          samples.append(
            Sample(
              trajectory: purpose.keepsInk ? trajectory : Trajectory(), area: area,
              label: purpose.keepsInk ? labeled.label : "", level: record.level,
              writer: writer, format: specification.format,
              page: purpose.findRows(labeled).map { Page(labeled: labeled, rows: $0) }))
        }
      }
    }
    facts.hash = hasher.finalize()
  }

  /// Replaces the samples by others that were made from them.
  mutating func replaceSamples(by others: StoredSamples) { samples = others }
}

extension DataIndexUse {
  fileprivate static func failed(_ error: FileError, at path: String) -> DataIndexUse {
    .failed(path: path, reason: String(cString: strerror(error.code)))
  }
}

/// The data of a training run, by SHA-256 of its records.
public struct DataIdentity: Hashable, Codable, Sendable {
  /// The hash of the training records, hexadecimal.
  public var training: String
  /// The hash of the validation records, hexadecimal.
  public var validation: String

  /// Makes an identity.
  public init(training: String, validation: String) {
    self.training = training
    self.validation = validation
  }
}

/// One value for each writer, in the order in which the writers were first named.
struct ByWriter<Value> {
  private(set) var values: [Value] = []
  private var places: [String: Int] = [:]

  /// The value of a writer; `initial` if the writer is new.
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
