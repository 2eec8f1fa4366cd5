import Foundation
import InkCore
import InkDatasets

extension Ink {
  /// A text, printed by four virtual writers.
  static func printed(_ text: String) throws -> [Ink] {
    try labelled([text], count: 4).map(\.ink)
  }

  /// Printed texts of virtual writers, one after the other, with their writing areas.
  static func labelled(_ texts: [String], count: Int) throws -> [LabeledInk] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("word-\(UUID().uuidString).txt")
    try Data(texts.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let data = try DataSpecification(
      parsing: "starter:words?words=\(file.path)&split=all&limit=\(count)&style=printed")
    return try data.records().map { try $0.get().labeled }
  }
}
