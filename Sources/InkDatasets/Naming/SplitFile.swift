import Foundation
import InkFormats

/// A table with the part of each file or writer of a dataset.
///
/// Tab-separated values. Lines that start with `#` are comments; the first other line names the
/// columns. `split` contains train, val or test. `path` contains the file as
/// ``InkFormats/InkRecord`` names its source; without a column `path`, `writer` or `writers`
/// contains the writer's id. A file or writer may occur in several lines, but in one part. A byte
/// order mark at the beginning is ignored.
package struct SplitFile: Sendable {
  /// The part of each file, by its path relative to the dataset.
  package private(set) var sources: [String: DataSplit] = [:]
  /// The part of each writer, if the table has no paths.
  package private(set) var writers: [String: DataSplit] = [:]

  /// The part of a record, or nil if the table has neither its file nor its writer.
  func part(of record: InkRecord) -> DataSplit? {
    sources[record.source] ?? record.labeled.writer.flatMap { writers[$0] }
  }

  /// Reads a table. O(file) memory.
  ///
  /// - Throws: ``DataError`` of code `malformedSplits` with the line.
  package init(path: String) throws(DataError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw DataError(
        .malformedSplits, in: path,
        expected: "a readable split file, here or in the folder that INK_DATASETS names",
        found: "none there")
    }
    try self.init(parsing: String(decoding: bytes, as: UTF8.self), name: path)
  }

  /// Parses a table; errors contain `name`.
  package init(parsing text: String, name: String) throws(DataError) {
    // As scalars, because the mark may form one character with what follows.
    let isMarked = text.unicodeScalars.first == "\u{FEFF}"
    let text = isMarked ? String(text.unicodeScalars.dropFirst()) : text
    var columns: (key: Int, split: Int, count: Int, isPath: Bool)?
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let subject = "\(name):\(index + 1)"
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard let known = columns else {
        let path = fields.firstIndex(of: "path")
        let key = path ?? fields.firstIndex(of: "writer") ?? fields.firstIndex(of: "writers")
        guard let key, let split = fields.firstIndex(of: "split") else {
          throw DataError(
            .malformedSplits, in: subject,
            expected: "a header with the columns split and path or writer",
            found: "\(fields.count) other columns")
        }
        columns = (key, split, fields.count, path != nil)
        continue
      }
      guard fields.count == known.count,
        let part = DataSplit(rawValue: String(fields[known.split])),
        part != .all
      else {
        throw DataError(
          .malformedSplits, in: subject,
          expected: "\(known.count) columns with train, val or test in the column split",
          found: "\(fields.count) columns or another value")
      }
      let key = String(fields[known.key])
      let other =
        known.isPath
        ? sources.updateValue(part, forKey: key) : writers.updateValue(part, forKey: key)
      guard other == nil || other == part else {
        throw DataError(
          .malformedSplits, in: subject,
          expected: "each \(known.isPath ? "file" : "writer") in one part",
          found: "one that an earlier line puts in \(other?.rawValue ?? "another")")
      }
    }
    guard columns != nil else {
      throw DataError(.malformedSplits, in: name, expected: "a header line", found: "none")
    }
  }
}
