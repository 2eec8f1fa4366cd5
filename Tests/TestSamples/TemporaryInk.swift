import Foundation
import InkCore
import InkDatasets
import InkFormats

/// Records in a file that is removed after use.
package enum TemporaryInk {
  package static func with<Value>(
    _ records: [LabeledInk], extraLines: [String] = [],
    _ body: (DataSpecification) throws -> Value
  ) throws -> Value {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("report-\(UInt64.random(in: 0 ... .max)).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try InkJSONLinesWriter(path: url.path)
    for record in records { try writer.write(record) }
    try writer.finish()
    if !extraLines.isEmpty {
      let text = try String(contentsOf: url, encoding: .utf8)
      try Data((text + extraLines.joined(separator: "\n") + "\n").utf8).write(to: url)
    }
    return try body(DataSpecification(parsing: "ink:\(url.path)"))
  }

  /// An ink of one straight stroke with a number of points.
  package static func line(_ points: Int, label: String, writer: String? = nil) -> LabeledInk {
    let stroke = (0..<points).map { StrokePoint(x: Double($0), y: Double($0 % 2), t: Double($0)) }
    return LabeledInk(ink: Ink(strokes: [Stroke(points: stroke)]), label: label, writer: writer)
  }
}
