import DatasetFiles
import Foundation
import InkFormats

/// How well a split file and the data that it divides fit each other.
///
/// What fits nothing is no error, but in no part either: a table of other paths leaves everything out.
/// Not thread-safe.
public final class SplitFileUse {
  /// What is counted that stands in no part.
  public enum Unit: String, Sendable {
    /// Records, by their files or writers.
    case record
    /// Files, where those of the other parts are not read.
    case file
  }

  /// What is counted.
  public let unit: Unit
  /// Records or files that the table has in no part.
  public private(set) var inNoPart = 0
  /// Files or writers of the table that the data does not have.
  public var unmatched: Int { rest.count }
  /// Whether all of the data was looked at: else both counts are of its beginning.
  public private(set) var isComplete = false

  private let name: String
  private let file: SplitFile
  /// The files or writers of the table that were not met yet.
  private var rest: Set<String> = []

  /// Counts records as they are read.
  init(of file: SplitFile, name: String) {
    self.file = file
    self.name = name
    unit = .record
  }

  /// Compares the table with the files that are there.
  ///
  /// - Parameter isAskedFor: Whether a file of the table is of what is read at all.
  init(of file: SplitFile, name: String, files: [String], isAskedFor: (String) -> Bool) {
    self.file = file
    self.name = name
    unit = .file
    inNoPart = files.count { file.sources[$0] == nil }
    rest = Set(file.sources.keys.filter(isAskedFor)).subtracting(files)
    isComplete = true
  }

  /// Begins a reading of the data.
  func begin() {
    guard unit == .record else { return }
    inNoPart = 0
    isComplete = false
    rest = Set(file.sources.keys).union(file.writers.keys)
  }

  /// Ends it, where no more records come.
  func end() { isComplete = true }

  /// The part of a record, which is counted.
  func part(of record: InkRecord) -> DataSplit? {
    let part = file.part(of: record)
    guard unit == .record else { return part }
    if part == nil { inNoPart += 1 }
    if !rest.isEmpty {
      rest.remove(record.source)
      if let writer = record.labeled.writer { rest.remove(writer) }
    }
    return part
  }

  /// A line that says what does not fit; nil where all does, or where the data was not read to its end.
  public var problem: String? {
    guard isComplete, inNoPart > 0 || unmatched > 0 else { return nil }
    let counted = "\(inNoPart) \(unit.rawValue)\(inNoPart == 1 ? "" : "s")"
    return "\(name): \(counted) of the data in no part, \(unmatched) of the table not in the data"
  }
}

extension SplitFile {
  /// Reads a table by its path, or else by its name in `Datasets/splits`, such as `unipen`.
  ///
  /// - Throws: ``DataError`` of code `malformedSplits`, or `missingResources` where the tables that
  ///   come with this package are missing.
  init(named name: String) throws(DataError) {
    let path = DataSpecification.locate(name)
    let isName = !name.contains("/") && !name.contains(".")
    // A dataset's folder may have the name of its table.
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isName, !exists || isFolder.boolValue else {
      try self.init(path: path)
      return
    }
    let text: String?
    do throws(DatasetFilesError) {
      let isThere = try DatasetFiles.names(in: .splits).contains(name + ".tsv")
      text = isThere ? try DatasetFiles.text(name + ".tsv", in: .splits) : nil
    } catch {
      throw DataError(
        .missingResources, in: "splits=\(name)", expected: "a path, or the tables of this package",
        found: "\(error)")
    }
    if let text { try self.init(parsing: text, name: name) } else { try self.init(path: path) }
  }
}
