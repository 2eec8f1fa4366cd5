import Foundation
import InkCore
import InkDatasets
import InkFormats

/// A temporary folder that is removed when the object is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/ink-datasets-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes text to a file below the folder, making the folders between; returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Writes one ndjson record of one point per pair of label and writer.
  func writeRecords(_ records: [(label: String, writer: String?)], to name: String) throws -> String
  {
    let lines = records.map { record in
      let writer = record.writer.map { "\"\($0)\"" } ?? "null"
      return #"{"label":"\#(record.label)","subject":\#(writer),"strokes":[[[1,2]]]}"#
    }
    return try write(lines.joined(separator: "\n") + "\n", to: name)
  }
}

/// The good records that a specification selects.
func records(_ text: String) throws -> [InkRecord] {
  try DataSpecification(parsing: text).records().compactMap { try? $0.get() }
}

/// The folder of the unpacked public datasets, or nil.
let datasetsFolder: String? = {
  let environment = ProcessInfo.processInfo.environment
  let home = environment["HOME"].map { $0 + "/.cache/ink-datasets" }
  return [environment["INK_DATASETS"], home].compactMap { $0 }
    .first { FileManager.default.fileExists(atPath: $0) }
}()

/// The path of an unpacked dataset, or nil.
func dataset(_ name: String) -> String? {
  guard let path = datasetsFolder.map({ $0 + "/" + name }),
    FileManager.default.fileExists(atPath: path)
  else { return nil }
  return path
}
