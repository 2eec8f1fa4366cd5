import Foundation
import InkCore
import InkFormats

/// A temporary folder that is removed when the object is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/ink-formats-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes bytes to a file below the folder, making the folders between; returns its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Writes text in UTF-8.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }
}

/// The records and the failures of a reader.
struct Outcome {
  var records: [InkRecord] = []
  var failures: [InkFormatError] = []
  /// For each element, in order, true if it is a record.
  var pattern: [Bool] = []

  init(_ elements: some Sequence<Result<InkRecord, InkFormatError>>) {
    for element in elements {
      switch element {
      case .success(let record): records.append(record)
      case .failure(let error): failures.append(error)
      }
      if case .success = element { pattern.append(true) } else { pattern.append(false) }
    }
  }

  var labels: [String] { records.map(\.labeled.label) }
  var codes: [InkFormatError.Code] { failures.map(\.code) }
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
