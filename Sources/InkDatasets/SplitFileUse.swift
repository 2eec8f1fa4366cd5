import DatasetFiles
import Foundation
import InkFormats

/// The match between a split file and its data.
///
/// Data that matches nothing is not an error, but is in no part: a table with other paths leaves
/// everything out. Not thread-safe.
package final class SplitFileUse {
  /// The unit of counting.
  package enum Unit: String, Sendable {
    /// Records, by their files or writers.
    case record
    /// Files, where those of the other parts are not read.
    case file
  }

  /// The unit of counting.
  package let unit: Unit
  /// Records or files that are in no part of the table.
  package private(set) var inNoPart = 0
  /// Files or writers of the table that the data does not have.
  package var unmatched: Int { rest.count }
  /// True if all of the data was read; otherwise both counts cover only its beginning.
  package private(set) var isComplete = false

  private let name: String
  private let file: SplitFile
  /// The files or writers of the table that have not occurred yet.
  private var rest: Set<String> = []

  /// Counts records as they are read.
  init(of file: SplitFile, name: String) {
    self.file = file
    self.name = name
    unit = .record
  }

  /// Compares the table with the existing files.
  ///
  /// - Parameter isAskedFor: Returns whether a file of the table belongs to the read data.
  init(of file: SplitFile, name: String, files: [String], isAskedFor: (String) -> Bool) {
    self.file = file
    self.name = name
    unit = .file
    inNoPart = files.count { file.sources[$0] == nil }
    rest = Set(file.sources.keys.filter(isAskedFor)).subtracting(files)
    isComplete = true
  }

  /// Begins reading the data.
  func begin() {
    guard unit == .record else { return }
    inNoPart = 0
    isComplete = false
    rest = Set(file.sources.keys).union(file.writers.keys)
  }

  /// Records that the data was read to its end.
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

  /// One line about mismatches; nil if there are none, or if the data was not read to its end.
  package var problem: String? {
    guard isComplete, inNoPart > 0 || unmatched > 0 else { return nil }
    let counted = "\(inNoPart) \(unit.rawValue)\(inNoPart == 1 ? "" : "s")"
    return "\(name): \(counted) of the data in no part, \(unmatched) of the table not in the data"
  }
}

extension SplitFile {
  /// Reads a table by its path, or else by its name in `Datasets/splits`, such as `unipen`.
  ///
  /// - Throws: ``DataError`` of code `malformedSplits`, or `missingResources` if the tables of this
  ///   package are missing.
  package init(named name: String) throws(DataError) {
    let path = DataSpecification.locate(name)
    let isName = !name.contains("/") && !name.contains(".")
    // A dataset's folder may have the same name as its table.
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
