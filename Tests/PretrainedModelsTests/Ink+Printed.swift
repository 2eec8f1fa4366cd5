import Foundation
import InkCore
import InkDatasets

extension Ink {
  /// A text, printed by four virtual writers.
  static func printed(_ text: String) throws -> [Ink] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("word-\(UUID().uuidString).txt")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let data = try DataSpecification(
      parsing: "starter:words?words=\(file.path)&split=all&limit=4&style=printed")
    return try data.records().map { try $0.get().labeled.ink }
  }
}
